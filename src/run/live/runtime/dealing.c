/* dealing.c - the slices of a work dealt to devices, which may change meanwhile */
#include "live/runtime/dealing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/threads.h"

struct seat {
	struct worker *worker; /* NULL: closed */
	bool is_fresh;         /* opened in this stint: warms up, copies in */
	bool has_failed;
	struct err err;
	int64_t last_end_ns; /* of its last slice in this stint */
};

struct run {
	const struct dealing *how;
	struct dealing_costs *costs;
	struct seat seats[DEALING_DEVICES];
	int at[DEALING_DEVICES]; /* [n] devices of the set */
	int n;
	uint32_t set;
	atomic_llong next;  /* slices that were taken */
	atomic_bool stops;  /* no device takes another slice */
	int64_t stopped_ns; /* when that was seen */
	pthread_mutex_t lock;
};

const char *dealing_span_name(enum dealing_span span)
{
	static const char *const names[] = {"open", "copy", "run", "drain", "held"};

	return names[span];
}

static void span(struct run *run, int device, enum dealing_span what, int64_t start_ns,
		 int64_t end_ns)
{
	if (run->how->span == NULL || end_ns <= start_ns)
		return;
	pthread_mutex_lock(&run->lock);
	run->how->span(run->how->context, device, what, start_ns, end_ns);
	pthread_mutex_unlock(&run->lock);
}

static void fail(struct run *run, struct seat *seat)
{
	seat->has_failed = true;
	atomic_store(&run->stops, true);
}

/* By the clock of the dealing. */
static int64_t now_ns(const struct run *run)
{
	struct timespec used;

	if (!run->how->counts_cpu)
		return live_now_ns();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return ((int64_t)used.tv_sec * 1000000000 + used.tv_nsec) / run->n;
}

/* ---- one device's thread ---- */

static int get_ready(struct run *run, int device, struct seat *seat)
{
	const struct live_device *live = &run->how->devices[device];
	int64_t begin_ns = live_now_ns(), opened_ns, start_ns, end_ns;

	if (!seat->is_fresh)
		return 0;
	if (live->runtime->open(live->device, run->how->work, &seat->worker, &seat->err) != 0)
		return -1;
	opened_ns = live_now_ns();
	if (live->runtime->copy_in(seat->worker, &seat->err) != 0)
		return -1;
	if (run->how->warms_up) {
		/* twice: runtimes compile at the first launch, and at the first with an offset;
		 * and out once, as the memory that a device copies to is touched then first;
		 * what that wrote copy_again copies over */
		int64_t last = run->how->work->slicing.n - 1;

		seat->worker->is_trial = true;
		if (live->runtime->run(seat->worker, 0, &start_ns, &end_ns, &seat->err) != 0 ||
		    live->runtime->run(seat->worker, last, &start_ns, &end_ns, &seat->err) != 0 ||
		    live->runtime->copy_out(seat->worker, &seat->err) != 0)
			return -1;
		seat->worker->is_trial = false;
	}
	end_ns = live_now_ns();
	span(run, device, DEALING_OPEN, begin_ns, opened_ns);
	span(run, device, DEALING_COPY, opened_ns, end_ns);
	pthread_mutex_lock(&run->lock);
	run->costs->open_ns += opened_ns - begin_ns;
	run->costs->copy_in_ns += end_ns - opened_ns;
	pthread_mutex_unlock(&run->lock);
	return 0;
}

/* After a slice: who hears of it, and whether the job has to leave its devices. */
static void look(struct run *run, int device, int64_t number, int64_t start_ns, int64_t end_ns)
{
	const struct dealing *how = run->how;
	int64_t left = how->work->slicing.n - atomic_load(&run->next);
	uint32_t set = run->set;

	left = left < 0 ? 0 : left;
	pthread_mutex_lock(&run->lock);
	run->costs->nslices[device]++;
	run->costs->run_ns += end_ns - start_ns;
	if (how->slice != NULL)
		how->slice(how->context, device, number, start_ns, end_ns);
	if (how->poll != NULL && !atomic_load(&run->stops))
		set = how->poll(how->context, left);
	if (set != run->set && left > 0 && !atomic_load(&run->stops)) {
		run->stopped_ns = live_now_ns();
		atomic_store(&run->stops, true);
	}
	pthread_mutex_unlock(&run->lock);
}

static void work_on(void *context, int i)
{
	struct run *run = context;
	const struct dealing *how = run->how;
	int device = run->at[i];
	struct seat *seat = &run->seats[device];
	int64_t before_ns, start_ns, end_ns, first_ns = 0;

	seat->last_end_ns = 0;
	if (get_ready(run, device, seat) != 0) {
		fail(run, seat);
		return;
	}
	while (!atomic_load(&run->stops)) {
		int64_t at = atomic_fetch_add(&run->next, 1), number;

		if (at >= how->work->slicing.n)
			break;
		number = how->order != NULL ? how->order[at] : at;
		before_ns = now_ns(run);
		if (how->devices[device].runtime->run(seat->worker, number, &start_ns, &end_ns,
						      &seat->err) != 0) {
			fail(run, seat);
			return;
		}
		if (how->counts_cpu) {
			start_ns = before_ns;
			end_ns = now_ns(run);
		}
		first_ns = first_ns == 0 ? start_ns : first_ns;
		seat->last_end_ns = end_ns;
		look(run, device, number, start_ns, end_ns);
	}
	if (seat->last_end_ns != 0)
		span(run, device, DEALING_RUN, first_ns, seat->last_end_ns);
}

/* Where all devices wait to begin together. */
static void get_ready_first(void *context, int i)
{
	struct run *run = context;
	struct seat *seat = &run->seats[run->at[i]];

	if (get_ready(run, run->at[i], seat) != 0)
		fail(run, seat);
}

