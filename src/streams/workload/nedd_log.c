/* nedd_log.c - the pool that a scheduler left: placed jobs at the start of one of them */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "workload/nedd.h"
#include "base/str.h"
#include "model/job.h"
#include "model/kinds.h"

/* A placed job of the log. */
struct logged {
	char *name;
	int_vec nodes;
	int64_t start_ns, end_ns;
};
typedef VEC(struct logged) logged_vec;

static void free_logged(logged_vec *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		vec_free(&jobs->at[i].nodes);
	vec_free(jobs);
}

static int read_jobs(logged_vec *jobs, struct nedd_log *log, struct table_in *in,
		     const struct topo *topo, struct err *err)
{
	struct job_columns columns;
	struct row row;
	struct job job;
	int status;

	job_columns_bind(&columns, in);
	while ((status = table_next(in, &row, err)) == 1) {
		struct logged logged = {0};

		if (job_read(&job, &columns, &row, err) != 0)
			return -1;
		if (job.nodelist == NULL)
			continue;
		if (job.start_ns == JOB_NO_TIME || job.end_ns == JOB_NO_TIME)
			return row_error(&job.row, err, "%s",
					 "a placed job has no start_s and end_s");
		logged.name = arena_strndup(&log->arena, job.name, strlen(job.name));
		logged.start_ns = job.start_ns;
		logged.end_ns = job.end_ns;
		status = job_nodes(&job, topo, &logged.nodes, err);
		vec_push(jobs, logged);
		if (status != 0)
			return -1;
	}
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "%s", "the file is truncated");
	return status;
}

static int *copy_nodes(struct nedd_log *log, const int_vec *nodes)
{
	int *copy = arena_alloc(&log->arena, nodes->n * sizeof(*copy) + 1);

	memcpy(copy, nodes->at, nodes->n * sizeof(*copy));
	return copy;
}

/* Takes nodes; no two jobs may have the same one at that moment. */
static int take(const struct logged *job, bool *is_taken, const struct topo *topo, struct err *err)
{
	char name[TOPO_NAME];

	for (size_t i = 0; i < job->nodes.n; i++) {
		int node = job->nodes.at[i];

		if (is_taken[node])
			return err_set(err,
				       "%s is in two jobs at the start of the pool's job, one of "
				       "them '%s'; expected one run of placed jobs",
				       topo_node_name(topo, node, name), job->name);
		is_taken[node] = true;
	}
	return 0;
}

/* The state of the machine when the pool's job starts. */
static int find_moment(struct nedd_log *log, const logged_vec *jobs, const char *pool,
		       const struct topo *topo, struct err *err)
{
	const struct logged *found = NULL;
	bool *is_taken = xcalloc((size_t)topo->nnodes, sizeof(*is_taken));
	int status = 0;

	for (size_t i = 0; i < jobs->n && status == 0; i++)
		if (str_eq(jobs->at[i].name, pool)) {
			if (found != NULL)
				status = err_set(err, "the job '%s' is placed twice", pool);
			found = &jobs->at[i];
		}
	if (status == 0 && found == NULL)
		status = err_set(err, "has no placed job '%s', whose nodes form the pool", pool);
	for (size_t i = 0; i < jobs->n && status == 0; i++) {
		const struct logged *job = &jobs->at[i];

		if (job->start_ns > found->start_ns || job->end_ns <= found->start_ns)
			continue;
		status = take(job, is_taken, topo, err);
		if (job != found)
			vec_push(&log->background,
				 (struct nedd_background){job->name, copy_nodes(log, &job->nodes),
							  (int)job->nodes.n});
	}
	if (status == 0) {
		log->pool = copy_nodes(log, &found->nodes);
		log->npool = (int)found->nodes.n;
		log->vacant = arena_alloc(&log->arena, (size_t)topo->nnodes * sizeof(*log->vacant));
		for (int node = 0; node < topo->nnodes; node++)
			if (!is_taken[node])
				log->vacant[log->nvacant++] = node;
	}
	free(is_taken);
	return status;
}

int nedd_log_read(struct nedd_log *log, const char *path, const char *pool, const struct topo *topo,
		  struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct table_in *in;
	logged_vec jobs = {0};
	int status;

	*log = (struct nedd_log){0};
	if (table_open_one(&in, kinds, path, false, err) != 0)
		return err_prefix(err, "nedd: log: ");
	status = read_jobs(&jobs, log, in, topo, err);
	table_close(in);
	if (status == 0 && find_moment(log, &jobs, pool, topo, err) != 0)
		status = err_prefix(err, "nedd: %s: ", path);
	free_logged(&jobs);
	if (status != 0)
		nedd_log_free(log);
	return status;
}

void nedd_log_free(struct nedd_log *log)
{
	vec_free(&log->background);
	arena_free(&log->arena);
	*log = (struct nedd_log){0};
}
