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

/* The cables of a job's routes are noted; or one is looked for that is: *a and *b take it. */
static int walk(struct checker *checker, const struct region *region, bool note, int *a, int *b)
{
	struct geometry *geometry = checker->geometry;
	struct links *links = checker->state;

	for (int i = 0; i < region->n; i++)
		for (int k = 0; k < region->n; k++) {
			if (i == k)
				continue;
			*a = region->nodes[i];
			*b = region->nodes[k];
			geometry->path.n = 0;
			route_path(geometry->routing, *a, *b, &geometry->path);
			for (size_t p = 0; p < geometry->path.n; p++) {
				int link = geometry->path.at[p] / 2;

				if (!note && links->job_of[link] == links->job)
					return link;
				if (note) {
					links->job_of[link] = links->job;
					links->from[link] = *a;
					links->to[link] = *b;
				}
			}
		}
	return -1;
}

/* Whether two jobs whose links are known have none in common. */
static bool are_disjoint(const struct region *a, const struct region *b)
{
	int i = 0, k = 0;

	if (a->links == NULL || b->links == NULL)
		return false;
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
	const struct geometry *geometry = checker->geometry;
	struct links *links = checker->state;
	int a, b, link;

	if (are_disjoint(first, second))
		return VERDICT_HOLDS;
	links->job++;
	walk(checker, first, true, &a, &b);
	link = walk(checker, second, false, &a, &b);
	if (link < 0)
		return VERDICT_HOLDS;
	geometry_say_route(geometry, a, b, witness);
	buf_str(witness, " shares a link with ");
	geometry_say_route(geometry, links->from[link], links->to[link], witness);
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
