/* conservative.c - conservative backfilling: every job has a reservation that only gets better */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "place/run/confine.h"
#include "place/queue/conservative_plan.h"
#include "place/queue/queue.h"

/*
 * With more jobs that wait than MOST_RESERVED only the first ones have reservations, unless depth=
 * says how many: each early end looks at all reservations again, and moves a third of them. Where
 * reservations name nodes each is a set of words, and their number is bounded, too.
 */
enum { MOST_RESERVED = 2000, MOST_WORDS = 32768, DEPTH_BEYOND = 100 };

static int conservative_open(struct loop *loop, struct err *err)
{
	struct conservative *plan = xcalloc(1, sizeof(*plan));
	size_t n = (size_t)loop->nplaces + 1;
	int nwords = (loop->run->schedule->topo->nnodes + 63) / 64;

	(void)err;
	plan->by_nodes = pick_is(loop->run->schedule->queue, "reserve", "nodes") ||
			 !sched_is_counted(loop->run->schedule, NULL, JOB_NO_TIME);
	plan->meets_others = loop->run->schedule->confine != NULL &&
			     confine_needs_holders(loop->run->schedule->confine);
	plan->at = xcalloc(n, sizeof(*plan->at));
	plan->idle = xcalloc((size_t)nwords, sizeof(*plan->idle));
	plan->was_late = true; /* nothing is planned yet */
	plan->last = -1;
	plan->depth = INT_MAX;
	plan->most = MOST_RESERVED;
	if (plan->by_nodes && MOST_WORDS / nwords < plan->most)
		plan->most =
			MOST_WORDS / nwords > DEPTH_BEYOND ? MOST_WORDS / nwords : DEPTH_BEYOND;
	loop->state = plan;
	return 0;
}

static void renumber(struct loop *loop, const int *place_of, int nbefore)
{
	struct conservative *plan = loop->state;
	struct reservation *at = xcalloc((size_t)loop->nplaces + 1, sizeof(*at));
	int last;

	for (int place = 0; place < nbefore; place++)
		if (place_of[place] >= 0)
			at[place_of[place]] = plan->at[place];
		else
			conservative_drop(&plan->at[place]);
	for (last = plan->last; last >= 0 && place_of[last] < 0;)
		last--;
	plan->last = last >= 0 ? place_of[last] : -1;
	free(plan->at);
	plan->at = at;
	loop_renumber_ends(&plan->starts, place_of, -1);
}

static void close(struct loop *loop)
{
	struct conservative *plan = loop->state;

	for (int i = 0; i < loop->nplaces; i++)
		conservative_drop(&plan->at[i]);
	free(plan->at);
	free(plan->starts.heap.at);
	free(plan->idle);
	free(plan->released.at);
	free(plan->steps.at);
	profile_free(&plan->profile);
	room_free(&plan->room);
	free(plan);
}

/* ---- the profile ---- */

/* The nodes that a job's end gives back, into plan->released. */
static void list_released(struct loop *loop, int job)
{
	const struct schedule *schedule = loop->run->schedule;
	struct conservative *plan = loop->state;
	const int_vec *nodes = &loop->run->outcomes[job].nodes;

	plan->released.n = 0;
	for (size_t i = 0; i < nodes->n; i++)
		if (schedule->holder[nodes->at[i]] == job &&
		    schedule->use[nodes->at[i]] != NODE_AWAY)
			vec_push(&plan->released, nodes->at[i]);
}

/* Anew, of what runs now. */
static void make_profile(struct loop *loop)
{
	struct conservative *plan = loop->state;
	const struct machine *machine = &loop->run->schedule->machine;

	room_reset(&plan->room, loop->run->now_ns, machine->nidle);
	if (plan->by_nodes)
		profile_reset(&plan->profile, loop->run->now_ns, machine->nidle,
			      machine->idle.level[0], machine->idle.nwords[0]);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns == INT64_MAX)
			break;
		list_released(loop, loop->running.of.at[i].job);
		conservative_change_plan(plan, end_ns, INT64_MAX, plan->released.at,
					 (int)plan->released.n, true);
	}
}

/* Nothing is reserved any more. */
static void forget_all(struct loop *loop)
{
	struct conservative *plan = loop->state;

	for (int place = pending_next(&loop->pending, 0); place >= 0 && place <= plan->last;
	     place = pending_next(&loop->pending, place + 1))
		plan->at[place].start_ns = INT64_MAX;
}

static void ended(struct loop *loop, int job)
{
	struct conservative *plan = loop->state;

	plan->has_freed |= loop->planned_end[job] > loop->run->now_ns;
	if (plan->was_late)
		return; /* the profile is made anew anyway */
	list_released(loop, job);
	conservative_change_plan(plan, loop->run->now_ns, loop->planned_end[job], plan->released.at,
				 (int)plan->released.n, true);
}

