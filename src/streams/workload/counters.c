/* counters.c - samples of network counters, as placed jobs would leave them */
#include "traffic/counters/counter_samples.h"

#include <math.h>
#include <stdlib.h>

#include "workload/workload.h"
#include "base/str.h"
#include "base/time.h"

#define PART(name, text)                                                                           \
	{                                                                                          \
		.key = name, .type = PARAM_REAL, .max = 1, .def = "0", .meaning = text             \
	}

static const struct param params[] = {
	{.key = "source",
	 .type = PARAM_WORD,
	 .def = "aries",
	 .choices = "aries|cray_aries_r|infiniband",
	 .meaning = "which counters: aries (LDMS metric_set_rtr), cray_aries_r (sums by "
		    "gpcdr), infiniband (LDMS ibmad: ports of nodes and switches)"},
	{.key = "seconds",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "time from the first sample to the last; default: until the last job "
		    "ends"},
	{.key = "start",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "time of the first sample; default: the start of the first job"},
	{.key = "interval",
	 .type = PARAM_DURATION,
	 .def = "1",
	 .unit = "s",
	 .meaning = "time between samples"},
	{.key = "columns",
	 .type = PARAM_WORD,
	 .def = "all",
	 .choices = "all|few",
	 .meaning = "few: aries without columns per virtual channel and processor tile"},
	{.key = "redundancy",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1024,
	 .def = "2",
	 .meaning = "number of nodes of a router that report each aries counter"},
	{.key = "slice",
	 .type = PARAM_INT,
	 .max = 1023,
	 .optional = true,
	 .meaning = "only the rows of this node of each router (0 is the first), like one"
		    " file of a real store; default: the header is repeated before the "
		    "rows of the next"},
	{.key = "header", .type = PARAM_BOOL, .def = "yes", .meaning = "write the header lines"},
	{.key = "run",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "only the jobs of this run"},
	{.key = "intensity",
	 .type = PARAM_REAL,
	 .max = 1e12,
	 .def = "0",
	 .unit = "flits/s",
	 .meaning = "traffic of jobs that do not specify it"},
	{.key = "stalls-per-flit",
	 .type = PARAM_REAL,
	 .max = 1e6,
	 .def = "1.5",
	 .meaning = "stalls that a flit causes at each router of its route, if it leaves the"
		    " first"},
	{.key = "partners",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1000000,
	 .def = "16",
	 .meaning = "maximum number of nodes to which each node of a job sends"},
	{.key = "routing",
	 .type = PARAM_PICK,
	 .optional = true,
	 .registry = &routings,
	 .meaning = "routes of the flows; default: the machine's"},
	{.key = "fresh", .type = PARAM_BOOL, .def = "no", .meaning = "counters begin at 0"},
	{.key = "jitter",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "largest delay of a sample, visible in its time"},
	PART("holes", "fraction of rows that are missing"),
	PART("duplicates", "fraction of rows that occur twice"),
	PART("disorder", "fraction of rows that follow those of the next sample"),
	{.key = "resets",
	 .type = PARAM_INT,
	 .max = 1e9,
	 .def = "0",
	 .meaning = "number of times that the counters of a router are reset"},
	{.key = "cut",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "the last line is truncated, as in a file that is being written"},
	{0}};

static const struct counter_source *source_of(const struct pick *pick)
{
	static const struct counter_source *const sources[] = {&source_aries, &source_cray_aries_r,
							       &source_infiniband};

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (pick_is(pick, "source", sources[i]->name))
			return sources[i];
	return NULL;
}

/* When the samples begin and end. */
static int read_span(const struct pick *pick, const struct counter_jobs *jobs,
		     struct sampling *sampling, struct err *err)
{
	sampling->start = jobs->first_start != INT64_MIN ? jobs->first_start : 0;
	if (pick_has(pick, "start") && time_parse(pick_word(pick, "start"), &sampling->start) != 0)
		return err_set(err,
			       "counters: start: '%s' is not a time in "
			       "seconds or ISO 8601 with its zone",
			       pick_word(pick, "start"));
	sampling->end = jobs->last_end;
	if (pick_has(pick, "seconds"))
		sampling->end = sampling->start + llround(pick_real(pick, "seconds") * 1e9);
	else if (jobs->last_end == INT64_MIN)
		return err_set(err, "counters: how long? No job says when it "
				    "ends: seconds= is needed");
	sampling->interval = llround(pick_real(pick, "interval") * 1e9);
	if (sampling->interval < 1000)
		return err_set(err, "counters: interval: expected at least a microsecond");
	if (sampling->end < sampling->start)
		return err_set(err, "counters: the last job ends before start=");
	return 0;
}

static int check(const struct pick *pick, const struct sampling *sampling, struct err *err)
{
	bool has_schemas = !pick_is(pick, "source", "cray_aries_r") && !pick_has(pick, "slice");

	if (pick_has(pick, "slice") && pick_is(pick, "source", "infiniband"))
		return err_set(err, "counters: slice: aries and cray_aries_r only");
	if (!sampling->has_header && has_schemas)
		return err_set(err, "counters: header=no: without slice= the header says what "
				    "the rows that follow are");
	return 0;
}

static int write_samples(const struct pick *pick, struct workload_input *input,
			 const struct counter_jobs *jobs, struct err *err)
{
	const char *routing = NULL;
	char *routing_text = NULL;
	struct layout_options options = {
		.all_columns = pick_is(pick, "columns", "all"),
		.redundancy = (int)pick_int(pick, "redundancy"),
		.slice = pick_has(pick, "slice") ? (int)pick_int(pick, "slice") : -1,
	};
	struct sampling sampling = {
		.jitter_s = pick_real(pick, "jitter"),
		.holes = pick_real(pick, "holes"),
		.duplicates = pick_real(pick, "duplicates"),
		.disorder = pick_real(pick, "disorder"),
		.resets = (int)pick_int(pick, "resets"),
		.is_fresh = pick_bool(pick, "fresh"),
		.has_header = pick_bool(pick, "header"),
		.is_cut = pick_bool(pick, "cut"),
		.seed = input->seed,
	};
	struct counter_flows flows;
	int status;

	if (read_span(pick, jobs, &sampling, err) != 0 || check(pick, &sampling, err) != 0)
		return -1;
	if (pick_has(pick, "routing"))
		routing = routing_text = pick_text(pick_pick(pick, "routing"));
	status =
		counter_flows_open(&flows, input->topo, routing, pick_real(pick, "stalls-per-flit"),
				   (int)pick_int(pick, "partners"), err);
	if (status == 0)
		status = counters_write(&sampling, source_of(pick), &options, &flows, jobs,
					input->out, err);
	counter_flows_close(&flows);
	free(routing_text);
	return status;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct counter_jobs jobs;
	int status = counter_jobs_read(&jobs, input->jobs, input->topo,
				       pick_has(pick, "run") ? pick_word(pick, "run") : NULL,
				       pick_real(pick, "intensity"), err);

	if (status == 0) {
		input->is_whole = table_is_whole(input->jobs);
		status = write_samples(pick, input, &jobs, err);
	}
	counter_jobs_free(&jobs);
	return status;
}

const struct workload workload_counters = {
	.entry = {.name = "counters",
		  .example = "counters:seconds=10,columns=few",
		  .summary = "LDMS store_csv files of placed jobs: flits at the ends of "
			     "their flows, stalls at every router of their routes, at "
			     "constant rates",
		  .paper = "Zhang et al., NeDD, §III-A and §V-C",
		  .params = params},
	.needs_topology = true,
	.reads_jobs = true,
	.write = write,
};
