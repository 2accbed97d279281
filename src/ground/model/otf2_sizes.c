/* otf2_sizes.c - sizes of collective calls: as OTF2 archives count them, and as MPI's arguments */
#include "model/otf2_sizes.h"

#include <stddef.h>

static const struct {
	uint32_t number;
	enum collective_op op;
} numbers[] = {
	{0, COLLECTIVE_BARRIER},
	{1, COLLECTIVE_BCAST},
	{2, COLLECTIVE_GATHER},
	{3, COLLECTIVE_GATHERV},
	{4, COLLECTIVE_SCATTER},
	{5, COLLECTIVE_SCATTERV},
	{6, COLLECTIVE_ALLGATHER},
	{7, COLLECTIVE_ALLGATHERV},
	{8, COLLECTIVE_ALLTOALL},
	{9, COLLECTIVE_ALLTOALLV},
	{10, COLLECTIVE_ALLTOALLW},
	{11, COLLECTIVE_ALLREDUCE},
	{12, COLLECTIVE_REDUCE},
	{13, COLLECTIVE_REDUCE_SCATTER},
	{14, COLLECTIVE_SCAN},
	{15, COLLECTIVE_EXSCAN},
	{16, COLLECTIVE_REDUCE_SCATTER_BLOCK},
	{17, COLLECTIVE_CREATE}, /* handles, memory, both */
	{18, COLLECTIVE_DESTROY},
	{19, COLLECTIVE_CREATE},
	{20, COLLECTIVE_DESTROY},
	{21, COLLECTIVE_CREATE},
	{22, COLLECTIVE_DESTROY},
};

int otf2_collective(uint32_t number)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].number == number)
			return (int)numbers[i].op;
	return -1;
}

uint32_t otf2_collective_number(enum collective_op op)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].op == op)
			return numbers[i].number;
	return 0;
}

/* The greatest power of two up to 8 that divides bytes: elements are rarely smaller. */
static int64_t alignment(int64_t bytes)
{
	return bytes == 0 ? 8 : (bytes | 8) & -(bytes | 8);
}

/* One of the n blocks that make up count, or one of n - 1. */
static int64_t block(int64_t count, int n, bool exact)
{
	bool whole = count % n == 0, rest = !exact && n > 1 && count % (n - 1) == 0;

	if (rest && (!whole || alignment(count / (n - 1)) > alignment(count / n)))
		return count / (n - 1);
	return count / n;
}

static int64_t bounded(uint64_t count)
{
	return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

static int64_t times(int64_t bytes, int n)
{
	return n > 0 && bytes > INT64_MAX / n ? INT64_MAX : bytes * n;
}

/* The vector of a scan: rank `place` sends it to those after and itself, gets place + 1. */
static int64_t scan_vector(int n, int place, bool in_place, int64_t sent, int64_t received)
{
	int after = n - place - in_place, before = place + 1 - in_place;

	if (before > 0)
		return received / before;
	return after > 0 ? sent / after : 0;
}

static bool is_scan_in_place(int n, int place, int64_t sent, int64_t received)
{
	int64_t vector = scan_vector(n, place, true, sent, received);

	return vector * (n - place - 1) == sent && vector * place == received &&
	       (vector == 0 || scan_vector(n, place, false, sent, received) * (n - place) != sent);
}

/* Everybody's blocks at the root: what its own buffers hold of count and of its own block. */
static struct collective_sizes at_root(int n, bool is_vector, int64_t own, int64_t all)
{
	/* in place: the own block was not counted */
	if (own == 0 && n > 1 && !is_vector)
		return (struct collective_sizes){all / (n - 1), all / (n - 1)};
	return (struct collective_sizes){own, is_vector ? all : all / n};
}

struct collective_sizes otf2_buffers(enum collective_op op, int n, int place, bool is_root,
				     bool exact, uint64_t sent, uint64_t received)
{
	int64_t s = bounded(sent), r = bounded(received);
	struct collective_sizes root;

	switch (op) {
	case COLLECTIVE_BCAST:
		return is_root ? (struct collective_sizes){times(r, n) == s ? r
									    : block(s, n, exact),
							   -1}
			       : (struct collective_sizes){-1, r};
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
	case COLLECTIVE_REDUCE:
		if (!is_root)
			return (struct collective_sizes){s, -1};
		root = at_root(n, op == COLLECTIVE_GATHERV, s, r);
		if (op == COLLECTIVE_GATHER)
			root.recv = times(root.recv, n);
		return root;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		if (!is_root)
			return (struct collective_sizes){-1, r};
		root = at_root(n, op == COLLECTIVE_SCATTERV, r, s);
		return (struct collective_sizes){
			op == COLLECTIVE_SCATTER ? times(root.recv, n) : root.recv, root.send};
	case COLLECTIVE_ALLGATHER:
		s = block(s, n, exact);
		return (struct collective_sizes){s, times(s, n)};
	case COLLECTIVE_ALLGATHERV:
		return (struct collective_sizes){block(s, n, exact), r};
	case COLLECTIVE_ALLREDUCE:
		return (struct collective_sizes){block(s, n, exact), block(r, n, exact)};
	case COLLECTIVE_REDUCE_SCATTER:
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		return (struct collective_sizes){s, block(r, n, exact)};
	case COLLECTIVE_SCAN:
		s = scan_vector(n, place, !exact && is_scan_in_place(n, place, s, r), s, r);
		return (struct collective_sizes){s, s};
	case COLLECTIVE_EXSCAN:
		s = scan_vector(n, place, true, s, r);
		return (struct collective_sizes){s, s};
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW:
		return (struct collective_sizes){s, r};
	default:
		return (struct collective_sizes){-1, -1};
	}
}

void otf2_counts(enum collective_op op, int n, int place, bool is_root,
		 struct collective_sizes buffers, uint64_t *sent, uint64_t *received)
{
	int64_t s = buffers.send < 0 ? 0 : buffers.send, r = buffers.recv < 0 ? 0 : buffers.recv;

	switch (op) {
	case COLLECTIVE_BCAST:
		r = is_root ? s : r;
		s = is_root ? times(s, n) : 0;
		break;
	case COLLECTIVE_REDUCE:
		r = is_root ? times(r, n) : 0;
		break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
		s = times(s, n);
		break;
	case COLLECTIVE_ALLREDUCE:
		s = times(s, n);
		r = times(r, n);
		break;
	case COLLECTIVE_REDUCE_SCATTER:
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		r = times(r, n);
		break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN:
		r = times(s, place + (op == COLLECTIVE_SCAN));
		s = times(s, n - place - (op == COLLECTIVE_EXSCAN));
		break;
	default:
		break;
	}
	*sent = (uint64_t)s;
	*received = (uint64_t)r;
}
