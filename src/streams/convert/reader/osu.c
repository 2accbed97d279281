/* osu.c - what the OSU micro-benchmarks print, as measurements */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"

enum { BANDWIDTH = 1, FITS = 2 }; /* FITS: of one pair, what a profile of netsim is fitted on */

/* By the title, "# OSU MPI TITLE Test v5.6.3", where releases of GPUs have "MPI-CUDA". */
static const struct title {
	const char *title, *test;
	int flags;
} titles[] = {
	{"Latency", "osu_latency", FITS},
	{"Bandwidth", "osu_bw", BANDWIDTH | FITS},
	{"Bi-Directional Bandwidth", "osu_bibw", BANDWIDTH},
	{"Multiple Bandwidth / Message Rate", "osu_mbw_mr", BANDWIDTH},
	{"Multi Latency", "osu_multi_lat", 0},
	{"Multi-threaded Latency", "osu_latency_mt", 0},
	{"All-to-All Personalized Exchange Latency", "osu_alltoall", 0},
	{"All-to-Allv Personalized Exchange Latency", "osu_alltoallv", 0},
	{"Allgather Latency", "osu_allgather", 0},
	{"Allgatherv Latency", "osu_allgatherv", 0},
	{"Allreduce Latency", "osu_allreduce", 0},
	{"Barrier Latency", "osu_barrier", 0},
	{"Broadcast Latency", "osu_bcast", 0},
	{"Gather Latency", "osu_gather", 0},
	{"Gatherv Latency", "osu_gatherv", 0},
	{"Reduce Latency", "osu_reduce", 0},
	{"Reduce_scatter Latency", "osu_reduce_scatter", 0},
	{"Scatter Latency", "osu_scatter", 0},
	{"Scatterv Latency", "osu_scatterv", 0},
	{NULL},
};

struct osu_reader {
	struct flow *flow;
	const struct pick *pick;
	const struct title *title; /* of the present report; NULL: none yet, or an unknown one */
	bool is_known;             /* of the lines that follow: there was a title */
	int64_t nodes, ranks_per_node;
	int scope, id, metric, value, unit, bytes, nodes_column, ranks_column, role;
};

/* "# OSU MPI Latency Test v5.6.3"; false: another line. */
static bool read_title(struct osu_reader *reading, const char *line)
{
	const char *begin = strstr(line, "OSU MPI"), *end = strstr(line, " Test");
	char *name;

	if (begin == NULL || end == NULL || end < begin)
		return false;
	begin += strcspn(begin + strlen("OSU "), " ") + strlen("OSU ");
	begin += strspn(begin, " ");
	name = xstrndup(begin, (size_t)(end - begin));
	reading->title = NULL;
	for (const struct title *title = titles; title->title != NULL; title++)
		if (str_eq(title->title, name))
			reading->title = title;
	if (reading->title == NULL)
		flow_unknown(reading->flow, "tests", name);
	reading->is_known = true;
	reading->ranks_per_node = pick_int(reading->pick, "ranks-per-node");
	free(name);
	return true;
}

/* "# [ pairs: 32 ] [ window size: 64 ]": as many ranks on each of two nodes. */
static void read_pairs(struct osu_reader *reading, const char *line)
{
	static const char key[] = "pairs:";
	const char *at = strstr(line, key);
	char *words[1], *copy;
	int64_t npairs;

	if (at == NULL || reading->nodes != 2)
		return;
	copy = xstrdup(at + strlen(key));
	if (text_words(copy, words, 1) == 1 && num_int(words[0], 1, 1 << 20, &npairs) == 0)
		reading->ranks_per_node = npairs;
	free(copy);
}

/* "8  1.02", of a barrier "5.24": the size, the time or the bandwidth, further columns */
static int read_row(struct osu_reader *reading, struct in *in, char **words, int nwords,
		    struct err *err)
{
	const struct title *title = reading->title;
	bool has_size = !str_eq(title->test, "osu_barrier");
	int64_t bytes = 0;
	double value;
	char *id;
	int status;

