/* live_elastic.c - devices come and go in the midst of a kernel: each slice is done once,
 * and right */
#include <pthread.h>
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "live/runtime/dealing.h"

enum { HOSTS = 3, TRIES = 1000, SLICES = 48, N = 1000 };

/* A world in which the set changes by chance, and who counts the slices. */
struct world {
	struct rng rng;
	uint32_t set, all;
	int chance; /* that a poll changes it, in percent */
	int64_t ndone[1024];
	bool keeps_open, is_empty;
};

static uint32_t any_set(struct world *world)
{
	return 1 + (uint32_t)rng_below(&world->rng, world->all);
}

static uint32_t poll_world(void *context, int64_t left)
{
	struct world *world = context;

	if (left > 0 && (int)rng_below(&world->rng, 100) < world->chance)
		world->set = any_set(world);
	return world->set;
}

static int release(void *context, uint32_t closed, uint32_t *set, struct err *err)
{
	struct world *world = context;

	(void)err;
	/* where devices stay open, a larger set closes none */
	world->is_empty = world->is_empty || (closed == 0 && !world->keeps_open);
	/* it may have become another set meanwhile */
	if (rng_below(&world->rng, 4) == 0)
		world->set = any_set(world);
	*set = world->set;
	return 0;
}

static void count(void *context, int device, int64_t number, int64_t start_ns, int64_t end_ns)
{
	struct world *world = context;

	(void)device;
	world->ndone[number]++;
	CHECK(end_ns >= start_ns);
}

/* What share/examples-data/square.cl does, and a sum of both kinds. */
static void square(void *context, void *const *copies, struct slice slice)
{
	const float *in = copies[0];
	float *out = copies[1], *sum = copies[3];
	uint32_t *group = copies[2], *hash = copies[4];

	(void)context;
	for (int64_t i = slice.first; i < slice.first + slice.count; i++) {
		out[i] = in[i] * in[i];
		group[i] = (uint32_t)(i / 10);
		sum[0] += in[i];
		hash[0] += (uint32_t)(i * i);
	}
}

static void load(struct work *work)
{
	struct work_options options = {.nslices = SLICES};
	struct err err = {0};

	CHECK_INT(work_load(work, "tests/live/sums.yaml", &options, &err), 0);
	if (err.msg[0] != '\0')
		printf("%s\n", err.msg);
}

static void compare(const struct work *work, const struct work *whole)
{
	int nwrong = 0;

	for (int i = 0; i < work->nargs; i++)
		nwrong += work->args[i].is_written &&
			  memcmp(work->args[i].host, whole->args[i].host, work->args[i].bytes) != 0;
	CHECK_INT(nwrong, 0);
}

static void check_counts(const struct world *world, int64_t n)
{
	int nwrong = 0;

	for (int64_t i = 0; i < n; i++)
		nwrong += world->ndone[i] != 1;
	CHECK_INT(nwrong, 0);
	CHECK(!world->is_empty);
}

static int64_t one_try(int number, const struct work *first)
{
	struct host_device host = {.function = square};
	struct live_device devices[HOSTS] = {{"x", &host_runtime, &host},
					     {"y", &host_runtime, &host},
					     {"z", &host_runtime, &host}};
	struct world world = {.all = 7,
			      .set = 1 + (uint32_t)number % 7,
			      .chance = number % 40,
			      .keeps_open = number % 2 == 0};
	struct work work;
	struct dealing dealing = {.work = &work,
				  .devices = devices,
				  .ndevices = HOSTS,
				  .set = world.set,
				  .keeps_open = world.keeps_open,
				  .warms_up = number % 5 == 0,
				  .context = &world,
				  .poll = poll_world,
				  .release = release,
				  .slice = count};
	struct dealing_costs costs;
	struct err err;

	world.rng = rng_make((uint64_t)number, "elastic", NULL, NULL);
	load(&work);
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	check_counts(&world, work.slicing.n);
	/* sums of floats, too: their order is that of the slices */
	compare(&work, first);
	work_free(&work);
	return costs.nswitches;
}

/* ---- devices of other speeds ---- */

/* Each slice ends in its turn by a clock that all devices share: no true time is in it. */
struct turns {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	int64_t slice_ns[HOSTS], end_ns[HOSTS], nstarted, n;
	bool runs[HOSTS];
};

struct turn_device {
	struct host_device host; /* first: the host's runtime does the slice */
	struct turns *turns;
	int number;
};

static bool is_next(const struct turns *turns, int mine)
{
	for (int d = 0; d < HOSTS; d++)
		if (d != mine && (turns->runs[d] || turns->nstarted < turns->n) &&
		    (turns->end_ns[d] < turns->end_ns[mine] ||
		     (turns->end_ns[d] == turns->end_ns[mine] && d < mine)))
			return false;
	return true;
}

static void in_turn(void *context, void *const *copies, struct slice slice)
{
	struct turn_device *device = context;
	struct turns *turns = device->turns;
	int d = device->number;

	(void)copies;
	(void)slice;
	pthread_mutex_lock(&turns->lock);
	turns->nstarted++;
	turns->runs[d] = true;
	turns->end_ns[d] += turns->slice_ns[d];
	pthread_cond_broadcast(&turns->moved);
	while (!is_next(turns, d))
		pthread_cond_wait(&turns->moved, &turns->lock);
	turns->runs[d] = false;
	pthread_cond_broadcast(&turns->moved);
	pthread_mutex_unlock(&turns->lock);
}

/* Slices divide as rates do, within one slice: Mandelbrot's of the dissertation, 1,
 * 1/1.43, 1/1.57. */
static void rates(int64_t n)
{
	static const double slower[HOSTS] = {1, 1.43, 1.57};
	struct turns turns = {
		.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER, .n = n};
	struct turn_device own[HOSTS];
	struct live_device devices[HOSTS];
	struct range range = {.dims = 1, .global = {n, 1, 1}, .local = {1, 1, 1}};
	struct work work = {.range = range};
	struct dealing dealing = {.work = &work, .devices = devices, .ndevices = HOSTS, .set = 7};
	struct dealing_costs costs;
	struct err err;
	double all = 0;

	for (int d = 0; d < HOSTS; d++) {
		own[d] = (struct turn_device){{in_turn, &own[d]}, &turns, d};
		devices[d] = (struct live_device){"d", &host_runtime, &own[d].host};
		turns.slice_ns[d] = (int64_t)(slower[d] * 1e6);
		all += 1 / slower[d];
	}
	CHECK_INT(slicing_make(&work.slicing, &range, 0, n, false, &err), 0);
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	for (int d = 0; d < HOSTS; d++) {
		double expected = (double)n / slower[d] / all;

		CHECK((double)costs.nslices[d] > expected - 1 &&
		      (double)costs.nslices[d] < expected + 1);
	}
}

int main(void)
{
	struct host_device host = {.function = square};
	struct live_device device = {"x", &host_runtime, &host};
	struct work first;
	struct dealing dealing = {.work = &first, .devices = &device, .ndevices = 1, .set = 1};
	struct dealing_costs costs;
	int64_t nswitches = 0;
	struct err err;

	load(&first);
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	for (int i = 0; i < N; i++) {
		const float *in = (const float *)(void *)first.args[0].host;
		const float *out = (const float *)(void *)first.args[1].host;

		if (i % 100 == 0)
			CHECK(out[i] == in[i] * in[i]);
	}
	for (int i = 0; i < TRIES; i++)
		nswitches += one_try(i, &first);
	CHECK(nswitches > TRIES);
	for (int64_t n = 16; n <= 1024; n *= 4)
		rates(n);
	work_free(&first);
	return check_done();
}
