/* blocks_alone.c - whether jobs that have their blocks alone do */
#include "measure/check/blocks_alone.h"

#include <stdlib.h>
#include <string.h>

/* A job comes to a router, or leaves it. */
struct visit {
	int router, job;
	int64_t time_ns;
	bool is_end;
};

struct visits {
	struct occupancy *occupancy;
	struct checking *checking;
	int *router_of; /* [names of nodes]; -1: not of the machine */
	int *seen;      /* [routers] the last job that was noted there, + 1 */
	VEC(struct visit) of;
	int_vec there; /* jobs at the router at hand */
	int_vec told;  /* pairs of jobs that were reported */
};

static int by_router_and_time(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	if (x->router != y->router)
		return x->router < y->router ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

static void note_job(struct visits *visits, int i)
{
	const struct occupant *job = &visits->occupancy->jobs.at[i];

	for (size_t k = job->first; k < job->first + job->n; k++) {
		struct node_range range = visits->occupancy->ranges.at[k];

		for (int node = range.first; node <= range.last; node++) {
			int router = visits->router_of[node];

			if (router < 0 || visits->seen[router] == i + 1)
				continue;
			visits->seen[router] = i + 1;
			vec_push(&visits->of, (struct visit){router, i, job->start_ns, false});
			vec_push(&visits->of, (struct visit){router, i, job->end_ns, true});
		}
	}
}

static bool was_told(const struct visits *visits, int job, int other)
{
	for (size_t i = 0; i + 1 < visits->told.n; i += 2)
		if (visits->told.at[i] == job && visits->told.at[i + 1] == other)
			return true;
	return false;
}

static void meet(struct visits *visits, const struct visit *visit, int other_job, bool among_booked)
{
	const struct occupant *jobs = visits->occupancy->jobs.at, *job = &jobs[visit->job],
			      *other = &jobs[other_job];
	char name[TOPO_NAME];

	if ((!job->has_blocks_alone && !other->has_blocks_alone) ||
	    (job->policy == 0 && other->policy == 0 && !among_booked) ||
	    was_told(visits, visit->job, other_job))
		return;
	vec_push(&visits->told, visit->job);
	vec_push(&visits->told, other_job);
	found_in(visits->checking, job->file, job->line,
		 "nodelist: job %s has nodes of %s while job %s does (line %ld), and %s has its "
		 "blocks alone",
		 job->name, topo_router_name(visits->checking->topo, visit->router, name),
		 other->name, other->line, job->has_blocks_alone ? job->name : other->name);
}

static void pass(struct visits *visits, bool among_booked)
{
	if (visits->of.n > 1)
		qsort(visits->of.at, visits->of.n, sizeof(*visits->of.at), by_router_and_time);
	for (size_t i = 0; i < visits->of.n; i++) {
		const struct visit *visit = &visits->of.at[i];
		size_t k = 0;

		if (i > 0 && visit[-1].router != visit->router)
			visits->there.n = 0;
		if (!visit->is_end) {
			for (k = 0; k < visits->there.n; k++)
				meet(visits, visit, visits->there.at[k], among_booked);
			vec_push(&visits->there, visit->job);
			continue;
		}
		while (visits->there.at[k] != visit->job)
			k++;
		visits->there.at[k] = visits->there.at[--visits->there.n];
	}
}

static bool has_any(const struct occupancy *occupancy, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		if (occupancy->jobs.at[i].has_blocks_alone)
			return true;
	return false;
}

void blocks_alone_check(struct occupancy *occupancy, struct checking *checking, size_t booked,
			size_t nbooked, size_t from, size_t to)
{
	struct visits visits = {.occupancy = occupancy, .checking = checking};
	const struct topo *topo = checking->topo;

	if (topo == NULL || (!has_any(occupancy, booked, nbooked) && !has_any(occupancy, from, to)))
		return;
	visits.router_of = xmalloc((occupancy->nodes.names.n + 1) * sizeof(int));
	visits.seen = xcalloc((size_t)topo->nrouters + 1, sizeof(int));
	for (size_t i = 0; i < occupancy->nodes.names.n; i++) {
		const char *name = occupancy->nodes.names.at[i].text;
		int node = topo_node_find(topo, name, strlen(name));

		visits.router_of[i] = node >= 0 ? topo->router_of[node] : -1;
	}
	for (size_t i = booked; i < nbooked; i++)
		if (occupancy->jobs.at[i].end_ns > occupancy->jobs.at[i].start_ns)
			note_job(&visits, (int)i);
	for (size_t i = from; i < to; i++)
		if (occupancy->jobs.at[i].end_ns > occupancy->jobs.at[i].start_ns)
			note_job(&visits, (int)i);
	pass(&visits, from == to);
	free(visits.router_of);
	free(visits.seen);
	free(visits.of.at);
	free(visits.there.at);
	free(visits.told.at);
}
