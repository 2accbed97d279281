/* collective.c - the collective operations of MPI, and what a call of one moves */
#include "model/collective.h"

#include <string.h>

/* What a rank's buffers hold of a call, in blocks or whole vectors. */
enum extent { NOTHING, BLOCK, ALL };

static const struct {
	const char *name;
	bool is_rooted;
	enum extent send, recv; /* of every rank; of a rooted operation: of ranks but the root */
	enum extent root_send, root_recv;
} ops[COLLECTIVE_NOPS] = {
	[COLLECTIVE_BARRIER] = {"barrier", false, NOTHING, NOTHING, NOTHING, NOTHING},
	[COLLECTIVE_BCAST] = {"bcast", true, NOTHING, ALL, ALL, NOTHING},
	[COLLECTIVE_GATHER] = {"gather", true, BLOCK, NOTHING, BLOCK, ALL},
	[COLLECTIVE_GATHERV] = {"gatherv", true, BLOCK, NOTHING, BLOCK, ALL},
	[COLLECTIVE_SCATTER] = {"scatter", true, NOTHING, BLOCK, ALL, BLOCK},
	[COLLECTIVE_SCATTERV] = {"scatterv", true, NOTHING, BLOCK, ALL, BLOCK},
	[COLLECTIVE_ALLGATHER] = {"allgather", false, BLOCK, ALL, BLOCK, ALL},
	[COLLECTIVE_ALLGATHERV] = {"allgatherv", false, BLOCK, ALL, BLOCK, ALL},
	[COLLECTIVE_ALLTOALL] = {"alltoall", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLTOALLV] = {"alltoallv", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLTOALLW] = {"alltoallw", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLREDUCE] = {"allreduce", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_REDUCE] = {"reduce", true, ALL, NOTHING, ALL, ALL},
	[COLLECTIVE_REDUCE_SCATTER] = {"reduce_scatter", false, ALL, BLOCK, ALL, BLOCK},
	[COLLECTIVE_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", false, ALL, BLOCK, ALL, BLOCK},
	[COLLECTIVE_SCAN] = {"scan", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_EXSCAN] = {"exscan", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_CREATE] = {"create", false, NOTHING, NOTHING, NOTHING, NOTHING},
	[COLLECTIVE_DESTROY] = {"destroy", false, NOTHING, NOTHING, NOTHING, NOTHING},
};

const char *collective_name(enum collective_op op)
{
	return ops[op].name;
}

int collective_find(const char *name, size_t n)
{
	for (int i = 0; i < COLLECTIVE_NOPS; i++)
		if (strncmp(ops[i].name, name, n) == 0 && ops[i].name[n] == '\0')
			return i;
	return -1;
}

bool collective_is_rooted(enum collective_op op)
{
	return ops[op].is_rooted;
}

int64_t collective_shares(int64_t bytes, int n, int first, int count)
{
	int64_t larger = bytes % n; /* the parts 0 … larger - 1 have one byte more */
	int last = first + count, before_end = last < n ? last : n, wrapped = last - before_end;
	int64_t of_first = first < larger ? larger - first : 0;

	if (of_first > before_end - first)
		of_first = before_end - first;
	return bytes / n * count + of_first + (wrapped < larger ? wrapped : larger);
}

int64_t collective_bytes(enum collective_op op, int nranks, bool is_root, int64_t send,
			 int64_t recv)
{
	enum extent sends = is_root ? ops[op].root_send : ops[op].send;
	enum extent receives = is_root ? ops[op].root_recv : ops[op].recv;

	if (sends == ALL && send >= 0)
		return send;
	if (receives == ALL && recv >= 0)
		return recv;
	if (sends == BLOCK && send >= 0)
		return send <= INT64_MAX / nranks ? send * nranks : INT64_MAX;
	if (receives == BLOCK && recv >= 0)
		return recv <= INT64_MAX / nranks ? recv * nranks : INT64_MAX;
	return 0;
}
