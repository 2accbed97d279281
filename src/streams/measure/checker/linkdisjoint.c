/* linkdisjoint.c - whether two jobs that run at one time share a link */
#include <stdlib.h>

#include "measure/checker/minimal_routes.h"
#include "measure/checker/geometry.h"

/* Cables by the first of two jobs. */
struct links {
	int *job_of, *from, *to; /* [nlinks] */
	int job;
};

static int linkdisjoint_open(struct checker *checker, struct err *err)
{
	struct links *links = xcalloc(1, sizeof(*links));
	size_t nlinks = (size_t)checker->geometry->topo->graph->nlinks + 1;

	(void)err;
	checker->state = links;
	links->job_of = xcalloc(nlinks, sizeof(int));
	links->from = xcalloc(nlinks, sizeof(int));
	links->to = xcalloc(nlinks, sizeof(int));
	return 0;
}

static void close(struct checker *checker)
{
	struct links *links = checker->state;

	free(links->job_of);
	free(links->from);
	free(links->to);
	free(links);
}

struct walk {
	struct checker *checker;
	bool notes; /* the cables of a job; else one is looked for that is noted */
	int a, b;   /* the route that was seen last */
};

/* Returns 1 + a cable that is noted already, if such are looked for. */
static int see(void *context, int a, int b)
{
	struct walk *walk = context;
	struct geometry *geometry = walk->checker->geometry;
	struct links *links = walk->checker->state;

	walk->a = a;
	walk->b = b;
	geometry->path.n = 0;
	route_path(geometry->routing, a, b, &geometry->path);
	for (size_t p = 0; p < geometry->path.n; p++) {
		int link = geometry->path.at[p] / 2;

		if (!walk->notes && links->job_of[link] == links->job)
			return 1 + link;
		if (walk->notes && links->job_of[link] != links->job) {
			links->job_of[link] = links->job;
			links->from[link] = a;
			links->to[link] = b;
		}
	}
	return 0;
}

/* Whether two jobs whose links are known have none in common. */
static bool are_disjoint(const struct region *a, const struct region *b)
{
	int i = 0, k = 0;

	while (i < a->nlinks && k < b->nlinks) {
		if (a->links[i] == b->links[k])
			return false;
		if (a->links[i] < b->links[k])
			i++;
		else
			k++;
	}
	return true;
}

static enum verdict compare(struct checker *checker, const struct region *first,
			    const struct region *second, struct buf *witness)
{
	struct geometry *geometry = checker->geometry;
	struct links *links = checker->state;
	struct walk walk = {.checker = checker, .notes = true};
	bool are_known = first->links != NULL && second->links != NULL;
	int found;

	if (are_known && are_disjoint(first, second))
		return VERDICT_HOLDS;
	if (are_known && witness == NULL)
		return VERDICT_BROKEN;
	links->job++;
	geometry_cover(geometry, first, see, &walk);
	walk.notes = false;
	found = geometry_cover(geometry, second, see, &walk);
	if (found == 0)
		return VERDICT_HOLDS;
	if (witness == NULL)
		return VERDICT_BROKEN;
	geometry_say_route(geometry, walk.a, walk.b, witness);
	buf_str(witness, " shares a link with ");
	geometry_say_route(geometry, links->from[found - 1], links->to[found - 1], witness);
	return VERDICT_BROKEN;
}

const struct param geometry_params_linkdisjoint[] = {EFFORT_IGNORED_PARAM, CHECKER_PARAMS, {0}};

const struct checker_type checker_linkdisjoint = {
	.entry = {.name = "linkdisjoint",
		  .example = "linkdisjoint",
		  .summary = "nodes whose messages to each other share no link with those of jobs "
			     "that run at the same time",
		  .params = geometry_params_linkdisjoint},
	.is_of_pairs = true,
	.open = linkdisjoint_open,
	.close = close,
	.compare = compare,
};
