/* llm_program.h - what the ranks of a stage of a training do: its rows in a graph */
#ifndef WORKLOAD_LLM_PROGRAM_H
#define WORKLOAD_LLM_PROGRAM_H

#include "model/task_graph.h"
#include "workload/llm_model.h"

enum { LLM_PROGRAM_TEXT = 24 };

/* ##group and ##program. */
void llm_write_groups(const struct llm *llm, struct flow *flow);

/* ---- the order of passes ---- */

struct llm_pass {
	bool is_backward;
	int64_t micro;
	int chunk;
};

/* Pass number i of a stage, 0 … 2 · micro-batches · chunks - 1. */
struct llm_pass llm_pass(const struct llm *llm, int stage, int64_t i);

/* ---- rows (llm_rows.c) ---- */

struct llm_writing {
	const struct llm *llm;
	struct task_out *out;
	struct err *err;
	int status; /* of the first row that could not be written */
	int stage;
	char program[LLM_PROGRAM_TEXT];
	int32_t id;   /* the next one */
	int32_t last; /* that the next one of the stage's chain waits for; -1: none */
	VEC(struct task_after) waits; /* that the next row waits for, too */
	VEC(int32_t) gathers;         /* [nbuckets] of weights that were shared */
	VEC(int64_t) left;            /* [nbuckets] layers whose gradients are not there */
	VEC(int32_t) synced;          /* what brought gradients together */
	int nbuckets;
};

void llm_wait_for(struct llm_writing *writing, int32_t id, bool is_begin);
/* After the last of the chain, which it then is. */
void llm_compute(struct llm_writing *writing, double flops, const char *name);
void llm_together(struct llm_writing *writing, enum collective_op op, const char *group,
		  double bytes, const char *name);
void llm_mark(struct llm_writing *writing, const char *name);
/* Beside the chain: waits for what was said alone. Returns its id. */
int32_t llm_aside(struct llm_writing *writing, enum collective_op op, const char *group,
		  double bytes, const char *name);
int32_t llm_message(struct llm_writing *writing, bool is_send, int way, const char *group,
		    const char *stream, double bytes, int64_t tag);

/* A layer of the stage (llm_layer.c). */
void llm_forward(struct llm_writing *writing);
void llm_backward(struct llm_writing *writing);

/* All of a stage. */
int llm_write_stage(const struct llm *llm, int stage, struct task_out *out, struct err *err);

#endif
