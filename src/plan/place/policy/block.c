/* block.c - Slurm's rule for blocks: few consecutive blocks, planned by a size; segments
 *
 * The base blocks are the domains of the first level with a size, in their order, those without
 * nodes among them; else the routers that have nodes. A block of level l is 2^l consecutive base
 * blocks, the last one maybe fewer. Sizes are planned ones: that of a base block, then of enforced
 * levels, each a power of two times the first. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/hierarchy.h"
#include "place/policy/policy.h"

enum { LEVELS_MOST = 32, USUAL_LEVELS = 4 /* above the base, where no sizes are said */ };

struct blocks {
	int *first,
		*member; /* nodes of base block b: member[first[b]] … member[first[b + 1] - 1] */
	int *router_of;  /* [nbase] of the one router that is the block; NULL: not so */
	int nbase;
	bool ties_last;         /* of equal blocks the last one, and no second try */
	int base_size;          /* planned nodes of a base block */
	int level[LEVELS_MOST]; /* enforced, ascending; the first is 0 */
	int nlevels;
	int *left;     /* [nbase] idle nodes that the job has not taken */
	int *order;    /* [nbase] */
	bool *is_used; /* [nbase] by a segment before, where segments are spread */
};

/* ---- sizes ---- */

/* The nodes of the first base block that has some: what Slurm plans with if nothing is said. */
static int first_nodes(const struct blocks *blocks)
{
	int b = 0;

	while (b < blocks->nbase - 1 && blocks->first[b + 1] == blocks->first[b])
		b++;
	return blocks->first[b + 1] - blocks->first[b];
}

static int add_level(struct blocks *blocks, int64_t size, struct err *err)
{
	int level = 0;

	while (level < 30 && (int64_t)blocks->base_size << level < size)
		level++;
	if ((int64_t)blocks->base_size << level != size ||
	    (blocks->nlevels > 0 && level <= blocks->level[blocks->nlevels - 1]))
		return err_set(err, "sizes: %lld is not %d times a larger power of two",
			       (long long)size, blocks->base_size);
	blocks->level[blocks->nlevels++] = level;
	return 0;
}

/* "30" or "[30,120]" */
static int read_sizes(struct blocks *blocks, const char *text, struct err *err)
{
	char *copy = xstrdup(text[0] == '[' ? text + 1 : text), *parts[LEVELS_MOST];
	int n, status = 0;

	if (str_ends(copy, "]"))
		copy[strlen(copy) - 1] = '\0';
	n = str_split(copy, ',', parts, LEVELS_MOST);
	for (int i = 0; i < n && status == 0; i++) {
		int64_t size;

		if (num_int(str_trim(parts[i]), 1, INT32_MAX, &size) != 0)
			status = err_set(err, "sizes: '%s' is not a number of nodes", parts[i]);
		else if (i == 0)
			blocks->base_size = (int)size;
		if (status == 0)
			status = add_level(blocks, size, err);
	}
	free(copy);
	return status;
}

/* Whether each block with nodes has exactly those of one router, whose idle nodes are counted. */
static void find_routers(struct blocks *blocks, const struct topo *topo)
{
	int *nnodes = xcalloc((size_t)topo->nrouters + 1, sizeof(*nnodes));
	bool are_routers = true;

	blocks->router_of = xmalloc(((size_t)blocks->nbase + 1) * sizeof(int));
	for (int node = 0; node < topo->nnodes; node++)
		nnodes[topo->router_of[node]]++;
	for (int b = 0; b < blocks->nbase && are_routers; b++) {
		int first = blocks->first[b], end = blocks->first[b + 1];

		blocks->router_of[b] = end > first ? topo->router_of[blocks->member[first]] : -1;
		for (int i = first; i < end; i++)
			are_routers &= topo->router_of[blocks->member[i]] == blocks->router_of[b];
		are_routers &= end == first || nnodes[blocks->router_of[b]] == end - first;
	}
	free(nnodes);
	if (are_routers)
		return;
	free(blocks->router_of);
	blocks->router_of = NULL;
}

