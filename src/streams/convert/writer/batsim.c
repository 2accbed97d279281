/* batsim.c - jobs as Batsim writes its results (jobs.csv, schedule.csv), or reads a workload */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "convert/writer/writer.h"
#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"

enum file { JOBS, SCHEDULE, WORKLOAD };

/* What schedule.csv has of all jobs that ended; times in seconds. */
struct totals {
	int64_t njobs, nfinished, nsuccess, nkilled;
	double makespan, waiting, turnaround, slowdown, max_waiting, max_turnaround, max_slowdown;
};

struct state {
	struct out *out;
	enum file file;
	int64_t resources; /* nb_res of a workload; 0: the largest job's */
	int job, app, workload, submit, nodes, walltime, runtime, state, start, end, nodelist;
	struct totals totals;
	VEC(int64_t) hosts;  /* of the job's nodelist */
	struct map profiles; /* a workload's, by their delay as text */
	struct buf profile_text;
	int64_t largest, nleft_out;
};

/* The times of a job, in ns; negative: not known. */
struct times {
	int64_t submit, start, end, walltime, runtime;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	state->file = pick_is(input->pick, "file", "jobs")       ? JOBS
		      : pick_is(input->pick, "file", "schedule") ? SCHEDULE
								 : WORKLOAD;
	state->resources =
		pick_has(input->pick, "resources") ? pick_int(input->pick, "resources") : 0;
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	state->job = flow_find(flow, "job");
	state->app = flow_find(flow, "app");
	state->workload = flow_find(flow, "workload");
	state->submit = flow_find(flow, "submit_s");
	state->nodes = flow_find(flow, "nodes");
	state->walltime = flow_find(flow, "walltime_s");
	state->runtime = flow_find(flow, "runtime_s");
	state->state = flow_find(flow, "state");
	state->start = flow_find(flow, "start_s");
	state->end = flow_find(flow, "end_s");
	state->nodelist = flow_find(flow, "nodelist");
	if (state->file == JOBS)
		out_str(state->out,
			"job_id,workload_name,profile,submission_time,requested_number_of_"
			"resources,"
			"requested_time,success,final_state,starting_time,execution_time,"
			"finish_time,waiting_time,turnaround_time,stretch,allocated_resources,"
			"consumed_energy,metadata\n");
	if (state->file == WORKLOAD)
		out_str(state->out, "{\"jobs\": [");
	return 0;
}

/* ---- jobs.csv ---- */

