/* mpi_collective.c - the collective operations of MPI, and what a call of one moves */
#include "model/mpi_collective.h"

#include <string.h>

/* What a rank's buffers hold of a call, in blocks or whole vectors. */
enum extent { NOTHING, BLOCK, ALL };

static const struct {
	const char *name; /* of the non-blocking one: ibcast */
	bool is_rooted;
	enum extent send, recv; /* of every rank; of a rooted operation: of ranks but the root */
	enum extent root_send, root_recv;
} ops[COLLECTIVE_NOPS] = {
	[COLLECTIVE_BARRIER] = {"ibarrier", false, NOTHING, NOTHING, NOTHING, NOTHING},
	[COLLECTIVE_BCAST] = {"ibcast", true, NOTHING, ALL, ALL, NOTHING},
	[COLLECTIVE_GATHER] = {"igather", true, BLOCK, NOTHING, BLOCK, ALL},
	[COLLECTIVE_GATHERV] = {"igatherv", true, BLOCK, NOTHING, BLOCK, ALL},
	[COLLECTIVE_SCATTER] = {"iscatter", true, NOTHING, BLOCK, ALL, BLOCK},
	[COLLECTIVE_SCATTERV] = {"iscatterv", true, NOTHING, BLOCK, ALL, BLOCK},
	[COLLECTIVE_ALLGATHER] = {"iallgather", false, BLOCK, ALL, BLOCK, ALL},
	[COLLECTIVE_ALLGATHERV] = {"iallgatherv", false, BLOCK, ALL, BLOCK, ALL},
	[COLLECTIVE_ALLTOALL] = {"ialltoall", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLTOALLV] = {"ialltoallv", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLTOALLW] = {"ialltoallw", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_ALLREDUCE] = {"iallreduce", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_REDUCE] = {"ireduce", true, ALL, NOTHING, ALL, ALL},
	[COLLECTIVE_REDUCE_SCATTER] = {"ireduce_scatter", false, ALL, BLOCK, ALL, BLOCK},
	[COLLECTIVE_REDUCE_SCATTER_BLOCK] = {"ireduce_scatter_block", false, ALL, BLOCK, ALL,
					     BLOCK},
	[COLLECTIVE_SCAN] = {"iscan", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_EXSCAN] = {"iexscan", false, ALL, ALL, ALL, ALL},
	[COLLECTIVE_CREATE] = {"icreate", false, NOTHING, NOTHING, NOTHING, NOTHING},
	[COLLECTIVE_DESTROY] = {"idestroy", false, NOTHING, NOTHING, NOTHING, NOTHING},
};

const char *collective_name(enum collective_op op)
{
	return ops[op].name + 1;
}

const char *collective_nonblocking_name(enum collective_op op)
{
	return ops[op].name;
}

int collective_find(const char *name, size_t n)
{
	for (int i = 0; i < COLLECTIVE_NOPS; i++)
		if (strncmp(ops[i].name + 1, name, n) == 0 && ops[i].name[n + 1] == '\0')
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
