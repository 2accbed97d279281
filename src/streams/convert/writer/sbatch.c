/* sbatch.c - jobs as sbatch options */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/writer/writer.h"
#include "base/die.h"
#include "base/foreign.h"
#include "base/num.h"
#include "base/str.h"

struct state {
	struct out *out;
	const char *wanted; /* only this job; NULL: all */
	bool is_script;
	int job, app, nodes, ranks, walltime, nodelist, partition, account, features, reservation,
		exclusive, cpus, gpus, gpu_type, memory;
	int64_t nprinted, nwaiting;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	state->wanted = pick_word(input->pick, "job");
	state->is_script = pick_is(input->pick, "style", "script");
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	state->job = flow_find(flow, "job");
	state->app = flow_find(flow, "app");
	state->nodes = flow_find(flow, "nodes");
	state->ranks = flow_find(flow, "ranks_per_node");
	state->walltime = flow_find(flow, "walltime_s");
	state->nodelist = flow_find(flow, "nodelist");
	state->partition = flow_find(flow, "partition");
	state->account = flow_find(flow, "account");
	state->features = flow_find(flow, "features");
	state->reservation = flow_find(flow, "reservation");
	state->exclusive = flow_find(flow, "exclusive");
	state->cpus = flow_find(flow, "cpus");
	state->gpus = flow_find(flow, "gpus");
	state->gpu_type = flow_find(flow, "gpu_type");
	state->memory = flow_find(flow, "memory_bytes");
	return 0;
}

/* One option: a line of a script, or a word of a command. The value is quoted where the shell (of a
 * script, sbatch: at blanks) would take it apart. */
static void put_option(const struct state *state, const char *name, const char *value)
{
	bool plain = true;

	for (const char *p = value; *p != '\0'; p++)
		plain = plain && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
				  (*p >= '0' && *p <= '9') || strchr("-_.,:/@%+=", *p) != NULL ||
				  (state->is_script && strchr("[]", *p) != NULL));
	out_printf(state->out, state->is_script ? "#SBATCH --%s=" : " --%s=", name);
	if (plain)
		out_str(state->out, value);
	else
		out_foreign(state->out, foreign_shell, value);
	out_str(state->out, state->is_script ? "\n" : "");
}

/* Slurm counts minutes: rounded up, at least one. */
static void put_limit(const struct state *state, int64_t ns)
{
	int64_t minutes = (ns + 59999999999) / 60000000000;
	char text[NUM_TEXT];

	num_print_int(text, minutes > 0 ? minutes : 1);
	put_option(state, "time", text);
}

static void put_text(const struct state *state, const struct flow *flow, int column,
		     const char *name)
{
	char number[NUM_TEXT];
	const char *text = flow_get_text(flow, column, number);

	if (text != NULL)
		put_option(state, name, text);
}

/* What a job has in all, as its part of each node, rounded up; 0: not said. */
static int part_of(const struct flow *flow, int column, int64_t nparts, int64_t *part,
		   struct err *err)
{
	int64_t total = 0;
	int has = flow_get_int(flow, column, 0, INT64_C(1) << 40, &total, err);

	*part = has == 1 && nparts > 0 ? (total + nparts - 1) / nparts : 0;
	return has;
}

/* CPUs of a task, GPUs and memory of a node. */
static int put_parts(const struct state *state, const struct flow *flow, struct err *err)
{
	int64_t nodes = 1, ranks = 1, cpus, gpus;
	char number[NUM_TEXT], text[NUM_TEXT + 80];
	const char *type = flow_get_text(flow, state->gpu_type, number);
	double bytes = 0;

	if (flow_get_int(flow, state->nodes, 1, INT32_MAX, &nodes, err) < 0 ||
	    flow_get_int(flow, state->ranks, 1, INT32_MAX, &ranks, err) < 0 ||
	    part_of(flow, state->cpus, nodes * ranks, &cpus, err) < 0 ||
	    part_of(flow, state->gpus, nodes, &gpus, err) < 0 ||
	    flow_get_real(flow, state->memory, 0, 1e18, &bytes, err) < 0)
		return -1;
	if (cpus > 0) {
		snprintf(text, sizeof(text), "%lld", (long long)cpus);
		put_option(state, "cpus-per-task", text);
	}
	if (gpus > 0) {
		snprintf(text, sizeof(text), "gpu:%s%s%lld", type != NULL ? type : "",
			 type != NULL ? ":" : "", (long long)gpus);
		put_option(state, "gres", text);
	}
	if (bytes > 0) {
		snprintf(text, sizeof(text), "%.0fM", ceil(bytes / (double)nodes / 1048576));
		put_option(state, "mem", text);
	}
	return 0;
}

/* --exclusive where the job has whole nodes, and says so. */
static void put_exclusive(const struct state *state, const struct flow *flow)
{
	char number[NUM_TEXT];
	const char *text = flow_get_text(flow, state->exclusive, number);

	if (text != NULL && str_eq(text, "yes"))
		out_str(state->out, state->is_script ? "#SBATCH --exclusive\n" : " --exclusive");
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char number[NUM_TEXT];
	const char *job = flow_get_text(flow, state->job, number), *text;
	int64_t walltime_ns;
	int has_walltime = flow_get_seconds(flow, state->walltime, &walltime_ns, err);

	if (has_walltime < 0)
		return -1;
	if (state->wanted != NULL && (job == NULL || !str_eq(job, state->wanted)))
		return 0;
	text = flow_get_text(flow, state->nodelist, number);
	if (text == NULL && state->nodelist >= 0) { /* it has been decided, and waits */
		state->nwaiting++;
		return 0;
	}
	if (state->is_script && state->nprinted > 0)
		return flow_error(flow, err,
				  "a second job: name the one that is meant (job=), or write "
				  "commands (style=command)");
	state->nprinted++;
	out_str(state->out, state->is_script ? "#!/bin/sh\n" : "sbatch");
	put_option(state, "job-name", job);
	put_text(state, flow, state->partition, "partition");
	put_text(state, flow, state->account, "account");
	put_text(state, flow, state->reservation, "reservation");
	put_text(state, flow, state->features, "constraint");
	put_text(state, flow, state->nodes, "nodes");
	put_text(state, flow, state->ranks, "ntasks-per-node");
	if (put_parts(state, flow, err) != 0)
		return -1;
	put_exclusive(state, flow);
	if (has_walltime == 1)
		put_limit(state, walltime_ns);
	put_text(state, flow, state->nodelist, "nodelist");
	out_str(state->out, state->is_script ? "" : "\n");
	return out_check(state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	const struct state *state = context;

	(void)flow;
	(void)whole;
	(void)err;
	if (state->nwaiting > 0)
		warn("%lld jobs have no nodelist and were left out", (long long)state->nwaiting);
	return 0;
}

static bool is_no(const void *context)
{
	return ((const struct state *)context)->nprinted == 0;
}

static const struct param params[] = {
	{.key = "style",
	 .type = PARAM_WORD,
	 .def = "script",
	 .choices = "script|command",
	 .meaning = "the head of one job's script, or one command per job, to which the "
		    "script is appended"},
	{.key = "job", .type = PARAM_TEXT, .optional = true, .meaning = "only this job"},
	{0}};
static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct writer writer_sbatch = {
	.entry = {.name = "sbatch",
		  .example = "sbatch:style=command",
		  .summary = "sbatch options: the #SBATCH lines of a job's script, or a "
			     "command per job",
		  .params = params},
	.takes = takes,
	.start = start,
	.taker = {begin, row, end},
	.is_no = is_no,
	.stop = free,
};
