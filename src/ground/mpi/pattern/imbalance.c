/* imbalance.c - computation that takes some ranks longer than others */
#include "mpi/pattern/pattern.h"
#include "base/rng.h"

static const struct param params[] = {
	{.key = "spread",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1000,
	 .def = "0.1",
	 .meaning = "largest extra time of a rank, as a fraction of the job's compute_s"},
	{0}};

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	double most_ps = pick_real(part->pick, "spread") * (double)part->job->compute_ps;
	struct rng rng;

	if (cursor->step++ > 0 || most_ps < 1)
		return;
	rng = rng_make(part->job->seed, "imbalance", part->job->run, part->job->job);
	rng.counter = (uint64_t)rank << 40 ^ (uint64_t)cursor->iteration;
	op->kind = OP_COMPUTE;
	op->duration_ps = pattern_duration(rng_unit(&rng) * most_ps);
}

const struct pattern pattern_imbalance = {
	.entry = {.name = "imbalance",
		  .example = "imbalance:spread=0.2+allreduce",
		  .summary = "no messages: each rank computes longer than compute_s, by a "
			     "uniformly random time per iteration; in a sum, other ranks "
			     "then wait for it",
		  .params = params},
	.next = next,
};
