/* collective.c - collective algorithms: messages match, data gets where it must, volumes
 * are known */
#include <stdbool.h>
#include <stdlib.h>

#include "mpi/collective/collective.h"
#include "mpi/collective/nccl.h"
#include "check.h"

enum { RANKS = 40 };

/* One step of all ranks: what is sent and what is expected, and who then knows whose data. */
struct world {
	int64_t sent[RANKS][RANKS], expected[RANKS][RANKS]; /* bytes, or -1: no message */
	uint64_t knows[RANKS], learns[RANKS];
	int64_t received[RANKS], sent_all[RANKS];
	int rank, nranks, nmatched;
	bool good;
};

static void message(void *context, bool is_send, int peer, int64_t bytes)
{
	struct world *world = context;
	int64_t *cell;

	if (peer < 0 || peer >= world->nranks || peer == world->rank || bytes < 0) {
		world->good = false;
		return;
	}
	cell = is_send ? &world->sent[world->rank][peer] : &world->expected[peer][world->rank];
	world->good = world->good && *cell == -1; /* one message each way in a step */
	*cell = bytes;
}

static void run_step(struct world *world, const struct collective_algorithm *algorithm,
		     const struct collective *call, int step)
{
	int n = call->nranks;

	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
			world->sent[a][b] = world->expected[a][b] = -1;
	for (world->rank = 0; world->rank < n; world->rank++)
		algorithm->step(call, world->rank, step, message, world);
	for (int b = 0; b < n; b++) {
		world->learns[b] = world->knows[b];
		for (int a = 0; a < n; a++) {
			if (world->sent[a][b] != world->expected[a][b])
				world->good = false;
			if (world->sent[a][b] < 0)
				continue;
			world->learns[b] |= world->knows[a];
			world->received[b] += world->sent[a][b];
			world->sent_all[a] += world->sent[a][b];
		}
	}
	memcpy(world->knows, world->learns, sizeof(world->knows));
}

static bool is_one_of(enum collective_op op, unsigned ops)
{
	return (ops >> op & 1) != 0;
}

#define OPS(a, b) (1u << COLLECTIVE_##a | 1u << COLLECTIVE_##b)

/* Whether everybody has heard of everybody whose data it needs. */
static bool is_informed(const struct world *world, const struct collective *call)
{
	uint64_t all = (1ull << call->nranks) - 1;

	for (int r = 0; r < call->nranks; r++) {
		uint64_t needs = all;

		if (is_one_of(call->op, OPS(BCAST, SCATTER) | 1u << COLLECTIVE_SCATTERV))
			needs = 1ull << call->root;
		else if (is_one_of(call->op, OPS(REDUCE, GATHER) | 1u << COLLECTIVE_GATHERV))
			needs = r == call->root ? all : 0;
		else if (is_one_of(call->op, OPS(SCAN, EXSCAN)))
			needs = (2ull << r) - 1;
		if ((world->knows[r] & needs) != needs)
			return false;
	}
	return true;
}

/* Bytes that must at least arrive at a rank. */
static int64_t least_received(const struct collective *call, int rank)
{
	int64_t own = collective_share(call->bytes, call->nranks, rank);
	bool is_root = rank == call->root;

	switch (call->op) {
	case COLLECTIVE_BCAST:
		return is_root ? 0 : call->bytes;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		return is_root ? 0 : own;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
		return is_root ? call->bytes - own : 0;
	case COLLECTIVE_REDUCE:
		return is_root ? call->bytes - own : 0;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
		return call->bytes - own;
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW:
	case COLLECTIVE_REDUCE_SCATTER:
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		return own * (call->nranks - 1) * (call->op < COLLECTIVE_REDUCE_SCATTER);
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN:
		return rank > 0 ? call->bytes : 0;
	default:
		return 0;
	}
}

