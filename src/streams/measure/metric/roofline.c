/* roofline.c - the least time that computation and the nodes' links allow, and how near a run is */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

/*
 * Williams, Waterman, Patterson (CACM 2009), with a node's network in the place of memory: a run
 * cannot end before its slowest rank has computed, nor before the node with the most bytes has sent
 * or received them on all its links at once. Where both overlap perfectly it takes the longer of
 * the two.
 */
static const struct metric_output outputs[] = {
	{"roofline", "s", "the least time that the run needs; the note names what binds it"},
	{"roofline-fraction", "1", "this divided by the time that the run took"},
	{"roofline-intensity", "1",
	 "the longest computation divided by the time of the most bytes: above 1 computation binds"},
	{0}};

static const struct param params[] = {
	{.key = "bandwidth",
	 .type = PARAM_BANDWIDTH,
	 .optional = true,
	 .meaning = "of a node, each direction; else that of its terminal links, NICs and planes"},
	{0}};

struct state {
	const struct topo *topo;
	int node, elapsed, compute, sent, received, gpu;
	char *way; /* of GPUs' messages: column gpu of the first row; NULL: no row yet */
	double bandwidth;
	double longest, computed; /* s, of the slowest ranks; NAN: one is missing */
	double *out, *in;         /* [nnodes] bytes to and from other nodes */
};

static int roofline_open(void **state, const struct pick *pick,
			 const struct metric_context *context, struct err *err)
{
	struct state *roof = xcalloc(1, sizeof(*roof));
	const struct topo *topo = context->topo;
	const struct topo_nics *nics = &topo->nics;

	(void)err;
	*state = roof;
	roof->topo = topo;
	roof->node = table_find(context->in, "node");
	roof->elapsed = table_find(context->in, "comm_time_s");
	roof->compute = table_find(context->in, "compute_s");
	roof->sent = table_find(context->in, "sent_bytes");
	roof->received = table_find(context->in, "received_bytes");
	roof->gpu = table_find(context->in, "gpu");
	roof->bandwidth = topo->levels[LINK_TERMINAL].bandwidth *
			  (nics->count > 0 ? nics->count : 1) *
			  (nics->planes > 0 ? nics->planes : 1);
	if (pick_has(pick, "bandwidth"))
		roof->bandwidth = pick_real(pick, "bandwidth");
	roof->out = xcalloc((size_t)topo->nnodes, sizeof(*roof->out));
	roof->in = xcalloc((size_t)topo->nnodes, sizeof(*roof->in));
	return 0;
}

/* What is missing may be greater than anything: it stays so. */
static double greater(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/* Runs that differ in it are not one run. */
static int check_way(struct state *roof, const struct row *row, struct err *err)
{
	const char *way = row_text(row, roof->gpu);

	if (way == NULL)
		way = "";
	if (roof->way == NULL)
		roof->way = xstrdup(way);
	if (!str_eq(roof->way, way))
		return row_error(row, err,
				 "roofline: the run is there with gpu '%s' and '%s': "
				 "expected --by gpu",
				 roof->way, way);
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct state *roof = state;
	const char *name = row_text(item->row, roof->node);
	int node = name != NULL ? topo_node_find(roof->topo, name, strlen(name)) : -1;
	double values[4] = {NAN, NAN, NAN, NAN};
	const int at[4] = {roof->elapsed, roof->compute, roof->sent, roof->received};
	static const char *const names[4] = {"comm_time_s", "compute_s", "sent_bytes",
					     "received_bytes"};

	(void)sink;
	if (node < 0)
		return row_error(item->row, err, "'%s' is not a node of %s",
				 name != NULL ? name : "", roof->topo->name);
	if (check_way(roof, item->row, err) != 0)
		return -1;
	for (int i = 0; i < 4; i++)
		if (row_real(item->row, at[i], names[i], 0, INFINITY, &values[i], err) < 0)
			return -1;
	roof->longest = greater(roof->longest, values[0]);
	roof->computed = greater(roof->computed, values[1]);
	roof->out[node] += values[2];
	roof->in[node] += values[3];
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct state *roof = state;
	double most = 0, seconds, least;

	(void)err;
	for (int node = 0; node < roof->topo->nnodes; node++)
		most = greater(most, greater(roof->out[node], roof->in[node]));
	seconds = most / roof->bandwidth;
	least = greater(roof->computed, seconds);
	metric_put(sink, outputs[0].name, "s", least,
		   isnan(least)                ? "a rank lacks a value"
		   : roof->computed >= seconds ? "computation"
					       : "network");
	metric_put(sink, outputs[1].name, "1", roof->longest > 0 ? least / roof->longest : NAN,
		   NULL);
	metric_put(sink, outputs[2].name, "1", seconds > 0 ? roof->computed / seconds : NAN, NULL);
	return 0;
}

static void close(void *state)
{
	struct state *roof = state;

	if (roof != NULL) {
		free(roof->way);
		free(roof->out);
		free(roof->in);
	}
	free(roof);
}

static const struct table_kind *const kinds[] = {&kind_ranks, NULL};
static const char *const columns[] = {"comm_time_s", "compute_s", "sent_bytes", "received_bytes",
				      NULL};

const struct metric metric_roofline = {
	.entry = {.name = "roofline",
		  .example = "roofline",
		  .summary = "the least time that computation and the nodes' links allow",
		  .paper = "Williams, Waterman, Patterson, CACM 2009; Khetawat 2022, section 3.7",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = roofline_open,
	.row = row,
	.end = end,
	.close = close,
};
