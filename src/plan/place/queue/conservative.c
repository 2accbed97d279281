/* conservative.c - conservative backfilling: every job has a reservation that only gets better */
#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/queue/conservative_plan.h"
#include "place/queue/queue.h"

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
	loop->state = plan;
	return 0;
}

static void drop(struct reservation *reservation)
{
	free(reservation->nodes.at);
	free(reservation->among);
	free(reservation->points.at);
	free(reservation->reason);
	*reservation = (struct reservation){0};
}

static void renumber(struct loop *loop, const int *place_of, int nbefore)
{
	struct conservative *plan = loop->state;
	struct reservation *at = xcalloc((size_t)loop->nplaces + 1, sizeof(*at));

	for (int place = 0; place < nbefore; place++)
		if (place_of[place] >= 0)
			at[place_of[place]] = plan->at[place];
		else
			drop(&plan->at[place]);
	free(plan->at);
	plan->at = at;
	loop_renumber_ends(&plan->starts, place_of, -1);
}

static void close(struct loop *loop)
{
	struct conservative *plan = loop->state;

	for (int i = 0; i < loop->nplaces; i++)
		drop(&plan->at[i]);
	free(plan->at);
	free(plan->starts.heap.at);
	free(plan->idle);
	free(plan->released.at);
	profile_free(&plan->profile);
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

	profile_reset(&plan->profile, loop->run->now_ns, machine->nidle, machine->idle.level[0],
		      plan->by_nodes ? machine->idle.nwords[0] : 0);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns == INT64_MAX)
			break;
		list_released(loop, loop->running.of.at[i].job);
		profile_change(&plan->profile, end_ns, INT64_MAX, plan->released.at,
			       (int)plan->released.n, true);
	}
}

/* Nothing is reserved any more. */
static void forget_all(struct loop *loop)
{
	struct conservative *plan = loop->state;

	for (int place = pending_next(&loop->pending, 0); place >= 0;
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
	profile_change(&plan->profile, loop->run->now_ns, loop->planned_end[job], plan->released.at,
		       (int)plan->released.n, true);
}

static void change(struct loop *loop, int place, bool becomes_idle)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	const struct reservation *at = &plan->at[place];

	if (at->start_ns != INT64_MAX)
		profile_change(&plan->profile, at->start_ns,
			       time_after(at->start_ns, loop_length(loop, job)), at->nodes.at,
			       plan->by_nodes ? (int)at->nodes.n : job->nnodes, becomes_idle);
}

/* ---- reservations ---- */

static int start_now(struct loop *loop, int place, const char *how, struct err *err)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];

	if (!plan->by_nodes)
		return loop_try(loop, place, how, err) < 0 ? -1 : 0;
	loop->nodes.n = 0;
	machine_take_all(&loop->run->schedule->machine, at->nodes.at, at->nodes.n);
	for (size_t i = 0; i < at->nodes.n; i++)
		vec_push(&loop->nodes, at->nodes.at[i]);
	buf_clear(&loop->run->reason);
	if (at->reason != NULL)
		buf_str(&loop->run->reason, at->reason);
	if (plan->meets_others)
		loop->run->schedule->confine->promised = &at->points;
	loop_start(loop, place, how);
	if (plan->meets_others)
		loop->run->schedule->confine->promised = NULL;
	drop(at);
	return 0;
}

static bool has_same_nodes(const struct loop *loop, int place)
{
	const struct conservative *plan = loop->state;
	const int_vec *nodes = &plan->at[place].nodes;

	return !plan->by_nodes ||
	       (nodes->n == loop->nodes.n &&
		(nodes->n == 0 || memcmp(nodes->at, loop->nodes.at, nodes->n * sizeof(int)) == 0));
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

/* A job whose time has come starts; one that nothing is planned for may have to be refused. */
static int go_or_wait(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	int status = 1;

	if (plan->at[place].start_ns == loop->run->now_ns)
		return start_now(loop, place, "no reservation is delayed", err);
	if (plan->at[place].start_ns == INT64_MAX)
		status = loop_is_possible(loop, place, err);
	if (status == 0)
		loop_refuse(loop, place);
	return status < 0 ? -1 : 0;
}

/* A reservation on loop->nodes, for the reason that the choice gave. */
static void keep_nodes(struct loop *loop, int place, int64_t start_ns)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];

	at->start_ns = start_ns;
	at->nodes.n = 0;
	for (size_t i = 0; i < loop->nodes.n && plan->by_nodes && start_ns != INT64_MAX; i++)
		vec_push(&at->nodes, loop->nodes.at[i]);
	at->points.n = 0;
	if (plan->meets_others && start_ns != INT64_MAX) {
		const int_vec *points = &loop->run->schedule->confine->points;

		for (size_t i = 0; i < points->n; i++)
			vec_push(&at->points, points->at[i]);
	}
	if (loop->why == NULL || !plan->by_nodes)
		return;
	free(at->reason);
	at->reason = xstrdup(buf_text(&loop->run->reason));
}

#ifdef __SANITIZE_ADDRESS__
/* What stays is what a search from scratch finds. */
static int check_stays(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];
	int64_t start_ns, ngave_up = plan->ngave_up;
	int status;

	/* a search that may give up may also find what it missed before */
	if (at->start_ns == INT64_MAX ||
	    sched_fits(loop->run->schedule, loop_job(loop, place), at->among) < 0)
		return 1;
	change(loop, place, true);
	status = conservative_find(loop, place, &start_ns, err);
	change(loop, place, false);
	plan->ngave_up = ngave_up;
	if (status == 0 && (start_ns != at->start_ns || !has_same_nodes(loop, place)))
		abort();
	return status == 0 ? 1 : -1;
}
#else
static int check_stays(struct loop *loop, int place, struct err *err)
{
	(void)loop, (void)place, (void)err;
	return 1;
}
#endif

