/* clusters.c - nodes in as few blocks as can hold them */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/constraint.h"

struct clusters {
	int nblocks;
	int *block_of;  /* [nnodes] −1: does not compute */
	int *nidle;     /* [nblocks] scratch */
	int most;       /* nodes of the largest block */
	int *with;      /* [most + 1] by number of nodes: blocks with as many: scratch */
	int64_t *holds; /* [nblocks + 1]: nodes in service in the n largest blocks */
};

static int larger_first_count(const void *a, const void *b)
{
	return (*(const int *)a < *(const int *)b) - (*(const int *)a > *(const int *)b);
}

/* Blocks need not be of one size: the last one by label is short, routers have what they have, and
 * nodes out of service hold no job. */
static void count_blocks(struct clusters *clusters, const struct space *space)
{
	int *count = xcalloc((size_t)clusters->nblocks, sizeof(*count));

	for (int node = 0; node < space->topo->nnodes; node++)
		if (space->serves[node])
			count[clusters->block_of[node]]++;
	qsort(count, (size_t)clusters->nblocks, sizeof(*count), larger_first_count);
	clusters->holds = xcalloc((size_t)clusters->nblocks + 1, sizeof(*clusters->holds));
	for (int b = 0; b < clusters->nblocks; b++)
		clusters->holds[b + 1] = clusters->holds[b] + count[b];
	for (int b = 0; b < clusters->nblocks; b++)
		if (count[b] > clusters->most)
			clusters->most = count[b];
	clusters->nidle = count;
	clusters->with = xcalloc((size_t)clusters->most + 1, sizeof(*clusters->with));
}

/* The least number of blocks of the machine without jobs that hold n nodes; 0: all of
 * them don't. */
static int nneeded(const struct clusters *clusters, int n)
{
	int low = 0, high = clusters->nblocks;

	if (clusters->holds[high] < n)
		return 0;
	while (low < high) {
		int middle = (low + high) / 2;

		if (clusters->holds[middle] >= n)
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

static int clusters_open(struct constraint *constraint, struct err *err)
{
	const struct space *space = constraint->space;
	const struct topo *topo = space->topo;
	struct clusters *clusters = xcalloc(1, sizeof(*clusters));
	bool by_label = pick_has(constraint->pick, "size");
	int n = 0, size = by_label ? (int)pick_int(constraint->pick, "size") : 1;

	(void)err;
	constraint->state = clusters;
	clusters->block_of = xmalloc((size_t)topo->nnodes * sizeof(int));
	for (int node = 0; node < topo->nnodes; node++) {
		clusters->block_of[node] = -1;
		if (!space->computes[node])
			continue;
		clusters->block_of[node] = by_label ? n / size : topo->router_of[node];
		n++;
	}
	clusters->nblocks = by_label ? n / size + 1 : topo->nrouters;
	count_blocks(clusters, space);
	return 0;
}

static void close(struct constraint *constraint)
{
	struct clusters *clusters = constraint->state;

	if (clusters == NULL)
		return;
	free(clusters->block_of);
	free(clusters->nidle);
	free(clusters->with);
	free(clusters->holds);
	free(clusters);
}

/* The idle nodes, block by block. */
struct blocks {
	struct search *search;
	int n, most; /* blocks, and how many a job may have */
	int *first;  /* [n + 1] */
	int *node;
	int_vec set;
};

static void list_idle(struct blocks *blocks, const struct clusters *clusters)
{
	const struct machine *machine = blocks->search->machine;
	int *first = xcalloc((size_t)clusters->nblocks + 2, sizeof(int));

	blocks->n = clusters->nblocks;
	blocks->most = nneeded(clusters, blocks->search->wanted);
	blocks->node = xmalloc(((size_t)machine->nidle + 1) * sizeof(int));
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;)
		if (clusters->block_of[node] >= 0)
			first[clusters->block_of[node] + 2]++;
	for (int b = 0; b < blocks->n; b++)
		first[b + 2] += first[b + 1];
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;)
		if (clusters->block_of[node] >= 0)
			blocks->node[first[clusters->block_of[node] + 1]++] = node;
	blocks->first = first;
}

static int nidle(const struct blocks *blocks, int block)
{
	return blocks->first[block + 1] - blocks->first[block];
}

/* ---- the blocks that the policy comes to first ---- */

/* Idle nodes of the n largest of the blocks that are left: with [most + 1] by number of nodes. */
static int64_t largest(const struct clusters *clusters, int n)
{
	int64_t sum = 0;

	for (int size = clusters->most; size > 0 && n > 0; size--) {
		int k = clusters->with[size] < n ? clusters->with[size] : n;

		sum += (int64_t)k * size;
		n -= k;
	}
	return sum;
}

/* Goes through the blocks as the policy comes to them; one is let out where the largest of the
 * others could not make up for it. */