/* The domains of a level with a size, and its sizes. */
static int open_hierarchy(struct blocks *blocks, const struct topo *topo,
			  const struct level_ref *level, bool needs_sizes, struct err *err)
{
	const struct domain_level *levels = level->hierarchy->levels;
	int64_t size = levels[level->level].size;
	int *of = level_domains(level), status;

	blocks->nbase = level_count(level);
	domain_members(of, topo->nnodes, blocks->nbase, &blocks->first, &blocks->member);
	free(of);
	if (!needs_sizes)
		return 0;
	blocks->base_size = (int)size;
	status = add_level(blocks, size, err);
	for (int l = level->level - 1; l >= 0 && levels[l].every > 0 && status == 0; l--) {
		size *= levels[l].every;
		if (levels[l].every > 1)
			status = size <= INT32_MAX ? add_level(blocks, size, err)
						   : err_set(err, "the level '%s' is too large",
							     levels[l].name);
	}
	return status;
}

/* The routers that have nodes. */
static int open_routers(struct blocks *blocks, const struct topo *topo, bool needs_sizes,
			struct err *err)
{
	int *routers = alloc_domains_with_nodes(topo, 0, &blocks->nbase);
	int *number = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*number));
	int *of = xmalloc(((size_t)topo->nnodes + 1) * sizeof(*of)), status = 0;

	for (int b = 0; b < blocks->nbase; b++)
		number[routers[b]] = b;
	for (int node = 0; node < topo->nnodes; node++)
		of[node] = number[topo->router_of[node]];
	domain_members(of, topo->nnodes, blocks->nbase, &blocks->first, &blocks->member);
	free(routers);
	free(number);
	free(of);
	blocks->base_size = first_nodes(blocks);
	for (int i = 0; i <= USUAL_LEVELS && needs_sizes && status == 0; i++)
		status = add_level(blocks, (int64_t)blocks->base_size << i, err);
	return status;
}

static int blocks_open(struct alloc *alloc, struct err *err)
{
	struct blocks *blocks = xcalloc(1, sizeof(*blocks));
	const char *sizes = pick_word(alloc->pick, "sizes");
	struct level_ref level;
	int status;

	alloc->state = blocks;
	blocks->ties_last = pick_is(alloc->pick, "ties", "slurm");
	status = level_with_size(&level, alloc->topo)
			 ? open_hierarchy(blocks, alloc->topo, &level, sizes == NULL, err)
			 : open_routers(blocks, alloc->topo, sizes == NULL, err);
	if (status != 0)
		return -1;
	find_routers(blocks, alloc->topo);
	blocks->left = xcalloc((size_t)blocks->nbase + 1, sizeof(int));
	blocks->order = xcalloc((size_t)blocks->nbase + 1, sizeof(int));
	blocks->is_used = xcalloc((size_t)blocks->nbase + 1, sizeof(bool));
	return sizes != NULL ? read_sizes(blocks, sizes, err) : 0;
}

static void close(struct alloc *alloc)
{
	struct blocks *blocks = alloc->state;

	if (blocks == NULL)
		return;
	free(blocks->first);
	free(blocks->member);
	free(blocks->router_of);
	free(blocks->left);
	free(blocks->order);
	free(blocks->is_used);
	free(blocks);
}

/* ---- levels ---- */

/* The place of the lowest enforced level that a plan of n nodes fits; nlevels: only all blocks. */
static int level_for(const struct blocks *blocks, int n)
{
	int nbase = (n - 1) / blocks->base_size + 1, i = 0;

	while (i < blocks->nlevels && (int64_t)1 << blocks->level[i] < nbase)
		i++;
	return i;
}

/* How many base blocks a block of that level has; of all blocks beyond the last level. */
static int width(const struct blocks *blocks, int place)
{
	if (place >= blocks->nlevels || blocks->level[place] >= 30)
		return blocks->nbase;
	return 1 << blocks->level[place];
}

static int sum_left(const struct blocks *blocks, int first, int n)
{
	int sum = 0;

	for (int b = first; b < first + n && b < blocks->nbase; b++)
		sum += blocks->left[b];
	return sum;
}

/* ---- nodes of one block ---- */

