/* host.c - a function of the program does slices, in the place of a device */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "live/runtime/runtime.h"

struct host_worker {
	struct worker worker;
	const struct host_device *device;
	unsigned char *input[WORK_ARGS]; /* copies of what is only read */
	void *copies[WORK_ARGS];
};

static int host_open(void *device, const struct work *work, struct worker **worker, struct err *err)
{
	struct host_worker *host = xcalloc(1, sizeof(*host));

	(void)err;
	worker_init(&host->worker, &host_runtime, work);
	host->device = device;
	for (int i = 0; i < work->nargs; i++) {
		const struct work_arg *arg = &work->args[i];

		if (arg->kind == ARG_BUFFER && !arg->is_written)
			host->input[i] = xmalloc(arg->bytes);
		else if (arg->kind == ARG_VALUE)
			host->input[i] = xmalloc(sizeof(arg->value));
		host->copies[i] = arg->is_written ? host->worker.copy[i] : host->input[i];
	}
	*worker = &host->worker;
	return 0;
}

static int host_copy_in(struct worker *worker, struct err *err)
{
	struct host_worker *host = (struct host_worker *)worker;
	const struct work *work = worker->work;

	(void)err;
	worker_begin(worker);
	for (int i = 0; i < work->nargs; i++) {
		const struct work_arg *arg = &work->args[i];

		if (arg->is_written)
			memcpy(worker->copy[i], worker->before[i], arg->bytes);
		else if (arg->kind == ARG_VALUE)
			memcpy(host->input[i], arg->value, sizeof(arg->value));
		else if (arg->kind == ARG_BUFFER)
			memcpy(host->input[i], arg->host, arg->bytes);
	}
	return 0;
}

static int host_run(struct worker *worker, int64_t number, int64_t *start_ns, int64_t *end_ns,
		    struct err *err)
{
	struct host_worker *host = (struct host_worker *)worker;

	(void)err;
	*start_ns = live_now_ns();
	host->device->function(host->device->context, host->copies,
			       slicing_slice(&worker->work->slicing, number));
	*end_ns = live_now_ns();
	worker->done[number] = 1;
	for (int i = 0; i < worker->work->nargs && !worker->is_trial; i++) {
		const struct work_arg *arg = &worker->work->args[i];

		if (!work_is_ordered(arg))
			continue;
		memcpy(arg->parts + (size_t)number * arg->bytes, worker->copy[i], arg->bytes);
		memset(worker->copy[i], 0, arg->bytes);
	}
	return 0;
}

static int host_copy_out(struct worker *worker, struct err *err)
{
	(void)worker;
	(void)err;
	return 0;
}

static void host_close(struct worker *worker)
{
	struct host_worker *host = (struct host_worker *)worker;

	if (worker == NULL)
		return;
	for (int i = 0; i < WORK_ARGS; i++)
		free(host->input[i]);
	worker_free(worker);
	free(host);
}

const struct runtime host_runtime = {
	.open = host_open,
	.copy_in = host_copy_in,
	.run = host_run,
	.copy_out = host_copy_out,
	.close = host_close,
};