/*
 * Nothing got idle since a job was looked at last: then it starts no earlier, and is chosen the
 * same nodes unless others than it were reserved some among which it was chosen. 1: its reservation
 * is as it has to be; 0: that is not known; -1
 */
static int stays(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];
	size_t nwords = (size_t)plan->profile.nwords;
	int status;

	if (!plan->is_quiet || plan->has_moved || !plan->by_nodes ||
	    !sched_is_repeatable(loop->run->schedule, loop_job(loop, place)))
		return 0;
	/* what is reserved on links of its own may stay */
	if (at->start_ns == INT64_MAX || plan->meets_others)
		return 1;
	if (at->among == NULL)
		return 0;
	if (at->since >= 0 && !profile_has_changed(&plan->profile, at->since, at->start_ns,
						   loop_length(loop, loop_job(loop, place))))
		return check_stays(loop, place, err);
	profile_common(&plan->profile, at->start_ns, loop_length(loop, loop_job(loop, place)),
		       plan->idle);
	for (size_t i = 0; i < at->nodes.n; i++)
		plan->idle[at->nodes.at[i] / 64] |= 1ULL << (at->nodes.at[i] % 64);
	at->since = profile_nchanges(&plan->profile);
	if (memcmp(plan->idle, at->among, nwords * sizeof(*plan->idle)) == 0)
		return check_stays(loop, place, err);
	status = loop_choose_among(loop, place, plan->idle, at->start_ns, err);
	if (status != 1)
		return status < 0 ? -1 : 1;
	conservative_note_among(loop, place, plan->idle);
	if (has_same_nodes(loop, place))
		return check_stays(loop, place, err);
	plan->has_moved = true;
	change(loop, place, true);
	keep_nodes(loop, place, at->start_ns);
	change(loop, place, false);
	at->since = profile_nchanges(&plan->profile);
	return check_stays(loop, place, err);
}

/* Whether a job that has a reservation is not searched another one, as searches gave up already. */
static bool is_left(const struct loop *loop, int place)
{
	const struct conservative *plan = loop->state;

	return plan->ngave_up >= SCHED_MOST_GAVE_UP && plan->at[place].start_ns != INT64_MAX;
}

/* Gives a job the earliest reservation that there is room for, which may be now; keeps the one it
 * has if that may be and the new one is later. */
static int reserve(struct loop *loop, int place, bool may_keep, struct err *err)
{
	struct conservative *plan = loop->state;
	int64_t start_ns, old_ns = plan->at[place].start_ns;
	int status = may_keep ? stays(loop, place, err) : 0;
	bool is_new;

	if (status != 0 || (may_keep && is_left(loop, place)))
		return status < 0 ? -1 : go_or_wait(loop, place, err);
	if (may_keep)
		change(loop, place, true);
	if (conservative_find(loop, place, &start_ns, err) != 0)
		return -1;
	plan->has_added |= place >= loop->first_new;
	is_new = !may_keep || start_ns <= old_ns;
	if (is_new) {
		plan->has_moved |= may_keep && (start_ns != old_ns || !has_same_nodes(loop, place));
		keep_nodes(loop, place, start_ns);
		if (start_ns != INT64_MAX && !(may_keep && start_ns == old_ns))
			ends_add(&plan->starts, start_ns, place);
	}
	change(loop, place, false);
	plan->at[place].since = is_new ? profile_nchanges(&plan->profile) : -1;
	return go_or_wait(loop, place, err);
}

static int reserve_all(struct loop *loop, bool may_keep, struct err *err)
{
	for (int place = pending_next(&loop->pending, 0); place >= 0;
	     place = pending_next(&loop->pending, place + 1))
		if (reserve(loop, place, may_keep && place < loop->first_new, err) != 0)
			return -1;
	return 0;
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
		    plan->at[place].start_ns == now_ns &&
		    start_now(loop, place, "its reservation", err) != 0)
			return -1;
	return 0;
}

static int pass(struct loop *loop, struct err *err)
{
	struct conservative *plan = loop->state;

	if (plan->was_late || is_late(loop) || has_missed(loop)) {
		/* no promise can be held */
		make_profile(loop);
		forget_all(loop);
		plan->has_moved = true;
		plan->is_quiet = false;
		plan->was_late = is_late(loop);
		return reserve_all(loop, false, err);
	}
	profile_advance(&plan->profile, loop->run->now_ns);
	if ((loop->has_ended || loop->has_relaxed) && may_move(loop)) {
		plan->is_quiet = !plan->has_freed && !plan->has_moved;
		plan->has_freed = plan->has_moved = plan->has_added = false;
		plan->ngave_up = 0;
		return reserve_all(loop, true, err);
	}
	if (start_due(loop, err) != 0)
		return -1;
	for (int place = loop->first_new; place < loop->ncome; place++)
		if (!loop->run->outcomes[loop->job_at[place]].is_decided &&
		    reserve(loop, place, false, err) != 0)
			return -1;
	return 0;
}

/* As long as a job is late, what was planned for the next instant waits for its end. */
static int64_t wakes_at(struct loop *loop)
{
	struct conservative *plan = loop->state;
	int64_t after_ns = loop->run->now_ns + (plan->was_late ? 1 : 0);

	for (;;) {
		int64_t first_ns = ends_first(&plan->starts);
		int place;

		if (first_ns == INT64_MAX)
			return INT64_MAX;
		place = plan->starts.heap.at[0].job;
		if (first_ns > after_ns && plan->at[place].start_ns == first_ns &&
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
				  LOOP_TIMES,
				  LOOP_MARGIN,
				  {0}}},
	.is_recorded = true,
	.plans_ahead = true,
	.run = run_all,
};
