/* goal_binary.c - GOAL schedules as LogGOPSim's txt2bin writes them */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "convert/reader/goal.h"

/*
 * Little-endian and packed. u64 4223; then the base, from which offsets count: u32 ranks, u8
 * highest cpu, u8 highest NIC, for each rank u64 where it starts and ends. A rank: u32 nodes, u32
 * roots, the roots; the nodes; then the indices of dependents. A node: u32 what it waits for, i8
 * kind, u32 peer, u64 size, u32 tag, u8 cpu, u8 NIC, u32 how many wait for its end, u32 the first
 * of them among the indices, the same for its start.
 */
enum { BASE = 8, HEAD = BASE + 6, NODE = 39 };

struct bytes {
	const char *path;
	const unsigned char *at;
	size_t n;
};

static uint32_t get32(const struct bytes *bytes, size_t at)
{
	uint32_t value;

	memcpy(&value, bytes->at + at, sizeof(value));
	return le32toh(value);
}

static uint64_t get64(const struct bytes *bytes, size_t at)
{
	uint64_t value;

	memcpy(&value, bytes->at + at, sizeof(value));
	return le64toh(value);
}

static int wrong(const struct bytes *bytes, uint64_t rank, struct err *err, const char *what)
{
	return err_set(err, "%s: rank %" PRIu64 ": %s", bytes->path, rank, what);
}

/* Dependents of a node, which require it. indices is where those of the rank begin, end its end. */
static int take_dependents(struct goal_rank *goal, const struct bytes *bytes, size_t indices,
			   size_t end, int32_t node, bool is_start, size_t at)
{
	uint64_t n = get32(bytes, at), first = get32(bytes, at + 4);

	if (indices + 4 * (first + n) > end)
		return -1;
	for (uint64_t i = first; i < first + n; i++) {
		uint32_t dependent = get32(bytes, indices + 4 * i);

		if (dependent >= goal->nodes.n)
			return -1;
		vec_push(&goal->needs, (struct goal_need){(int32_t)dependent, node, is_start});
	}
	return 0;
}

static int check_unmet(const struct goal_rank *goal, const struct bytes *bytes, size_t nodes)
{
	VEC(uint32_t) unmet = {0};
	int status = 0;

	for (size_t i = 0; i < goal->nodes.n; i++)
		vec_push(&unmet, 0);
	for (size_t i = 0; i < goal->needs.n; i++)
		unmet.at[goal->needs.at[i].node]++;
	for (size_t i = 0; i < goal->nodes.n && status == 0; i++)
		status = unmet.at[i] == get32(bytes, nodes + NODE * i) ? 0 : -1;
	vec_free(&unmet);
	return status;
}

static int read_rank(struct goal_rank *goal, const struct bytes *bytes, uint64_t rank, size_t start,
		     size_t end, struct err *err)
{
	uint64_t nnodes = get32(bytes, start), nroots = get32(bytes, start + 4);
	size_t nodes = start + 8 + 4 * nroots, indices = nodes + NODE * nnodes;

	if (nodes > end || indices > end || nnodes > 1U << 30)
		return wrong(bytes, rank, err, "truncated");
	for (uint64_t i = 0; i < nnodes; i++) {
		size_t at = nodes + NODE * i;
		struct goal_node node = {.op = (enum goal_op)bytes->at[at + 4],
					 .peer = get32(bytes, at + 5),
					 .size = get64(bytes, at + 9),
					 .tag = get32(bytes, at + 17),
					 .cpu = bytes->at[at + 21],
					 .nic = bytes->at[at + 22]};

		if (node.op < GOAL_SEND || node.op > GOAL_CALC)
			return wrong(
				bytes, rank, err,
				"a node is not a send (1), a receive (2) or a calculation (3)");
		vec_push(&goal->nodes, node);
	}
	for (uint64_t i = 0; i < nnodes; i++) {
		size_t at = nodes + NODE * i;

		if (take_dependents(goal, bytes, indices, end, (int32_t)i, false, at + 23) != 0 ||
		    take_dependents(goal, bytes, indices, end, (int32_t)i, true, at + 31) != 0)
			return wrong(bytes, rank, err, "a node has dependents that are not there");
	}
	if (check_unmet(goal, bytes, nodes) != 0)
		return wrong(bytes, rank, err,
			     "a node waits for another number of nodes than name it");
	return 0;
}

int goal_read_binary(struct goal_rows *rows, const char *path, const unsigned char *at, size_t n,
		     struct err *err)
{
	const struct bytes bytes = {path, at, n};
	uint64_t nranks;
	int status = 0;

	if (n < HEAD)
		return err_set(err, "%s: truncated", path);
	if (get64(&bytes, 0) != GOAL_MAGIC)
		return err_set(err,
			       "%s: a run of LogGOPSim with save-mem has destroyed it: expected "
			       "what txt2bin wrote",
			       path);
	nranks = get32(&bytes, BASE);
	if (nranks == 0 || nranks > (n - HEAD) / 16 || nranks > 1 << 24)
		return err_set(err, "%s: %" PRIu64 " ranks, of which not all are there", path,
			       nranks);
	goal_rows_begin(rows, (int64_t)nranks);
	for (uint64_t rank = 0; rank < nranks && status == 0; rank++) {
		struct goal_rank goal = {0};
		uint64_t start = get64(&bytes, HEAD + 16 * rank);
		uint64_t end = get64(&bytes, HEAD + 16 * rank + 8);

		if (end > n - BASE || start > end || end - start < 8)
			return wrong(&bytes, rank, err, "truncated");
		status = read_rank(&goal, &bytes, rank, BASE + start, BASE + end, err);
		if (status == 0)
			status = goal_rows_put(rows, (int32_t)rank, &goal, err);
		goal_rank_free(&goal);
	}
	return status;
}
