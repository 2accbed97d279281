/* linkdisjoint.c - nodes whose messages share no link with those of the jobs that run */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "place/constraint/link_cliques.h"

enum { JOBS_KEPT = 4096 };

/*
 * Two idle nodes go together if the routes between them have no cable that is on a route of a job
 * that runs. The sets are the cliques of this relation; finding one of a given size is NP-hard.
 */
struct disjoint {
	struct links links;
	struct map index; /* the bytes of a job's nodes → place */
	VEC(uint64_t *)
	marked;         /* [links.nwords] the cables of each job: found once for its nodes */
	uint64_t *used; /* [links.nwords] */
};

static int linkdisjoint_open(struct constraint *constraint, struct err *err)
{
	struct disjoint *disjoint = xcalloc(1, sizeof(*disjoint));

	(void)err;
	constraint->state = disjoint;
	links_open(&disjoint->links, constraint->space);
	disjoint->used = xcalloc((size_t)disjoint->links.nwords, sizeof(*disjoint->used));
	return 0;
}

static void forget(struct disjoint *disjoint)
{
	for (size_t i = 0; i < disjoint->marked.n; i++)
		free(disjoint->marked.at[i]);
	disjoint->marked.n = 0;
	map_free(&disjoint->index);
	disjoint->index = (struct map){0};
}

static void close(struct constraint *constraint)
{
	struct disjoint *disjoint = constraint->state;

	if (disjoint == NULL)
		return;
	forget(disjoint);
	free(disjoint->marked.at);
	free(disjoint->used);
	links_close(&disjoint->links);
	free(disjoint);
}

static const uint64_t *links_of(struct disjoint *disjoint, const struct constraint_job *job)
{
	size_t bytes = (size_t)job->n * sizeof(int);
	int64_t place = map_get(&disjoint->index, (const char *)job->nodes, bytes);
	uint64_t *marked;

	if (place >= 0)
		return disjoint->marked.at[place];
	if (disjoint->marked.n >= JOBS_KEPT)
		forget(disjoint);
	marked = xcalloc((size_t)disjoint->links.nwords, sizeof(*marked));
	disjoint->links.form->mark(&disjoint->links, job->nodes, job->n, marked);
	map_add(&disjoint->index, (const char *)job->nodes, bytes, (int64_t)disjoint->marked.n);
	vec_push(&disjoint->marked, marked);
	return marked;
}

/* The links of the jobs that run are in use. false: none is. */
static bool find_used(struct disjoint *disjoint, const struct search *search)
{
	int nwords = disjoint->links.nwords;
	uint64_t any = 0;

	memset(disjoint->used, 0, (size_t)nwords * sizeof(*disjoint->used));
	for (int j = 0; j < search->nrunning; j++) {
		const uint64_t *marked = links_of(disjoint, &search->running[j]);

		for (int w = 0; w < nwords; w++)
			disjoint->used[w] |= marked[w];
	}
	for (int w = 0; w < nwords; w++)
		any |= disjoint->used[w];
	links_use(&disjoint->links, disjoint->used);
	return any != 0;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct disjoint *disjoint = constraint->state;
	int64_t steps = search->steps;
	bool has_used = find_used(disjoint, search);
	int_vec nodes = {0};
	int end;

	for (int node = -1; (node = bitset_next(&search->machine->idle, node + 1)) >= 0;)
		if (search->wanted == 1 || !links_is_cut(&disjoint->links, node))
			vec_push(&nodes, node);
	search_sort(search, nodes.at, (int)nodes.n);
	if (!search->wants_all)
		search->steps = pick_int(constraint->pick, "effort");
	if (has_used)
		end = link_cliques(&disjoint->links, search, nodes.at, (int)nodes.n);
	else
		end = search_any(search, nodes.at, (int)nodes.n);
	if (!search->wants_all)
		search->steps = steps;
	free(nodes.at);
	return end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct disjoint *disjoint = constraint->state;

	if (search->steps < 0)
		return -1;
	return !find_used(disjoint, search) ||
	       links_go_together(&disjoint->links, search, nodes, search->wanted);
}

const struct constraint_type constraint_linkdisjoint = {
	.entry =
		{
			.name = "linkdisjoint",
			.example = "linkdisjoint",
			.summary = "nodes whose messages to each other share no link with those of "
				   "jobs that run at the same time",
			.params = (const struct param[]){EFFORT_PARAM, CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_CLIQUES,
	.is_bounded = true,
	.reads_running = true,
	.shrinks = true,
	.open = linkdisjoint_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
