/* conservative.c - conservative backfilling: every job has a reservation that only gets better */
#include <stdlib.h>
#include <string.h>

#include "place/run/loop.h"
#include "place/queue/availability.h"
#include "place/queue/queue.h"

struct conservative {
	bool by_nodes;          /* plans with the nodes themselves */
	bool was_late;          /* a job ran beyond its plan when the queue was last looked at */
	bool has_freed;         /* since then a job ended before its plan */
	bool has_moved;         /* a reservation was not what it had been, or */
	bool has_added;         /* there were new ones */
	struct profile profile; /* idle nodes, less what runs and what is reserved */
	int64_t *start_at;      /* [nplaces] of jobs that wait; INT64_MAX: no reservation */
	int_vec *nodes_at;      /* [nplaces] their nodes */
	struct ends starts;     /* (start, place), also such that hold no longer */
	uint64_t *idle;         /* [nwords] */
	int_vec released;
};

static int conservative_open(struct loop *loop, struct err *err)
{
	struct conservative *plan = xcalloc(1, sizeof(*plan));
	size_t n = (size_t)loop->nplaces + 1;
	int nwords = (loop->run->schedule->topo->nnodes + 63) / 64;

	(void)err;
	plan->by_nodes = pick_is(loop->run->schedule->queue, "reserve", "nodes") ||
			 !sched_is_counted(loop->run->schedule, NULL, JOB_NO_TIME);
	plan->start_at = xcalloc(n, sizeof(*plan->start_at));
	plan->nodes_at = xcalloc(n, sizeof(*plan->nodes_at));
	plan->idle = xcalloc((size_t)nwords, sizeof(*plan->idle));
	plan->was_late = true; /* nothing is planned yet */
	loop->state = plan;
	return 0;
}

static void renumber(struct loop *loop, const int *place_of, int nbefore)
{
	struct conservative *plan = loop->state;
	size_t n = (size_t)loop->nplaces + 1;
	int64_t *start_at = xcalloc(n, sizeof(*start_at));
	int_vec *nodes_at = xcalloc(n, sizeof(*nodes_at));

	for (int place = 0; place < nbefore; place++)
		if (place_of[place] >= 0) {
			start_at[place_of[place]] = plan->start_at[place];
			nodes_at[place_of[place]] = plan->nodes_at[place];
		} else {
			free(plan->nodes_at[place].at);
		}
	free(plan->start_at);
	free(plan->nodes_at);
	plan->start_at = start_at;
	plan->nodes_at = nodes_at;
	loop_renumber_ends(&plan->starts, place_of, -1);
}

static void close(struct loop *loop)
{
	struct conservative *plan = loop->state;

	for (int i = 0; i < loop->nplaces; i++)
		free(plan->nodes_at[i].at);
	free(plan->nodes_at);
	free(plan->start_at);
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
	int64_t start_ns = plan->start_at[place];

	if (start_ns != INT64_MAX)
		profile_change(
			&plan->profile, start_ns, time_after(start_ns, loop_length(loop, job)),
			plan->nodes_at[place].at,
			plan->by_nodes ? (int)plan->nodes_at[place].n : job->nnodes, becomes_idle);
}

/* ---- reservations ---- */

/* Whether a job finds nodes among those that are idle from a time on, all its length; then
 * loop->nodes. 1, 0, -1 */
static int find_nodes_at(struct loop *loop, int place, int64_t start_ns, const uint64_t *idle,
			 struct err *err)
{
	const struct job *job = loop_job(loop, place);

	if (sched_is_plain(loop->run->schedule, job) &&
	    sched_fits(loop->run->schedule, job, idle) == 0)
		return 0;
	return loop_choose_among(loop, place, idle, start_ns, err);
}

/* The same, whatever the time. */
static int find_nodes_then(struct loop *loop, int place, int64_t start_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);

	if (profile_common(&plan->profile, start_ns, loop_length(loop, job), plan->idle) <
	    job->nnodes)
		return 0;
	return find_nodes_at(loop, place, start_ns, plan->idle, err);
}

/* The first start of a slice at which the nodes can be had. */
static int find_slice(struct loop *loop, int place, int64_t *start_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	size_t slice = SIZE_MAX;
	uint64_t *idle;
	int nidle;

	while (profile_next_start(&plan->profile, job->nnodes, loop_length(loop, job), &slice,
				  &idle, &nidle)) {
		int64_t time_ns = plan->profile.slices.at[slice].from_ns;
		int status = find_nodes_at(loop, place, time_ns, idle, err);

		if (status == 1)
			*start_ns = time_ns;
		if (status != 0)
			return status < 0 ? -1 : 0;
	}
	return 0;
}

