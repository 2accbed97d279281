/* slurm_asks.c - what a job asks for besides nodes and times: leaf switches, sharing, limits */
#include "convert/reader/slurm_asks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/num.h"
#include "convert/reader/slurm_fields.h"

void slurm_asks_clear(struct slurm_asks *asks)
{
	*asks = (struct slurm_asks){-1, -1, -1, -1, -1, -1};
}

void slurm_asks_declare(struct slurm_asks_columns *columns, struct flow *flow)
{
	columns->exclusive = flow_column(flow, "exclusive");
	columns->exclusive_topo = flow_column(flow, "exclusive_topo");
	columns->oversubscribe = flow_column(flow, "oversubscribe");
	columns->leaf_switches = flow_column(flow, "leaf_switches");
	columns->switch_wait = flow_column(flow, "switch_wait_s");
	columns->array_limit = flow_column(flow, "array_limit");
}

static void put_flag(struct flow *flow, int column, int flag)
{
	if (flag >= 0)
		flow_text(flow, column, flag ? "yes" : "no");
}

void slurm_asks_put(const struct slurm_asks *asks, const struct slurm_asks_columns *columns,
		    struct flow *flow)
{
	put_flag(flow, columns->exclusive, asks->exclusive);
	put_flag(flow, columns->exclusive_topo, asks->exclusive_topo);
	put_flag(flow, columns->oversubscribe, asks->oversubscribe);
	if (asks->leaf_switches > 0)
		flow_int(flow, columns->leaf_switches, asks->leaf_switches);
	if (asks->leaf_switches > 0 && asks->switch_wait_s >= 0)
		flow_seconds(flow, columns->switch_wait, asks->switch_wait_s * 1000000000);
	if (asks->array_limit > 0)
		flow_int(flow, columns->array_limit, asks->array_limit);
}

/* The number, from 1 on, that a text begins with; returns its digits, 0: there is none. */
static size_t leading_number(const char *text, int64_t *number)
{
	size_t n = strspn(text, "0123456789");
	uint64_t value;

	if (n == 0 || num_digits(text, n, &value) != 0 || value == 0 || value > INT32_MAX)
		return 0;
	*number = (int64_t)value;
	return n;
}

void slurm_asks_switches(struct slurm_asks *asks, const char *text)
{
	int64_t switches;
	size_t n = text != NULL ? leading_number(text, &switches) : 0;
	struct err why;

	if (n == 0 || (text[n] != '\0' && text[n] != '@'))
		return;
	asks->leaf_switches = switches;
	if (text[n] == '@')
		slurm_duration(text + n + 1, &asks->switch_wait_s, &why);
}

void slurm_asks_sharing(struct slurm_asks *asks, const char *word)
{
	if (word == NULL)
		return;
	if (strcasecmp(word, "NO") == 0 || strcasecmp(word, "EXCLUSIVE") == 0)
		asks->exclusive = 1;
	else if (strcasecmp(word, "YES") == 0)
		asks->oversubscribe = 1;
	else if (strcasecmp(word, "TOPO") == 0)
		asks->exclusive = asks->exclusive_topo = 1;
}

void slurm_asks_array(struct slurm_asks *asks, const char *tasks)
{
	const char *percent = tasks != NULL ? strchr(tasks, '%') : NULL;

	if (percent != NULL)
		leading_number(percent + 1, &asks->array_limit);
}
