/* worker.c - what workers of all runtimes have: copies of buffers, and how they are merged */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "live/runtime/runtime.h"

int64_t live_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void worker_init(struct worker *worker, const struct runtime *runtime, const struct work *work)
{
	worker->runtime = runtime;
	worker->work = work;
	worker->done = xcalloc((size_t)work->slicing.n, 1);
	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].is_written) {
			worker->copy[i] = xmalloc(work->args[i].bytes);
			worker->before[i] = xmalloc(work->args[i].bytes);
		}
}

void worker_begin(struct worker *worker)
{
	const struct work *work = worker->work;

	memset(worker->done, 0, (size_t)work->slicing.n);
	for (int i = 0; i < work->nargs; i++) {
		if (!work->args[i].is_written)
			continue;
		if (work->args[i].merge->is_sum)
			memset(worker->before[i], 0, work->args[i].bytes);
		else
			memcpy(worker->before[i], work->args[i].host, work->args[i].bytes);
	}
}

void worker_free(struct worker *worker)
{
	for (int i = 0; i < WORK_ARGS; i++) {
		free(worker->copy[i]);
		free(worker->before[i]);
	}
	free(worker->done);
}

void worker_gather(struct worker *worker)
{
	const struct work *work = worker->work;

	for (int i = 0; i < work->nargs; i++) {
		const struct work_arg *arg = &work->args[i];
		struct merge_input input = {
			.slicing = &work->slicing,
			.element = arg->element,
			.bytes = arg->bytes,
			.device = worker->copy[i],
			.before = worker->before[i],
			.done = worker->done,
			.host = arg->host,
		};

		if (!arg->is_written || work_is_ordered(arg))
			continue;
		if (arg->merge->has_map)
			input.map = (const int32_t *)(const void *)work->args[arg->map].host;
		arg->merge->gather(&input);
	}
}
