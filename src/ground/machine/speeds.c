/* speeds.c - bandwidths and latencies of a machine's links that a user gives */
#include "machine/speeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/topo_level.h"

/* A structured machine is written as the parameters it was made from. */
static void keep_parameter(struct topo *topo, const char *level, const char *what, const char *text,
			   double number)
{
	const struct param *params = topo->pick.entry != NULL ? topo->pick.entry->params : NULL;
	char *key = xasprintf("%s-%s", level, what);

	for (int i = 0; params != NULL && params[i].key != NULL; i++)
		if (str_eq(params[i].key, key)) {
			struct value *value = &topo->pick.values[i];

			free(value->text);
			value->text = xstrdup(text);
			value->real = number;
			value->is_set = value->is_given = true;
		}
	free(key);
}

static int find_level(const struct topo *topo, const char *text, size_t n, struct err *err)
{
	int level = topo_level_find(topo, text, n);
	struct buf names = {0};

	if (level >= 0)
		return level;
	for (int i = 0; i < topo->nlevels; i++)
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", topo->levels[i].name);
	err_set(err, "'%.*s' is not a level of links: expected one of %s", (int)n, text,
		buf_text(&names));
	buf_free(&names);
	return -1;
}

static int set(struct topo *topo, const char *text, bool is_bandwidth, struct err *err)
{
	const char *equals = strchr(text, '='), *what = is_bandwidth ? "bandwidth" : "latency";
	struct link_level *level;
	double number;
	int found;

	if (equals == NULL)
		return err_set(err, "--%s %.80s: expected LEVEL=VALUE", what, text);
	found = find_level(topo, text, (size_t)(equals - text), err);
	if (found < 0)
		return err_prefix(err, "--%s: ", what);
	level = &topo->levels[found];
	if (is_bandwidth ? num_bandwidth(equals + 1, &number) != 0 || number <= 0
			 : num_duration(equals + 1, &number) != 0)
		return err_set(err, "--%s: '%.80s' is not a %s", what, equals + 1,
			       is_bandwidth ? "bandwidth such as 100Gbit/s" : "time such as 100ns");
	if (is_bandwidth) {
		level->bandwidth = number;
		level->is_bandwidth_written = true;
		level->is_bandwidth_guessed = false;
	} else {
		level->latency = number;
		level->is_latency_written = true;
	}
	keep_parameter(topo, level->name, what, equals + 1, number);
	return 0;
}

static int set_all(struct topo *topo, const char *const *texts, int n, bool is_bandwidth,
		   struct err *err)
{
	for (int i = 0; i < n; i++)
		if (set(topo, texts[i], is_bandwidth, err) != 0)
			return -1;
	return 0;
}

int topo_set_bandwidths(struct topo *topo, const char *const *texts, int n, struct err *err)
{
	return set_all(topo, texts, n, true, err);
}

int topo_set_latencies(struct topo *topo, const char *const *texts, int n, struct err *err)
{
	return set_all(topo, texts, n, false, err);
}