static void try(const struct collective_algorithm *algorithm, const struct collective *call)
{
	struct world *world = calloc(1, sizeof(*world));
	int n = call->nranks, nsteps = algorithm->nsteps(call);
	bool is_enough = true;

	world->good = true;
	world->nranks = n;
	for (int r = 0; r < n; r++)
		world->knows[r] = 1ull << r;
	for (int step = 0; step < nsteps; step++)
		run_step(world, algorithm, call, step);
	for (int r = 0; r < n; r++)
		if (world->received[r] < least_received(call, r))
			is_enough = false;
	if (!world->good || !is_enough || !is_informed(world, call))
		printf("%s: %s, %d ranks, root %d, %lld bytes: messages %s, volume %s, data %s\n",
		       algorithm->entry.name, collective_name(call->op), n, call->root,
		       (long long)call->bytes, world->good ? "match" : "don't match",
		       is_enough ? "enough" : "too small",
		       is_informed(world, call) ? "arrives" : "doesn't arrive");
	CHECK(world->good && is_enough && is_informed(world, call));
	free(world);
}

static void try_all(void)
{
	static const int64_t sizes[] = {0, 1, 7, 64, 4096, 1000003};

	for (int i = 0; i < collective_algorithms.n; i++) {
		const struct collective_algorithm *algorithm =
			collective_of(collective_algorithms.entries[i]);

		for (int op = 0; op < COLLECTIVE_CREATE; op++)
			for (int n = 2; is_one_of(op, algorithm->ops) && n <= RANKS; n++)
				for (int s = 0; s < 6; s++) {
					int root = collective_is_rooted(op) ? (n * 7 + s) % n : 0;

					if (collective_is_rooted(op) && s % 2)
						root = n - 1 - s % n;
					try(algorithm,
					    &(struct collective){.op = op,
								 .nranks = n,
								 .root = root < 0 ? 0 : root,
								 .bytes = sizes[s]});
				}
	}
}

/* ---- ranks in domains ---- */

/* Rank r is on node (r * step) mod n: domains of m nodes each. */
static struct collective_places *places_make(int ndomains, int m, int stride)
{
	int n = ndomains * m, domain_of[RANKS], node_of[RANKS];
	struct collective_places *places;

	for (int r = 0; r < n; r++) {
		node_of[r] = r * stride % n;
		domain_of[r] = node_of[r] / m;
	}
	places = collective_places_new(n, domain_of, node_of);
	places->inside = 4e11;
	places->between = 5e10;
	places->inside_ps = places->between_ps = 1000000;
	return places;
}

static const int shapes[][3] = {{1, 8, 1}, {2, 4, 1}, {2, 8, 3}, {3, 4, 5}, {4, 8, 1},
				{5, 1, 2}, {7, 2, 3}, {8, 4, 5}, {5, 8, 3}};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void try_in_domains(void)
{
	static const int64_t sizes[] = {0, 7, 100003, 1 << 26};

	for (int s = 0; s < SHAPES; s++) {
		struct collective_places *places =
			places_make(shapes[s][0], shapes[s][1], shapes[s][2]);

		CHECK_INT(places->ndomains, shapes[s][0]);
		CHECK_INT(places->local, shapes[s][1]);
		for (int set = 0; set < 20 * 4 * (COLLECTIVE_CREATE + 1); set++) {
			struct collective call = {.op = (enum collective_op)(set / 80),
						  .nranks = shapes[s][0] * shapes[s][1],
						  .bytes = sizes[set % 4],
						  .places = places};

			places->settings = (struct nccl_settings){
				.algorithm = (enum nccl_algorithm)(set / 4 % 5),
				.protocol = (enum nccl_protocol)(set / 20 % 4),
				.channels = set / 20 % 4,
				.has_nvls = set / 80 % 2};
			if (collective_is_rooted(call.op))
				call.root = set % call.nranks;
			if (call.op >= COLLECTIVE_CREATE)
				continue;
			try(collective_choose(&call, "nccl"), &call);
			try(collective_choose(&call, "mpich-smp"), &call);
		}
		collective_places_free(places);
	}
}

/* Uneven: each rank is a domain, those of a real one side by side. */
static void uneven(void)
{
	static const int domain_of[] = {7, 3, 7, 3, 7}, node_of[] = {9, 1, 8, 0, 7};
	static const int order[] = {4, 2, 0, 3, 1};
	struct collective_places *places = collective_places_new(5, domain_of, node_of);

	CHECK_INT(places->ndomains, 5);
	for (int i = 0; i < 5; i++) {
		CHECK_INT(places->order[i], order[i]);
		CHECK_INT(places->index_of[order[i]], i);
	}
	collective_places_free(places);
}

