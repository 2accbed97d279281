/* night.c - the streams of a night: jobs, nodes, traffic and measurements, each known by
 * its kind */
#include "report/night.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/time.h"
#include "formats/hostlist.h"
#include "formats/in.h"
#include "machine/load.h"
#include "model/kinds.h"
#include "model/lacking.h"
#include "model/traffic_table.h"
#include "report/night_asks.h"
#include "report/night_measure.h"
#include "report/night_past.h"

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

static void put_key(struct buf *key, const char *policy, const char *job)
{
	buf_printf(key, "%s\t%s", policy != NULL ? policy : "recorded", job);
}

static void remember(struct night *night, const char *policy, const char *job, int64_t number)
{
	struct buf key = {0};

	put_key(&key, policy, job);
	map_set(&night->job_ids, key.text, key.n, number);
	buf_free(&key);
}

/* netsim's time of a job that an operand before had; false: there was none. */
static bool add_estimate(struct night *night, const struct job *job, const char *policy,
			 double comm_time_s, size_t nbefore)
{
	struct buf key = {0};
	int64_t number;

	put_key(&key, policy, job->name);
	number = map_get(&night->job_ids, key.text, key.n);
	buf_free(&key);
	if (number < 0 || (size_t)number >= nbefore)
		return false;
	night->jobs.at[number].comm_time_s = comm_time_s;
	return true;
}

/* What a listing of the queue knows of a job that an operand before had: why it waits. */
static bool add_reason(struct night *night, const struct job *job, const char *policy,
		       const char *reason, size_t nbefore)
{
	struct buf key = {0};
	int64_t number;

	put_key(&key, policy, job->name);
	number = map_get(&night->job_ids, key.text, key.n);
	buf_free(&key);
	if (number < 0 || (size_t)number >= nbefore)
		return false;
	if (night->jobs.at[number].reason == NULL)
		night->jobs.at[number].reason = keep(night, reason);
	return true;
}

/* Whether a component is of a job of which one came before; then that one counts its nodes, too. */
static bool is_counted(struct night *night, struct map *het_ids, const struct job *job,
		       const char *policy)
{
	struct buf key = {0};
	int64_t first;

	if (job->het_job == NULL)
		return false;
	put_key(&key, policy, job->het_job);
	buf_printf(&key, "\t%s", job->run != NULL ? job->run : "");
	first = map_add(het_ids, key.text, key.n, (int64_t)night->jobs.n);
	buf_free(&key);
	if (first == (int64_t)night->jobs.n)
		return false;
	night->jobs.at[first].nnodes_all += job->nnodes;
	night->jobs.at[first].asks |= night_asks(job);
	return true;
}

/* Jobs are known by policy and name: those of two runs would be one. */
static int check_run(struct night *night, const struct job *job, const struct row *row,
		     struct err *err)
{
	const char *run = job->run != NULL ? job->run : ".";

	if (night->run == NULL)
		night->run = keep(night, run);
	if (!str_eq(night->run, run))
		return row_error(row, err, "run %s beside run %s: expected the jobs of one run",
				 run, night->run);
	return 0;
}

static void add_job(struct night *night, const struct table_in *in, const struct job *job,
		    int group, bool pseudonyms)
{
	const struct row *row = &job->row;
	const char *why = row_text(row, table_find(in, "state_reason"));
	const char *state = row_text(row, table_find(in, "state"));
	struct map *users = pseudonyms ? &night->users : NULL;
	struct map *accounts = pseudonyms ? &night->accounts : NULL;

	if (why == NULL)
		why = row_text(row, table_find(in, "reason"));
	vec_push(&night->jobs,
		 (struct night_job){
			 .name = keep(night, job->name),
			 .user = night_person(night, users, "user",
					      row_text(row, table_find(in, "user"))),
			 .app = pseudonyms ? NULL
					   : keep(night, row_text(row, table_find(in, "app"))),
			 .account = night_person(night, accounts, "account",
						 row_text(row, table_find(in, "account"))),
			 .partition = keep(night, row_text(row, table_find(in, "partition"))),
			 .state = keep(night, state),
			 .reason = keep(night, why),
			 .nodelist = keep(night, job->nodelist),
			 .class = keep(night, job->class),
			 .sensitivity = job->sensitivity,
			 .nnodes = job->nnodes,
			 .het_job = keep(night, job->het_job),
			 .nnodes_all = job->nnodes,
			 .asks = night_asks(job),
			 .group = group,
			 .submit_ns = job->submit_ns,
			 .start_ns = job->start_ns,
			 .end_ns = job_state_runs(state) ? JOB_NO_TIME : job->end_ns,
			 .runtime_ns = job->runtime_ns,
			 .gpus = job->gpus,
			 .leaf_switches = job->leaf_switches,
			 .line = row->line,
			 .file = night->inputs.at[night->inputs.n - 1].path});
}

