/* allocation.c - the nodes of a job, and how many ranks each takes */
#include "map/allocation.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/job.h"
#include "model/kinds.h"
#include "model/topo_hosts.h"

/* Takes over the job's nodes, unless there was one already. */
static int take(struct allocation *allocation, const struct job *job, const struct topo *topo,
		int64_t *ranks_per_node, struct err *err)
{
	if (allocation->job != NULL)
		return row_error(&job->row, err, "a second placed job '%s' after '%s': %s",
				 job->name, allocation->job,
				 str_eq(job->name, allocation->job)
					 ? "expected one run and policy of it"
					 : "--job says which one is meant");
	if (job_nodes(job, topo, &allocation->nodes, err) != 0)
		return -1;
	allocation->job = xstrdup(job->name);
	if (*ranks_per_node == 0)
		*ranks_per_node = job->ranks_per_node;
	return 0;
}

static int read_rows(struct allocation *allocation, const struct allocation_request *request,
		     struct table_in *in, const struct topo *topo, int64_t *ranks_per_node,
		     struct err *err)
{
	struct job_columns columns;
	struct row row;
	int status;

	job_columns_bind(&columns, in);
	while ((status = table_next(in, &row, err)) == 1) {
		struct job job;

		if (job_read(&job, &columns, &row, err) != 0)
			return -1;
		if (job.nodelist == NULL ||
		    (request->job != NULL && !str_eq(request->job, job.name)))
			continue;
		if (take(allocation, &job, topo, ranks_per_node, err) != 0)
			return -1;
	}
	if (status == 0 && allocation->job == NULL)
		return request->job != NULL
			       ? err_set(err, "%s: no placed job '%s'", request->jobs, request->job)
			       : err_set(err, "%s: no placed job", request->jobs);
	return status;
}

static int read_jobs(struct allocation *allocation, const struct allocation_request *request,
		     const struct topo *topo, bool accepts_partial, int64_t *ranks_per_node,
		     struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct table_in *in;
	int status = table_open_one(&in, kinds, request->jobs, accepts_partial, err);

	if (status == 0)
		status = read_rows(allocation, request, in, topo, ranks_per_node, err);
	if (status == 0)
		allocation->is_whole = table_is_whole(in);
	table_close(in);
	return status;
}

int allocation_read(struct allocation *allocation, const struct allocation_request *request,
		    struct topo *topo, bool accepts_partial, struct err *err)
{
	int64_t ranks_per_node = request->ranks_per_node;
	int_vec slots = {0}; /* of a host file */
	int status = 0;

	*allocation = (struct allocation){.is_whole = true};
	if (request->jobs != NULL && request->hosts != NULL)
		return err_set(err, "--allocation and --hosts say the same thing: give one");
	if (request->jobs != NULL) {
		status =
			read_jobs(allocation, request, topo, accepts_partial, &ranks_per_node, err);
	} else if (request->hosts != NULL) {
		if (topo_hosts_read(topo, request->hosts, &allocation->nodes, &slots, err) != 0)
			status = err_prefix(err, "--hosts: ");
	} else {
		for (int v = 0; v < topo->nnodes; v++)
			vec_push(&allocation->nodes, v);
	}
	allocation->room = xcalloc(allocation->nodes.n + 1, sizeof(*allocation->room));
	for (size_t i = 0; i < allocation->nodes.n && status == 0; i++) {
		int node = allocation->nodes.at[i];
		int cores = topo->cores_of != NULL ? topo->cores_of[node] : topo->cores;

		allocation->room[i] = ranks_per_node > 0               ? (int)ranks_per_node
				      : i < slots.n && slots.at[i] > 0 ? slots.at[i]
								       : cores;
		if (allocation->nslots > INT32_MAX - allocation->room[i])
			status = err_set(err, "the nodes have more than %d slots", INT32_MAX);
		else
			allocation->nslots += allocation->room[i];
	}
	vec_free(&slots);
	return status;
}

int allocation_balance(struct allocation *allocation, int nranks, double imbalance, struct err *err)
{
	double all = allocation->nslots;

	allocation->nslots = 0;
	for (size_t i = 0; i < allocation->nodes.n; i++) {
		double part = ceil((double)nranks * allocation->room[i] / all);
		double room = floor((1 + imbalance) * part * (1 + 1e-12));

		if (room > INT32_MAX - allocation->nslots)
			return err_set(err, "the nodes have more than %d slots", INT32_MAX);
		allocation->room[i] = (int)room;
		allocation->nslots += allocation->room[i];
	}
	return 0;
}

void allocation_free(struct allocation *allocation)
{
	vec_free(&allocation->nodes);
	free(allocation->room);
	free(allocation->job);
	*allocation = (struct allocation){0};
}