struct domain_sum {
	const struct collective *call;
	int64_t inside, between, across; /* bytes sent; across: to another domain and rail */
	int rank;
};

static void add_in_domains(void *context, bool is_send, int peer, int64_t bytes)
{
	struct domain_sum *sum = context;
	int a = place_index(sum->call, sum->rank), b = place_index(sum->call, peer);
	int m = places_local(sum->call);

	if (!is_send)
		return;
	*(a / m == b / m ? &sum->inside : &sum->between) += bytes;
	sum->across += a / m != b / m && a % m != b % m ? bytes : 0;
}

static struct domain_sum of_rank(const struct collective *call, int rank)
{
	struct domain_sum sum = {.call = call, .rank = rank};

	collective_expand(call, "nccl", rank, add_in_domains, &sum);
	return sum;
}

/* What each link of a GPU carries, against closed forms. */
static void loads(void)
{
	struct collective_places *places = places_make(4, 8, 1);
	struct collective call = {.nranks = 32, .bytes = 32 << 20, .places = places};
	int64_t share = call.bytes / 32, most = 0;

	places->settings.protocol = NCCL_SIMPLE;
	for (int rank = 0; rank < 32; rank++) {
		struct domain_sum sum;

		/* rings: of 8, 7 go on inside, one leaves, always on its rail */
		call.op = COLLECTIVE_ALLREDUCE;
		places->settings.algorithm = NCCL_RING;
		sum = of_rank(&call, rank);
		CHECK_INT(sum.between, 2 * 31 * share / 8);
		CHECK_INT(sum.inside, 2 * 31 * share / 8 * 7);
		CHECK_INT(sum.across, 0);
		places->settings.channels = 1;
		CHECK_INT(of_rank(&call, rank).between,
			  rank % 8 == (rank / 8 % 2 ? 0 : 7) ? 2 * 31 * share : 0);
		places->settings.channels = 0;
		/* in the domain 7/8 twice, on the rails at most the eighth twice in either tree */
		places->settings.algorithm = NCCL_HIERARCHICAL;
		sum = of_rank(&call, rank);
		CHECK(llabs(sum.inside - 2 * 7 * (call.bytes / 8)) < 1000); /* parts */
		CHECK_INT(sum.across, 0);
		most = sum.between > most ? sum.between : most;
		/* blocks of 8 GPUs to each other domain; for each rail what it gets from here */
		call.op = COLLECTIVE_ALLTOALL;
		sum = of_rank(&call, rank);
		CHECK_INT(sum.between, 3 * 8 * share);
		CHECK_INT(sum.inside, 7 * 4 * share);
		CHECK_INT(sum.across, 0);
	}
	CHECK(llabs(most - 2 * (call.bytes / 8)) < 1000);
	collective_places_free(places);
}

/* The trees: all reach the root, children are those who name their parent, and who has children in
 * one has none in the other. */
static void trees(void)
{
	for (int n = 1; n < 200; n++)
		for (int d = 0; d < n; d++) {
			int children[2][TREE_CHILDREN], nchildren[2], nfound[2] = {0, 0};

			for (int tree = 0; tree < 2; tree++) {
				nchildren[tree] = nccl_tree_children(n, tree, d, children[tree]);
				CHECK(nccl_tree_depth(n, tree, d) <= collective_log2_up(n));
				for (int c = 0; c < n; c++)
					nfound[tree] += nccl_tree_parent(n, tree, c) == d;
				CHECK_INT(nfound[tree], nchildren[tree]);
				for (int i = 0; i < nchildren[tree]; i++)
					CHECK_INT(nccl_tree_parent(n, tree, children[tree][i]), d);
			}
			CHECK(n < 4 || nchildren[0] < 2 || nchildren[1] < 2);
			CHECK(nchildren[0] + nchildren[1] <= 3);
		}
}

