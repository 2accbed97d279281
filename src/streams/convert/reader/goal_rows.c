/* goal_rows.c - ranks of GOAL schedules become programs of a graph stream */
#include "convert/reader/goal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int64_t goal_tick_ps(const struct pick *pick, struct err *err)
{
	double tick_ps = pick_real(pick, "tick") * 1e12;

	if (fabs(tick_ps - round(tick_ps)) > 1e-6 || round(tick_ps) < 1 || tick_ps > 1e12)
		return err_set(err, "tick: expected whole picoseconds, at most 1s");
	return (int64_t)round(tick_ps);
}

void goal_rows_begin(struct goal_rows *rows, int64_t nranks)
{
	char text[NUM_TEXT];

	rows->nranks = nranks;
	task_columns_make(&rows->columns, rows->flow);
	num_print_int(text, nranks);
	flow_meta(rows->flow, "ranks", text);
}

/* What each node requires, node by node: first [nodes.n + 1] into after. */
static struct task_after *needs_by_node(const struct goal_rows *rows, const struct goal_rank *goal,
					size_t *first)
{
	struct task_after *after = xcalloc(goal->needs.n + 1, sizeof(*after));
	size_t n = goal->nodes.n, sum = 0;

	for (size_t i = 0; i < goal->needs.n; i++)
		first[goal->needs.at[i].node]++;
	for (size_t i = 0; i <= n; i++) {
		size_t count = first[i];

		first[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < goal->needs.n; i++) {
		const struct goal_need *need = &goal->needs.at[i];
		const struct goal_node *on = &goal->nodes.at[need->on];
		bool is_begun = rows->takes_begun && on->op == GOAL_CALC &&
				on->cpu != goal->nodes.at[need->node].cpu;

		after[first[need->node]++] =
			(struct task_after){need->on, need->is_start || is_begun};
	}
	for (size_t i = n; i > 0; i--)
		first[i] = first[i - 1];
	first[0] = 0;
	return after;
}

static int put_node(struct goal_rows *rows, const char *program, int32_t id,
		    const struct goal_node *node, const struct task_after *after, int nafter,
		    struct err *err)
{
	static const enum task_kind kinds[] = {
		[GOAL_SEND] = TASK_SEND, [GOAL_RECV] = TASK_RECV, [GOAL_CALC] = TASK_COMPUTE};
	struct task_row row = task_row_make(program, id, kinds[node->op]);
	char stream[32];

	rows->flow->line = node->line;
	row.after = after;
	row.nafter = nafter;
	row.name = node->label;
	row.stream = stream;
	if (node->op == GOAL_CALC) {
		if (node->size > (uint64_t)(4600000 * INT64_C(1000000000000) / rows->tick_ps))
			return flow_error(rows->flow, err, "calc %" PRIu64 ": more than 53 days",
					  node->size);
		snprintf(stream, sizeof(stream), "cpu%d", node->cpu);
		row.time_s = (double)((int64_t)node->size * rows->tick_ps) / 1e12;
		return task_row_emit(&row, &rows->columns, rows->flow, err);
	}
	if (node->peer != GOAL_ANY && node->peer >= rows->nranks)
		return flow_error(rows->flow, err, "rank %" PRIu32 " is not among the %" PRId64,
				  node->peer, rows->nranks);
	if (node->op == GOAL_SEND && (node->peer == GOAL_ANY || node->tag == GOAL_ANY))
		return flow_error(rows->flow, err, "send: expected a rank and a tag");
	if (node->size > INT64_C(1000000000000000000))
		return flow_error(rows->flow, err, "%" PRIu64 " bytes are too many", node->size);
	snprintf(stream, sizeof(stream), "cpu%d.nic%d", node->cpu, node->nic);
	row.bytes = (int64_t)node->size;
	row.has_peer = node->peer != GOAL_ANY;
	row.peer = row.has_peer ? (int32_t)node->peer : 0;
	row.tag = node->tag != GOAL_ANY ? (int64_t)node->tag : -1;
	return task_row_emit(&row, &rows->columns, rows->flow, err);
}

int goal_rows_put(struct goal_rows *rows, int32_t rank, const struct goal_rank *goal,
		  struct err *err)
{
	size_t *first = xcalloc(goal->nodes.n + 2, sizeof(*first));
	struct task_after *after = needs_by_node(rows, goal, first);
	char program[32], text[64];
	int status = 0;

	snprintf(program, sizeof(program), "rank%d", rank);
	snprintf(text, sizeof(text), "%s:%d", program, rank);
	flow_meta(rows->flow, "program", text);
	for (size_t i = 0; i < goal->nodes.n && status == 0; i++)
		status = put_node(rows, program, (int32_t)i, &goal->nodes.at[i], after + first[i],
				  (int)(first[i + 1] - first[i]), err);
	free(after);
	free(first);
	return status;
}
