/* task_reading.h - what the files that read graphs of tasks share */
#ifndef MODEL_TASK_READING_H
#define MODEL_TASK_READING_H

#include "model/task_graph.h"

/* An id in the after of a row. */
struct task_wait {
	int32_t row; /* its place in the input */
	int32_t id;
	bool is_begin;
};

/* What is known of a program's rows until all are there. */
struct task_rows {
	VEC(int32_t) lines; /* [tasks.n] */
	VEC(const char *) names;
	VEC(struct task_wait) waits;
};

void task_rows_free(struct task_rows *rows); /* NULL is allowed */

/* Takes the ##lines of the flow that came since *ndone. */
int task_meta_take(struct task_graph *graph, const struct flow *flow, size_t *ndone,
		   struct err *err);

#endif
