/* task_algorithms.h - the algorithms that the collectives of a graph name */
#ifndef MPI_COLLECTIVE_TASK_ALGORITHMS_H
#define MPI_COLLECTIVE_TASK_ALGORITHMS_H

#include "model/task_graph.h"
#include "mpi/collective/collective.h"

struct task_algorithms {
	const struct collective_algorithm **at; /* by task.algorithm; [0] is NULL */
	struct pick *picks;                     /* [n] */
	size_t n;
};

/* Zeroed before, and to be closed in any case. Each must do what its tasks ask of it. */
int task_algorithms_open(struct task_algorithms *algorithms, const struct task_graph *graph,
			 struct err *err);
void task_algorithms_close(struct task_algorithms *algorithms);

#endif
