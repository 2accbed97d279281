/* congestor_neighbours.c - nodes by how many of a congestor's nodes and idle ones are
 * beside them */
#include <stdlib.h>

#include "place/policy/policy.h"

struct neighbours {
	int *ncongestors; /* [nrouters] the congestor's nodes there; NULL: all that are busy */
	int *nnodes;      /* [nrouters] */
	bool *has_size;   /* [most + 1] there is a router with that number of nodes */
	int most;
};

static int congestor_neighbours_open(struct alloc *alloc, struct err *err)
{
	const struct topo *topo = alloc->topo;
	const char *list = pick_word(alloc->pick, "congestor");
	struct neighbours *all = xcalloc(1, sizeof(*all));
	int_vec nodes = {0};
	int status = 0;

	alloc->state = all;
	all->nnodes = xcalloc((size_t)topo->nrouters, sizeof(*all->nnodes));
	for (int node = 0; node < topo->nnodes; node++) {
		int n = ++all->nnodes[topo->router_of[node]];

		all->most = n > all->most ? n : all->most;
	}
	all->has_size = xcalloc((size_t)all->most + 1, sizeof(*all->has_size));
	for (int r = 0; r < topo->nrouters; r++)
		all->has_size[all->nnodes[r]] = true;
	if (list == NULL)
		return 0;
	all->ncongestors = xcalloc((size_t)topo->nrouters, sizeof(*all->ncongestors));
	status = topo_nodelist_read(topo, list, &nodes, err);
	for (size_t i = 0; i < nodes.n; i++)
		all->ncongestors[topo->router_of[nodes.at[i]]]++;
	free(nodes.at);
	return status == 0 ? 0 : err_prefix(err, "congestor: ");
}

static void close(struct alloc *alloc)
{
	struct neighbours *all = alloc->state;

	if (all == NULL)
		return;
	free(all->ncongestors);
	free(all->nnodes);
	free(all->has_size);
	free(all);
}

static int congestors_at(const struct neighbours *all, int router, int nidle)
{
	return all->ncongestors != NULL ? all->ncongestors[router] : all->nnodes[router] - nidle;
}

/* Takes the idle nodes of a router, the last one first if reverse. */
static void take(const struct alloc_request *request, int router, bool reverse, int_vec *nodes)
{
	const struct machine *machine = request->machine;
	size_t first = nodes->n;
	int wanted = request->job->nnodes;

	if (!reverse) {
		alloc_take_router(request, router, nodes);
		return;
	}
	machine_idle_of_router(machine, router, INT32_MAX, nodes);
	for (size_t i = first, k = nodes->n - 1; i < k; i++, k--) {
		int node = nodes->at[i];

		nodes->at[i] = nodes->at[k];
		nodes->at[k] = node;
	}
	nodes->n = nodes->n < (size_t)wanted ? nodes->n : (size_t)wanted;
	for (size_t i = first; i < nodes->n; i++)
		machine_take(request->machine, nodes->at[i]);
}

/* Routers by their numbers of idle nodes and of the congestor's, in either order; all other counts
 * are those of the decision, since a router that is taken from is emptied. */
static void take_class(const struct neighbours *all, const struct alloc_request *request,
		       int ncongestors, int nidle, bool reverse, int_vec *nodes)
{
	struct machine *machine = request->machine;
	int router = -1, from = reverse ? machine->ndomains[0] - 1 : 0;

	/* of busy nodes only routers of one size can be in the class */
	if (all->ncongestors == NULL &&
	    (nidle + ncongestors > all->most || !all->has_size[nidle + ncongestors]))
		return;
	while (nodes->n < (size_t)request->job->nnodes) {
		router = reverse ? machine_router_before(machine, nidle, from)
				 : machine_router_with(machine, nidle, from);
		if (router < 0)
			return;
		from = reverse ? router - 1 : router + 1;
		if (congestors_at(all, router, nidle) == ncongestors)
			take(request, router, reverse, nodes);
	}
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	const struct neighbours *all = alloc->state;
	bool reverse = pick_is(alloc->pick, "end", "busy");
	size_t wanted = (size_t)request->job->nnodes;

	(void)reason, (void)err;
	for (int c = 0; c <= all->most && nodes->n < wanted; c++)
		for (int i = all->most; i > 0 && nodes->n < wanted; i--)
			take_class(all, request, reverse ? all->most - c : c,
				   reverse ? all->most - i + 1 : i, reverse, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_congestor_neighbours = {
	.entry =
		{
			.name = "congestor-neighbours",
			.example = "congestor-neighbours",
			.summary = "first nodes with the fewest congestor nodes at their "
				   "router, then with the most idle neighbours",
			.paper = "the authors' driver script of Zhang et al., "
				 "NeDD, in place of traffic",
			.params =
				(const struct param[]){
					{.key = "congestor",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning = "hostlist of the congestor's nodes, in "
						    "brackets if it has commas; default: all "
						    "busy nodes"},
					{.key = "end",
					 .type = PARAM_WORD,
					 .choices = "quiet|busy",
					 .def = "quiet",
					 .meaning = "take nodes from the start of this order,"
						    " or from its end"},
					{0}},
		},
	.open = congestor_neighbours_open,
	.close = close,
	.choose = choose,
};