static void take_base(const struct alloc_request *request, struct blocks *blocks, int b, int n,
		      int_vec *nodes)
{
	size_t first = nodes->n;

	if (blocks->router_of != NULL)
		machine_idle_of_router(request->machine, blocks->router_of[b], n, nodes);
	for (int i = blocks->first[b]; blocks->router_of == NULL && nodes->n - first < (size_t)n;
	     i++)
		if (machine_is_idle(request->machine, blocks->member[i]))
			vec_push(nodes, blocks->member[i]);
	machine_take_all(request->machine, &nodes->at[first], nodes->n - first);
	blocks->left[b] -= n;
	blocks->is_used[b] = true;
}

/* Of equally many the first one counts, or (ties=slurm) the last. */
static bool is_fewer(const struct blocks *blocks, int idle, int least)
{
	return idle < least || (blocks->ties_last && idle == least);
}

/* Of blocks of n base blocks each, within first … end - 1: the one with the fewest idle nodes
 * that are enough, else that with the most. */
static int best_block(const struct blocks *blocks, int first, int end, int each, int n)
{
	int best = -1, best_idle = 0;

	for (int b = first; b < end; b += each) {
		int idle = sum_left(blocks, b, each < end - b ? each : end - b);
		bool is_better = best < 0         ? true
				 : best_idle >= n ? idle >= n && is_fewer(blocks, idle, best_idle)
						  : idle > best_idle;

		if (is_better) {
			best = b;
			best_idle = idle;
		}
	}
	return best;
}

/* n nodes within first … end - 1, of as few blocks of the level below as it goes, and in these
 * likewise. */
static void take_within(const struct alloc_request *request, struct blocks *blocks, int first,
			int end, int place, int n, int_vec *nodes)
{
	int each = place > 0 ? width(blocks, place - 1) : 1;

	while (n > 0) {
		int b = best_block(blocks, first, end, each, n);
		int stop = each < end - b ? b + each : end, idle = sum_left(blocks, b, stop - b);
		int part = idle < n ? idle : n;

		if (each == 1)
			take_base(request, blocks, b, part, nodes);
		else
			take_within(request, blocks, b, stop, place - 1, part, nodes);
		n -= part;
	}
}

/* ---- one job, or one segment ---- */

