/* uniform.c - one-sided traffic: to anybody, to the next group, along a random cycle, to few */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"
#include "base/mem.h"
#include "base/rng.h"

/* A message each iteration, which is over when it has left the node: its receiver need not act. */
static void put(const struct pattern_part *part, int to, struct op *op)
{
	op->kind = OP_PUT;
	op->peer = to;
	op->bytes = part->bytes;
}

static struct rng random_of(const struct pattern_part *part, const char *purpose)
{
	return rng_make(part->job->seed, purpose, part->job->run, part->job->job);
}

/* A number below n that depends on the rank and the iteration only. */
static int draw(struct rng rng, int rank, const struct cursor *cursor, int n)
{
	rng.counter = (uint64_t)rank << 40 ^ (uint64_t)cursor->iteration << 4;
	return (int)rng_below(&rng, (uint64_t)n);
}

static void close_state(struct pattern_part *part)
{
	free(part->state);
}

static int open_uniform(struct pattern_part *part, struct err *err)
{
	struct rng *rng = xmalloc(sizeof(*rng));

	(void)err;
	*rng = random_of(part, "uniform");
	part->state = rng;
	return 0;
}

static void next_uniform(const struct pattern_part *part, int rank, struct cursor *cursor,
			 struct op *op)
{
	const struct rng *rng = part->state;
	int to;

	if (cursor->step++ > 0 || part->job->nranks < 2)
		return;
	to = draw(*rng, rank, cursor, part->job->nranks - 1);
	put(part, to < rank ? to : to + 1, op);
}

const struct pattern pattern_uniform = {
	.entry = {.name = "uniform",
		  .example = "uniform",
		  .summary = "each rank puts a message to a random other rank, and the "
			     "next when that one has left its node"},
	.open = open_uniform,
	.close = close_state,
	.next = next_uniform,
};

/* ---- adversarial: ranks by group ---- */

struct groups {
	struct rng rng;
	int n;
	int *first;    /* [n + 1] into ranks */
	int *ranks;    /* [nranks] */
	int *next_of;  /* [n]: the next group that has ranks, cyclically */
	int *group_of; /* [nranks] */
};

static void close_groups(struct pattern_part *part)
{
	struct groups *groups = part->state;

	free(groups->first);
	free(groups->ranks);
	free(groups->next_of);
	free(groups->group_of);
	free(groups);
}

static int open_groups(struct pattern_part *part, struct err *err)
{
	const struct pattern_job *job = part->job;
	struct groups *groups = xcalloc(1, sizeof(*groups));
	int top = job->topo->ntiers - 1, *fill, nused = 0;

	part->state = groups;
	groups->rng = random_of(part, "adversarial");
	groups->n = job->topo->tiers[top].n;
	groups->first = xcalloc((size_t)groups->n + 1, sizeof(*groups->first));
	groups->ranks = xcalloc((size_t)job->nranks, sizeof(*groups->ranks));
	groups->next_of = xcalloc((size_t)groups->n, sizeof(*groups->next_of));
	groups->group_of = xcalloc((size_t)job->nranks, sizeof(*groups->group_of));
	fill = xcalloc((size_t)groups->n + 1, sizeof(*fill));
	for (int rank = 0; rank < job->nranks; rank++) {
		groups->group_of[rank] = topo_domain(job->topo, job->node_of[rank], top);
		groups->first[groups->group_of[rank] + 1]++;
	}
	for (int group = 0; group < groups->n; group++) {
		nused += groups->first[group + 1] > 0;
		groups->first[group + 1] += groups->first[group];
		fill[group] = groups->first[group];
	}
	for (int rank = 0; rank < job->nranks; rank++)
		groups->ranks[fill[groups->group_of[rank]]++] = rank;
	free(fill);
	for (int group = 0; group < groups->n; group++) {
		int next = group;

		do
			next = (next + 1) % groups->n;
		while (next != group && groups->first[next] == groups->first[next + 1]);
		groups->next_of[group] = next;
	}
	if (nused < 2) {
		close_groups(part);
		return err_set(err, "all ranks are in one %s of the machine",
			       job->topo->tiers[top].name);
	}
	return 0;
}

static void next_adversarial(const struct pattern_part *part, int rank, struct cursor *cursor,
			     struct op *op)
{
	const struct groups *groups = part->state;
	int group = groups->next_of[groups->group_of[rank]], first = groups->first[group];

	if (cursor->step++ == 0)
		put(part,
		    groups->ranks[first + draw(groups->rng, rank, cursor,
					       groups->first[group + 1] - first)],
		    op);
}

const struct pattern pattern_adversarial = {
	.entry = {.name = "adversarial",
		  .example = "adversarial",
		  .summary = "each rank puts a message to a random rank in the next group"
			     " that has any, which all minimal routes of a dragonfly "
			     "reach by one link",
		  .paper = "Kim et al., Technology-driven, highly-scalable "
			   "dragonfly topology, ISCA 2008, §3.2"},
	.open = open_groups,
	.close = close_groups,
	.next = next_adversarial,
};

/* ---- a cycle through all ranks ---- */

static int open_cycle(struct pattern_part *part, struct err *err)
{
	int n = part->job->nranks, *order = xcalloc((size_t)n, sizeof(*order));
	int *to = xcalloc((size_t)n, sizeof(*to));
	struct rng rng = random_of(part, "permutation");

	(void)err;
	for (int i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(&rng, order, (size_t)n);
	for (int i = 0; i < n; i++)
		to[order[i]] = order[(i + 1) % n];
	free(order);
	part->state = to;
	return 0;
}

static void next_permutation(const struct pattern_part *part, int rank, struct cursor *cursor,
			     struct op *op)
{
	const int *to = part->state;

	if (cursor->step++ == 0 && part->job->nranks > 1)
		put(part, to[rank], op);
}

const struct pattern pattern_permutation = {
	.entry = {.name = "permutation",
		  .example = "permutation",
		  .summary = "each rank puts its messages to one other rank, "
			     "along a random cycle through all"},
	.open = open_cycle,
	.close = close_state,
	.next = next_permutation,
};

/* ---- few targets ---- */

static const struct param hotspot_params[] = {
	{.key = "targets",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .def = "1",
	 .unit = "ranks",
	 .meaning = "number of ranks, the first ones, that receive all messages"},
	{0}};

static void next_hotspot(const struct pattern_part *part, int rank, struct cursor *cursor,
			 struct op *op)
{
	int64_t ntargets = pick_int(part->pick, "targets");

	if (rank >= ntargets && cursor->step++ == 0)
		put(part, (int)(rank % ntargets), op);
}

const struct pattern pattern_hotspot = {
	.entry = {.name = "hotspot",
		  .aliases = "incast",
		  .example = "hotspot:targets=2",
		  .summary = "every other rank puts its messages to one of the first "
			     "ranks, rank r to rank r mod targets",
		  .params = hotspot_params},
	.next = next_hotspot,
};
