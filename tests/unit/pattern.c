/* pattern.c - what each rank of each pattern calls, against slow listings */
#include <stdlib.h>
#include <string.h>

#include "mpi/collective/collective.h"
#include "mpi/pattern/pattern.h"
#include "machine/load.h"
#include "base/mem.h"
#include "base/str.h"
#include "check.h"

struct sent {
	int src, dst;
	int step; /* of a collective */
	uint64_t key;
	int64_t bytes;
};

struct listing {
	VEC(struct sent) sends, receives;
	int64_t puts, gets;
};

static struct topo *machine;
static int node_of[4096];

static void open_program(struct program *program, const char *text, int nranks, int64_t iterations,
			 bool does_as_sst)
{
	const struct pattern_job job = {.nranks = nranks,
					.node_of = node_of,
					.topo = machine,
					.bytes = 1024,
					.iterations = iterations,
					.does_as_sst = does_as_sst,
					.seed = 1,
					.folder = "",
					.default_bytes = 1024};
	struct err err = {0};

	if (program_open(program, text, &job, &err) != 0) {
		printf("%s: %s\n", text, err.msg);
		exit(1);
	}
}

struct take {
	struct listing *listing;
	const struct program *program;
	const struct op *op;
	int rank, step;
};

static void take_step(void *context, bool is_send, int peer, int64_t bytes)
{
	const struct take *take = context;
	int other = program_member(take->program, take->op, peer, take->rank);

	if (is_send)
		vec_push(&take->listing->sends,
			 (struct sent){take->rank, other, take->step + 1, take->op->key, bytes});
	else
		vec_push(&take->listing->receives,
			 (struct sent){other, take->rank, take->step + 1, take->op->key, bytes});
}

static void list_op(struct listing *listing, const struct program *program, int rank,
		    const struct op *op)
{
	switch (op->kind) {
	case OP_SEND:
	case OP_ISEND:
		vec_push(&listing->sends, (struct sent){rank, op->peer, 0, op->key, op->bytes});
		break;
	case OP_RECV:
	case OP_IRECV:
		vec_push(&listing->receives, (struct sent){op->peer, rank, 0, op->key, op->bytes});
		break;
	case OP_PUT:
		listing->puts++;
		break;
	case OP_GET:
		listing->gets++;
		break;
	case OP_COLLECTIVE: {
		const struct collective_algorithm *algorithm =
			op->algorithm != NULL ? op->algorithm
					      : collective_choose(&op->call, "mpich");
		struct take take = {listing, program, op, rank, 0};

		for (; take.step < algorithm->nsteps(&op->call); take.step++)
			algorithm->step(&op->call, op->place, take.step, take_step, &take);
		break;
	}
	default:
		break;
	}
}

static void list_all(struct listing *listing, const struct program *program, int nranks)
{
	listing->sends.n = listing->receives.n = 0;
	listing->puts = listing->gets = 0;
	for (int rank = 0; rank < nranks; rank++) {
		struct cursor cursor = {0};
		struct op op;
		int64_t nops = 0;

		for (;;) {
			program_next(program, rank, &cursor, &op);
			if (op.kind == OP_END)
				break;
			list_op(listing, program, rank, &op);
			if (++nops > 10000000) {
				CHECK(!"the program ends");
				return;
			}
		}
		/* the end stays the end */
		program_next(program, rank, &cursor, &op);
		CHECK_INT(op.kind, OP_END);
	}
}

