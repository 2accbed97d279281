/* night_placed.c - the routers of jobs, beside those that were possible at their starts */
#include "report/night_placed.h"

#include <stdlib.h>

#include "report/night_sweep.h"

struct placing {
	const struct night *night;
	struct night_placed *placed;
	int *seen; /* [nrouters] stamp of the last job */
};

/* The routers a job has nodes of. */
static int count_routers(struct placing *placing, const int_vec *nodes)
{
	int n = 0, stamp = (int)placing->placed->jobs.n + 1;

	for (size_t i = 0; i < nodes->n; i++) {
		int router = placing->night->topo->router_of[nodes->at[i]];

		n += placing->seen[router] != stamp;
		placing->seen[router] = stamp;
	}
	return n;
}

/* Those with the most idle nodes are the fewest that hold n. */
static int fewest_routers(const struct machine *machine, int n)
{
	int nrouters = 0;

	if (machine->nidle < n)
		return 0;
	for (int idle = machine->most; idle > 0 && n > 0; idle--)
		for (int router = machine_router_with(machine, idle, 0); router >= 0 && n > 0;
		     router = machine_router_with(machine, idle, router + 1)) {
			n -= idle;
			nrouters++;
		}
	return nrouters;
}

static int start(void *context, struct machine *machine, int job, const int_vec *nodes,
		 struct err *err)
{
	struct placing *placing = context;
	struct placed_job one = {.job = job};

	(void)err;
	if (nodes->n == 0)
		return 0;
	one.nrouters = count_routers(placing, nodes);
	one.possible = fewest_routers(machine, (int)nodes->n);
	one.least = ((int)nodes->n + machine->most - 1) / machine->most;
	placing->placed->nworse += one.nrouters > one.least;
	placing->placed->navoidable += one.possible > 0 && one.nrouters > one.possible;
	vec_push(&placing->placed->jobs, one);
	return 0;
}

static int could_save(const struct placed_job *job)
{
	return job->possible > 0 ? job->nrouters - job->possible : 0;
}

/* By routers that could have been saved, then by those beyond an empty machine's, then
 * by number. */
static int by_excess(const void *a, const void *b)
{
	const struct placed_job *x = a, *y = b;
	int u = could_save(x), v = could_save(y);

	if (u == v) {
		u = x->nrouters - x->least;
		v = y->nrouters - y->least;
	}
	if (u != v)
		return u < v ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

int night_placed_find(const struct night *night, struct night_placed *placed, struct err *err)
{
	struct placing placing = {.night = night, .placed = placed};
	const struct night_sweep sweep = {.start = start, .context = &placing};
	int status;

	*placed = (struct night_placed){.is_known = night->topo != NULL && night->jobs.n > 0};
	if (!placed->is_known)
		return 0;
	placing.seen = xcalloc((size_t)night->topo->nrouters, sizeof(*placing.seen));
	status = night_sweep(night, &sweep, err);
	if (placed->jobs.n > 1)
		qsort(placed->jobs.at, placed->jobs.n, sizeof(*placed->jobs.at), by_excess);
	free(placing.seen);
	return status;
}

void night_placed_free(struct night_placed *placed)
{
	vec_free(&placed->jobs);
}