/* The first start at which the nodes can be had: when some become idle, or a wait is over. */
static int find_nodes(struct loop *loop, int place, int64_t *start_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	int64_t relax_ns =
		sched_relaxes_at(loop->run->schedule, job, plan->profile.slices.at[0].from_ns);
	int status = 0;

	*start_ns = INT64_MAX;
	if (relax_ns == JOB_NO_TIME)
		return find_slice(loop, place, start_ns, err);
	for (size_t i = 0; i < plan->profile.slices.n || relax_ns != JOB_NO_TIME;) {
		int64_t time_ns;

		if (i < plan->profile.slices.n &&
		    (relax_ns == JOB_NO_TIME || plan->profile.slices.at[i].from_ns <= relax_ns)) {
			time_ns = plan->profile.slices.at[i++].from_ns;
		} else {
			time_ns = relax_ns;
			relax_ns = sched_relaxes_at(loop->run->schedule, job, relax_ns);
		}
		status = find_nodes_then(loop, place, time_ns, err);
		if (status == 1)
			*start_ns = time_ns;
		if (status != 0)
			return status < 0 ? -1 : 0;
	}
	return 0;
}

static int find(struct loop *loop, int place, int64_t *start_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	const struct job *job = loop_job(loop, place);
	int slice;

	if (plan->by_nodes)
		return find_nodes(loop, place, start_ns, err);
	slice = profile_find(&plan->profile, job->nnodes, loop_length(loop, job));
	*start_ns = slice >= 0 ? plan->profile.slices.at[slice].from_ns : INT64_MAX;
	return 0;
}

static int start_now(struct loop *loop, int place, const char *how, struct err *err)
{
	struct conservative *plan = loop->state;
	const int_vec *nodes = &plan->nodes_at[place];

	if (!plan->by_nodes)
		return loop_try(loop, place, how, err) < 0 ? -1 : 0;
	loop->nodes.n = 0;
	machine_take_all(&loop->run->schedule->machine, nodes->at, nodes->n);
	for (size_t i = 0; i < nodes->n; i++)
		vec_push(&loop->nodes, nodes->at[i]);
	loop_start(loop, place, how);
	vec_free(&plan->nodes_at[place]);
	return 0;
}

static bool has_same_nodes(const struct loop *loop, int place)
{
	const struct conservative *plan = loop->state;
	const int_vec *nodes = &plan->nodes_at[place];

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

	return loop->has_relaxed || plan->has_freed || plan->has_moved ||
	       (plan->has_added && plan->by_nodes && !is_first_of_order) ||
	       (plan->by_nodes && schedule->alloc->policy->first == NULL);
}

/* Gives a job the earliest reservation that there is room for, which may be now; keeps the one it
 * has if that may be and the new one is later. */
static int reserve(struct loop *loop, int place, bool may_keep, struct err *err)
{
	struct conservative *plan = loop->state;
	int64_t start_ns, old_ns = plan->start_at[place];

	if (may_keep)
		change(loop, place, true);
	if (find(loop, place, &start_ns, err) != 0)
		return -1;
	plan->has_added |= place >= loop->first_new;
	if (!may_keep || start_ns <= old_ns) {
		plan->has_moved |= may_keep && (start_ns != old_ns || !has_same_nodes(loop, place));
		plan->start_at[place] = start_ns;
		plan->nodes_at[place].n = 0;
		for (size_t i = 0; i < loop->nodes.n && plan->by_nodes && start_ns != INT64_MAX;
		     i++)
			vec_push(&plan->nodes_at[place], loop->nodes.at[i]);
		if (start_ns != INT64_MAX && !(may_keep && start_ns == old_ns))
			ends_add(&plan->starts, start_ns, place);
	}
	change(loop, place, false);
	if (plan->start_at[place] == loop->run->now_ns)
		return start_now(loop, place, "no reservation is delayed", err);
	if (plan->start_at[place] == INT64_MAX) {
		int status = loop_is_possible(loop, place, err);

		if (status == 0)
			loop_refuse(loop, place);
		return status < 0 ? -1 : 0;
	}
	return 0;
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
		if (plan->start_at[place] < loop->run->now_ns)
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
		    plan->start_at[place] == now_ns &&
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
		plan->has_moved = true;
		plan->was_late = is_late(loop);
		return reserve_all(loop, false, err);
	}
	profile_advance(&plan->profile, loop->run->now_ns);
	if ((loop->has_ended || loop->has_relaxed) && may_move(loop)) {
		plan->has_freed = plan->has_moved = plan->has_added = false;
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
		if (first_ns > after_ns && plan->start_at[place] == first_ns &&
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

	return plan->start_at[place];
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
