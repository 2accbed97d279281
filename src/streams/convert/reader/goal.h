/* goal.h - schedules of LogGOPSim (GOAL): what each rank does, and what that requires */
#ifndef CONVERT_READER_GOAL_H
#define CONVERT_READER_GOAL_H

#include "base/mem.h"
#include "base/registry.h"
#include "model/task_graph.h"

/* As the binary format has them. */
enum goal_op { GOAL_SEND = 1, GOAL_RECV, GOAL_CALC };
#define GOAL_ANY UINT32_MAX /* rank or tag */
#define GOAL_MAGIC UINT64_C(4223)

struct goal_node {
	enum goal_op op;
	uint32_t peer, tag;
	uint64_t size; /* bytes, or ticks */
	uint8_t cpu, nic;
	long line;
	const char *label; /* or NULL */
};

/* Node `node` requires `on`. */
struct goal_need {
	int32_t node, on;
	bool is_start; /* irequires: it must have begun */
};

struct goal_rank {
	VEC(struct goal_node) nodes;
	VEC(struct goal_need) needs;
};

static inline void goal_rank_free(struct goal_rank *rank)
{
	vec_free(&rank->nodes);
	vec_free(&rank->needs);
}

/* The parameter tick, in picoseconds; -1: it is none. */
int64_t goal_tick_ps(const struct pick *pick, struct err *err);

/* What the readers make rows with: flow, tick_ps and takes_begun are set first. */
struct goal_rows {
	struct flow *flow;
	struct task_columns columns;
	int64_t tick_ps;
	int64_t nranks;
	bool takes_begun; /* of a calculation, nodes on another cpu require the beginning only */
};

/* Declares columns and ranks. */
void goal_rows_begin(struct goal_rows *rows, int64_t nranks);
/* The rank's program, in the order of its nodes. */
int goal_rows_put(struct goal_rows *rows, int32_t rank, const struct goal_rank *goal,
		  struct err *err);
/* The whole file [n] in the binary form. */
int goal_read_binary(struct goal_rows *rows, const char *path, const unsigned char *bytes, size_t n,
		     struct err *err);

#endif
