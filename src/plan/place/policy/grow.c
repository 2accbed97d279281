/* grow.c - a region of idle nodes that grows from router to router */
#include <stdlib.h>

#include "place/policy/policy.h"

struct grow {
	const struct topo_graph *graph;
	int *nnodes;             /* [nrouters]; a router without any is passed through */
	int *seen_of, nseen;     /* [nrouters] for searches */
	int *pieces_of, npieces; /* [nrouters] known not to have room, in this decision */
	int *links, *links_of;   /* [nrouters] to the region, and the decision they are of */
	int most_links;
	int_vec *fringe; /* [most_links + 1] routers with as many links, oldest first */
	size_t *done;    /* [most_links + 1] */
	int_vec queue;
};

static int grow_open(struct alloc *alloc, struct err *err)
{
	struct topo *topo = alloc->topo;
	struct grow *grow = xcalloc(1, sizeof(*grow));
	size_t n = (size_t)topo->nrouters;

	(void)err;
	alloc->state = grow;
	grow->graph = topo_graph(topo);
	grow->nnodes = xcalloc(n, sizeof(int));
	grow->seen_of = xcalloc(n, sizeof(int));
	grow->pieces_of = xcalloc(n, sizeof(int));
	grow->links = xcalloc(n, sizeof(int));
	grow->links_of = xcalloc(n, sizeof(int));
	for (int node = 0; node < topo->nnodes; node++)
		grow->nnodes[topo->router_of[node]]++;
	for (int r = 0; r < topo->nrouters; r++) {
		int64_t vertex = topo->nnodes + r;
		int degree = (int)(grow->graph->first[vertex + 1] - grow->graph->first[vertex]);

		grow->most_links = degree > grow->most_links ? degree : grow->most_links;
	}
	grow->fringe = xcalloc((size_t)grow->most_links + 1, sizeof(*grow->fringe));
	grow->done = xcalloc((size_t)grow->most_links + 1, sizeof(*grow->done));
	return 0;
}

static void close(struct alloc *alloc)
{
	struct grow *grow = alloc->state;

	if (grow == NULL)
		return;
	for (int i = 0; i <= grow->most_links; i++)
		free(grow->fringe[i].at);
	free(grow->fringe);
	free(grow->done);
	free(grow->nnodes);
	free(grow->seen_of);
	free(grow->pieces_of);
	free(grow->links);
	free(grow->links_of);
	free(grow->queue.at);
	free(grow);
}

static bool may_grow_over(const struct grow *grow, const struct machine *machine, int router)
{
	return machine->nidle_of[0][router] > 0 || grow->nnodes[router] == 0;
}

/* ---- where to begin ---- */

/* Idle nodes in the piece of a router, counted up to n. */
static int count_piece(struct grow *grow, const struct machine *machine, int start, int n)
{
	int nnodes = machine->nnodes, found = 0;

	grow->queue.n = 0;
	grow->nseen++;
	grow->seen_of[start] = grow->nseen;
	vec_push(&grow->queue, start);
	for (size_t done = 0; done < grow->queue.n && found < n; done++) {
		int router = grow->queue.at[done], vertex = nnodes + router;

		found += machine->nidle_of[0][router];
		for (int64_t i = grow->graph->first[vertex]; i < grow->graph->first[vertex + 1];
		     i++) {
			int peer = grow->graph->peer[i] - nnodes;

			if (peer < 0 || grow->seen_of[peer] == grow->nseen ||
			    !may_grow_over(grow, machine, peer))
				continue;
			grow->seen_of[peer] = grow->nseen;
			vec_push(&grow->queue, peer);
		}
	}
	return found;
}

/* The lowest router with an idle node whose piece has room for the job; else that of the largest
 * piece. */
static int find_start(struct grow *grow, const struct alloc_request *request, bool *has_room)
{
	const struct machine *machine = request->machine;
	int wanted = request->job->nnodes, best = -1, most = 0;

	grow->npieces++;
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;) {
		int router = machine->domain_of[0][node], n;

		if (grow->pieces_of[router] == grow->npieces)
			continue;
		n = count_piece(grow, machine, router, wanted);
		if (n > most) {
			most = n;
			best = router;
		}
		if (n >= wanted)
			break;
		for (size_t i = 0; i < grow->queue.n; i++)
			grow->pieces_of[grow->queue.at[i]] = grow->npieces;
	}
	*has_room = most >= wanted;
	return best;
}

/* ---- growing ---- */

/* One more link of a router to the region. */
static void add_link(struct grow *grow, int router)
{
	if (grow->links_of[router] != grow->nseen) {
		grow->links_of[router] = grow->nseen;
		grow->links[router] = 0;
	}
	grow->links[router]++;
	vec_push(&grow->fringe[grow->links[router]], router);
}

/* The router with most links to the region, of these the one that got them first; -1: none. */
static int next_router(struct grow *grow)
{
	for (int links = grow->most_links; links > 0; links--)
		while (grow->done[links] < grow->fringe[links].n) {
			int router = grow->fringe[links].at[grow->done[links]++];

			/* it may have got more since, or be in the region */
			if (grow->links[router] == links && grow->seen_of[router] != grow->nseen)
				return router;
		}
	return -1;
}

static void grow_from(struct grow *grow, const struct alloc_request *request, int router,
		      int_vec *nodes)
{
	const struct machine *machine = request->machine;
	int nnodes = machine->nnodes;

	grow->nseen++;
	for (int i = 0; i <= grow->most_links; i++)
		grow->fringe[i].n = grow->done[i] = 0;
	for (; router >= 0 && nodes->n < (size_t)request->job->nnodes; router = next_router(grow)) {
		int vertex = nnodes + router;

		grow->seen_of[router] = grow->nseen;
		alloc_take_router(request, router, nodes);
		for (int64_t i = grow->graph->first[vertex]; i < grow->graph->first[vertex + 1];
		     i++) {
			int peer = grow->graph->peer[i] - nnodes;

			if (peer >= 0 && grow->seen_of[peer] != grow->nseen &&
			    may_grow_over(grow, machine, peer))
				add_link(grow, peer);
		}
	}
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct grow *grow = alloc->state;
	int npieces = 0;

	(void)err;
	while (nodes->n < (size_t)request->job->nnodes) {
		struct job rest = *request->job;
		struct alloc_request left = *request;
		bool has_room;
		int start;

		rest.nnodes -= (int)nodes->n;
		left.job = &rest;
		start = find_start(grow, &left, &has_room);
		grow_from(grow, request, start, nodes);
		npieces++;
	}
	buf_printf(reason, npieces == 1 ? "%d piece" : "%d pieces", npieces);
	return 1;
}

const struct alloc_policy alloc_policy_grow = {
	.entry =
		{
			.name = "grow",
			.example = "grow",
			.summary = "a region that grows by the router with the most links"
				   " to it; several regions if none can hold the job",
			.paper = "our reading of the generic heuristic that Bleuse et al. announce",
		},
	.open = grow_open,
	.close = close,
	.choose = choose,
};
