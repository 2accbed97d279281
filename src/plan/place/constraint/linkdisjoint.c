/* linkdisjoint.c - nodes whose messages share no link with those of the jobs that run */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/link_cliques.h"

enum { JOBS_KEPT = 4096 };

/*
 * Two idle nodes go together if the routes between them have no cable that is on a route of a job
 * that runs. The sets are the cliques of this relation; finding one of a given size is NP-hard.
 */
struct disjoint {
	struct links links;
	struct marked { /* [nnodes] by a job's first node: its cables, found once */
		int_vec nodes;
		uint64_t *links; /* [links.nwords] */
	} * marked;
	int nmarked;
	uint64_t *used; /* [links.nwords] */
};

static int linkdisjoint_open(struct constraint *constraint, struct err *err)
{
	struct disjoint *disjoint = xcalloc(1, sizeof(*disjoint));

	(void)err;
	constraint->state = disjoint;
	links_open(&disjoint->links, constraint->space);
	disjoint->marked =
		xcalloc((size_t)constraint->space->topo->nnodes, sizeof(*disjoint->marked));
	disjoint->used = xcalloc((size_t)disjoint->links.nwords, sizeof(*disjoint->used));
	return 0;
}

static void forget(struct disjoint *disjoint)
{
	for (int node = 0; node < disjoint->links.space->topo->nnodes; node++) {
		vec_free(&disjoint->marked[node].nodes);
		free(disjoint->marked[node].links);
		disjoint->marked[node].links = NULL;
	}
	disjoint->nmarked = 0;
}

static void close(struct constraint *constraint)
{
	struct disjoint *disjoint = constraint->state;

	if (disjoint == NULL)
		return;
	forget(disjoint);
	free(disjoint->marked);
	free(disjoint->used);
	links_close(&disjoint->links);
	free(disjoint);
}

static bool is_of(const struct marked *marked, const struct constraint_job *job)
{
	return marked->nodes.n == (size_t)job->n &&
	       memcmp(marked->nodes.at, job->nodes, (size_t)job->n * sizeof(int)) == 0;
}

static const uint64_t *links_of(struct disjoint *disjoint, const struct constraint_job *job)
{
	struct marked *marked = &disjoint->marked[job->nodes[0]];
	size_t bytes = (size_t)disjoint->links.nwords * sizeof(*marked->links);

	if (is_of(marked, job))
		return marked->links;
	if (marked->links == NULL && disjoint->nmarked++ >= JOBS_KEPT) {
		forget(disjoint);
		disjoint->nmarked = 1;
	}
	if (marked->links == NULL)
		marked->links = xmalloc(bytes);
	memset(marked->links, 0, bytes);
	marked->nodes.n = 0;
	for (int i = 0; i < job->n; i++)
		vec_push(&marked->nodes, job->nodes[i]);
	disjoint->links.form->mark(&disjoint->links, job->nodes, job->n, marked->links);
	return marked->links;
}

/* The links of the jobs that run are in use. false: none is. */
static bool find_used(struct disjoint *disjoint, const struct search *search)
{
	int nwords = disjoint->links.nwords;
	uint64_t any = 0;

	memset(disjoint->used, 0, (size_t)nwords * sizeof(*disjoint->used));
	for (int j = 0; j < search->nrunning; j++) {
		const uint64_t *marked;

		if (search->running[j].n == 0)
			continue;
		marked = links_of(disjoint, &search->running[j]);
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