static int by_falling_count(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Whether n nodes are idle in as many of the next lower blocks as they are planned for. */
static bool has_room(struct blocks *blocks, int first, int end, int place, int n)
{
	int each = place > 0 ? width(blocks, place - 1) : 1, nparts = 0, sum = 0;
	int64_t size = place > 0 ? (int64_t)blocks->base_size << blocks->level[place - 1] : n;
	int most = (int)((n - 1) / size + 1);

	for (int b = first; b < end; b += each)
		blocks->order[nparts++] = sum_left(blocks, b, each < end - b ? each : end - b);
	qsort(blocks->order, (size_t)nparts, sizeof(int), by_falling_count);
	for (int i = 0; i < nparts && i < most; i++)
		sum += blocks->order[i];
	return sum >= n;
}

static bool is_spread_over(const struct blocks *blocks, int first, int end)
{
	for (int b = first; b < end; b++)
		if (blocks->is_used[b])
			return true;
	return false;
}

/* The block of a level (within from … to - 1) with room and the fewest idle nodes, the first of
 * those, or the last; -1: none. fresh: none that a segment is in. */
static int find_block(struct blocks *blocks, int from, int to, int place, int n, bool fresh)
{
	int each = width(blocks, place), best = -1, least = INT_MAX;

	for (int first = from; first < to; first += each) {
		int end = each < to - first ? first + each : to;
		int idle = sum_left(blocks, first, end - first);

		if (idle < n || !is_fewer(blocks, idle, least) ||
		    (fresh && is_spread_over(blocks, first, end)) ||
		    !has_room(blocks, first, end, place, n))
			continue;
		best = first;
		least = idle;
	}
	return best;
}

/* n nodes within from … to - 1. */
static bool place_part(const struct alloc_request *request, struct blocks *blocks, int from, int to,
		       int n, bool fresh, int_vec *nodes)
{
	int place = level_for(blocks, n), each = width(blocks, place);
	int first = find_block(blocks, from, to, place, n, fresh);

	if (first < 0)
		return false;
	take_within(request, blocks, first, each < to - first ? first + each : to, place, n, nodes);
	return true;
}

/* ---- segments ---- */

static bool place_segments(const struct alloc_request *request, struct blocks *blocks, int from,
			   int to, bool fresh, int_vec *nodes)
{
	int segment = request->job->segment, n = request->job->nnodes / segment;

	memset(blocks->is_used, 0, (size_t)blocks->nbase * sizeof(bool));
	for (int i = 0; i < n; i++)
		if (!place_part(request, blocks, from, to, segment, fresh, nodes))
			return false;
	return true;
}

static void count_left(const struct alloc_request *request, struct blocks *blocks)
{
	const struct machine *machine = request->machine;

	for (int b = 0; b < blocks->nbase; b++) {
		blocks->left[b] = 0;
		if (blocks->router_of != NULL && blocks->router_of[b] >= 0)
			blocks->left[b] = machine->nidle_of[0][blocks->router_of[b]];
		for (int i = blocks->first[b];
		     blocks->router_of == NULL && i < blocks->first[b + 1]; i++)
			blocks->left[b] += machine_is_idle(machine, blocks->member[i]);
	}
}

/* All segments in one block of the level that the job is planned for: the one with the fewest idle
 * nodes in which they find room; as Slurm, only the first one that is looked at. */
static bool place_together(const struct alloc_request *request, struct blocks *blocks,
			   int_vec *nodes)
{
	struct machine *machine = request->machine;
	int n = request->job->nnodes, each = width(blocks, level_for(blocks, n));
	bool *was_tried = xcalloc((size_t)blocks->nbase + 1, sizeof(*was_tried)), found = false;
	size_t mark = machine_mark(machine);

	while (!found) {
		int best = -1, least = INT_MAX;

		count_left(request, blocks);
		for (int first = 0; first < blocks->nbase; first += each) {
			int idle = sum_left(blocks, first, each);

			if (!was_tried[first] && idle >= n && is_fewer(blocks, idle, least)) {
				best = first;
				least = idle;
			}
		}
		if (best < 0)
			break;
		was_tried[best] = true;
		found = place_segments(request, blocks, best,
				       each < blocks->nbase - best ? best + each : blocks->nbase,
				       false, nodes);
		if (!found) {
			machine_undo(machine, mark);
			nodes->n = 0;
			if (blocks->ties_last)
				break;
		}
	}
	free(was_tried);
	return found;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct blocks *blocks = alloc->state;
	int n = request->job->nnodes, segment = request->job->segment;
	bool found;

	(void)err;
	count_left(request, blocks);
	if (segment > 0 && segment <= n && n % segment != 0) {
		buf_printf(reason, "%d nodes are not segments of %d", n, segment);
		return 0;
	}
	if (segment == 0 || segment > n)
		found = place_part(request, blocks, 0, blocks->nbase, n, false, nodes);
	else if (pick_is(alloc->pick, "segments", "consolidated"))
		found = place_together(request, blocks, nodes);
	else
		found = place_segments(request, blocks, 0, blocks->nbase,
				       pick_is(alloc->pick, "segments", "spread"), nodes);
	if (!found)
		buf_printf(reason, "no blocks have room for %d nodes%s", n,
			   segment > 0 && segment <= n ? " in segments" : "");
	return found;
}

const struct alloc_policy alloc_policy_block = {
	.entry =
		{
			.name = "block",
			.example = "block:sizes=2",
			.summary = "Slurm's rule for blocks: the block of the planned size with "
				   "the fewest idle nodes; segments each in one",
			.paper = "Slurm, topology/block",
			.params =
				(const struct param[]){
					{.key = "sizes",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning =
						 "BlockSizes, as [30,120]: nodes that a block "
						 "is planned with, then those of enforced "
						 "levels; else those of the machine, else the nodes of "
						 "the first block and up to sixteen times as many"},
					{.key = "segments",
					 .type = PARAM_WORD,
					 .choices = "shared|spread|consolidated",
					 .def = "shared",
					 .meaning = "whether segments may share a block, have "
						    "one each, or are in one larger block "
						    "together"},
					{.key = "ties",
					 .type = PARAM_WORD,
					 .choices = "first|slurm",
					 .def = "first",
					 .meaning =
						 "of blocks with equally few idle nodes the first "
						 "one; or as Slurm the last one, and "
						 "consolidated segments are tried in one block "
						 "only"},
					{0}},
		},
	.may_refuse = true,
	.keeps_segments = true,
	.open = blocks_open,
	.close = close,
	.choose = choose,
};