static int read_jobs(struct night *night, struct table_in *in, bool pseudonyms, struct err *err)
{
	int policy = table_find(in, "policy"), comm_time = table_find(in, "comm_time_s");
	int state_reason = table_find(in, "state_reason"), reason = table_find(in, "reason");
	struct night_input *input = &night->inputs.at[night->inputs.n - 1];
	size_t nbefore = night->jobs.n;
	struct job_columns columns;
	struct map het_ids = {0};
	struct row row;
	int status;

	job_columns_bind(&columns, in);
	night->has_jobs = true;
	input->has_comm_times = comm_time >= 0;
	input->is_queue = nbefore > 0;
	while ((status = table_next(in, &row, err)) == 1) {
		double comm_time_s = NAN;
		struct job job;
		bool counted;

		if (job_read(&job, &columns, &row, err) != 0 ||
		    check_run(night, &job, &row, err) != 0 ||
		    row_real(&row, comm_time, "comm_time_s", 0, 1e300, &comm_time_s, err) < 0) {
			status = -1;
			break;
		}
		if (comm_time >= 0 &&
		    add_estimate(night, &job, row_text(&row, policy), comm_time_s, nbefore)) {
			input->is_estimate = true;
			continue;
		}
		input->is_queue &= job.start_ns == JOB_NO_TIME && job.nodelist == NULL;
		if (nbefore > 0 &&
		    add_reason(night, &job, row_text(&row, policy),
			       row_text(&row, state_reason) != NULL ? row_text(&row, state_reason)
								    : row_text(&row, reason),
			       nbefore))
			continue;
		counted = is_counted(night, &het_ids, &job, row_text(&row, policy));
		add_job(night, in, &job, find_policy(night, row_text(&row, policy)), pseudonyms);
		night->jobs.at[night->jobs.n - 1].comm_time_s = comm_time_s;
		night->jobs.at[night->jobs.n - 1].is_counted = counted;
		remember(night, row_text(&row, policy), job.name, (int64_t)night->jobs.n - 1);
	}
	input->is_queue &= !input->is_estimate;
	map_free(&het_ids);
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
	struct traffic *traffic;
	double *sum;
	int *count;

	if (night->topo == NULL)
		return err_set(err, "%s: traffic needs the machine (-t)", path);
	if (night->traffic_table != NULL)
		return err_set(err, "%s: a second table of traffic; expected one", path);
	traffic = arena_alloc(&night->arena, sizeof(*traffic));
	if (traffic_read(traffic, night->topo, paths, accepts_partial, err) != 0)
		return -1;
	night->traffic_table = traffic;
	vec_push(&night->traffic_paths, (char *)path);
	sum = arena_alloc(&night->arena, (size_t)traffic->nrouters * sizeof(*sum));
	count = xcalloc((size_t)traffic->nrouters, sizeof(*count));
	for (int r = 0; r < traffic->nrouters; r++) {
		sum[r] = 0;
		for (int w = 0; w < traffic->nwindows; w++)
			if (!isnan(traffic->windows[w].traffic[r])) {
				sum[r] += traffic->windows[w].traffic[r];
				count[r]++;
			}
		sum[r] = count[r] > 0 ? sum[r] / count[r] : NAN;
	}
	night->traffic = sum;
	night->traffic_unit = traffic->unit == TRAFFIC_FLITS_PER_S ? "flits/s" : "B/s";
	night->is_whole = night->is_whole && traffic->is_whole;
	free(count);
	return 0;
}

/* A time or count that a stream says of itself. */
static int read_meta(struct night *night, const struct table_in *in, struct err *err)
{
	const char *since = table_meta(in, "since"), *until = table_meta(in, "until");
	const char *skipped = table_meta(in, "skipped");
	int64_t since_ns, until_ns, nskipped;

	if (since != NULL && time_read(since, &since_ns, err) != 0)
		return table_meta_blame(in, "since", err);
	if (until != NULL && time_read(until, &until_ns, err) != 0)
		return table_meta_blame(in, "until", err);
	if (since != NULL && (night->since_ns == JOB_NO_TIME || since_ns < night->since_ns))
		night->since_ns = since_ns;
	if (until != NULL && (night->until_ns == JOB_NO_TIME || until_ns > night->until_ns))
		night->until_ns = until_ns;
	if (skipped != NULL && num_int(skipped, 0, INT64_MAX / 2, &nskipped) == 0)
		night->nskipped += nskipped;
	return 0;
}

/* ---- all ---- */