/* What is chosen, by sizes and machines. */
static void choices(void)
{
	struct collective_places *places = places_make(2, 8, 1);
	struct collective call = {.op = COLLECTIVE_ALLREDUCE, .nranks = 16, .bytes = 1 << 30};

	CHECK_TEXT(collective_choose(&call, "nccl")->entry.name, "channel-rings");
	call.places = places;
	CHECK_TEXT(collective_choose(&call, "nccl")->entry.name, "channel-rings");
	CHECK_INT(nccl_wire_bytes(&call, 1200), 1200);
	places->settings.has_nvls = true;
	CHECK_TEXT(collective_choose(&call, "nccl")->entry.name, "nvls");
	call.bytes = 1024; /* LL: a flag for each word */
	CHECK_TEXT(collective_choose(&call, "nccl")->entry.name, "double-tree");
	places->settings.algorithm = NCCL_RING;
	CHECK_INT(nccl_wire_bytes(&call, 1200), 2400);
	places->settings.protocol = NCCL_LL128;
	CHECK_INT(nccl_wire_bytes(&call, 1200), 1280);
	call.op = COLLECTIVE_SCAN;
	CHECK_TEXT(collective_choose(&call, "nccl")->entry.name, "recursive-doubling");
	collective_places_free(places);
}

struct sum {
	int64_t bytes, messages;
};

static void add(void *context, bool is_send, int peer, int64_t bytes)
{
	struct sum *sum = context;

	(void)peer;
	if (is_send) {
		sum->bytes += bytes;
		sum->messages++;
	}
}

/* All that all ranks send, by the library's choice. */
static struct sum total(const char *library, enum collective_op op, int n, int64_t bytes)
{
	struct collective call = {.op = op, .nranks = n, .bytes = bytes};
	struct sum sum = {0, 0};

	for (int rank = 0; rank < n; rank++)
		collective_expand(&call, library, rank, add, &sum);
	return sum;
}

static void closed_forms(void)
{
	/* binomial bcast: n - 1 messages */
	CHECK_INT(total("mpich", COLLECTIVE_BCAST, 13, 100).messages, 12);
	CHECK_INT(total("mpich", COLLECTIVE_BCAST, 13, 100).bytes, 1200);
	/* long bcast: scatter + ring: every rank sends n - 1 shares; scatter n/2 log2 n shares */
	CHECK_INT(total("mpich", COLLECTIVE_BCAST, 16, 1 << 20).bytes,
		  15 * (1 << 20) + (1 << 20) * 32 / 16);
	/* recursive doubling: n log2 n messages; Rabenseifner: 2 (n - 1)/n of the vector each */
	CHECK_INT(total("mpich", COLLECTIVE_ALLREDUCE, 16, 8).messages, 64);
	CHECK_INT(total("mpich", COLLECTIVE_ALLREDUCE, 16, 1 << 20).bytes, 2 * 15 * (1 << 20));
	/* folded: the odd ones of 2 × 3 ranks hand over and get back */
	CHECK_INT(total("mpich", COLLECTIVE_ALLREDUCE, 11, 8).messages, 8 * 3 + 6);
	CHECK_INT(total("mpich", COLLECTIVE_ALLGATHER, 12, 12 * 100).bytes, 12 * 11 * 100);
	CHECK_INT(total("mpich", COLLECTIVE_ALLTOALL, 12, 12 * 1000).messages, 12 * 11);
	CHECK_INT(total("mpich", COLLECTIVE_ALLTOALL, 16, 16 * 8).messages, 16 * 4);
	CHECK_INT(total("mpich", COLLECTIVE_ALLTOALL, 16, 16 * 8).bytes, 16 * 4 * 8 * 8);
	CHECK_INT(total("mpich", COLLECTIVE_BARRIER, 9, 0).messages, 9 * 4);
	/* halving, then log2 n levels of n/2 shares each */
	CHECK_INT(total("mpich", COLLECTIVE_REDUCE, 16, 1 << 20).bytes, 17 * (1 << 20));
	CHECK_INT(total("tracer", COLLECTIVE_ALLREDUCE, 9, 64).messages, 16);
	CHECK_INT(total("linear", COLLECTIVE_ALLREDUCE, 9, 64).messages, 16);
	/* a ring: 2 (n - 1) / n of the vector each; pairs of neighbours: n / 2 messages each */
	CHECK_INT(total("openmpi-4.0", COLLECTIVE_ALLREDUCE, 12, 12000).bytes, 2 * 11 * 12000);
	CHECK_INT(total("openmpi-4.0", COLLECTIVE_ALLGATHER, 12, 12 * 8192).messages, 12 * 6);
	CHECK_INT(total("openmpi-4.0", COLLECTIVE_ALLGATHER, 12, 12 * 8192).bytes, 12 * 11 * 8192);
	/* 8 segments, 64 ranks in a row; halves down a tree, and exchanged, by all but the root */
	CHECK_INT(total("openmpi-4.0", COLLECTIVE_BCAST, 3, 1 << 20).messages, 8 * 2);
	CHECK_INT(total("openmpi-4.0", COLLECTIVE_BCAST, 64, 1 << 15).bytes, 63 << 15);
	CHECK_INT(total("openmpi", COLLECTIVE_BCAST, 64, 100).messages, 63);
	/* reduce and bcast along trees */
	CHECK_INT(total("openmpi", COLLECTIVE_ALLREDUCE, 1152, 8).messages, 2 * 1151);
	CHECK_INT(total("mpich", COLLECTIVE_CREATE, 9, 0).messages, 0);
	CHECK_INT(total("mpich", COLLECTIVE_ALLREDUCE, 1, 8).messages, 0);
}

