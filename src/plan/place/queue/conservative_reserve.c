/* conservative_reserve.c - the reservation of a job: made, kept or moved to an earlier time */
#include <stdlib.h>
#include <string.h>

#include "place/queue/conservative_plan.h"
#include "place/run/confine.h"

void conservative_change_plan(struct conservative *plan, int64_t from_ns, int64_t to_ns,
			      const int *nodes, int nnodes, bool becomes_idle)
{
	room_change(&plan->room, from_ns, to_ns, becomes_idle ? nnodes : -nnodes);
	if (plan->by_nodes)
		profile_change(&plan->profile, from_ns, to_ns, nodes, nnodes, becomes_idle);
}

static int64_t length_of(const struct loop *loop, int place)
{
	return loop_length(loop, loop_job(loop, place));
}

/* A job's reservation leaves the plan, or enters it. */
static void change(struct loop *loop, int place, bool becomes_idle)
{
	struct conservative *plan = loop->state;
	const struct reservation *at = &plan->at[place];
	int nnodes = plan->by_nodes ? (int)at->nodes.n : loop_job(loop, place)->nnodes;

	if (at->start_ns != INT64_MAX)
		conservative_change_plan(plan, at->start_ns,
					 time_after(at->start_ns, length_of(loop, place)),
					 at->nodes.at, nnodes, becomes_idle);
}

void conservative_drop(struct reservation *reservation)
{
	free(reservation->nodes.at);
	free(reservation->among);
	free(reservation->points.at);
	free(reservation->reason);
	*reservation = (struct reservation){.start_ns = INT64_MAX};
}

void conservative_forget(struct loop *loop, int place)
{
	struct conservative *plan = loop->state;

	change(loop, place, true);
	conservative_drop(&plan->at[place]);
}

int conservative_start(struct loop *loop, int place, const char *how, struct err *err)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];

	if (loop_job(loop, place)->is_withdrawn) {
		conservative_forget(loop, place);
		plan->at[place].start_ns = INT64_MAX;
		loop_withdraw(loop, place);
		plan->has_dropped = true;
		return 0;
	}
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
	conservative_drop(at);
	return 0;
}

static bool has_same_nodes(const struct loop *loop, int place)
{
	const struct conservative *plan = loop->state;
	const int_vec *nodes = &plan->at[place].nodes;

	return nodes->n == loop->nodes.n &&
	       (nodes->n == 0 || memcmp(nodes->at, loop->nodes.at, nodes->n * sizeof(int)) == 0);
}

/* A job whose time has come starts; one that nothing is planned for may have to be refused. */
static int go_or_wait(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	int status = 1;

	if (plan->at[place].start_ns == loop->run->now_ns)
		return conservative_start(loop, place, "no reservation is delayed", err);
	if (plan->at[place].start_ns == INT64_MAX)
		status = loop_is_possible(loop, place, err);
	if (status == 0)
		loop_refuse(loop, place);
	return status < 0 ? -1 : 0;
}

/* The heap of starts is made again once entries that no longer hold are more than the others. */
static void note_start(struct loop *loop, int place, int64_t start_ns)
{
	struct conservative *plan = loop->state;
	struct ends *starts = &plan->starts;

	if (starts->heap.n > 64 && starts->heap.n > 2 * (size_t)loop->pending.n) {
		starts->heap.n = 0;
		for (int other = pending_next(&loop->pending, 0); other >= 0;
		     other = pending_next(&loop->pending, other + 1))
			if (other != place && plan->at[other].start_ns != INT64_MAX)
				ends_add(starts, plan->at[other].start_ns, other);
	}
	ends_add(starts, start_ns, place);
}

/* ---- by numbers of nodes ---- */

/*
 * A job that has a reservation looks for an earlier one beside it: from its start on it has what it
 * asks for. The old and the new one may overlap.
 */
static int reserve_room(struct loop *loop, int place, bool may_keep, struct err *err)
{
	struct conservative *plan = loop->state;
	int nnodes = loop_job(loop, place)->nnodes;
	int64_t length_ns = length_of(loop, place);
	int64_t old_ns = may_keep ? plan->at[place].start_ns : INT64_MAX;
	int64_t start_ns = room_find(&plan->room, nnodes, length_ns, old_ns);
	int64_t end_ns = time_after(start_ns, length_ns),
		old_end_ns = time_after(old_ns, length_ns);

	plan->has_added |= place >= loop->first_new;
	plan->at[place].start_ns = start_ns;
	if (start_ns != old_ns) {
		plan->has_moved |= may_keep;
		room_change(&plan->room, start_ns, end_ns < old_ns ? end_ns : old_ns, -nnodes);
		if (old_ns != INT64_MAX)
			room_change(&plan->room, end_ns > old_ns ? end_ns : old_ns, old_end_ns,
				    nnodes);
		note_start(loop, place, start_ns);
	}
	return go_or_wait(loop, place, err);
}

/* ---- by the nodes themselves ---- */

/* A reservation on loop->nodes, for the reason that the choice gave. */
static void keep_nodes(struct loop *loop, int place, int64_t start_ns)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];

	at->start_ns = start_ns;
	at->nodes.n = 0;
	for (size_t i = 0; i < loop->nodes.n && start_ns != INT64_MAX; i++)
		vec_push(&at->nodes, loop->nodes.at[i]);
	at->points.n = 0;
	if (plan->meets_others && start_ns != INT64_MAX) {
		const int_vec *points = &loop->run->schedule->confine->points;

		for (size_t i = 0; i < points->n; i++)
			vec_push(&at->points, points->at[i]);
	}
	if (loop->why == NULL)
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
	status = conservative_find(loop, place, loop->run->now_ns, &start_ns, err);
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