static int read_operand(struct night *night, const struct night_options *options, const char *path,
			struct err *err)
{
	const struct table_kind *kind;
	struct table_in *in;
	int status = 0;

	if (hash_input(night, path, err) != 0 ||
	    table_open_one(&in, all_kinds, path, options->context->accepts_partial, err) != 0)
		return -1;
	kind = table_kind(in);
	night->inputs.at[night->inputs.n - 1].kind = kind->name;
	if (night->topo == NULL && topo_is_named(options->context->topology, in))
		status = topo_resolve(&night->topo, options->context->topology, in, err);
	if (status == 0 && kind == &kind_jobs)
		status = read_jobs(night, in, options->pseudonyms, err);
	else if (status == 0 && kind == &kind_nodes)
		status = read_nodes(night, in, err);
	else if (status == 0 && kind == &kind_events)
		status = night_read_events(night, in, err);
	else if (status == 0 && kind == &kind_nights)
		status = night_read_past(night, in, err);
	else if (status == 0 && kind == &kind_metrics)
		status = night_read_metrics(night, in, err);
	else if (status == 0 && kind == &kind_traffic)
		status = read_traffic(night, path, options->context->accepts_partial, err);
	else if (status == 0)
		status = err_set(err, "%s: a stream of the kind %s has no place in a report", path,
				 kind->name);
	if (status == 0)
		status = read_meta(night, in, err);
	for (size_t i = 0; status == 0 && table_meta_line(in, i) != NULL; i++)
		if (str_starts(table_meta_line(in, i), "##command="))
			keep_command(night, table_meta_line(in, i) + strlen("##command="));
	if (status == 0 && kind != &kind_traffic && !table_is_whole(in))
		night->is_whole = false;
	table_close(in);
	return status;
}

/* ---- the window ---- */

static void note(int64_t *last, int64_t ns)
{
	*last = ns != JOB_NO_TIME && ns > *last ? ns : *last;
}

/* The first start and the last time that jobs know of; of one that runs its running time counts. */
static void find_window(struct night *night)
{
	const int64_t day_ns = INT64_C(86400) * 1000000000;
	int64_t first = INT64_MAX, last = INT64_MIN;
	bool some_run = false;

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		note(&last, job->submit_ns);
		note(&last, job->start_ns);
		note(&last, job->end_ns);
		if (job->start_ns == JOB_NO_TIME)
			continue;
		first = job->start_ns < first ? job->start_ns : first;
		some_run |= job->end_ns == JOB_NO_TIME;
		if (job->end_ns == JOB_NO_TIME && job->runtime_ns != JOB_NO_TIME)
			note(&last, job->start_ns + job->runtime_ns);
	}
	if (night->until_ns == JOB_NO_TIME)
		night->until_ns = last != INT64_MIN                ? last
				  : night->since_ns != JOB_NO_TIME ? night->since_ns
								   : 0;
	if (night->since_ns != JOB_NO_TIME)
		return;
	night->since_ns = first < night->until_ns ? first : night->until_ns;
	if (some_run && night->since_ns < night->until_ns - day_ns)
		night->since_ns = night->until_ns - day_ns;
}

/* What each job is to the window, whose times are cut to what is known at its end. */
static void settle(const struct night *night, struct night_job *job)
{
	int64_t came = job->submit_ns != JOB_NO_TIME ? job->submit_ns : job->start_ns;

	if ((came != JOB_NO_TIME && came > night->until_ns) ||
	    (job->end_ns != JOB_NO_TIME && job->end_ns < night->since_ns)) {
		job->phase = NIGHT_OUTSIDE;
		job->group = -1;
		return;
	}
	if (job->start_ns == JOB_NO_TIME && job->end_ns == JOB_NO_TIME && job->nodelist != NULL)
		job->phase = NIGHT_PLACED;
	else if (job->start_ns != JOB_NO_TIME && job->start_ns <= night->until_ns)
		job->phase = NIGHT_RAN;
	else if (job->start_ns == JOB_NO_TIME &&
		 (job->end_ns != JOB_NO_TIME ? job->end_ns <= night->until_ns
					     : job->state != NULL && job_state_ended(job->state)))
		job->phase = NIGHT_WITHDRAWN;
	else
		job->phase = NIGHT_WAITS;
	if (job->phase == NIGHT_WAITS)
		job->start_ns = JOB_NO_TIME;
	if (job->end_ns != JOB_NO_TIME && job->end_ns > night->until_ns)
		job->end_ns = JOB_NO_TIME;
}

