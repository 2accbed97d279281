/* fcfs.c - first come, first served: no job overtakes */
#include "place/run/loop.h"
#include "place/queue/queue.h"

static int pass(struct loop *loop, struct err *err)
{
	int head;

	return loop_start_heads(loop, &head, err);
}

static void why(struct loop *loop, int place, struct buf *text)
{
	(void)place;
	buf_printf(text, "behind job %s", loop_job(loop, pending_next(&loop->pending, 0))->name);
}

static int run_all(struct run *run, struct err *err)
{
	static const struct loop_policy policy = {.pass = pass, .why = why};

	return loop_run(run, &policy, err);
}

const struct queue_policy queue_fcfs = {
	.entry = {.name = "fcfs",
		  .example = "fcfs",
		  .summary = "first come, first served: no job starts before one that came earlier",
		  .params = (const struct param[]){LOOP_TIMES, {0}}},
	.is_recorded = true,
	.run = run_all,
};
