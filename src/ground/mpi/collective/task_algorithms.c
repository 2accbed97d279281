/* task_algorithms.c - the algorithms that the collectives of a graph name */
#include "mpi/collective/task_algorithms.h"

#include <stdlib.h>

static int check_task(const struct task_algorithms *algorithms, const struct task_graph *graph,
		      const struct task_program *program, const struct task *task, struct err *err)
{
	if (task->algorithm == 0 ||
	    (algorithms->at[task->algorithm]->ops >> task->collective & 1) != 0)
		return 0;
	return err_set(err, "program %s, id %d: algorithm: %s does no %s", program->name, task->id,
		       graph->algorithms.at[task->algorithm - 1],
		       collective_name((enum collective_op)task->collective));
}

int task_algorithms_open(struct task_algorithms *algorithms, const struct task_graph *graph,
			 struct err *err)
{
	size_t n = graph->algorithms.n;

	algorithms->picks = xcalloc(n + 1, sizeof(*algorithms->picks));
	algorithms->at = xcalloc(n + 1, sizeof(*algorithms->at));
	for (; algorithms->n < n; algorithms->n++) {
		struct pick *pick = &algorithms->picks[algorithms->n];
		const char *text = graph->algorithms.at[algorithms->n];
		int status = pick_parse(pick, &collective_algorithms, text, err);

		if (status != 0)
			return err_prefix(err, "algorithm: ");
		algorithms->at[algorithms->n + 1] = collective_of(pick->entry);
	}
	for (size_t i = 0; i < graph->programs.n; i++)
		for (size_t k = 0; k < graph->programs.at[i].tasks.n; k++)
			if (check_task(algorithms, graph, &graph->programs.at[i],
				       &graph->programs.at[i].tasks.at[k], err) != 0)
				return -1;
	return 0;
}

void task_algorithms_close(struct task_algorithms *algorithms)
{
	for (size_t i = 0; i < algorithms->n; i++)
		pick_free(&algorithms->picks[i]);
	free(algorithms->picks);
	free(algorithms->at);
	*algorithms = (struct task_algorithms){0};
}
