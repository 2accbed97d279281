/* blocks.c - the policy block against the rules of Slurm's topology/block, by brute force: every
 * set of blocks is looked at, in random states */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "machine/load.h"
#include "place/policy/policy.h"
#include "check.h"

enum { BASES_MOST = 8, NODES_MOST = 40 };

/* What a case is: blocks of each nodes, planned with sizes [nsizes]. */
struct setup {
	int nbase, each, sizes[3], nsizes;
};

static const struct setup setups[] = {
	{8, 3, {3}, 1},        {8, 3, {2}, 1},     {8, 4, {3, 6, 12}, 3}, {6, 5, {4, 16}, 2},
	{7, 3, {2, 4, 16}, 3}, {5, 4, {5, 10}, 2}, {8, 2, {2, 8}, 2},
};

static int floor_log2_up(int n)
{
	int level = 0;

	while (1 << level < n)
		level++;
	return level;
}

/* The enforced levels; the one for n nodes: its place, nsizes for all blocks. */
static int plan(const struct setup *setup, int n, int *levels)
{
	int need = floor_log2_up((n + setup->sizes[0] - 1) / setup->sizes[0]),
	    place = setup->nsizes;

	for (int i = setup->nsizes - 1; i >= 0; i--) {
		levels[i] = floor_log2_up(setup->sizes[i] / setup->sizes[0]);
		if (levels[i] >= need)
			place = i;
	}
	return place;
}

enum { SHARED, SPREAD, CONSOLIDATED };
static const char *const segment_words[] = {"shared", "spread", "consolidated"};

/* Whether segments that are planned for one base block do not find room, however they are put; of
 * larger ones nothing is said. */
static bool is_hopeless(const struct setup *setup, const int *idle, int segment, int n, int how)
{
	int levels[3], place = plan(setup, n, levels), width = setup->nbase;

	if (segment > setup->sizes[0])
		return true;
	if (how == CONSOLIDATED && place < setup->nsizes)
		width = 1 << levels[place];
	for (int first = 0; first < setup->nbase; first += width) {
		int room = 0;

		for (int b = first; b < setup->nbase && b < first + width; b++)
			room += how == SPREAD ? idle[b] >= segment : idle[b] / segment;
		if (room >= n / segment)
			return false;
	}
	return true;
}

/* Whether n nodes can be had in the base blocks first … last - 1, of at most so many parts of width
 * each: all choices of parts are tried. */
static bool fits_parts(const int *idle, int first, int last, int width, int most, int n)
{
	int nparts = (last - first + width - 1) / width;

	for (unsigned set = 0; set < 1u << nparts; set++) {
		int sum = 0;

		if (__builtin_popcount(set) > most)
			continue;
		for (int b = first; b < last; b++)
			sum += set >> (b - first) / width & 1 ? idle[b] : 0;
		if (sum >= n)
			return true;
	}
	return false;
}

/* Where a part of n nodes must be: first … *last - 1; -1: nowhere. fresh: blocks with taken nodes
 * do not count. */
static int expected_block(const struct setup *setup, const int *idle, const bool *taken, int n,
			  bool fresh, int from, int to, int *last)
{
	int levels[3], place = plan(setup, n, levels), best = -1, best_sum = INT_MAX;
	int width = place == setup->nsizes ? setup->nbase : 1 << levels[place];
	int part = place == 0 ? 1 : 1 << levels[place - 1];
	int most = place == 0 ? 1 : (n + setup->sizes[place - 1] - 1) / setup->sizes[place - 1];

	for (int first = from; first < to; first += width) {
		int end = first + width < to ? first + width : to, sum = 0;
		bool is_used = false;

		for (int b = first; b < end; b++) {
			sum += idle[b];
			is_used |= taken[b];
		}
		if ((fresh && is_used) || !fits_parts(idle, first, end, part, most, n))
			continue;
		if (sum < best_sum) {
			best = first;
			best_sum = sum;
			*last = end;
		}
	}
	return best;
}

/* Nodes at … at + n - 1 of the answer are a part: within its block, in few parts, where one part is
 * enough in the one with the fewest idle nodes; then they are no longer idle. */
static bool judge_part(const struct setup *setup, int *idle, bool *taken, const int *nodes, int n,
		       bool fresh, int from, int to)
{
	int levels[3], place = plan(setup, n, levels), last = 0, parts[BASES_MOST] = {0},
		       nparts = 0;
	int first = expected_block(setup, idle, taken, n, fresh, from, to, &last);
	int width = place == 0 ? 1 : 1 << levels[place - 1], least = INT_MAX, one = -1;

	if (first < 0)
		return false;
	for (int i = 0; i < n; i++) {
		int b = nodes[i] / setup->each;

		if (b < first || b >= last)
			return false;
		nparts += parts[(b - first) / width]++ == 0;
	}
	if (place > 0 && nparts > (n + setup->sizes[place - 1] - 1) / setup->sizes[place - 1])
		return false;
	for (int p = 0; first + p * width < last; p++) {
		int sum = 0;

		for (int b = first + p * width; b < last && b < first + (p + 1) * width; b++)
			sum += idle[b];
		if (sum >= n && sum < least) {
			least = sum;
			one = p;
		}
	}
	if (one >= 0 && parts[one] != n)
		return false;
	for (int i = 0; i < n; i++) {
		idle[nodes[i] / setup->each]--;
		taken[nodes[i] / setup->each] = true;
	}
	return true;
}

