/* task_check.c - what can be wrong with a whole graph of tasks */
#include <stdlib.h>

#include "model/task_graph.h"

/* ---- cycles ---- */

size_t task_order(const struct task_program *program, int32_t *order, uint32_t *left)
{
	size_t n = program->tasks.n, nready = 0, ndone = 0;

	for (size_t i = 0; i < n; i++) {
		left[i] = program->tasks.at[i].nunmet;
		if (left[i] == 0)
			order[nready++] = (int32_t)i;
	}
	for (; ndone < nready; ndone++) {
		const struct task *task = &program->tasks.at[order[ndone]];

		for (uint32_t k = task[0].first; k < task[1].first; k++) {
			int32_t then = dependent_task(program->dependents[k]);

			if (--left[then] == 0)
				order[nready++] = then;
		}
	}
	return ndone;
}

/* A task on a cycle: from any that is left, back to one that it waits for, n times. */
static int32_t on_cycle(const struct task_program *program, const uint32_t *left)
{
	size_t n = program->tasks.n;
	int32_t *before = xcalloc(n + 1, sizeof(*before)), at = -1;

	for (size_t i = 0; i < n; i++) {
		if (left[i] == 0)
			continue;
		at = at < 0 ? (int32_t)i : at;
		for (uint32_t k = program->tasks.at[i].first; k < program->tasks.at[i + 1].first;
		     k++)
			before[dependent_task(program->dependents[k])] = (int32_t)i;
	}
	for (size_t i = 0; i < n; i++)
		at = before[at];
	free(before);
	return at;
}

static int check_cycles(const struct task_program *program, struct err *err)
{
	int32_t *order = xcalloc(program->tasks.n + 1, sizeof(*order));
	uint32_t *left = xcalloc(program->tasks.n + 1, sizeof(*left));
	int status = 0;

	if (task_order(program, order, left) < program->tasks.n)
		status = err_set(err, "program %s, id %d: it waits for itself, in a cycle",
				 program->name, program->tasks.at[on_cycle(program, left)].id);
	free(order);
	free(left);
	return status;
}

/* ---- collectives ---- */

/* The collectives of a program, by number, then by id; those of one number stand together. */
struct of_class {
	uint32_t number;
	int32_t task;
};

struct classes {
	struct of_class *at;
	size_t n;
};

static int by_class(const void *a, const void *b)
{
	const struct of_class *x = a, *y = b;

	return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
				      : (x->task > y->task) - (x->task < y->task);
}

static struct classes collect(const struct task_program *program, int group)
{
	struct classes all = {.at = xcalloc(program->tasks.n + 1, sizeof(*all.at))};

	for (size_t i = 0; i < program->tasks.n; i++)
		if (program->tasks.at[i].kind == TASK_COLLECTIVE &&
		    program->tasks.at[i].group == group)
			all.at[all.n++] = (struct of_class){program->tasks.at[i].tag, (int32_t)i};
	qsort(all.at, all.n, sizeof(*all.at), by_class);
	return all;
}

static const char *op_of(const struct task *task)
{
	return task_op_name(TASK_COLLECTIVE, (enum collective_op)task->collective);
}

/* The first task of one that the other has not, or has otherwise. */
static int differ(const struct task_graph *graph, const struct task_program *a,
		  const struct task_program *b, int group, int rank_a, int rank_b, struct err *err)
{
	struct classes of_a = collect(a, group), of_b = collect(b, group);
	size_t n = of_a.n < of_b.n ? of_a.n : of_b.n, i = 0;
	const struct task *x, *y;
	int status = -1;

	for (; i < n && of_a.at[i].number == of_b.at[i].number; i++) {
		x = &a->tasks.at[of_a.at[i].task];
		y = &b->tasks.at[of_b.at[i].task];
		if (x->bytes == y->bytes && x->algorithm == y->algorithm && x->peer == y->peer)
			continue;
		err_set(err,
			"program %s, id %d: %s of group %s: rank %d differs from rank %d, program "
			"%s, id %d, in %s",
			b->name, y->id, op_of(y), graph->groups.at[group].name, rank_b, rank_a,
			a->name, x->id,
			x->bytes != y->bytes           ? "bytes"
			: x->algorithm != y->algorithm ? "algorithm"
						       : "root");
		goto done;
	}
	status = 0;
	if (i < of_a.n || i < of_b.n) {
		bool is_a = i == of_b.n || (i < of_a.n && of_a.at[i].number < of_b.at[i].number);
		const struct task_program *has = is_a ? a : b, *lacks = is_a ? b : a;

		x = &has->tasks.at[(is_a ? of_a : of_b).at[i].task];
		status =
			err_set(err,
				"program %s, id %d: %s of group %s: rank %d, program %s, has fewer "
				"of them than rank %d",
				has->name, x->id, op_of(x), graph->groups.at[group].name,
				is_a ? rank_b : rank_a, lacks->name, is_a ? rank_a : rank_b);
	}
done:
	free(of_a.at);
	free(of_b.at);
	return status;
}

static int32_t root_of(int32_t *same, int32_t program)
{
	while (same[program] != program)
		program = same[program] = same[same[program]];
	return program;
}

/* Programs of the members of each part must have the same collectives of the group; sets of those
 * that do grow together. same [programs.n] */
static int check_group(const struct task_graph *graph, int group, int32_t *same, struct err *err)
{
	const struct task_group *of = &graph->groups.at[group];

	for (size_t i = 0; i < graph->programs.n; i++)
		same[i] = (int32_t)i;
	for (int part = 0; part < of->nparts; part++) {
		int begin = group == TASK_NO_GROUP ? 0 : of->first[part];
		int end = group == TASK_NO_GROUP ? graph->nranks : of->first[part + 1];
		int first = group == TASK_NO_GROUP ? 0 : of->members[begin];

		for (int i = begin + 1; i < end; i++) {
			int rank = group == TASK_NO_GROUP ? i : of->members[i];
			int32_t a = root_of(same, graph->program_of[first]);
			int32_t b = root_of(same, graph->program_of[rank]);

			if (a == b)
				continue;
			if (differ(graph, &graph->programs.at[graph->program_of[first]],
				   &graph->programs.at[graph->program_of[rank]], group, first, rank,
				   err) != 0)
				return -1;
			same[a > b ? a : b] = a < b ? a : b;
		}
	}
	return 0;
}

/* Which groups have collectives at all. */
static bool *used_groups(const struct task_graph *graph)
{
	bool *used = xcalloc(graph->groups.n, sizeof(*used));

	for (size_t i = 0; i < graph->programs.n; i++)
		for (size_t k = 0; k < graph->programs.at[i].tasks.n; k++) {
			const struct task *task = &graph->programs.at[i].tasks.at[k];

			used[task->group] |= task->kind == TASK_COLLECTIVE;
		}
	return used;
}

int task_graph_check(const struct task_graph *graph, struct err *err)
{
	int32_t *same = xcalloc(graph->programs.n + 1, sizeof(*same));
	bool *used = used_groups(graph);
	int status = 0;

	for (size_t i = 0; i < graph->programs.n && status == 0; i++)
		status = check_cycles(&graph->programs.at[i], err);
	for (size_t i = 0; i < graph->groups.n && status == 0; i++)
		if (used[i])
			status = check_group(graph, (int)i, same, err);
	free(used);
	free(same);
	return status;
}
