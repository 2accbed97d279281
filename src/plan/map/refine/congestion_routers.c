/* congestion_routers.c - ranks change places between routers */
#include <stdlib.h>
#include <string.h>

#include "map/refine/congestion.h"
#include "base/mem.h"

/* What all members are given, and what they find. */
struct task {
	const struct map_input *in;
	int64_t work;
	const int *node_of; /* [nranks] as it was */
	int *router_of;     /* [nranks] the result, by the first member of a process */
	bool is_done;
};

/* The greatest load that nodes put on their own links, which ranks between routers do not change
 * much. */
static double greatest_of_nodes(const struct map_input *in, const struct routes *routes,
				const int *node_of)
{
	double *sent = xcalloc((size_t)in->nnodes, sizeof(*sent)), greatest = 0;
	double *got = xcalloc((size_t)in->nnodes, sizeof(*got));

	for (int r = 0; r < in->comm->nranks; r++)
		for (int64_t e = in->comm->first[r]; e < in->comm->first[r + 1]; e++) {
			int from = node_of[r], to = node_of[in->comm->peer[e]];

			sent[from] += from != to ? in->comm->bytes[e] : 0;
			got[to] += from != to ? in->comm->bytes[e] : 0;
		}
	for (int v = 0; v < in->nnodes; v++) {
		double most = sent[v] > got[v] ? sent[v] : got[v];
		double load = most * routes->per_byte.at[routes->up[v]];

		greatest = load > greatest ? load : greatest;
	}
	free(sent);
	free(got);
	return greatest;
}

/* Returns whether anything was searched. */
static bool search(const struct task *task, const struct routes *routes, struct routes *bundles,
		   int member, int *router_of)
{
	const struct map_input *in = task->in;
	int *room = xcalloc((size_t)bundles->nnodes, sizeof(*room));
	struct search search = {.comm = in->comm,
				.room = room,
				.routes = bundles,
				.node_of = router_of,
				.seed = in->seed,
				.melts = true,
				.enough = greatest_of_nodes(in, routes, task->node_of),
				.anneal = task->work,
				.patience = task->work,
				.team = in->team,
				.member = member};
	struct search_result got;

	for (int v = 0; v < in->nnodes; v++)
		room[routes->source_of[v]] += in->room[v];
	got = search_run(&search);
	free(room);
	return got.nrounds > 0;
}

static int work(void *context, int member, struct err *err)
{
	struct task *task = context;
	const struct map_input *in = task->in;
	size_t nranks = (size_t)in->comm->nranks;
	struct map_routes routes;
	struct routes bundles;
	int status = map_routes_open(&routes, in, member, err);

	if (status == 0 && routes_bundle(&bundles, routes.routes)) {
		int *router_of = xmalloc(nranks * sizeof(*router_of));

		for (size_t r = 0; r < nranks; r++)
			router_of[r] = routes.routes->source_of[task->node_of[r]];
		if (search(task, routes.routes, &bundles, member, router_of) &&
		    map_is_own(in, member)) {
			memcpy(task->router_of, router_of, nranks * sizeof(*router_of));
			task->is_done = true;
		}
		free(router_of);
		routes_free(&bundles);
	}
	map_routes_close(&routes);
	return status;
}

static bool is_between(const struct map_input *in, const int *node_of)
{
	const int *source_of = in->routes->source_of;

	for (int r = 0; r < in->comm->nranks; r++)
		for (int64_t e = in->comm->first[r]; e < in->comm->first[r + 1]; e++)
			if (in->comm->bytes[e] > 0 &&
			    source_of[node_of[r]] != source_of[node_of[in->comm->peer[e]]])
				return true;
	return false;
}

int routers_search(const struct map_input *in, int64_t work_most, const int *node_of,
		   int *router_of, bool *is_done, struct err *err)
{
	struct task task = {in, work_most, node_of, router_of, false};
	int status = is_between(in, node_of) ? team_run(in->team, work, &task, err) : 0;

	*is_done = task.is_done;
	return status;
}