/* What is reserved for a job that leaves is free again. */
static void left(struct loop *loop, int place)
{
	struct conservative *plan = loop->state;

	if (!plan->was_late && plan->at[place].start_ns != INT64_MAX)
		conservative_forget(loop, place);
	plan->at[place].start_ns = INT64_MAX;
	plan->has_freed = true;
}

/* Jobs behind the last one that has a reservation get one, as many as are to have one; those behind
 * these start now, or wait. */
static int reserve_rest(struct loop *loop, struct err *err)
{
	struct conservative *plan = loop->state;
	int place = pending_next(&loop->pending, plan->last + 1);

	for (; place >= 0 && plan->nreserved < plan->depth;
	     place = pending_next(&loop->pending, place + 1)) {
		plan->last = place;
		plan->nreserved++;
		if (conservative_reserve(loop, place, false, err) != 0)
			return -1;
		plan->nreserved -= loop->run->outcomes[loop->job_at[place]].is_decided;
	}
	if (plan->depth == INT_MAX)
		return 0;
	return conservative_backfill(loop, plan->last + 1, err);
}

static int reserve_all(struct loop *loop, bool may_keep, struct err *err)
{
	struct conservative *plan = loop->state;

	if (!may_keep)
		plan->last = -1;
	plan->nreserved = 0;
	for (int place = pending_next(&loop->pending, 0); place >= 0 && place <= plan->last;
	     place = pending_next(&loop->pending, place + 1)) {
		if (conservative_reserve(loop, place, true, err) != 0)
			return -1;
		plan->nreserved += !loop->run->outcomes[loop->job_at[place]].is_decided;
	}
	return reserve_rest(loop, err);
}

/* How many jobs are to have reservations now. */
static int depth_now(const struct loop *loop)
{
	const struct conservative *plan = loop->state;
	int64_t depth = pick_int(loop->run->schedule->queue, "depth");

	if (depth > 0)
		return (int)depth;
	return loop->pending.n > plan->most ? DEPTH_BEYOND : INT_MAX;
}

/* Those that are too many give their reservations back, from the end of the queue on. */
static void set_depth(struct loop *loop)
{
	struct conservative *plan = loop->state;
	int place = pending_next(&loop->pending, 0), n = 0, last = -1;

	plan->depth = depth_now(loop);
	if (plan->depth < INT_MAX && pick_int(loop->run->schedule->queue, "depth") == 0 &&
	    !plan->has_told) {
		warn("-q conservative: %d jobs wait: while there are more than %d, only the first %d "
		     "have reservations (depth=)",
		     loop->pending.n, plan->most, DEPTH_BEYOND);
		plan->has_told = true;
	}
	if (plan->nreserved <= plan->depth)
		return;
	for (; place >= 0 && place <= plan->last; place = pending_next(&loop->pending, place + 1))
		if (n++ >= plan->depth)
			conservative_forget(loop, place);
		else
			last = place;
	plan->last = last;
	plan->nreserved = plan->depth;
}

static bool is_late(const struct loop *loop)
{
	return loop->running.of.n > 0 && loop->running.of.at[0].end_ns <= loop->run->now_ns;
}

/* A start was planned for a time that fell between events that settled. */
static bool has_missed(const struct loop *loop)
{
	const struct conservative *plan = loop->state;

	if (loop->settle_ns == 0)
		return false;
	for (int place = pending_next(&loop->pending, 0); place >= 0 && place < loop->first_new;
	     place = pending_next(&loop->pending, place + 1))
		if (plan->at[place].start_ns < loop->run->now_ns)
			return true;
	return false;
}

/* Starts whose time has come. */
static int start_due(struct loop *loop, struct err *err)
{
	struct conservative *plan = loop->state;
	int64_t now_ns = loop->run->now_ns;
	int place;

	while ((place = ends_next(&plan->starts, now_ns)) >= 0)
		if (!loop->run->outcomes[loop->job_at[place]].is_decided &&
		    plan->at[place].start_ns == now_ns) {
			plan->nreserved--;
			if (conservative_start(loop, place, "its reservation", err) != 0)
				return -1;
		}
	return 0;
}

/*
 * Nothing freed, nothing moves: a reservation could only get better where a job ended before its
 * plan, or an earlier job of the queue moved when it was last looked at. New ones only take away;
 * but where nodes are chosen otherwise than as the first of an order, they may change what is
 * chosen.
 */
static bool may_move(const struct loop *loop)
{
	const struct conservative *plan = loop->state;
	const struct schedule *schedule = loop->run->schedule;
	bool is_first_of_order =
		schedule->alloc->policy->first != NULL && schedule->confine == NULL;

	if (loop->has_relaxed || plan->has_freed)
		return true;
	if (sched_is_long(schedule))
		return false;
	return plan->has_moved || (plan->has_added && plan->by_nodes && !is_first_of_order) ||
	       (plan->by_nodes && schedule->alloc->policy->first == NULL);
}