static void sizes(void)
{
	for (int n = 1; n < 9; n++)
		for (int first = 0; first < n; first++)
			for (int count = 0; count <= n; count++) {
				int64_t sum = 0;

				for (int i = first; i < first + count; i++)
					sum += collective_share(29, n, i % n);
				CHECK_INT(collective_shares(29, n, first, count), sum);
			}
	CHECK_INT(collective_bytes(COLLECTIVE_BCAST, 8, false, 0, 100), 100);
	CHECK_INT(collective_bytes(COLLECTIVE_BCAST, 8, true, 100, -1), 100);
	CHECK_INT(collective_bytes(COLLECTIVE_GATHER, 8, false, 10, -1), 80);
	CHECK_INT(collective_bytes(COLLECTIVE_GATHERV, 8, true, 10, 75), 75);
	CHECK_INT(collective_bytes(COLLECTIVE_ALLGATHER, 8, false, 10, 80), 80);
	CHECK_INT(collective_bytes(COLLECTIVE_REDUCE_SCATTER, 8, false, 80, 10), 80);
	CHECK_INT(collective_bytes(COLLECTIVE_GATHER, 1 << 20, false, INT64_MAX / 2, -1),
		  INT64_MAX);
	CHECK_INT(collective_find("reduce_scatter", 14), COLLECTIVE_REDUCE_SCATTER);
	CHECK_INT(collective_find("reduce", 6), COLLECTIVE_REDUCE);
	CHECK_INT(collective_find("reduc", 5), -1);
	CHECK_INT(collective_log2_up(1), 0);
	CHECK_INT(collective_log2_up(1 << 30), 30);
	CHECK_INT(collective_log2_up(INT32_MAX), 31);
	CHECK_INT(collective_power_below(INT32_MAX), 1 << 30);
}

