/* llm_rows.c - rows of a training's graph: one after the other, and beside them */
#include <math.h>

#include "workload/llm_program.h"

void llm_wait_for(struct llm_writing *writing, int32_t id, bool is_begin)
{
	if (id >= 0)
		vec_push(&writing->waits, (struct task_after){id, is_begin});
}

static int32_t put(struct llm_writing *writing, struct task_row *row)
{
	row->program = writing->program;
	row->id = writing->id;
	row->after = writing->waits.at;
	row->nafter = (int)writing->waits.n;
	if (writing->status == 0)
		writing->status = task_row_emit(row, &writing->out->columns, &writing->out->flow,
						writing->err);
	writing->waits.n = 0;
	return writing->id++;
}

static void put_next(struct llm_writing *writing, struct task_row *row)
{
	llm_wait_for(writing, writing->last, false);
	writing->last = put(writing, row);
}

void llm_compute(struct llm_writing *writing, double flops, const char *name)
{
	struct task_row row = task_row_make(NULL, 0, TASK_COMPUTE);

	row.time_s = flops / writing->llm->flops;
	row.name = name;
	put_next(writing, &row);
}

static struct task_row collective(enum collective_op op, const char *group, double bytes,
				  const char *name)
{
	struct task_row row = task_row_make(NULL, 0, TASK_COLLECTIVE);

	row.collective = op;
	row.bytes = llround(bytes);
	row.group = group;
	row.name = name;
	return row;
}

void llm_together(struct llm_writing *writing, enum collective_op op, const char *group,
		  double bytes, const char *name)
{
	struct task_row row = collective(op, group, bytes, name);

	put_next(writing, &row);
}

int32_t llm_aside(struct llm_writing *writing, enum collective_op op, const char *group,
		  double bytes, const char *name)
{
	struct task_row row = collective(op, group, bytes, name);

	return put(writing, &row);
}

int32_t llm_message(struct llm_writing *writing, bool is_send, int way, const char *group,
		    const char *stream, double bytes, int64_t tag)
{
	struct task_row row = task_row_make(NULL, 0, is_send ? TASK_SEND : TASK_RECV);

	if (is_send)
		row.bytes = llround(bytes);
	row.group = group;
	row.stream = stream;
	row.has_peer = row.is_relative = true;
	row.peer = way;
	row.tag = tag;
	return put(writing, &row);
}

void llm_mark(struct llm_writing *writing, const char *name)
{
	struct task_row row = task_row_make(NULL, 0, TASK_MARK);

	row.name = name;
	put_next(writing, &row);
}
