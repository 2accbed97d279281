/* scontrol_node.c - scontrol show node as the states of nodes */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "convert/reader/text.h"
#include "base/mem.h"
#include "base/str.h"

struct reading {
	struct flow *flow;
	struct in *in;
	int node, state; /* columns */
	char *name;      /* of the open record; NULL: none, or its state was there */
};

/* The value of "Key=value" in a line, up to a blank; NULL: it is not there. */
static const char *find_value(const char *line, const char *key, size_t *n)
{
	size_t nkey = strlen(key);

	for (const char *at = line; (at = strstr(at, key)) != NULL; at += nkey)
		if ((at == line || at[-1] == ' ') && at[nkey] == '=') {
			at += nkey + 1;
			*n = strcspn(at, " ");
			return at;
		}
	return NULL;
}

static int end_record(struct reading *reading, struct err *err)
{
	if (reading->name == NULL)
		return 0;
	return in_error(reading->in, err, "the node '%s' has no State=", reading->name);
}

/* A record is one line (-o) or several, of which the first has NodeName=. Of several State= the
 * first one counts: a Reason= at the end may hold any text. */
static int read_line(struct reading *reading, const char *line, struct err *err)
{
	size_t n;
	const char *value = find_value(line, "NodeName", &n);
	char word[32], *text;
	int status;

	if (value != NULL && value == line + strlen("NodeName=")) {
		if (end_record(reading, err) != 0)
			return -1;
		if (n == 0)
			return in_error(reading->in, err, "a node without its name");
		reading->name = xstrndup(value, n);
	}
	value = find_value(line, "State", &n);
	if (value == NULL || reading->name == NULL)
		return 0;
	text = xstrndup(value, n);
	flow_text(reading->flow, reading->node, reading->name);
	flow_text(reading->flow, reading->state, slurm_node_state(text, word));
	reading->flow->line = in_lineno(reading->in);
	status = flow_emit(reading->flow, err);
	free(text);
	free(reading->name);
	reading->name = NULL;
	return status;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct reading *reading = context;
	char *line;
	int status;

	reading->in = in;
	reading->flow->file = in_name(in);
	while ((status = in_line(in, &line, NULL, err)) == 1) {
		line += strspn(line, " \t");
		if (in_lineno(in) == 1 && !str_starts(line, "NodeName="))
			return in_error(in, err, "a line 'NodeName=…' was wanted");
		if (read_line(reading, line, err) != 0)
			return -1;
	}
	reading->flow->file = NULL;
	return status < 0 ? -1 : end_record(reading, err);
}

static int read_nodes(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct reading reading = {.flow = flow};
	int status;

	(void)whole;
	reading.node = flow_column(flow, "node");
	reading.state = flow_column(flow, "state");
	status = text_read_files(input->paths, read_file, &reading, err);
	free(reading.name);
	return status;
}

static bool is_nodes(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "NodeName=") && strstr(head, " CPUTot=") != NULL;
}

static const struct table_kind *const makes[] = {&kind_nodes, NULL};

const struct reader reader_scontrol_node = {
	.entry = {.name = "scontrol-node",
		  .example = "scontrol-node",
		  .summary = "Slurm's scontrol show node, in one line a node or in several",
		  .feed = "scontrol show node -o"},
	.makes = makes,
	.is_proof = is_nodes,
	.read = read_nodes,
};