int64_t night_wait(const struct night *night, const struct night_job *job)
{
	int64_t until = job->phase == NIGHT_RAN ? job->start_ns : night->until_ns;

	if (job->group != 0 || job->is_counted || job->submit_ns == JOB_NO_TIME ||
	    (job->phase != NIGHT_WAITS && job->phase != NIGHT_RAN) || until < night->since_ns)
		return -1;
	return until > job->submit_ns ? until - job->submit_ns : 0;
}

int64_t night_inside(const struct night *night, const struct night_job *job)
{
	int64_t start = job->start_ns, end = job->end_ns;

	if (job->phase != NIGHT_RAN)
		return 0;
	if (end == JOB_NO_TIME)
		end = night->until_ns;
	start = start > night->since_ns ? start : night->since_ns;
	return end > start ? end - start : 0;
}

/* ---- nodes of jobs ---- */

/* Node lists are read once: every section goes over them. */
static int read_nodelists(struct night *night, bool is_strict, struct err *err)
{
	struct lacking lacking = {0};
	const struct topo_unknown unknown = {lacking_take, &lacking};
	int status = 0;
	char *text;

	for (size_t i = 0; i < night->jobs.n && status == 0; i++) {
		struct night_job *job = &night->jobs.at[i];

		job->first = night->nodes_of_jobs.n;
		if (job->group != 0 || job->nodelist == NULL)
			continue;
		if (is_strict)
			status = topo_nodelist_read(night->topo, job->nodelist,
						    &night->nodes_of_jobs, err);
		else
			status = topo_nodelist_read_known(night->topo, job->nodelist,
							  &night->nodes_of_jobs, &unknown, err);
		if (status != 0)
			err_prefix(err, "%s:%ld: nodelist: ", job->file, job->line);
		job->nnodes_read = night->nodes_of_jobs.n - job->first;
		lacking_count(&lacking);
	}
	if ((text = lacking_text(&lacking)) != NULL) {
		warn("%s", text);
		night->lacking = keep(night, text);
		free(text);
	}
	lacking_free(&lacking);
	return status;
}

const struct night_job *night_first_of(const struct night *night, const char *name)
{
	struct buf key = {0};
	int64_t number;

	put_key(&key, night->policies.at[0], name);
	number = map_get(&night->job_ids, key.text, key.n);
	buf_free(&key);
	return number >= 0 ? &night->jobs.at[number] : NULL;
}

int_vec night_nodes(const struct night *night, const struct night_job *job)
{
	return (int_vec){.at = night->nodes_of_jobs.at + job->first, .n = job->nnodes_read};
}

bool night_job_runs(const struct night_job *job, int64_t at_ns)
{
	return job->group == 0 && job->start_ns != JOB_NO_TIME && job->start_ns <= at_ns &&
	       (job->end_ns == JOB_NO_TIME || job->end_ns > at_ns);
}

int night_read(struct night *night, const struct night_options *options, struct err *err)
{
	int64_t njobs_paths = 0;

	*night = (struct night){.is_whole = true,
				.at_ns = options->at_ns,
				.since_ns = JOB_NO_TIME,
				.until_ns = JOB_NO_TIME};
	for (char *const *path = options->paths; *path != NULL; path++) {
		if (read_operand(night, options, *path, err) != 0)
			return -1;
		njobs_paths += str_eq(night->inputs.at[night->inputs.n - 1].kind, "jobs");
	}
	vec_push(&night->traffic_paths, NULL);
	if (options->since_ns != JOB_NO_TIME)
		night->since_ns = options->since_ns;
	if (options->until_ns != JOB_NO_TIME)
		night->until_ns = options->until_ns;
	if (night->since_ns != JOB_NO_TIME && night->until_ns != JOB_NO_TIME &&
	    night->until_ns < night->since_ns)
		return err_set(err, "the time until which the page reports is before that since "
				    "which it does");
	find_window(night);
	for (size_t i = 0; i < night->jobs.n; i++)
		settle(night, &night->jobs.at[i]);
	if (night->topo != NULL && read_nodelists(night, options->context->is_strict, err) != 0)
		return -1;
	if (night->has_jobs && night->policies.n == 0)
		find_policy(night, NULL); /* an empty night has numbers, too */
	if (night->metrics.n == 0 && njobs_paths > 0)
		return night_measure(night, options, err);
	return 0;
}

void night_free(struct night *night)
{
	if (night->traffic_table != NULL)
		traffic_free(night->traffic_table);
	vec_free(&night->traffic_paths);
	map_free(&night->job_ids);
	topo_free(night->topo);
	vec_free(&night->nodes_of_jobs);
	vec_free(&night->jobs);
	vec_free(&night->nodes);
	vec_free(&night->events);
	vec_free(&night->past);
	map_free(&night->users);
	map_free(&night->accounts);
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
