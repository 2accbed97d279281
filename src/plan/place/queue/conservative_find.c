/* conservative_find.c - the first time at which a job finds nodes */
#include <string.h>

#include "place/queue/conservative_plan.h"

/* Whether a job finds nodes among those that are idle from a time on, all its length; then
 * loop->nodes. 1, 0, -1 */
static int find_nodes_at(struct loop *loop, int place, int64_t start_ns, const uint64_t *idle,
			 struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	int status;

	plan->was_sure = true;
	if (sched_is_plain(loop->run->schedule, job) &&
	    sched_fits(loop->run->schedule, job, idle) == 0)
		return 0;
	status = conservative_choose(loop, place, start_ns, idle, err);
	plan->was_sure = sched_is_sure(loop->run->schedule);
	return status;
}

bool conservative_is_repeatable(const struct loop *loop, int place)
{
	const struct schedule *schedule = loop->run->schedule;

	if (schedule->confine == NULL)
		return schedule->alloc->policy->first != NULL && !schedule->is_selective;
	return sched_is_repeatable(schedule, loop_job(loop, place));
}

void conservative_note_among(struct loop *loop, int place, const uint64_t *idle)
{
	struct conservative *plan = loop->state;
	size_t bytes = (size_t)plan->profile.nwords * sizeof(*idle);

	if (!conservative_is_repeatable(loop, place))
		return;
	if (plan->at[place].among == NULL)
		plan->at[place].among = xmalloc(bytes);
	memcpy(plan->at[place].among, idle, bytes);
}

/* The same, whatever the time. */
static int find_nodes_then(struct loop *loop, int place, int64_t start_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);

	plan->was_sure = true;
	if (profile_common(&plan->profile, start_ns, loop_length(loop, job), plan->idle) <
	    job->nnodes)
		return 0;
	return find_nodes_at(loop, place, start_ns, plan->idle, err);
}

/*
 * Where searches are long, so many starts at which one gives up are tried in turn; then every
 * second one, then every fourth, and so on, and the last one.
 */
enum { TRIES_IN_TURN = 16 };

/* Slices at whose beginnings a job may find nodes. */
struct starts {
	int64_t first_ns; /* of none before is there room */
	int64_t time_ns;  /* the one to try */
	uint64_t *idle;
	size_t slice; /* the last one that was looked at; SIZE_MAX: none yet */
	uint64_t *common;
	bool is_ahead; /* and it was left for later */
	int to_skip, stride, nunsure;
};

static int64_t slice_ns(const struct loop *loop, const struct starts *starts)
{
	const struct conservative *plan = loop->state;

	return plan->profile.slices.at[starts->slice].from_ns;
}

/* The next one to try before a time. */
static bool next_start(struct loop *loop, int place, struct starts *starts, int64_t before_ns)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	bool has_skipped = false;
	int nidle;

	for (int i = 0;
	     starts->is_ahead ||
	     profile_next_start(&plan->profile, starts->first_ns, job->nnodes,
				loop_length(loop, job), &starts->slice, &starts->common, &nidle);
	     i++) {
		starts->is_ahead = slice_ns(loop, starts) >= before_ns;
		if (starts->is_ahead)
			break;
		starts->time_ns = slice_ns(loop, starts);
		starts->idle = starts->common;
		if (i >= starts->to_skip)
			return true;
		has_skipped = true;
	}
	if (!has_skipped)
		return false;
	profile_common(&plan->profile, starts->time_ns, loop_length(loop, job), plan->idle);
	starts->idle = plan->idle;
	return true;
}

/* Nothing was found: how many of those that come next need not be tried. */
static void look_further(struct loop *loop, struct starts *starts)
{
	struct conservative *plan = loop->state;

	if (!plan->was_sure && sched_is_long(loop->run->schedule)) {
		plan->ngave_up++;
		if (++starts->nunsure >= TRIES_IN_TURN)
			starts->stride *= 2;
	}
	starts->to_skip = starts->stride - 1;
}

/* The first start of a slice, before a time, at which the nodes can be had. 1, 0, -1 */
static int find_slice(struct loop *loop, int place, struct starts *starts, int64_t before_ns,
		      struct err *err)
{
	while (next_start(loop, place, starts, before_ns)) {
		int status = find_nodes_at(loop, place, starts->time_ns, starts->idle, err);

		if (status == 1)
			conservative_note_among(loop, place, starts->idle);
		if (status != 0)
			return status;
		look_further(loop, starts);
	}
	return 0;
}

/* When a wait is over, unless that is the start of the slice that comes next. 1, 0, -1 */
static int find_relaxed(struct loop *loop, int place, struct starts *starts, int64_t relax_ns,
			struct err *err)
{
	int status;

	if (starts->is_ahead && slice_ns(loop, starts) == relax_ns)
		return 0;
	starts->time_ns = relax_ns;
	status = find_nodes_then(loop, place, relax_ns, err);
	if (status == 0)
		look_further(loop, starts);
	return status;
}

/* Links and I/O nodes may be free from the end of a job or of a reservation on, though the nodes
 * are taken at once by another. */
static void cut_at_ends(struct loop *loop, int place)
{
	struct conservative *plan = loop->state;

	for (size_t i = 0; i < loop->running.of.n; i++)
		profile_cut(&plan->profile, loop_planned(loop, &loop->running.of.at[i]));
	for (int other = pending_next(&loop->pending, 0); other >= 0;
	     other = pending_next(&loop->pending, other + 1)) {
		const struct reservation *at = &plan->at[other];

		if (other != place && at->nodes.n > 0 && at->start_ns != INT64_MAX)
			profile_cut(
				&plan->profile,
				time_after(at->start_ns, loop_length(loop, loop_job(loop, other))));
	}
}

/* The first start at which the nodes can be had: when some become idle, or a wait is over. What was
 * not to be had until then may be now: none is skipped before another search gives up. */
int conservative_find(struct loop *loop, int place, int64_t first_ns, int64_t *start_ns,
		      struct err *err)
{
	struct conservative *plan = loop->state;
	struct starts starts = {.first_ns = first_ns, .slice = SIZE_MAX};
	int64_t relax_ns = plan->profile.slices.at[0].from_ns;
	int status;

	if (plan->meets_others)
		cut_at_ends(loop, place);
	do {
		relax_ns = sched_relaxes_at(loop->run->schedule, loop_job(loop, place), relax_ns);
		starts.stride = 1;
		starts.to_skip = 0;
		status = find_slice(loop, place, &starts,
				    relax_ns != JOB_NO_TIME ? relax_ns : INT64_MAX, err);
		if (status == 0 && relax_ns != JOB_NO_TIME)
			status = find_relaxed(loop, place, &starts, relax_ns, err);
	} while (status == 0 && relax_ns != JOB_NO_TIME);
	if (plan->meets_others)
		profile_join(&plan->profile);
	*start_ns = status == 1 ? starts.time_ns : INT64_MAX;
	return status < 0 ? -1 : 0;
}

int conservative_find_now(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	int64_t now_ns = loop->run->now_ns;
	int status = find_nodes_then(loop, place, now_ns, err);

	if (status == 1)
		conservative_note_among(loop, place, plan->idle);
	else if (status == 0 && !plan->was_sure && sched_is_long(loop->run->schedule))
		plan->ngave_up++;
	return status;
}
