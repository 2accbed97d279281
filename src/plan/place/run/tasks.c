/* tasks.c - jobs that ask for tasks: the nodes that have room for them */
#include "place/run/tasks.h"

#include <stdlib.h>

struct room {
	int64_t tasks;
	int node;
};

static int by_room(const void *a, const void *b)
{
	const struct room *x = a, *y = b;

	if (x->tasks != y->tasks)
		return x->tasks > y->tasks ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

bool tasks_reduce(const struct eligible_choice *choosing)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job;
	struct room *rooms = xmalloc(((size_t)eligible->nnodes + 1) * sizeof(*rooms));
	int n = 0, nkept;
	int64_t sum = 0;

	for (int node = 0; node < eligible->nnodes; node++)
		if ((eligible->left[node / 64] >> node % 64 & 1) != 0)
			rooms[n++] = (struct room){stock_tasks(choosing->schedule->stock, node, job,
							       &eligible->share, choosing->now_ns),
						   node};
	if (n > 1)
		qsort(rooms, (size_t)n, sizeof(*rooms), by_room);
	for (int i = 0; i < job->nnodes && i < n; i++)
		sum += rooms[i].tasks;
	/* one more, while the last nnodes of them would do */
	for (nkept = job->nnodes; n >= job->nnodes && sum >= job->tasks && nkept < n; nkept++) {
		int64_t next = sum - rooms[nkept - job->nnodes].tasks + rooms[nkept].tasks;

		if (next < job->tasks)
			break;
		sum = next;
	}
	for (int i = nkept; i < n; i++)
		eligible->left[rooms[i].node / 64] &= ~(UINT64_C(1) << rooms[i].node % 64);
	free(rooms);
	return n >= job->nnodes && sum >= job->tasks;
}
