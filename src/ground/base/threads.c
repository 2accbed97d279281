/* threads.c - work that several threads share */
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"

struct member {
	threads_work *work;
	void *context;
	int number;
	pthread_t thread;
};

static void *work_alone(void *argument)
{
	struct member *member = argument;

	member->work(member->context, member->number);
	return NULL;
}

void threads_run(int n, threads_work *work, void *context)
{
	struct member *members = xcalloc((size_t)n + 1, sizeof(*members));
	int nthreads = 1;

	for (int i = 0; i < n; i++)
		members[i] = (struct member){.work = work, .context = context, .number = i};
	while (nthreads < n &&
	       pthread_create(&members[nthreads].thread, NULL, work_alone, &members[nthreads]) == 0)
		nthreads++;
	if (n > 0)
		work(context, 0);
	for (int i = nthreads; i < n; i++)
		work(context, i);
	for (int i = 1; i < nthreads; i++)
		pthread_join(members[i].thread, NULL);
	free(members);
}

struct shared_items {
	threads_item *work;
	void *context;
	size_t n;
	_Atomic size_t next;
};

static void take_items(void *context, int number)
{
	struct shared_items *items = context;
	size_t item;

	while ((item = atomic_fetch_add(&items->next, 1)) < items->n)
		items->work(items->context, number, item);
}

void threads_share(int n, size_t nitems, threads_item *work, void *context)
{
	struct shared_items items = {.work = work, .context = context, .n = nitems};

	threads_run(n, take_items, &items);
}
