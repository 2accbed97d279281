/* level_fit.c - of the jobs that fit now, the one whose smallest level is the lowest goes first */
#include "place/run/loop.h"
#include "place/queue/queue.h"

/* The most idle nodes that a domain of a tier has. */
static int most_idle(const struct machine *machine, int tier)
{
	int most = 0;

	if (tier == 0) {
		for (most = machine->most; most > 0; most--)
			if (machine_router_with(machine, most, 0) >= 0)
				break;
		return most;
	}
	for (int d = 0; d < machine->ndomains[tier]; d++)
		if (machine->nidle_of[tier][d] > most)
			most = machine->nidle_of[tier][d];
	return most;
}

/* The first job that fits the level, and no lower one; 1, 0, -1. */
static int start_one(struct loop *loop, int nlower, int most, const char *how, struct err *err)
{
	for (int place = pending_next_fitting(&loop->pending, 0, most, INT64_MAX, 0); place >= 0;
	     place = pending_next_fitting(&loop->pending, place + 1, most, INT64_MAX, 0)) {
		int status = 0;

		if (loop_job(loop, place)->nnodes > nlower)
			status = loop_try(loop, place, how, err);
		if (status != 0)
			return status;
	}
	return 0;
}

/* Of those that came, and of all where time alone decides something: who can never start would hold
 * up those that wait for its end. */
static int refuse_impossible(struct loop *loop, struct err *err)
{
	bool is_timed = loop->has_relaxed || site_rules_have_endless(&loop->run->schedule->rules);
	int first = is_timed ? 0 : loop->first_new;

	for (int place = pending_next(&loop->pending, first); place >= 0;
	     place = pending_next(&loop->pending, place + 1)) {
		int status = loop_is_possible(loop, place, err);

		if (status < 0)
			return -1;
		if (status == 0)
			loop_refuse(loop, place);
	}
	return 0;
}

static int pass(struct loop *loop, struct err *err)
{
	const struct schedule *schedule = loop->run->schedule;
	const struct machine *machine = &schedule->machine;
	struct buf how = {0};
	int status;

	do {
		int nlower = 0;

		status = 0;
		for (int tier = 0; tier <= machine->ntiers && status == 0; tier++) {
			int most = tier < machine->ntiers ? most_idle(machine, tier)
							  : sched_most(schedule);

			buf_clear(&how);
			buf_printf(&how, "fits a %s",
				   tier < machine->ntiers ? schedule->topo->tiers[tier].name
							  : "machine");
			status = start_one(loop, nlower, most, buf_text(&how), err);
			nlower = most;
		}
	} while (status == 1);
	buf_free(&how);
	return status < 0 ? -1 : refuse_impossible(loop, err);
}

static int run_all(struct run *run, struct err *err)
{
	static const struct loop_policy policy = {.pass = pass};

	return loop_run(run, &policy, err);
}

const struct queue_policy queue_level_fit = {
	.entry = {.name = "level-fit",
		  .example = "level-fit",
		  .summary = "the job that fits now and fits the smallest level: router, "
			     "group or machine",
		  .paper = "after Zhang et al., Level-Spread, §VII",
		  .params = (const struct param[]){LOOP_TIMES, {0}}},
	.is_recorded = true,
	.run = run_all,
};