static void copy_again(void *context, int i)
{
	struct run *run = context;
	struct seat *seat = &run->seats[run->at[i]];

	if (!seat->is_fresh || seat->has_failed)
		return;
	if (seat->worker->runtime->copy_in(seat->worker, &seat->err) != 0)
		fail(run, seat);
	seat->is_fresh = false;
}

/* All devices of the set: they begin at one time. */
static void warm_up(struct run *run)
{
	int64_t begin_ns;

	threads_run(run->n, get_ready_first, run);
	begin_ns = now_ns(run);
	threads_run(run->n, copy_again, run);
	run->costs->all_in_ns = now_ns(run) - begin_ns;
}

static void take_out(void *context, int i)
{
	struct run *run = context;
	struct seat *seat = &run->seats[run->at[i]];
	int64_t begin_ns = live_now_ns();

	if (seat->worker->runtime->copy_out(seat->worker, &seat->err) != 0) {
		fail(run, seat);
		return;
	}
	span(run, run->at[i], DEALING_COPY, begin_ns, live_now_ns());
}

/* ---- the job ---- */

static void sit(struct run *run, uint32_t set)
{
	run->n = 0;
	for (int d = 0; d < run->how->ndevices; d++)
		if (set >> d & 1)
			run->at[run->n++] = d;
}

/* The error of the lowest device. */
static int check_seats(struct run *run, struct err *err)
{
	for (int d = 0; d < run->how->ndevices; d++)
		if (run->seats[d].has_failed) {
			*err = run->seats[d].err;
			return -1;
		}
	return 0;
}

static void close_seats(struct run *run, uint32_t set)
{
	for (int d = 0; d < run->how->ndevices; d++)
		if ((set >> d & 1) != 0 && run->seats[d].worker != NULL) {
			run->seats[d].worker->runtime->close(run->seats[d].worker);
			run->seats[d].worker = NULL;
		}
}

/* Copies out and merges what these devices did, one after the other in their order, and closes
 * them. */
static int leave(struct run *run, uint32_t set, struct err *err)
{
	int64_t begin_ns = live_now_ns(), out_ns, all_ns, each_ns;

	sit(run, set);
	all_ns = now_ns(run);
	threads_run(run->n, take_out, run);
	if (check_seats(run, err) != 0)
		return -1;
	each_ns = now_ns(run);
	for (int i = 0; i < run->n; i++)
		worker_gather(run->seats[run->at[i]].worker);
	/* one after the other: in processor time, that of one */
	run->costs->all_out_ns =
		each_ns - all_ns + (now_ns(run) - each_ns) * (run->how->counts_cpu ? run->n : 1);
	out_ns = live_now_ns();
	close_seats(run, set);
	run->costs->copy_out_ns += out_ns - begin_ns;
	run->costs->close_ns += live_now_ns() - out_ns;
	return 0;
}

/* One set, until the bag is empty or the set changes. */
static int stint(struct run *run, struct err *err)
{
	int64_t drained_ns;

	sit(run, run->set);
	run->stopped_ns = 0;
	for (int i = 0; i < run->n; i++)
		run->seats[run->at[i]].is_fresh = run->seats[run->at[i]].worker == NULL;
	if (run->how->warms_up)
		warm_up(run);
	if (check_seats(run, err) != 0)
		return -1;
	threads_run(run->n, work_on, run);
	if (check_seats(run, err) != 0)
		return -1;
	drained_ns = live_now_ns();
	if (run->stopped_ns > 0)
		run->costs->drain_ns += drained_ns - run->stopped_ns;
	for (int i = 0; i < run->n; i++) {
		const struct seat *seat = &run->seats[run->at[i]];

		if (seat->last_end_ns > 0)
			span(run, run->at[i], DEALING_HELD, seat->last_end_ns, drained_ns);
	}
	return 0;
}

/* To the set that it is given next. */
static int change(struct run *run, struct err *err)
{
	const struct dealing *how = run->how;
	uint32_t next = run->set, closed;
	int64_t begin_ns;

	if (how->poll != NULL)
		next = how->poll(how->context, how->work->slicing.n - atomic_load(&run->next));
	closed = how->keeps_open ? run->set & ~next : run->set;
	if (leave(run, closed, err) != 0)
		return -1;
	begin_ns = live_now_ns();
	if (how->release != NULL && how->release(how->context, closed, &next, err) != 0)
		return -1;
	run->costs->release_ns += live_now_ns() - begin_ns;
	/* it may have changed again: what is open and not in it goes, too */
	if ((run->set & ~closed & ~next) != 0 && leave(run, run->set & ~closed & ~next, err) != 0)
		return -1;
	run->set = next;
	run->costs->nswitches++;
	if (how->switched != NULL)
		how->switched(how->context, run->costs);
	atomic_store(&run->stops, false);
	return 0;
}

static int go(struct run *run, struct err *err)
{
	for (;;) {
		if (stint(run, err) != 0)
			return -1;
		/* those who found the bag empty have counted on */
		if (atomic_load(&run->next) >= run->how->work->slicing.n)
			return leave(run, run->set, err);
		if (change(run, err) != 0)
			return -1;
	}
}

int dealing_run(const struct dealing *dealing, struct dealing_costs *costs, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	int status;

	*costs = (struct dealing_costs){0};
	run->how = dealing;
	run->costs = costs;
	run->set = dealing->set;
	pthread_mutex_init(&run->lock, NULL);
	status = go(run, err);
	close_seats(run, UINT32_MAX);
	if (status == 0)
		work_add_parts(dealing->work);
	pthread_mutex_destroy(&run->lock);
	free(run);
	return status;
}