/* Whether the answer is what the rules say; of a refusal, whether no part can be placed where the
 * parts before it lie (shared and spread), of which the rules leave no choice but ties. */
static bool judge(const struct setup *setup, const int *state, const struct job *job, int how,
		  int found, const int_vec *nodes)
{
	int segment = job->segment > 0 && job->segment <= job->nnodes ? job->segment : job->nnodes;
	int idle[BASES_MOST], levels[3], from = 0, to = setup->nbase, last;
	bool taken[BASES_MOST] = {false};

	memcpy(idle, state, sizeof(idle));
	if (job->nnodes % segment != 0)
		return !found;
	if (how == CONSOLIDATED && segment < job->nnodes && found) {
		int place = plan(setup, job->nnodes, levels);
		int width = place == setup->nsizes ? setup->nbase : 1 << levels[place];

		from = nodes->at[0] / setup->each / width * width;
		to = from + width < setup->nbase ? from + width : setup->nbase;
	}
	if (!found && segment < job->nnodes)
		return is_hopeless(setup, idle, segment, job->nnodes, how);
	if (!found)
		return expected_block(setup, idle, taken, segment, false, from, to, &last) < 0;
	for (int i = 0; i < job->nnodes; i += segment)
		if (!judge_part(setup, idle, taken, nodes->at + i, segment,
				how == SPREAD && segment < job->nnodes, from, to))
			return false;
	return true;
}

static void tell(const struct setup *setup, const int *idle, const struct job *job, int how,
		 int found, const int_vec *nodes)
{
	printf("blocks of %d, planned %d %d %d, %s, %d nodes, segments of %d: %s", setup->each,
	       setup->sizes[0], setup->sizes[1], setup->sizes[2], segment_words[how], job->nnodes,
	       job->segment, found ? "placed" : "refused");
	for (int b = 0; b < setup->nbase; b++)
		printf(" %d", idle[b]);
	printf(":");
	for (size_t i = 0; i < nodes->n; i++)
		printf(" %d", nodes->at[i]);
	printf("\n");
	check_nfailed++;
}

static void try_one(const struct setup *setup, struct topo *topo, struct alloc *alloc, int how,
		    struct rng *rng)
{
	struct job job = {.name = "j", .sensitivity = NAN};
	struct alloc_request request = {.job = &job};
	int idle[BASES_MOST] = {0}, found;
	struct machine machine;
	int_vec nodes = {0};
	struct buf reason = {0};
	struct err err;

	machine_init(&machine, topo);
	for (int node = 0; node < topo->nnodes; node++) {
		if (rng_below(rng, 3) == 0)
			machine_take(&machine, node);
		else
			idle[node / setup->each]++;
	}
	request.machine = &machine;
	job.segment = rng_below(rng, 2) == 0 ? 0 : 1 + (int)rng_below(rng, 6);
	job.nnodes = 1 + (int)rng_below(rng, (uint64_t)topo->nnodes);
	if (job.segment > 0 && rng_below(rng, 4) > 0)
		job.nnodes = job.segment * (1 + (int)rng_below(rng, 4));
	found = alloc_choose(alloc, &request, &nodes, &reason, &err);
	if (job.nnodes > machine.nidle && found == 0) {
		/* too few */
	} else if (found < 0 || (found == 1 && (int)nodes.n != job.nnodes) ||
		   !judge(setup, idle, &job, how, found, &nodes)) {
		tell(setup, idle, &job, how, found, &nodes);
	}
	check_ndone++;
	machine_free(&machine);
	free(nodes.at);
	buf_free(&reason);
}

int main(int argc, char **argv)
{
	struct rng rng = rng_make(1, "blocks", NULL, "blocks");
	int64_t count = 400;
	struct err err;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &count) != 0)
		return 2;
	for (size_t i = 0; i < sizeof(setups) / sizeof(*setups); i++)
		for (int how = SHARED; how <= CONSOLIDATED; how++) {
			const struct setup *setup = &setups[i];
			struct buf spec = {0}, text = {0};
			struct topo *topo;
			struct pick pick;
			struct alloc alloc;

			buf_printf(&spec, "complete:nodes=%d,per-router=%d",
				   setup->nbase * setup->each, setup->each);
			buf_printf(&text, "block:segments=%s,sizes=[", segment_words[how]);
			for (int k = 0; k < setup->nsizes; k++)
				buf_printf(&text, "%s%d", k > 0 ? "," : "", setup->sizes[k]);
			buf_str(&text, "]");
			CHECK_INT(topo_load(&topo, buf_text(&spec), &err), 0);
			CHECK_INT(pick_parse(&pick, &alloc_policies, buf_text(&text), &err), 0);
			CHECK_INT(alloc_open(&alloc, &pick, topo, false, &err), 0);
			for (int64_t k = 0; k < count && check_nfailed == 0; k++)
				try_one(setup, topo, &alloc, how, &rng);
			alloc_close(&alloc);
			pick_free(&pick);
			topo_free(topo);
			buf_free(&spec);
			buf_free(&text);
		}
	return check_done();
}
