/* task_graph.h - graphs of tasks: computation, messages and collectives with dependencies, in
 * programs that ranks share; what a row of a graph stream says */
#ifndef MODEL_TASK_GRAPH_H
#define MODEL_TASK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "model/flow.h"
#include "model/mpi_collective.h"

enum task_kind {
	TASK_COMPUTE,
	TASK_MARK, /* takes no time and no stream */
	TASK_SEND,
	TASK_RECV,
	TASK_COLLECTIVE,
	TASK_NKINDS
};

enum { TASK_ANY_RANK = -1, TASK_NO_GROUP = 0 };

/* ---- rows ---- */

/* One id of a row's after. */
struct task_after {
	int32_t id;
	bool is_begin; /* ^7: it must have begun; else ended */
};

/* One row. What is not said: texts NULL; numbers -1 unless they say otherwise. */
struct task_row {
	const char *program;
	int32_t id;
	enum task_kind kind;
	enum collective_op collective;  /* TASK_COLLECTIVE */
	const struct task_after *after; /* [nafter] */
	int nafter;
	const char *stream; /* NULL: task_stream_name() */
	double time_s, flops, memory_bytes;
	int64_t bytes;
	const char *group;
	bool is_relative;       /* the peer is the place of the rank in its group, and peer more */
	bool has_peer;          /* else of a receive: from any rank */
	int32_t peer;           /* 0 if not said */
	int64_t tag;            /* of a receive, -1: any */
	int32_t root, priority; /* 0 if not said; the root's place in the group */
	const char *algorithm;  /* a pick of collective_algorithms */
	const char *name;
};

struct task_columns {
	int program, id, op, after, stream, time, flops, memory, bytes, group, peer, tag, root,
		priority, algorithm, name;
};

/* All that is not said, of a kind. */
struct task_row task_row_make(const char *program, int32_t id, enum task_kind kind);
/* "compute", "send", …, or the collective's name. */
const char *task_op_name(enum task_kind kind, enum collective_op collective);
/* The stream of a row that names none. */
const char *task_stream_name(const struct task_row *row);
/* Declares the columns of a flow that is made; the lines ##ranks, ##group and ##program
 * (trace_ranks_print) go before its first row. */
void task_columns_make(struct task_columns *columns, struct flow *flow);
/* Finds them in one that is taken; -1: absent. */
void task_columns_find(struct task_columns *columns, const struct flow *flow);
/* Sets the cells and emits. */
int task_row_emit(const struct task_row *row, const struct task_columns *columns, struct flow *flow,
		  struct err *err);
/* Reads the cells of the current row; its texts and after are valid until the next one. */
struct task_taking {
	VEC(struct task_after) after;
	char texts[8][NUM_TEXT];
};
int task_row_take(struct task_row *row, const struct task_columns *columns,
		  struct task_taking *taking, const struct flow *flow, struct err *err);

/* A stream of kind graph on an output, for who writes no other kind: columns, ##lines through
 * flow_meta(&out.flow, …), then task_row_emit(row, &out.columns, &out.flow, err). */
struct task_out {
	struct flow flow;
	struct task_columns columns;
	struct table_out *table;
	size_t nmeta;
};
void task_out_open(struct task_out *out, struct table_out *table);
int task_out_close(struct task_out *out, struct err *err); /* leaves the table to its owner */

/* ---- a whole graph ---- */

/* 40 bytes: rows are many. Tasks of a program are sorted by id. */
struct task {
	union {
		int64_t bytes;       /* of a message; of a collective as in struct collective */
		int64_t duration_ps; /* of a computation */
	};
	int32_t id;
	int32_t peer;    /* or TASK_ANY_RANK; of a collective: the root's place */
	uint32_t tag;    /* of a collective: the number of its operation, tag and group */
	uint32_t first;  /* of its dependents; up to the next task's */
	int32_t ordinal; /* of a collective: how many of its tag went before in the program;
			  * of a message: 1 if the program has another of its peer and tag */
	uint32_t nunmet : 30;
	uint32_t is_relative : 1;
	uint32_t has_any_tag : 1;
	uint16_t group;  /* TASK_NO_GROUP: all ranks */
	uint16_t stream; /* of the program's */
	int16_t priority;
	uint8_t kind : 3; /* enum task_kind */
	uint8_t collective : 5;
	uint8_t algorithm; /* 0: the library chooses; else number in graph.algorithms, from 1 */
};
_Static_assert(sizeof(struct task) == 40, "there are millions of them");