/* A name is its number: n5 is resource 5. */
static int add_host(void *context, const char *name, size_t n, struct err *err)
{
	struct state *state = context;
	size_t at = n;
	int64_t number;

	while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
		at--;
	if (at == n || num_int(name + at, 0, INT32_MAX, &number) != 0)
		return err_set(err, "the node '%s' has no number at its end: resources are numbers",
			       name);
	vec_push(&state->hosts, number);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* "0-3 7" */
static int put_hosts(struct state *state, const struct flow *flow, struct err *err)
{
	char number[NUM_TEXT];
	const char *list = flow_get_text(flow, state->nodelist, number);
	struct err why;

	state->hosts.n = 0;
	if (list == NULL)
		return 0;
	if (hostlist_walk(list, add_host, state, &why) != 0)
		return flow_error(flow, err, "nodelist: %s", why.msg);
	if (state->hosts.n > 0)
		qsort(state->hosts.at, state->hosts.n, sizeof(*state->hosts.at), by_number);
	for (size_t i = 0, j; i < state->hosts.n; i = j + 1) {
		for (j = i;
		     j + 1 < state->hosts.n && state->hosts.at[j + 1] == state->hosts.at[j] + 1;)
			j++;
		out_printf(state->out, "%s%lld", i ? " " : "", (long long)state->hosts.at[i]);
		if (j > i)
			out_printf(state->out, "-%lld", (long long)state->hosts.at[j]);
	}
	return 0;
}

static const char *final_state(const char *state)
{
	static const char *const states[][2] = {{"failed", "COMPLETED_FAILED"},
						{"timeout", "COMPLETED_WALLTIME_REACHED"},
						{"cancelled", "COMPLETED_KILLED"},
						{"rejected", "REJECTED"}};

	for (size_t i = 0; state != NULL && i < sizeof(states) / sizeof(states[0]); i++)
		if (str_eq(state, states[i][0]))
			return states[i][1];
	return "COMPLETED_SUCCESSFULLY";
}

static void put_seconds(struct state *state, int64_t ns)
{
	char text[NUM_TEXT];

	num_print_seconds(text, ns);
	out_printf(state->out, ",%s", ns < 0 ? "-1" : text);
}

static double stretch(const struct times *times)
{
	int64_t run = times->end - times->start, all = times->end - times->submit;

	return run > 0 ? (double)all / (double)run : 1;
}

static int put_result(struct state *state, const struct flow *flow, const struct times *times,
		      struct err *err)
{
	char number[NUM_TEXT], real[NUM_TEXT];
	const char *text = flow_get_text(flow, state->state, number), *final = final_state(text);

	out_csv(state->out, flow_get_text(flow, state->job, number), ",");
	text = flow_get_text(flow, state->workload, number);
	out_char(state->out, ',');
	out_csv(state->out, text != NULL ? text : "w0", ",");
	text = flow_get_text(flow, state->app, number);
	out_char(state->out, ',');
	out_csv(state->out, text != NULL ? text : "unknown", ",");
	put_seconds(state, times->submit);
	out_printf(state->out, ",%s", flow_get_text(flow, state->nodes, number));
	put_seconds(state, times->walltime);
	out_printf(state->out, ",%d,%s", str_eq(final, "COMPLETED_SUCCESSFULLY"), final);
	put_seconds(state, times->start);
	put_seconds(state, times->end - times->start);
	put_seconds(state, times->end);
	put_seconds(state, times->start - times->submit);
	put_seconds(state, times->end - times->submit);
	num_print_real(real, stretch(times));
	out_printf(state->out, ",%s,", real);
	if (put_hosts(state, flow, err) != 0)
		return -1;
	out_str(state->out, ",-1,\"\"\n");
	return 0;
}

/* ---- schedule.csv ---- */

static void raise_to(double *most, double value)
{
	if (value > *most)
		*most = value;
}

static void count(struct state *state, const struct flow *flow, const struct times *times)
{
	struct totals *totals = &state->totals;
	char number[NUM_TEXT];
	const char *final = final_state(flow_get_text(flow, state->state, number));
	double waiting = (double)(times->start - times->submit) / 1e9;
	double turnaround = (double)(times->end - times->submit) / 1e9;

	totals->nfinished++;
	totals->nsuccess += str_eq(final, "COMPLETED_SUCCESSFULLY");
	totals->nkilled +=
		str_eq(final, "COMPLETED_KILLED") || str_eq(final, "COMPLETED_WALLTIME_REACHED");
	totals->waiting += waiting;
	totals->turnaround += turnaround;
	totals->slowdown += stretch(times);
	raise_to(&totals->makespan, (double)times->end / 1e9);
	raise_to(&totals->max_waiting, waiting);
	raise_to(&totals->max_turnaround, turnaround);
	raise_to(&totals->max_slowdown, stretch(times));
}

static void put_real(struct state *state, double value)
{
	char text[NUM_TEXT];

	num_print_real(text, value);
	out_printf(state->out, "%s,", text);
}

static void put_schedule(struct state *state)
{
	const struct totals *totals = &state->totals;
	double n = totals->nfinished > 0 ? (double)totals->nfinished : 1;

	out_str(state->out, "makespan,max_slowdown,max_turnaround_time,max_waiting_time,"
			    "mean_slowdown,mean_turnaround_time,mean_waiting_time,nb_jobs,"
			    "nb_jobs_finished,nb_jobs_killed,nb_jobs_success,success_rate\n");
	put_real(state, totals->makespan);
	put_real(state, totals->max_slowdown);
	put_real(state, totals->max_turnaround);
	put_real(state, totals->max_waiting);
	put_real(state, totals->slowdown / n);
	put_real(state, totals->turnaround / n);
	put_real(state, totals->waiting / n);
	put_real(state, (double)totals->njobs);
	put_real(state, (double)totals->nfinished);
	put_real(state, (double)totals->nkilled);
	put_real(state, (double)totals->nsuccess);
	out_printf(state->out, "%.6f\n",
		   totals->njobs > 0 ? (double)totals->nsuccess / (double)totals->njobs : 0);
}

/* ---- workloads ---- */

/* A job of a workload: its running time is the profile "dSECONDS". */
static void put_request(struct state *state, const struct flow *flow, const struct times *times)
{
	char number[NUM_TEXT], delay[NUM_TEXT], submit[NUM_TEXT], walltime[NUM_TEXT];
	const char *nodes;
	size_t n = num_print_seconds(delay, times->runtime);

	if (map_get(&state->profiles, delay, n) == -1) {
		map_add(&state->profiles, delay, n, 1);
		buf_printf(&state->profile_text,
			   "%s\n  \"d%s\": {\"type\": \"delay\", \"delay\": %s}",
			   state->profile_text.n ? "," : "", delay, delay);
	}
	num_print_seconds(submit, times->submit > 0 ? times->submit : 0);
	num_print_seconds(walltime, times->walltime);
	out_str(state->out, state->totals.nfinished++ > 0 ? ",\n  {\"id\": " : "\n  {\"id\": ");
	out_foreign(state->out, foreign_json, flow_get_text(flow, state->job, number));
	nodes = flow_get_text(flow, state->nodes, number);
	out_printf(state->out, ", \"subtime\": %s, \"walltime\": %s, \"res\": %s, ", submit,
		   times->walltime >= 0 ? walltime : "-1", nodes);
	out_printf(state->out, "\"profile\": \"d%s\"}", delay);
}

/* ---- rows ---- */

static int read_times(const struct state *state, const struct flow *flow, struct times *times,
		      struct err *err)
{
	*times = (struct times){-1, -1, -1, -1, -1};
	if (flow_get_seconds(flow, state->submit, &times->submit, err) < 0 ||
	    flow_get_seconds(flow, state->start, &times->start, err) < 0 ||
	    flow_get_seconds(flow, state->end, &times->end, err) < 0 ||
	    flow_get_seconds(flow, state->walltime, &times->walltime, err) < 0 ||
	    flow_get_seconds(flow, state->runtime, &times->runtime, err) < 0)
		return -1;
	if (times->runtime < 0 && times->start >= 0 && times->end >= times->start)
		times->runtime = times->end - times->start;
	if (times->end < 0 && times->start >= 0 && times->runtime >= 0)
		times->end = times->start + times->runtime;
	if (times->submit < 0)
		times->submit = times->start;
	if (times->start >= 0 && (times->start < times->submit || times->end < times->start))
		return flow_error(flow, err, "submit_s, start_s and end_s are not in order");
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct times times;
	int64_t nodes = 0;

	if (read_times(state, flow, &times, err) != 0 ||
	    flow_get_int(flow, state->nodes, 1, INT32_MAX, &nodes, err) < 0)
		return -1;
	state->totals.njobs++;
	if (nodes > state->largest)
		state->largest = nodes;
	if (state->file == WORKLOAD ? times.runtime < 0 : times.start < 0 || times.end < 0) {
		state->nleft_out++;
		return 0;
	}
	if (state->file == WORKLOAD)
		put_request(state, flow, &times);
	else if (state->file == SCHEDULE)
		count(state, flow, &times);
	else if (put_result(state, flow, &times, err) != 0)
		return -1;
	return out_check(state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow;
	(void)whole;
	(void)err;
	if (state->file == SCHEDULE)
		put_schedule(state);
	if (state->file == WORKLOAD)
		out_printf(state->out, "\n ],\n \"profiles\": {%s\n },\n \"nb_res\": %lld}\n",
			   buf_text(&state->profile_text),
			   (long long)(state->resources > 0 ? state->resources : state->largest));
	if (state->nleft_out > 0)
		warn("%lld jobs %s were left out", (long long)state->nleft_out,
		     state->file == WORKLOAD ? "without a running time"
					     : "that have not started and ended");
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	free(state->hosts.at);
	map_free(&state->profiles);
	buf_free(&state->profile_text);
	free(state);
}

static const struct param params[] = {
	{.key = "file",
	 .type = PARAM_WORD,
	 .def = "jobs",
	 .choices = "jobs|schedule|workload",
	 .meaning = "jobs.csv, schedule.csv (its information on jobs), or a workload in "
		    "JSON"},
	{.key = "resources",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = INT32_MAX,
	 .optional = true,
	 .meaning = "nb_res of a workload; default: the nodes of its largest job"},
	{0}};
static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct writer writer_batsim = {
	.entry = {.name = "batsim",
		  .example = "batsim:file=workload",
		  .summary = "Batsim's jobs.csv, schedule.csv, or workload",
		  .params = params},
	.takes = takes,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
