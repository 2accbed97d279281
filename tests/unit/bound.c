/* bound.c - the bound of a node's makespan beside the best of all static schedules: each job alone
 * on a set of devices, in every order */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "cosched/bound.h"
#include "cosched/state/set_time.h"

enum { MOST_JOBS = 5 };

struct world {
	struct devices devices;
	struct kernel kernels[MOST_JOBS];
	struct node_profile profiles[MOST_JOBS]; /* opening and closing are part of the copies */
	engine_jobs jobs;
	int64_t best_ns;
};

static int64_t some(struct rng *rng, int64_t most)
{
	return (int64_t)rng_below(rng, (uint64_t)most + 1) * 1000000;
}

static void make(struct world *world, struct rng *rng)
{
	/* five have 2 million schedules: few of those */
	int njobs = rng_below(rng, 40) == 0 ? MOST_JOBS : 1 + (int)rng_below(rng, MOST_JOBS - 1);
	int64_t arrival_ns = 0;

	memset(world, 0, sizeof(*world));
	world->devices.n = 1 + (int)rng_below(rng, 3);
	for (int d = 0; d < world->devices.n; d++) {
		world->devices.at[d].open_ns = some(rng, 20);
		world->devices.at[d].close_ns = some(rng, 5);
	}
	for (int j = 0; j < njobs; j++) {
		struct kernel *kernel = &world->kernels[j];

		kernel->slices = 1 + (int64_t)rng_below(rng, 12);
		for (int d = 0; d < world->devices.n; d++) {
			kernel->slice_ns[d] =
				d > 0 && rng_below(rng, 4) == 0 ? 0 : 1000000 + some(rng, 60);
			kernel->copy_in_ns[d] = some(rng, 30);
			kernel->copy_out_ns[d] = some(rng, 10);
		}
		arrival_ns += some(rng, 100);
		vec_push(&world->jobs, ((struct engine_job){.id = j,
							    .arrival_ns = arrival_ns,
							    .init_ns = some(rng, 50),
							    .launches = 1,
							    .kernel = kernel}));
		engine_profile(&world->profiles[j], kernel, 1);
		for (int d = 0; d < world->devices.n; d++) {
			world->profiles[j].copy_in_ns[d] += world->devices.at[d].open_ns;
			world->profiles[j].copy_out_ns[d] += world->devices.at[d].close_ns;
		}
	}
	world->best_ns = NODE_NEVER;
}

/* All that come next, in every order and on every set. */
static void try_all(struct world *world, unsigned done, const int64_t *free_ns, int64_t end_ns)
{
	if (done == (1U << world->jobs.n) - 1) {
		world->best_ns = end_ns < world->best_ns ? end_ns : world->best_ns;
		return;
	}
	for (size_t j = 0; j < world->jobs.n; j++)
		for (uint32_t set = 1; set < 1U << world->devices.n && (done >> j & 1) == 0;
		     set++) {
			int64_t t_ns = node_profile_ns(&world->profiles[j], set),
				next_ns[NODE_DEVICES];
			int64_t start_ns = world->jobs.at[j].arrival_ns;

			if (t_ns == NODE_NEVER)
				continue;
			for (int d = 0; d < world->devices.n; d++)
				if ((set >> d & 1) != 0 && free_ns[d] > start_ns)
					start_ns = free_ns[d];
			start_ns += world->jobs.at[j].init_ns + t_ns;
			for (int d = 0; d < world->devices.n; d++)
				next_ns[d] = (set >> d & 1) != 0 ? start_ns : free_ns[d];
			try_all(world, done | 1U << j, next_ns,
				start_ns > end_ns ? start_ns : end_ns);
		}
}

int main(void)
{
	struct rng rng = rng_make(1, "test", NULL, NULL);
	const int64_t free_ns[NODE_DEVICES] = {0};
	double ratio = 0, nearest = 0, seconds;
	struct err err;

	for (int i = 0; i < 1500; i++) {
		struct world world;

		make(&world, &rng);
		if (bound_makespan(&world.devices, &world.jobs, &seconds, &err) != 0) {
			CHECK(strstr(err.msg, "without lp_solve") != NULL);
			vec_free(&world.jobs);
			return check_done();
		}
		try_all(&world, 0, free_ns, 0);
		CHECK(seconds > 0 && seconds <= (double)world.best_ns / 1e9);
		ratio += seconds / ((double)world.best_ns / 1e9) / 1500;
		nearest = fmax(nearest, seconds / ((double)world.best_ns / 1e9));
		vec_free(&world.jobs);
	}
	/* near enough to say something: one job on one device is met */
	CHECK(ratio > 0.85 && nearest > 0.999999 && nearest <= 1);
	return check_done();
}