static int take_blocks(struct blocks *blocks, struct clusters *clusters)
{
	struct search *search = blocks->search;
	bool *is_chosen = xcalloc((size_t)blocks->n, sizeof(bool));
	int nnodes = blocks->first[blocks->n], left = blocks->most, end = SEARCH_ALL;
	int64_t missing = search->wanted;

	memset(clusters->with, 0, ((size_t)clusters->most + 1) * sizeof(int));
	for (int b = 0; b < blocks->n; b++)
		clusters->with[nidle(blocks, b)]++;
	if (largest(clusters, left) < missing)
		left = 0;
	search_sort(search, blocks->node, nnodes);
	for (int i = 0; i < nnodes && left > 0 && missing > 0; i++) {
		int b = clusters->block_of[blocks->node[i]];

		if (is_chosen[b])
			continue;
		clusters->with[nidle(blocks, b)]--;
		if (largest(clusters, left - 1) + nidle(blocks, b) < missing) {
			clusters->with[nidle(blocks, b)]++;
			continue;
		}
		is_chosen[b] = true;
		missing -= nidle(blocks, b);
		left--;
	}
	for (int i = 0; i < nnodes; i++)
		if (is_chosen[clusters->block_of[blocks->node[i]]])
			vec_push(&blocks->set, blocks->node[i]);
	if (missing <= 0)
		end = search_any(search, blocks->set.at, (int)blocks->set.n);
	free(is_chosen);
	return end;
}

/* ---- all sets ---- */

/* From node i (of block b) on; nblocks were used, b among them if used. */
static int divide(struct blocks *blocks, int i, int b, int nblocks, bool used)
{
	int wanted = blocks->search->wanted, end;

	if (blocks->set.n == (size_t)wanted)
		return search_exact(blocks->search, blocks->set.at);
	if (blocks->set.n + (size_t)(blocks->first[blocks->n] - i) < (size_t)wanted)
		return SEARCH_ALL;
	if (!search_spend(blocks->search, 1))
		return SEARCH_BOUND;
	for (; i >= blocks->first[b + 1]; used = false)
		b++;
	if (!used && nblocks == blocks->most)
		return divide(blocks, blocks->first[b + 1], b, nblocks, false);
	vec_push(&blocks->set, blocks->node[i]);
	end = divide(blocks, i + 1, b, nblocks + !used, true);
	blocks->set.n--;
	if (end != SEARCH_ALL)
		return end;
	return divide(blocks, i + 1, b, nblocks, used);
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct clusters *clusters = constraint->state;
	struct blocks blocks = {.search = search};
	int end;

	list_idle(&blocks, clusters);
	end = search->wants_all ? divide(&blocks, 0, 0, 0, false) : take_blocks(&blocks, clusters);
	free(blocks.first);
	free(blocks.node);
	free(blocks.set.at);
	return end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	const struct clusters *clusters = constraint->state;
	bool *is_used = xcalloc((size_t)clusters->nblocks, sizeof(bool));
	int n = 0;

	for (int i = 0; i < search->wanted; i++) {
		n += !is_used[clusters->block_of[nodes[i]]];
		is_used[clusters->block_of[nodes[i]]] = true;
	}
	free(is_used);
	return n <= nneeded(clusters, search->wanted);
}

/* ---- by counting ---- */

static void count_none(struct clusters *clusters)
{
	memset(clusters->nidle, 0, (size_t)clusters->nblocks * sizeof(int));
	memset(clusters->with, 0, ((size_t)clusters->most + 1) * sizeof(int));
	clusters->with[0] = clusters->nblocks;
}

static void count_one(struct clusters *clusters, int node)
{
	int block = clusters->block_of[node];

	if (block < 0)
		return;
	clusters->with[clusters->nidle[block]++]--;
	clusters->with[clusters->nidle[block]]++;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	struct clusters *clusters = constraint->state;
	int nwords = (constraint->space->topo->nnodes + 63) / 64;

	count_none(clusters);
	for (int w = 0; w < nwords; w++)
		for (uint64_t word = idle[w]; word != 0; word &= word - 1)
			count_one(clusters, w * 64 + __builtin_ctzll(word));
	return largest(clusters, nneeded(clusters, n)) >= n;
}

static int64_t earliest(struct constraint *constraint, const struct free_times *times, int n)
{
	struct clusters *clusters = constraint->state;
	int nblocks = nneeded(clusters, n);

	count_none(clusters);
	for (int i = 0; i < times->n; i++) {
		int64_t at = times->at[times->order[i]];

		count_one(clusters, times->order[i]);
		if (i + 1 < times->n && times->at[times->order[i + 1]] == at)
			continue; /* all of one time first */
		if (i + 1 >= n && largest(clusters, nblocks) >= n)
			return at;
	}
	return INT64_MAX;
}

const struct constraint_type constraint_clusters = {
	.entry =
		{
			.name = "clusters",
			.example = "clusters",
			.summary = "nodes in as few blocks as can hold them",
			.paper = "after Lucarelli et al., Contiguity and Locality in "
				 "Backfilling Scheduling, CCGrid 2015",
			.params =
				(const struct param[]){{.key = "size",
							.type = PARAM_INT,
							.min = 1,
							.max = 1 << 26,
							.optional = true,
							.unit = "nodes",
							.meaning =
								"size of a block, in label order; "
								"default: blocks are the routers"},
						       CONSTRAINT_PARAMS,
						       {0}},
		},
	.turn = TURN_MASKS,
	.open = clusters_open,
	.close = close,
	.is_quick = true,
	.fits = fits,
	.earliest = earliest,
	.regions = regions,
	.holds = holds,
};
