/* night.c - the streams of a night: jobs, nodes, traffic and measurements, each known by its kind
 */
#include "report/night.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "formats/in.h"
#include "machine/load.h"
#include "model/kinds.h"
#include "model/traffic_table.h"
#include "report/night_measure.h"

static const char *keep(struct night *night, const char *text)
{
	return text != NULL ? arena_strndup(&night->arena, text, strlen(text)) : NULL;
}

static void keep_command(struct night *night, const char *text)
{
	for (size_t i = 0; i < night->commands.n; i++)
		if (str_eq(night->commands.at[i], text))
			return;
	vec_push(&night->commands, keep(night, text));
}

/* FNV-1a of the bytes after decompression. */
static int hash_input(struct night *night, const char *path, struct err *err)
{
	struct night_input input = {.path = path, .hash = 14695981039346656037U};
	struct in *in;
	char block[1 << 14];
	ssize_t n;

	if (in_open(&in, path, err) != 0)
		return -1;
	while ((n = in_block(in, block, sizeof(block), err)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			input.hash = (input.hash ^ (unsigned char)block[i]) * 1099511628211U;
		input.bytes += n;
	}
	in_close(in);
	vec_push(&night->inputs, input);
	return n < 0 ? -1 : 0;
}

/* ---- jobs ---- */

static int find_policy(struct night *night, const char *name)
{
	if (name == NULL)
		name = "recorded";
	for (size_t i = 0; i < night->policies.n; i++)
		if (str_eq(night->policies.at[i], name))
			return (int)i;
	vec_push(&night->policies, keep(night, name));
	return (int)night->policies.n - 1;
}

static int read_jobs(struct night *night, struct table_in *in, struct err *err)
{
	int policy = table_find(in, "policy"), user = table_find(in, "user");
	int app = table_find(in, "app"), partition = table_find(in, "partition");
	int state = table_find(in, "state"), reason = table_find(in, "reason");
	struct job_columns columns;
	struct row row;
	int status;

	job_columns_bind(&columns, in);
	night->has_jobs = true;
	while ((status = table_next(in, &row, err)) == 1) {
		struct job job;

		if (job_read(&job, &columns, &row, err) != 0)
			return -1;
		vec_push(&night->jobs,
			 (struct night_job){.name = keep(night, job.name),
					    .user = keep(night, row_text(&row, user)),
					    .app = keep(night, row_text(&row, app)),
					    .partition = keep(night, row_text(&row, partition)),
					    .state = keep(night, row_text(&row, state)),
					    .reason = keep(night, row_text(&row, reason)),
					    .nodelist = keep(night, job.nodelist),
					    .nnodes = job.nnodes,
					    .group = find_policy(night, row_text(&row, policy)),
					    .submit_ns = job.submit_ns,
					    .start_ns = job.start_ns,
					    .end_ns = job.end_ns});
	}
	return status;
}

/* ---- nodes ---- */

static int read_nodes(struct night *night, struct table_in *in, struct err *err)
{
	int name = table_find(in, "node"), state = table_find(in, "state");
	int reason = table_find(in, "reason");
	struct row row;
	int status;

	night->has_states = true;
	while ((status = table_next(in, &row, err)) == 1) {
		const char *word = row_text(&row, state);

		vec_push(&night->nodes,
			 (struct night_node){.name = keep(night, row_text(&row, name)),
					     .state = keep(night, word != NULL ? word
								  : state >= 0 ? "unknown"
									       : "idle"),
					     .reason = keep(night, row_text(&row, reason))});
	}
	return status;
}

/* ---- traffic: the mean over the windows of each router ---- */

static int read_traffic(struct night *night, const char *path, bool accepts_partial,
			struct err *err)
{
	char *paths[] = {(char *)path, NULL};
	struct traffic traffic;
	double *sum;
	int *count;

	if (night->topo == NULL)
		return err_set(err, "%s: traffic needs the machine (-t)", path);
	if (traffic_read(&traffic, night->topo, paths, accepts_partial, err) != 0)
		return -1;
	sum = arena_alloc(&night->arena, (size_t)traffic.nrouters * sizeof(*sum));
	count = xcalloc((size_t)traffic.nrouters, sizeof(*count));
	for (int r = 0; r < traffic.nrouters; r++) {
		sum[r] = 0;
		for (int w = 0; w < traffic.nwindows; w++)
			if (!isnan(traffic.windows[w].traffic[r])) {
				sum[r] += traffic.windows[w].traffic[r];
				count[r]++;
			}
		sum[r] = count[r] > 0 ? sum[r] / count[r] : NAN;
	}
	night->traffic = sum;
	night->traffic_unit = traffic.unit == TRAFFIC_FLITS_PER_S ? "flits/s" : "B/s";
	night->is_whole = night->is_whole && traffic.is_whole;
	free(count);
	traffic_free(&traffic);
	return 0;
}

/* ---- all ---- */

static int read_operand(struct night *night, const struct night_options *options, const char *path,
			struct err *err)
{
	char *paths[] = {(char *)path, NULL};
	const struct table_kind *kind;
	struct table_in *in;
	int status = 0;

	if (hash_input(night, path, err) != 0 ||
	    table_open(&in, all_kinds, paths, options->context->accepts_partial, err) != 0)
		return -1;
	kind = table_kind(in);
	night->inputs.at[night->inputs.n - 1].kind = kind->name;
	if (night->topo == NULL && topo_is_named(options->context->topology, in))
		status = topo_resolve(&night->topo, options->context->topology, in, err);
	if (status == 0 && kind == &kind_jobs)
		status = read_jobs(night, in, err);
	else if (status == 0 && kind == &kind_nodes)
		status = read_nodes(night, in, err);
	else if (status == 0 && kind == &kind_metrics)
		status = night_read_metrics(night, in, err);
	else if (status == 0 && kind == &kind_traffic)
		status = read_traffic(night, path, options->context->accepts_partial, err);
	else if (status == 0)
		status = err_set(err, "%s: a stream of the kind %s has no place in a report", path,
				 kind->name);
	for (size_t i = 0; status == 0 && table_meta_line(in, i) != NULL; i++)
		if (str_starts(table_meta_line(in, i), "##command="))
			keep_command(night, table_meta_line(in, i) + strlen("##command="));
	if (status == 0 && kind != &kind_traffic && !table_is_whole(in))
		night->is_whole = false;
	table_close(in);
	return status;
}

/* The curves show the last day that jobs know of, or what was asked for. */
static void find_window(struct night *night, const struct night_options *options)
{
	const int64_t day_ns = INT64_C(86400) * 1000000000;
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (job->start_ns == JOB_NO_TIME)
			continue;
		first = job->start_ns < first ? job->start_ns : first;
		last = job->start_ns > last ? job->start_ns : last;
		last = job->end_ns != JOB_NO_TIME && job->end_ns > last &&
				       (job->state == NULL || !str_eq(job->state, "running"))
			       ? job->end_ns
			       : last;
	}
	night->until_ns = options->until_ns != JOB_NO_TIME ? options->until_ns : last;
	night->since_ns = options->since_ns;
	if (night->since_ns == JOB_NO_TIME && first <= last)
		night->since_ns =
			first < night->until_ns - day_ns ? night->until_ns - day_ns : first;
	if (first > last && (options->since_ns == JOB_NO_TIME || options->until_ns == JOB_NO_TIME))
		night->since_ns = night->until_ns = 0;
}

int night_read(struct night *night, const struct night_options *options, struct err *err)
{
	int64_t njobs_paths = 0;

	*night = (struct night){.is_whole = true};
	for (char *const *path = options->paths; *path != NULL; path++) {
		if (read_operand(night, options, *path, err) != 0)
			return -1;
		njobs_paths += str_eq(night->inputs.at[night->inputs.n - 1].kind, "jobs");
	}
	find_window(night, options);
	if (night->metrics.n == 0 && njobs_paths > 0)
		return night_measure(night, options, err);
	return 0;
}

void night_free(struct night *night)
{
	topo_free(night->topo);
	vec_free(&night->jobs);
	vec_free(&night->nodes);
	vec_free(&night->policies);
	vec_free(&night->metrics);
	vec_free(&night->commands);
	vec_free(&night->inputs);
	arena_free(&night->arena);
}

const struct night_metric *night_metric(const struct night *night, const char *policy,
					const char *metric)
{
	for (size_t i = 0; i < night->metrics.n; i++)
		if (str_eq(night->metrics.at[i].policy, policy) &&
		    str_eq(night->metrics.at[i].metric, metric))
			return &night->metrics.at[i];
	return NULL;
}