static int pass_once(struct loop *loop, struct err *err)
{
	struct conservative *plan = loop->state;

	for (int place = loop->first_new; place < loop->ncome; place++)
		plan->at[place].start_ns = INT64_MAX;
	set_depth(loop);
	if (plan->was_late || is_late(loop) || has_missed(loop)) {
		/* no promise can be held */
		make_profile(loop);
		forget_all(loop);
		plan->has_moved = true;
		plan->is_quiet = false;
		plan->was_late = is_late(loop);
		return reserve_all(loop, false, err);
	}
	room_advance(&plan->room, loop->run->now_ns);
	if (plan->by_nodes)
		profile_advance(&plan->profile, loop->run->now_ns);
	if ((loop->has_ended || loop->has_relaxed) && may_move(loop)) {
		plan->is_quiet = !plan->has_freed && !plan->has_moved;
		plan->has_freed = plan->has_moved = plan->has_added = false;
		plan->ngave_up = 0;
		return reserve_all(loop, true, err);
	}
	if (start_due(loop, err) != 0)
		return -1;
	return reserve_rest(loop, err);
}

/* Where a job left when its turn came, the others are looked at again. */
static int pass(struct loop *loop, struct err *err)
{
	struct conservative *plan = loop->state;
	int status = pass_once(loop, err);

	while (status == 0 && plan->has_dropped) {
		plan->has_dropped = plan->has_freed = plan->is_quiet = false;
		plan->has_moved = true;
		status = reserve_all(loop, true, err);
	}
	return status;
}

/*
 * As long as a job is late, nothing is an event that is planned for a time before the next planned
 * end of another: until then nothing gets idle but by the end that is overdue.
 */
static int64_t first_event(const struct loop *loop)
{
	const struct conservative *plan = loop->state;
	int64_t now_ns = loop->run->now_ns;

	for (size_t i = 0; plan->was_late && i < loop->running.of.n; i++)
		if (loop->running.of.at[i].end_ns > now_ns)
			return loop->running.of.at[i].end_ns;
	return plan->was_late ? INT64_MAX : now_ns + 1;
}

static int64_t wakes_at(struct loop *loop)
{
	struct conservative *plan = loop->state;
	int64_t earliest_ns = first_event(loop);

	for (;;) {
		int64_t first_ns = ends_first(&plan->starts);
		int place;

		if (first_ns == INT64_MAX)
			return INT64_MAX;
		place = plan->starts.heap.at[0].job;
		if (first_ns >= earliest_ns && plan->at[place].start_ns == first_ns &&
		    !loop->run->outcomes[loop->job_at[place]].is_decided)
			return first_ns;
		ends_next(&plan->starts, INT64_MAX - 1);
	}
}

static void why(struct loop *loop, int place, struct buf *text)
{
	(void)loop;
	(void)place;
	buf_str(text, "would delay reservations");
}

static int64_t promise(const struct loop *loop, int place)
{
	const struct conservative *plan = loop->state;

	return plan->at[place].start_ns;
}

static int run_all(struct run *run, struct err *err)
{
	static const struct loop_policy policy = {.open = conservative_open,
						  .close = close,
						  .ended = ended,
						  .left = left,
						  .pass = pass,
						  .wakes_at = wakes_at,
						  .why = why,
						  .renumber = renumber,
						  .promise = promise};

	return loop_run(run, &policy, err);
}

const struct queue_policy queue_conservative = {
	.entry = {.name = "conservative",
		  .example = "conservative:reserve=nodes",
		  .summary = "conservative backfilling: a job may overtake if no earlier "
			     "job starts later than promised",
		  .paper = "Mu'alem and Feitelson, IEEE TPDS 12 (6), 2001",
		  .params =
			  (const struct param[]){
				  {.key = "reserve",
				   .type = PARAM_WORD,
				   .choices = "room|nodes",
				   .def = "room",
				   .meaning = "what a reservation holds: a number of "
					      "nodes, or the nodes themselves (always the"
					      " case if a policy or constraint may refuse"
					      " idle nodes)"},
				  {.key = "depth",
				   .type = PARAM_INT,
				   .def = "0",
				   .min = 0,
				   .max = INT_MAX,
				   .meaning = "how many jobs, the first of the queue, have "
					      "reservations; those behind start if they delay "
					      "none of these (0: all, but the first 100 while "
					      "more than 2000 jobs wait; fewer if "
					      "reservations hold nodes of a large machine)"},
				  LOOP_TIMES,
				  LOOP_MARGIN,
				  {0}}},
	.is_recorded = true,
	.plans_ahead = true,
	.run = run_all,
};