/* What waits for a task: the index of a task, and whether for its beginning. */
static inline int32_t dependent_task(uint32_t dependent)
{
	return (int32_t)(dependent >> 1);
}

static inline bool dependent_on_begin(uint32_t dependent)
{
	return (dependent & 1) != 0;
}

struct task_program {
	const char *name;
	VEC(struct task) tasks; /* and one more, behind the last, for its first */
	uint32_t *dependents;   /* [tasks.at[tasks.n].first] those of one task by their index */
	VEC(const char *) streams;
	const char **names; /* [tasks.n] NULL: none; NULL: they were not kept */
	int32_t *ranks;     /* [nranks] in order */
	int nranks;
	struct task_rows *rows; /* while reading */
};

/* A partition of ranks. */
struct task_group {
	const char *name;
	int32_t *members; /* [nmembers] part by part */
	int32_t *first;   /* [nparts + 1] into members */
	int32_t *at;      /* [nranks] where a rank is among members; -1: in no part */
	int nmembers, nparts;
};

struct task_graph {
	int nranks;
	VEC(struct task_program) programs;
	VEC(struct task_group) groups; /* at[0] is all ranks; its arrays are NULL */
	VEC(const char *) algorithms;
	int32_t *program_of; /* [nranks] */
	bool has_any;        /* a receive from any rank, or of any tag */
	struct map program_ids, group_ids, algorithm_ids, classes;
	int64_t nclasses;
	struct arena arena;
};

/* What turns work into time; 0: not known, and a row that needs it is refused. */
struct task_rates {
	double flops_per_s, memory_bytes_per_s;
};

/* Reading: rows one after the other, then the end, where everything is checked. */
struct task_reading {
	struct task_graph *graph;
	struct task_rates rates;
	bool keeps_names;
	struct task_columns columns;
	struct task_taking taking;
	struct map streams; /* program and stream → number in the program */
	size_t nmeta;
	const char *file;
};
void task_reading_begin(struct task_reading *reading, struct task_graph *graph,
			const struct flow *flow);
int task_reading_row(struct task_reading *reading, const struct flow *flow, struct err *err);
int task_reading_end(struct task_reading *reading, const struct flow *flow, struct err *err);
void task_reading_free(struct task_reading *reading);

/* All at once. nranks 0: as the file says. graph is zeroed, and to be freed in any case. */
int task_graph_read(struct task_graph *graph, const char *path, int nranks,
		    const struct task_rates *rates, bool accepts_partial, struct err *err);
void task_graph_free(struct task_graph *graph);

/* The rank's part of a group: how many, its place among them, and who has a place. */
int task_group_size(const struct task_graph *graph, int group, int rank);
int task_group_place(const struct task_graph *graph, int group, int rank);
int32_t task_group_rank(const struct task_graph *graph, int group, int place, int rank);
/* The rank at the other side of a task's message; or TASK_ANY_RANK. */
int32_t task_peer(const struct task_graph *graph, const struct task *task, int rank);

/* ---- checks (task_check.c) ---- */
/* order [tasks.n] becomes tasks in an order in which they can be done, of which there are as many
 * as returned: the others are on a cycle or behind one. left [tasks.n]: what each still waits for.
 */
size_t task_order(const struct task_program *program, int32_t *order, uint32_t *left);
/* What can be wrong with a whole graph: cycles, groups whose members differ. */
int task_graph_check(const struct task_graph *graph, struct err *err);

#endif
