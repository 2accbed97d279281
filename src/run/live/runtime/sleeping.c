/* sleeping.c - devices that sleep as long as slices, copies and opening take by a profile */
#include "live/runtime/sleeping.h"

#include <stdlib.h>
#include <time.h>

#include "base/mem.h"

struct sleeping_worker {
	struct worker worker;
	struct sleeping_device *device;
	int64_t next_ns; /* when its next action begins: late sleepers catch up */
};

static void sleep_until(int64_t ns)
{
	struct timespec until = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
		;
}

static void pass(struct sleeping_worker *sleeping, int64_t ns)
{
	sleeping->next_ns += ns;
	sleep_until(sleeping->next_ns);
}

static int sleeping_open(void *device, const struct work *work, struct worker **worker,
			 struct err *err)
{
	struct sleeping_worker *sleeping = xcalloc(1, sizeof(*sleeping));

	(void)err;
	worker_init(&sleeping->worker, &sleeping_runtime, work);
	sleeping->device = device;
	sleeping->next_ns = live_now_ns();
	pass(sleeping, sleeping->device->init_ns + sleeping->device->open_ns);
	sleeping->device->init_ns = 0;
	*worker = &sleeping->worker;
	return 0;
}

static int sleeping_copy_in(struct worker *worker, struct err *err)
{
	struct sleeping_worker *sleeping = (struct sleeping_worker *)worker;

	(void)err;
	worker_begin(worker);
	pass(sleeping, sleeping->device->copy_in_ns);
	return 0;
}

static int sleeping_run(struct worker *worker, int64_t number, int64_t *start_ns, int64_t *end_ns,
			struct err *err)
{
	struct sleeping_worker *sleeping = (struct sleeping_worker *)worker;
	struct sleeping_device *device = sleeping->device;

	(void)err;
	*start_ns = sleeping->next_ns;
	pass(sleeping, device->slice_ns(device->context, device->number));
	*end_ns = sleeping->next_ns;
	worker->done[number] = 1;
	return 0;
}

static int sleeping_copy_out(struct worker *worker, struct err *err)
{
	struct sleeping_worker *sleeping = (struct sleeping_worker *)worker;

	(void)err;
	sleeping->next_ns = live_now_ns();
	pass(sleeping, sleeping->device->copy_out_ns);
	return 0;
}

static void sleeping_close(struct worker *worker)
{
	struct sleeping_worker *sleeping = (struct sleeping_worker *)worker;

	if (worker == NULL)
		return;
	sleep_until(live_now_ns() + sleeping->device->close_ns);
	worker_free(worker);
	free(sleeping);
}

const struct runtime sleeping_runtime = {
	.open = sleeping_open,
	.copy_in = sleeping_copy_in,
	.run = sleeping_run,
	.copy_out = sleeping_copy_out,
	.close = sleeping_close,
};