/* Where the libraries change algorithms: the last size of one, the first of the next. */
static void boundaries(void)
{
	static const struct {
		const char *library;
		enum collective_op op;
		int nranks;
		int64_t bytes;
		const char *upto, *beyond;
	} all[] = {
		{"mpich", COLLECTIVE_BCAST, 16, 12287, "binomial", "scatter-doubling"},
		{"mpich", COLLECTIVE_BCAST, 16, 524287, "scatter-doubling", "scatter-ring"},
		{"mpich", COLLECTIVE_BCAST, 12, 12287, "binomial", "scatter-ring"},
		{"mpich", COLLECTIVE_BCAST, 7, 524288, "binomial", "binomial"},
		{"mpich", COLLECTIVE_BCAST, 8, 524288, "scatter-ring", "scatter-ring"},
		{"mpich", COLLECTIVE_REDUCE, 16, 2048, "binomial", "rabenseifner"},
		{"mpich", COLLECTIVE_REDUCE, 1023, 7 * 512, "binomial", "rabenseifner"},
		{"mpich", COLLECTIVE_ALLREDUCE, 16, 2048, "recursive-doubling", "rabenseifner"},
		{"mpich", COLLECTIVE_ALLREDUCE, 1024, 7 * 1024, "recursive-doubling",
		 "rabenseifner"},
		{"mpich", COLLECTIVE_ALLGATHER, 16, 524287, "recursive-doubling", "ring"},
		{"mpich", COLLECTIVE_ALLGATHER, 12, 81919, "bruck", "ring"},
		{"mpich", COLLECTIVE_ALLTOALL, 8, 8 * 256 + 7, "bruck", "linear"},
		{"mpich", COLLECTIVE_ALLTOALL, 7, 7 * 256 + 6, "linear", "linear"},
		{"mpich", COLLECTIVE_ALLTOALL, 8, 8 * 32768 + 7, "linear", "pairwise"},
		{"mpich", COLLECTIVE_REDUCE_SCATTER, 8, 524287, "recursive-halving", "pairwise"},
		{"openmpi", COLLECTIVE_ALLREDUCE, 1152, 2047, "nonoverlapping",
		 "recursive-doubling"},
		{"openmpi", COLLECTIVE_ALLREDUCE, 1152, 16383, "recursive-doubling",
		 "rabenseifner"},
		{"openmpi", COLLECTIVE_ALLREDUCE, 40, 127, "recursive-doubling", "linear"},
		{"openmpi", COLLECTIVE_ALLREDUCE, 40, 248, "linear", "rabenseifner"},
		{"openmpi", COLLECTIVE_ALLTOALL, 1152, 1152 * 512 - 1, "bruck", "linear"},
		{"openmpi", COLLECTIVE_ALLGATHER, 1152, 1152 * 4096 - 1, "recursive-doubling",
		 "neighbour-exchange"},
		{"openmpi", COLLECTIVE_BCAST, 5000, 262143, "knomial", "scatter-doubling"},
		{"openmpi", COLLECTIVE_REDUCE, 5000, 31, "binary-tree", "binomial"},
		{"openmpi-4.0", COLLECTIVE_ALLREDUCE, 64, 9999, "recursive-doubling", "ring"},
		{"openmpi-4.0", COLLECTIVE_ALLREDUCE, 2000, 16007, "nonoverlapping", "ring"},
		{"openmpi-4.0", COLLECTIVE_ALLTOALL, 64, 64 * 200 - 1, "bruck", "linear"},
		{"openmpi-4.0", COLLECTIVE_ALLTOALL, 64, 64 * 3000 - 1, "linear", "pairwise-shift"},
		{"openmpi-4.0", COLLECTIVE_ALLGATHER, 64, 49999, "recursive-doubling",
		 "neighbour-exchange"},
		{"openmpi-4.0", COLLECTIVE_ALLGATHER, 63, 49999, "bruck", "ring"},
		{"openmpi-4.0", COLLECTIVE_ALLGATHERV, 64, 49999, "bruck", "neighbour-exchange"},
		{"openmpi-4.0", COLLECTIVE_REDUCE, 64, 2047, "binomial", "binomial-1k"},
		{"openmpi-4.0", COLLECTIVE_REDUCE, 7, 20479, "binomial", "binary-tree-32k"},
		{"openmpi-4.0", COLLECTIVE_BCAST, 64, 2047, "binomial", "split-binary-1k"},
		{"openmpi-4.0", COLLECTIVE_BCAST, 64, 370727, "split-binary-1k", "pipeline-8k"},
		{"tracer", COLLECTIVE_ALLTOALL, 8, 8 * 512 + 7, "bruck", "pairwise"},
		{"tracer", COLLECTIVE_ALLGATHER, 8, 163840, "bruck", "ring"},
		{"tracer", COLLECTIVE_REDUCE_SCATTER, 8, 524287, "recursive-halving", "pairwise"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct collective call = {
			.op = all[i].op, .nranks = all[i].nranks, .bytes = all[i].bytes};

		CHECK_TEXT(collective_choose(&call, all[i].library)->entry.name, all[i].upto);
		call.bytes++;
		CHECK_TEXT(collective_choose(&call, all[i].library)->entry.name, all[i].beyond);
	}
}

int main(void)
{
	try_all();
	try_in_domains();
	uneven();
	loads();
	trees();
	choices();
	boundaries();
	closed_forms();
	sizes();
	return check_done();
}
