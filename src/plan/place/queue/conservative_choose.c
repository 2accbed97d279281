/* conservative_choose.c - the nodes of a reservation, beside those who run then */
#include "place/queue/conservative_plan.h"
#include "place/run/confine.h"

/* The jobs that run beside a job that starts at a time, or are planned to. */
static void meet_others(struct loop *loop, int place, int64_t start_ns)
{
	const struct conservative *plan = loop->state;
	struct confine *confine = loop->run->schedule->confine;
	int64_t end_ns = time_after(start_ns, loop_length(loop, loop_job(loop, place)));

	confine_plan(confine);
	for (size_t i = loop->running.of.n; i-- > 0;) {
		if (loop_planned(loop, &loop->running.of.at[i]) <= start_ns)
			break;
		confine_plan_job(loop->run->schedule, loop->running.of.at[i].job);
	}
	for (int other = pending_next(&loop->pending, 0); other >= 0;
	     other = pending_next(&loop->pending, other + 1)) {
		const struct reservation *at = &plan->at[other];
		int64_t length_ns = loop_length(loop, loop_job(loop, other));

		if (other != place && at->nodes.n > 0 && at->start_ns != INT64_MAX &&
		    at->start_ns < end_ns && time_after(at->start_ns, length_ns) > start_ns)
			confine_plan_add(confine, at->nodes.at, (int)at->nodes.n, &at->points);
	}
}

int conservative_choose(struct loop *loop, int place, int64_t start_ns, const uint64_t *idle,
			struct err *err)
{
	struct conservative *plan = loop->state;
	int status;

	if (plan->meets_others)
		meet_others(loop, place, start_ns);
	status = loop_choose_among(loop, place, idle, start_ns, err);
	if (plan->meets_others)
		confine_plan_end(loop->run->schedule->confine);
	return status;
}