static int by_all(const void *a, const void *b)
{
	const struct sent *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Everything that is sent is received, with the same size and the same key. */
static void check_balance(const char *what, struct listing *listing)
{
	bool is_equal = listing->sends.n == listing->receives.n;

	if (listing->sends.n > 0) {
		qsort(listing->sends.at, listing->sends.n, sizeof(struct sent), by_all);
		qsort(listing->receives.at, listing->receives.n, sizeof(struct sent), by_all);
	}
	for (size_t i = 0; i < listing->sends.n && is_equal; i++)
		is_equal = by_all(&listing->sends.at[i], &listing->receives.at[i]) == 0;
	if (!is_equal)
		printf("%s: %zu sends, %zu receives\n", what, listing->sends.n,
		       listing->receives.n);
	CHECK(is_equal);
}

static int64_t count(const char *text, int nranks, int64_t iterations)
{
	struct listing listing = {0};
	struct program program;
	int64_t n;

	open_program(&program, text, nranks, iterations, true);
	list_all(&listing, &program, nranks);
	check_balance(text, &listing);
	n = (int64_t)listing.sends.n;
	program_close(&program);
	vec_free(&listing.sends);
	vec_free(&listing.receives);
	return n;
}

/* The numbers that come with the reference runs. */
static void check_counts(void)
{
	CHECK_INT(count("halo2d", 32, 1), 104);
	CHECK_INT(count("halo2d", 128, 1), 464);
	CHECK_INT(count("halo2d", 128, 10), 4640);
	CHECK_INT(count("halo3d26:n=8", 32, 1), 368);
	CHECK_INT(count("halo3d26:n=8", 128, 1), 2072);
	CHECK_INT(count("broadcast", 32, 3), 3 * 31);
	CHECK_INT(count("broadcast:tree=no", 32, 3), 3 * 31);
	CHECK_INT(count("alltoall", 32, 2), 2 * 32 * 31);
	/* faces of 4 x 4 x 2: 2 (3·4·2 + 4·3·2 + 4·4·1) */
	CHECK_INT(count("halo3d", 32, 1), 128);
	CHECK_INT(count("halo3d", 128, 1), 608);
	/* groups of 4 and 8, both twice; two barriers in the first iteration, two in each */
	CHECK_INT(count("fft3d:n=32", 32, 2), 2 * 2 * (32 * 3 + 32 * 7) + 6 * 2 * 31);
	CHECK_INT(count("halo3d15", 512, 1), 512 * 14);
	CHECK_INT(count("halo4d", 256, 1), 256 * 8);
	CHECK_INT(count("halo3d+allreduce:size=8", 32, 1), 128 + 32 * 5);
	/* iterations 0, 3 and 6 */
	CHECK_INT(count("allreduce:size=8,every=3", 32, 7), 3 * 32 * 5);
	CHECK_INT(count("halo3d+allreduce:size=8,every=3", 32, 7), 7 * 128 + 3 * 32 * 5);
	CHECK_INT(count("gpcnet-canary", 10, 4), 4 * 20);
	CHECK_INT(count("gpcnet-p2p", 10, 4), 4 * 9);
}

/* Every rank computes for compute_s and up to half of that, evenly; again the same, for each rank
 * and iteration another time. */
static void check_imbalance(void)
{
	enum { RANKS = 100, ITERATIONS = 50, MOST = 500000 };
	static int64_t ps[2][RANKS][ITERATIONS];
	const struct pattern_job job = {.nranks = RANKS,
					.node_of = node_of,
					.topo = machine,
					.iterations = ITERATIONS,
					.compute_ps = 2 * MOST,
					.seed = 1};
	int64_t sum = 0, nequal = 0, nlow = 0;

	for (int again = 0; again < 2; again++) {
		struct program program;
		struct err err;

		CHECK_INT(program_open(&program, "imbalance:spread=0.5+allreduce", &job, &err), 0);
		for (int rank = 0; rank < RANKS; rank++) {
			struct cursor cursor = {0};
			struct op op;

			for (int i = 0; i < ITERATIONS; i++) {
				program_next(&program, rank, &cursor, &op);
				CHECK_INT(op.kind, OP_COMPUTE);
				CHECK_INT(op.duration_ps, 2 * MOST);
				program_next(&program, rank, &cursor, &op);
				CHECK_INT(op.kind, OP_COMPUTE);
				ps[again][rank][i] = op.duration_ps;
				program_next(&program, rank, &cursor, &op);
				CHECK_INT(op.kind, OP_COLLECTIVE);
			}
		}
		program_close(&program);
	}
	CHECK(memcmp(ps[0], ps[1], sizeof(ps[0])) == 0);
	for (int rank = 0; rank < RANKS; rank++)
		for (int i = 0; i < ITERATIONS; i++) {
			CHECK(ps[0][rank][i] >= 0 && ps[0][rank][i] < MOST);
			sum += ps[0][rank][i];
			nlow += ps[0][rank][i] < MOST / 10;
			nequal += i > 0 && ps[0][rank][i] == ps[0][rank][i - 1];
			nequal += rank > 0 && ps[0][rank][i] == ps[0][rank - 1][i];
		}
	CHECK(llabs(sum / (RANKS * ITERATIONS) - MOST / 2) < MOST / 50);
	CHECK(nlow > RANKS * ITERATIONS / 12 && nlow < RANKS * ITERATIONS / 8);
	CHECK(nequal < 5);
}

/* Sizes from 1 on, primes and powers: nothing is lost, nothing hangs. */
static void check_sizes(void)
{
	static const char *const texts[] = {"alltoall",
					    "allreduce",
					    "broadcast",
					    "broadcast:tree=no",
					    "fft3d",
					    "halo2d",
					    "halo3d",
					    "halo3d26",
					    "halo3d15",
					    "halo4d",
					    "gpcnet-alltoall",
					    "gpcnet-canary",
					    "gpcnet-p2p",
					    "gpcnet-incast",
					    "gpcnet-rma-broadcast",
					    "uniform",
					    "permutation",
					    "hotspot:targets=3"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (int n = 1; n <= 40; n++)
			count(texts[i], n, 2);
}

/* ---- orders, written out from the description ---- */

static void add(struct buf *buf, const char *what, int peer)
{
	buf_printf(buf, "%s%d ", what, peer);
}

static void slow_halo2d(int rank, int x, int y, struct buf *buf)
{
	int column = rank % x, row = rank / x;
	int east = column + 1 < x ? rank + 1 : -1, west = column > 0 ? rank - 1 : -1;
	int north = row > 0 ? rank - x : -1, south = row + 1 < y ? rank + x : -1;

	for (int i = 0; i < 2; i++) {
		int first = i == 0 ? (rank % 2 == 0 ? east : west) : (row % 2 == 0 ? north : south);
		int second =
			i == 0 ? (rank % 2 == 0 ? west : east) : (row % 2 == 0 ? south : north);
		bool receives_first = i == 0 ? rank % 2 == 0 : row % 2 == 0;

		for (int k = 0; k < 2; k++) {
			int peer = k == 0 ? first : second;

			if (peer < 0)
				continue;
			add(buf, receives_first ? "R" : "S", peer);
			add(buf, receives_first ? "S" : "R", peer);
		}
	}
}

static void slow_halo3d26(int rank, int px, int py, int pz, struct buf *buf)
{
	static const char *const order =
		"-00 +00 0-0 0+0 00- 00+ --0 0-- +-0 0-+ -0+ +0+ -0- +0- -+0 0++ ++0 0+- --+ +-+ "
		"--- +-- -++ +++ -+- ++-";
	int z = rank / (px * py), y = rank / px % py, x = rank % px;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < 26; i++) {
			int at[3] = {x, y, z};
			bool is_inside;

			for (int d = 0; d < 3; d++)
				at[d] += order[4 * i + d] == '+'   ? 1
					 : order[4 * i + d] == '-' ? -1
								   : 0;
			is_inside = at[0] >= 0 && at[0] < px && at[1] >= 0 && at[1] < py &&
				    at[2] >= 0 && at[2] < pz;
			if (is_inside)
				add(buf, pass == 0 ? "r" : "s",
				    at[2] * px * py + at[1] * px + at[0]);
		}
	buf_str(buf, "W ");
}

static void slow_halo3d(int rank, int px, int py, int pz, struct buf *buf)
{
	int size[3] = {px, py, pz}, stride[3] = {1, px, px * py};

	for (int d = 0; d < 3; d++) {
		int at = rank / stride[d] % size[d];
		int low = at > 0 ? rank - stride[d] : -1;
		int high = at + 1 < size[d] ? rank + stride[d] : -1;

		if (low >= 0)
			add(buf, "r", low);
		if (high >= 0)
			add(buf, "r", high);
		if (low >= 0)
			add(buf, "S", low);
		if (high >= 0)
			add(buf, "S", high);
		buf_str(buf, low >= 0 ? "w " : "");
		buf_str(buf, high >= 0 ? "w " : "");
	}
}

static void slow_alltoall(int rank, int n, struct buf *buf)
{
	for (int i = 1; i < n; i++) {
		add(buf, "r", (rank - i + n) % n);
		add(buf, "S", (rank + i) % n);
		buf_str(buf, "w ");
	}
}

static void fast(const struct program *program, int rank, struct buf *buf)
{
	struct cursor cursor = {0};
	struct op op;

	for (;;) {
		program_next(program, rank, &cursor, &op);
		switch (op.kind) {
		case OP_END:
			return;
		case OP_SEND:
			add(buf, "S", op.peer);
			break;
		case OP_ISEND:
			add(buf, "s", op.peer);
			break;
		case OP_RECV:
			add(buf, "R", op.peer);
			break;
		case OP_IRECV:
			add(buf, "r", op.peer);
			break;
		case OP_WAIT:
			buf_str(buf, "w ");
			break;
		case OP_WAITALL:
			buf_str(buf, "W ");
			break;
		default:
			buf_str(buf, "? ");
			break;
		}
	}
}

static void check_orders(void)
{
	static const char *const texts[] = {"halo2d", "halo3d26:n=8", "halo3d", "alltoall"};
	struct buf got = {0}, want = {0};

	for (int which = 0; which < 4; which++)
		for (int n = 32; n <= 128; n += 96) {
			struct program program;

			open_program(&program, texts[which], n, 1, true);
			for (int rank = 0; rank < n; rank++) {
				buf_clear(&got);
				buf_clear(&want);
				fast(&program, rank, &got);
				if (which == 0)
					slow_halo2d(rank, n == 32 ? 4 : 8, n == 32 ? 8 : 16, &want);
				else if (which == 1)
					slow_halo3d26(rank, n == 32 ? 4 : 8, 4, n == 32 ? 2 : 4,
						      &want);
				else if (which == 2)
					slow_halo3d(rank, n == 32 ? 4 : 8, 4, n == 32 ? 2 : 4,
						    &want);
				else
					slow_alltoall(rank, n, &want);
				CHECK_TEXT(buf_text(&got), buf_text(&want));
			}
			program_close(&program);
		}
	buf_free(&got);
	buf_free(&want);
}

/* Sizes of fft3d and halo3d26 as described: N 32 on 4 x 8, 1024 with n = 8. */
static void check_bytes(void)
{
	struct listing listing = {0};
	struct program program;
	int64_t of[6] = {0};

	open_program(&program, "fft3d:n=32,rows=4", 32, 1, true);
	list_all(&listing, &program, 32);
	for (size_t i = 0; i < listing.sends.n; i++) {
		int64_t bytes = listing.sends.at[i].bytes;

		of[bytes == 0      ? 0
		   : bytes == 2560 ? 1
		   : bytes == 2048 ? 2
		   : bytes == 1280 ? 3
		   : bytes == 1024 ? 4
				   : 5]++;
	}
	CHECK_INT(of[0], 4 * 2 * 31); /* barriers */
	/* step 1: to a = 0 from the three others of 8 groups; step 5: by a = 0 to three */
	CHECK_INT(of[1], 8 * 3 + 8 * 3);
	CHECK_INT(of[2], 2 * 8 * 9);
	CHECK_INT(of[3], 2 * 8 * 7); /* steps 2 and 4: one row group of 8 has a = 0 */
	CHECK_INT(of[4], 2 * 3 * 8 * 7);
	CHECK_INT(of[5], 0);
	program_close(&program);

	open_program(&program, "halo3d26:n=8", 32, 1, true);
	list_all(&listing, &program, 32);
	memset(of, 0, sizeof(of));
	for (size_t i = 0; i < listing.sends.n; i++) {
		int64_t bytes = listing.sends.at[i].bytes;

		of[bytes == 1024 ? 0 : bytes == 128 ? 1 : bytes == 16 ? 2 : 3]++;
	}
	CHECK_INT(of[0], 128);
	CHECK_INT(of[1], 168);
	CHECK_INT(of[2], 72);
	CHECK_INT(of[3], 0);
	program_close(&program);
	vec_free(&listing.sends);
	vec_free(&listing.receives);
}

static void check_grids(void)
{
	struct grid grid;

	grid_square(&grid, 1024);
	CHECK(grid.size[0] == 32 && grid.size[1] == 32);
	grid_square(&grid, 13);
	CHECK(grid.size[0] == 1 && grid.size[1] == 13);
	grid_cube(&grid, 32);
	CHECK(grid.size[0] == 4 && grid.size[1] == 4 && grid.size[2] == 2);
	grid_cube(&grid, 128);
	CHECK(grid.size[0] == 8 && grid.size[1] == 4 && grid.size[2] == 4);
	grid_even(&grid, 3, 1024);
	CHECK(grid.size[0] == 8 && grid.size[1] == 8 && grid.size[2] == 16);
	grid_even(&grid, 4, 7);
	CHECK(grid.size[0] == 1 && grid.size[2] == 1 && grid.size[3] == 7);
}

static void check_wrong(void)
{
	static const char *const wrong[] = {
		"",           "nothing",        "halo2d+",          "+halo2d",
		"halo2d:x=1", "halo2d+nothing", "hotspot:targets=0"};
	struct err err;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK_INT(program_check(wrong[i], &err), -1);
	CHECK_INT(program_check("halo2d+allreduce:times=2+halo4d", &err), 0);
	/* a + inside a value */
	CHECK_INT(program_check("comm:path=a+b", &err), 0);
}

/* Each in its own pattern of draws: one more rank or iteration moves no other. */
static void check_draws(void)
{
	struct program program;
	int64_t nwrong = 0;

	for (int text = 0; text < 2; text++) {
		open_program(&program, text == 0 ? "uniform" : "adversarial", 64, 50, false);
		for (int rank = 0; rank < 64; rank++) {
			struct cursor cursor = {0};
			struct op op;

			for (int i = 0; i < 50; i++) {
				int top = machine->ntiers - 1;

				program_next(&program, rank, &cursor, &op);
				nwrong += op.kind != OP_PUT || op.peer < 0 || op.peer >= 64 ||
					  op.peer == rank;
				if (text == 1)
					nwrong +=
						topo_domain(machine, node_of[op.peer], top) !=
						(topo_domain(machine, node_of[rank], top) + 1) % 4;
			}
		}
		program_close(&program);
	}
	CHECK_INT(nwrong, 0);
}

int main(void)
{
	struct err err;

	if (topo_load(&machine, "dragonfly:groups=17,routers=4,nodes=4", &err) != 0) {
		printf("%s\n", err.msg);
		return 1;
	}
	/* 64 ranks on the first four groups; more share nodes */
	for (int i = 0; i < 4096; i++)
		node_of[i] = i % 64;
	check_grids();
	check_counts();
	check_imbalance();
	check_sizes();
	check_orders();
	check_bytes();
	check_wrong();
	check_draws();
	topo_free(machine);
	return check_done();
}