/* The first time at which numbers of nodes leave a job room, which is not after its reservation. */
static int64_t first_by_numbers(const struct loop *loop, int place, bool may_keep)
{
	const struct conservative *plan = loop->state;

	return room_find(&plan->room, loop_job(loop, place)->nnodes, length_of(loop, place),
			 may_keep ? plan->at[place].start_ns : INT64_MAX);
}

/*
 * Whether a job starts no earlier than its reservation: nothing got idle since it was looked at
 * last, or there are too few idle nodes at all times before.
 */
static bool is_earliest(const struct loop *loop, int place, int64_t first_ns)
{
	const struct conservative *plan = loop->state;

	if (plan->is_quiet && !plan->has_moved)
		return true;
	return first_ns == plan->at[place].start_ns && !plan->meets_others &&
	       !sched_is_long(loop->run->schedule);
}

/*
 * A job that starts no earlier is chosen the same nodes unless others than it were reserved, or
 * lost, some among which it was chosen. 1: its reservation is as it has to be; 0: unknown; -1
 */
static int stays(struct loop *loop, int place, int64_t first_ns, struct err *err)
{
	struct conservative *plan = loop->state;
	struct reservation *at = &plan->at[place];
	size_t nwords = (size_t)plan->profile.nwords;
	int status;

	if (!is_earliest(loop, place, first_ns) || !conservative_is_repeatable(loop, place))
		return 0;
	/* what is reserved on links of its own may stay */
	if (at->start_ns == INT64_MAX || plan->meets_others)
		return 1;
	if (at->among == NULL)
		return 0;
	if (at->since >= 0 &&
	    !profile_has_changed(&plan->profile, at->since, at->start_ns, length_of(loop, place)))
		return check_stays(loop, place, err);
	profile_common(&plan->profile, at->start_ns, length_of(loop, place), plan->idle);
	for (size_t i = 0; i < at->nodes.n; i++) {
		unsigned node = (unsigned)at->nodes.at[i];

		plan->idle[node / 64] |= 1ULL << node % 64;
	}
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

static int reserve_nodes(struct loop *loop, int place, bool may_keep, struct err *err)
{
	struct conservative *plan = loop->state;
	int64_t start_ns, old_ns = plan->at[place].start_ns;
	int64_t first_ns = first_by_numbers(loop, place, may_keep);
	int status = may_keep ? stays(loop, place, first_ns, err) : 0;
	bool is_new;

	if (status != 0 || (may_keep && is_left(loop, place)))
		return status < 0 ? -1 : go_or_wait(loop, place, err);
	if (may_keep)
		change(loop, place, true);
	if (conservative_find(loop, place, first_ns, &start_ns, err) != 0)
		return -1;
	plan->has_added |= place >= loop->first_new;
	is_new = !may_keep || start_ns <= old_ns;
	if (is_new) {
		plan->has_moved |= may_keep && (start_ns != old_ns || !has_same_nodes(loop, place));
		keep_nodes(loop, place, start_ns);
		if (start_ns != INT64_MAX && !(may_keep && start_ns == old_ns))
			note_start(loop, place, start_ns);
	}
	change(loop, place, false);
	plan->at[place].since = is_new ? profile_nchanges(&plan->profile) : -1;
	return go_or_wait(loop, place, err);
}

int conservative_reserve(struct loop *loop, int place, bool may_keep, struct err *err)
{
	const struct conservative *plan = loop->state;

	return plan->by_nodes ? reserve_nodes(loop, place, may_keep, err)
			      : reserve_room(loop, place, may_keep, err);
}

/* ---- behind the reservations ---- */

static void list_steps(struct conservative *plan)
{
	plan->steps.n = 0;
	if (plan->by_nodes)
		profile_list_steps(&plan->profile, plan->idle, &plan->steps);
	else
		room_list_steps(&plan->room, &plan->steps);
}

/* The first job from a place on that fits one of the steps; -1: none. */
static int next_fitting(const struct loop *loop, int from)
{
	const struct conservative *plan = loop->state;
	int first = -1;

	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct step *step = &plan->steps.at[i];
		int place = pending_next_fitting(&loop->pending, from, step->nnodes,
						 step->length_ns, 0);

		if (place >= 0 && (first < 0 || place < first))
			first = place;
	}
	return first;
}

/* 1: it starts now; 0; -1 */
static int start_beside(struct loop *loop, int place, struct err *err)
{
	struct conservative *plan = loop->state;
	int status = plan->by_nodes ? conservative_find_now(loop, place, err) : 1;

	if (status != 1)
		return status;
	if (plan->by_nodes)
		keep_nodes(loop, place, loop->run->now_ns);
	plan->at[place].start_ns = loop->run->now_ns;
	change(loop, place, false);
	return conservative_start(loop, place, "no reservation is delayed", err) == 0 ? 1 : -1;
}

int conservative_backfill(struct loop *loop, int from, struct err *err)
{
	struct conservative *plan = loop->state;
	int place;

	if (pending_next(&loop->pending, from) < 0)
		return 0;
	list_steps(plan);
	while ((place = next_fitting(loop, from)) >= 0) {
		int status;

		if (plan->ngave_up >= SCHED_MOST_GAVE_UP)
			return 0;
		status = start_beside(loop, place, err);
		if (status < 0)
			return -1;
		if (status == 1)
			list_steps(plan);
		from = place + 1;
	}
	return 0;
}