	if (nwords < 1 + has_size || (has_size && num_int(words[0], 0, INT64_MAX, &bytes) != 0) ||
	    num_real(words[has_size], 0, 1e15, &value) != 0)
		return in_error(in, err, "expected a %s",
				!has_size ? "time" : "size and a time or a bandwidth");
	id = xasprintf("%lldx%lld:%lld", (long long)reading->nodes,
		       (long long)reading->ranks_per_node, (long long)bytes);
	flow_text(reading->flow, reading->scope, title->test);
	flow_text(reading->flow, reading->id, id);
	flow_text(reading->flow, reading->metric,
		  title->flags & BANDWIDTH                 ? "bandwidth"
		  : str_starts(title->test, "osu_latency") ? "half_round_trip"
							   : "time");
	flow_real(reading->flow, reading->value, value);
	flow_text(reading->flow, reading->unit, title->flags & BANDWIDTH ? "MB/s" : "us");
	flow_int(reading->flow, reading->bytes, bytes);
	flow_int(reading->flow, reading->nodes_column, reading->nodes);
	flow_int(reading->flow, reading->ranks_column, reading->ranks_per_node);
	flow_text(reading->flow, reading->role, title->flags & FITS ? "fit" : "predict");
	reading->flow->line = in_lineno(in);
	status = flow_emit(reading->flow, err);
	free(id);
	return status;
}

/* Lines between reports are the launcher's; within one a line that is no row is left out. */
static int read_line(void *context, struct in *in, char *line, struct err *err)
{
	struct osu_reader *reading = context;
	char *words[8];
	int nwords;

	reading->flow->file = in_name(in);
	if (line[strspn(line, " \t")] == '#') {
		if (!read_title(reading, line))
			read_pairs(reading, line);
		return 0;
	}
	nwords = text_words(line, words, 8);
	if (reading->title == NULL || nwords == 0)
		return 0;
	return read_row(reading, in, words, nwords, err) == 0 ? 0
							      : flow_leave_out(reading->flow, err);
}

static int read_reports(const struct reader_input *input, struct flow *flow, bool *whole,
			struct err *err)
{
	struct osu_reader reading = {
		.flow = flow,
		.pick = input->pick,
		.nodes = pick_int(input->pick, "nodes"),
		.scope = flow_column(flow, "scope"),
		.id = flow_column(flow, "id"),
		.metric = flow_column(flow, "metric"),
		.value = flow_column(flow, "value"),
		.unit = flow_column(flow, "unit"),
		.bytes = flow_column(flow, "bytes"),
		.nodes_column = flow_column(flow, "nodes"),
		.ranks_column = flow_column(flow, "ranks_per_node"),
		.role = flow_column(flow, "role"),
	};
	int status = text_read_lines(input->paths, read_line, &reading, err);

	(void)whole;
	if (status == 0 && !reading.is_known)
		status = err_set(err, "%s: has no title of a test, expected '# OSU MPI … Test'",
				 input->paths[0]);
	flow->file = NULL;
	return status;
}

static bool is_osu(const char *head, size_t n)
{
	const char *at = strstr(head, "# OSU MPI");

	(void)n;
	return at != NULL && (at == head || at[-1] == '\n');
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = INT32_MAX,
	 .def = "2",
	 .meaning = "nodes of the run, which the report does not name"},
	{.key = "ranks-per-node",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "1",
	 .meaning = "ranks on each of them; osu_mbw_mr names its own"},
	{0}};
static const struct table_kind *const makes[] = {&kind_metrics, NULL};

const struct reader reader_osu = {
	.entry = {.name = "osu",
		  .example = "osu:nodes=2,ranks-per-node=32",
		  .summary = "reports of the OSU micro-benchmarks (5 to 7), as measurements",
		  .params = params,
		  .feed = "mpirun osu_latency"},
	.makes = makes,
	.is_proof = is_osu,
	.read = read_reports,
};
