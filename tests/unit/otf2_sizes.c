/* otf2_sizes.c - sizes of collectives, to what Score-P counts and back */
#include "check.h"
#include "model/otf2_sizes.h"

/* What the buffers of a call hold, -1 where a side has none. */
static struct collective_sizes buffers(enum collective_op op, int n, bool is_root, int64_t block)
{
	int64_t all = block * n;

	switch (op) {
	case COLLECTIVE_BCAST:
		return is_root ? (struct collective_sizes){block, -1}
			       : (struct collective_sizes){-1, block};
	case COLLECTIVE_REDUCE:
		return (struct collective_sizes){block, is_root ? block : -1};
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
		return (struct collective_sizes){block, is_root ? all : -1};
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		return (struct collective_sizes){is_root ? all : -1, block};
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
		return (struct collective_sizes){block, all};
	case COLLECTIVE_REDUCE_SCATTER:
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		return (struct collective_sizes){all, block};
	case COLLECTIVE_BARRIER:
	case COLLECTIVE_CREATE:
	case COLLECTIVE_DESTROY:
		return (struct collective_sizes){-1, -1};
	default:
		return (struct collective_sizes){block, block};
	}
}

static void round_trips(void)
{
	for (int op = 0; op < COLLECTIVE_NOPS; op++)
		for (int n = 1; n < 12; n++)
			for (int place = 0; place < n; place++)
				for (int64_t block = 1; block < 100; block += 7) {
					bool is_root = place == n / 2;
					struct collective_sizes a = buffers(op, n, is_root, block),
								b;
					uint64_t sent, received;

					if (op == COLLECTIVE_EXSCAN && n == 1)
						continue; /* nothing moves: the size is lost */
					otf2_counts(op, n, place, is_root, a, &sent, &received);
					b = otf2_buffers(op, n, place, is_root, true, sent,
							 received);
					CHECK_INT(b.send, a.send);
					CHECK_INT(b.recv, a.recv);
				}
}

int main(void)
{
	struct collective_sizes got;

	round_trips();
	/* of the real 8-rank AmgX trace: an allreduce of 8 bytes counts 64 */
	got = otf2_buffers(COLLECTIVE_ALLREDUCE, 8, 3, false, false, 64, 64);
	CHECK_INT(got.send, 8);
	/* in place: 7 × 8 */
	got = otf2_buffers(COLLECTIVE_ALLREDUCE, 8, 3, false, false, 56, 56);
	CHECK_INT(got.send, 8);
	got = otf2_buffers(COLLECTIVE_GATHER, 8, 0, true, false, 0, 7 * 100);
	CHECK_INT(got.recv, 800);
	got = otf2_buffers(COLLECTIVE_SCAN, 8, 2, false, false, 5 * 16, 2 * 16);
	CHECK_INT(got.send, 16);
	got = otf2_buffers(COLLECTIVE_SCAN, 8, 2, false, false, 6 * 16, 3 * 16);
	CHECK_INT(got.send, 16);
	got = otf2_buffers(COLLECTIVE_ALLTOALL, 8, 0, false, false, UINT64_MAX, UINT64_MAX);
	CHECK_INT(got.send, INT64_MAX);
	for (int op = 0; op < COLLECTIVE_NOPS; op++)
		CHECK_INT(otf2_collective(otf2_collective_number(op)), op);
	CHECK_INT(otf2_collective(23), -1);
	return check_done();
}
