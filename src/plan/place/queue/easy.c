/* easy.c - EASY backfilling: jobs overtake if that does not delay the first one */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/queue/easy_plan.h"
#include "place/queue/queue.h"

static int easy_open(struct loop *loop, struct err *err)
{
	struct easy *easy = xcalloc(1, sizeof(*easy));

	easy->reserves_nodes = pick_is(loop->run->schedule->queue, "reserve", "nodes");
	easy->shadow_of = -1;
	easy->refused =
		xcalloc((size_t)loop->run->schedule->topo->nnodes + 1, sizeof(*easy->refused));
	loop->state = easy;
	if (easy->reserves_nodes && loop->run->schedule->is_sharing)
		return err_set(err, "easy: reserve=nodes does not count parts of nodes, which "
				    "jobs share: give reserve=room");
	return 0;
}

static void close(struct loop *loop)
{
	struct easy *easy = loop->state;

	free(easy->reserved.at);
	free(easy->room.at);
	free(easy->refused);
	free(easy->times.at);
	free(easy);
}

static void ended(struct loop *loop, int job)
{
	struct easy *easy = loop->state;

	if (loop->planned_end[job] != loop->run->now_ns)
		easy->shadow_of = -1;
}

static void renumber(struct loop *loop, const int *place_of, int nbefore)
{
	struct easy *easy = loop->state;

	(void)nbefore;
	if (easy->shadow_of >= 0)
		easy->shadow_of = place_of[easy->shadow_of];
}

/* ---- who may overtake ---- */

static const char before[] = "backfilled, ends before the first one starts";
static const char beside[] = "backfilled beside the first one";

static int backfill_by_count(struct loop *loop, int head, struct err *err)
{
	struct easy *easy = loop->state;
	int64_t now_ns = loop->run->now_ns;
	int place = head;

	for (;;) {
		int64_t length_ns =
			easy->shadow_ns == INT64_MAX ? INT64_MAX : easy->shadow_ns - now_ns;
		bool outlives;
		int status;

		place = pending_next_fitting(&loop->pending, place + 1, loop_idle(loop), length_ns,
					     easy->nextra);
		if (place < 0)
			return 0;
		outlives = loop_end(loop, place) > easy->shadow_ns;
		status = loop_try(loop, place, outlives ? beside : before, err);
		if (status < 0)
			return -1;
		if (status == 1 && outlives && !loop_job(loop, place)->is_withdrawn)
			easy->nextra -= loop_job(loop, place)->nnodes;
	}
}

/* The idle nodes but some. 1, 0, -1 */
static int choose_without(struct loop *loop, int place, const int_vec *nodes, struct err *err)
{
	uint64_t *idle = loop_idle_then(loop, INT64_MIN);
	int status;

	for (size_t i = 0; i < nodes->n; i++)
		idle[nodes->at[i] / 64] &= ~(1ULL << (nodes->at[i] % 64));
	status = loop_choose_among(loop, place, idle, loop->run->now_ns, err);
	machine_take_all(&loop->run->schedule->machine, loop->nodes.at, loop->nodes.n);
	return status;
}

static int check_beside(struct loop *loop, int head, int place, struct err *err);

/* A job that outlives the shadow time gets idle nodes other than the reserved ones. 1, 0, -1 */
static int choose_beside_reserved(struct loop *loop, int head, int place, struct err *err)
{
	struct easy *easy = loop->state;
	const struct confine *confine = loop->run->schedule->confine;
	int status;

	if (!easy->has_reserved && easy_reserve(loop, head, err) != 0)
		return -1;
	status = choose_without(loop, place, &easy->reserved, err);
	/* links and I/O nodes are not reserved */
	if (status == 1 && confine != NULL && confine_needs_holders(confine))
		return check_beside(loop, head, place, err);
	return status;
}

/* Whether the head gets the nodes that are reserved for it, beside a job that has others and those
 * that still run then. */
static int keeps_reserved(struct loop *loop, int head, uint64_t *idle, struct err *err)
{
	const struct easy *easy = loop->state;
	struct confine *confine = loop->run->schedule->confine;
	int status;

	confine_plan(confine);
	for (size_t i = loop->running.of.n; i-- > 0;) {
		if (loop_planned(loop, &loop->running.of.at[i]) <= easy->shadow_ns)
			break;
		confine_plan_job(loop->run->schedule, loop->running.of.at[i].job);
	}
	confine_plan_add(confine, confine->tried.nodes, confine->tried.n, &confine->tried_points);
	memset(idle, 0, (size_t)((loop->run->schedule->topo->nnodes + 63) / 64) * sizeof(*idle));
	for (size_t i = 0; i < easy->reserved.n; i++)
		idle[easy->reserved.at[i] / 64] |= 1ULL << (easy->reserved.at[i] % 64);
	status = loop_choose_among(loop, head, idle, easy->shadow_ns, err);
	confine_plan_end(confine);
	return status;
}

/* Whether the nodes that the head was tried on still do, which a job has none of. */
static bool room_holds(struct loop *loop, int head, const uint64_t *idle)
{
	const struct easy *easy = loop->state;
	struct schedule *schedule = loop->run->schedule;

	if (easy->room.n == 0 || !sched_is_plain(schedule, loop_job(loop, head)))
		return false;
	for (size_t i = 0; i < easy->room.n; i++)
		if ((idle[easy->room.at[i] / 64] >> (easy->room.at[i] % 64) & 1) == 0)
			return false;
	return sched_still_holds(schedule, idle, &easy->room);
}

/* Whether the head finds nodes at the shadow time though a job holds some that it was tried on. */
static int leaves_room(struct loop *loop, int head, struct err *err)
{
	struct easy *easy = loop->state;
	struct schedule *schedule = loop->run->schedule;
	uint64_t *idle = loop_idle_then(loop, easy->shadow_ns);
	int status = -1;

	if (easy->reserves_nodes && easy->reserved.n > 0)
		return keeps_reserved(loop, head, idle, err);
	if (sched_is_plain(schedule, loop_job(loop, head)))
		status = sched_fits(schedule, loop_job(loop, head), idle);
	if (status >= 0)
		return status;
	if (room_holds(loop, head, idle))
		return 1;
	if (easy->stays_away)
		return 0;
	status = loop_choose_among(loop, head, idle, easy->shadow_ns, err);
	if (status == 1 && easy->room.n > 0)
		easy_copy(&easy->room, &loop->nodes);
	else if (status == 0)
		easy->stays_away = easy->room.n > 0 && !sched_is_sure(schedule);
	return status;
}

/* With the nodes that were chosen taken the head must still find some at the shadow time. */
static int check_beside(struct loop *loop, int head, int place, struct err *err)
{
	struct schedule *schedule = loop->run->schedule;
	int job = loop->job_at[place], status;
	int_vec nodes = {0};
	struct buf reason = {0};

	easy_copy(&nodes, &loop->nodes);
	buf_str(&reason, buf_text(&loop->run->reason));
	loop->planned_end[job] = loop_end(loop, place);
	sched_hold(schedule, loop_job(loop, place), job, &nodes);
	sched_suppose(schedule, loop_job(loop, place), &nodes);
	status = leaves_room(loop, head, err);
	sched_suppose(schedule, NULL, NULL);
	if (status == 1)
		sched_unhold(schedule, job, &nodes);
	else
		sched_release(schedule, job, &nodes);
	/* the choice for the head is no longer of interest */
	loop->nodes.n = 0;
	if (status == 1)
		easy_copy(&loop->nodes, &nodes);
	buf_clear(&loop->run->reason);
	buf_str(&loop->run->reason, buf_text(&reason));
	free(nodes.at);
	buf_free(&reason);
	return status;
}

/* Any nodes; where it can't be said that the head finds others, those that it was not tried on. 1,
 * 0, -1 */
static int choose_beside_some(struct loop *loop, int head, int place, struct err *err)
{
	struct easy *easy = loop->state;
	int status = 0;

	if (!easy->stays_away) {
		status = loop_choose_now(loop, place, err);
		if (status == 1)
			status = check_beside(loop, head, place, err);
	}
	if (status != 0 || !easy->stays_away)
		return status;
	status = choose_without(loop, place, &easy->room, err);
	return status == 1 ? check_beside(loop, head, place, err) : status;
}

/* Plain jobs of one number of nodes find the same ones in the same state of the machine. */
static struct refusal refusal_of(const struct loop *loop)
{
	const struct easy *easy = loop->state;

	return (struct refusal){easy->nshadows, sched_epoch(loop->run->schedule),
				(int64_t)loop->running.of.n};
}

static bool was_refused(const struct loop *loop, int place)
{
	const struct easy *easy = loop->state;
	const struct job *job = loop_job(loop, place);
	struct refusal now = refusal_of(loop), last;

	if (!sched_is_repeatable(loop->run->schedule, job))
		return false;
	last = easy->refused[job->nnodes];
	return last.shadow == now.shadow && last.epoch == now.epoch &&
	       last.nrunning == now.nrunning;
}

/* No job of more nodes can outlive the shadow time beside the head. */
static int most_beside(const struct loop *loop, int head)
{
	const struct easy *easy = loop->state;
	int most = easy->nidle - loop_job(loop, head)->nnodes;

	if (loop->run->schedule->is_sharing) /* parts of nodes are not counted */
		return INT_MAX - 1;
	return easy->reserves_nodes && easy->has_reserved && easy->nbeside < most ? easy->nbeside
										  : most;
}

static int start_beside(struct loop *loop, int head, int place, struct err *err)
{
	struct easy *easy = loop->state;
	int nnodes = loop_job(loop, place)->nnodes, status;

	if (nnodes > most_beside(loop, head))
		return 0;
	if (was_refused(loop, place) || loop_job(loop, place)->is_withdrawn)
		return 0;
	status = easy->reserves_nodes ? choose_beside_reserved(loop, head, place, err)
				      : choose_beside_some(loop, head, place, err);
	if (status == 1) {
		loop_start(loop, place, beside);
		easy->nidle -= nnodes;
	} else if (status == 0 && sched_is_repeatable(loop->run->schedule, loop_job(loop, place))) {
		easy->refused[nnodes] = refusal_of(loop);
	}
	return status;
}

static int backfill(struct loop *loop, int head, struct err *err)
{
	const struct easy *easy = loop->state;
	int place = head, status = 0;

	while (status >= 0) {
		int64_t length_ns = easy->shadow_ns == INT64_MAX
					    ? INT64_MAX
					    : easy->shadow_ns - loop->run->now_ns;
		int most = easy->shadow_ns == INT64_MAX ? 0 : most_beside(loop, head);

		place = pending_next_fitting(&loop->pending, place + 1,
					     sched_most(loop->run->schedule), length_ns, most);
		if (place < 0)
			return 0;
		status = loop_end(loop, place) > easy->shadow_ns
				 ? start_beside(loop, head, place, err)
				 : loop_try(loop, place, before, err);
		if (status == 1 && easy->has_reserved && easy->reserves_nodes)
			easy_count_beside(loop);
	}
	return -1;
}

static int pass(struct loop *loop, struct err *err)
{
	const struct easy *easy = loop->state;
	bool is_counted;
	int head;

	if (loop_start_heads(loop, &head, err) != 0)
		return -1;
	if (head < 0 || pending_next_fitting(&loop->pending, head + 1,
					     sched_most(loop->run->schedule), INT64_MAX, 0) < 0)
		return 0;
	is_counted = loop_job(loop, head)->nnodes > loop_idle(loop) &&
		     sched_is_counted(loop->run->schedule, loop_job(loop, head), loop->run->now_ns);
	if (is_counted && !easy->reserves_nodes) {
		easy_count_shadow(loop, head);
		return backfill_by_count(loop, head, err);
	}
	return easy_find_shadow(loop, head, is_counted, err) == 0 ? backfill(loop, head, err) : -1;
}

static void why(struct loop *loop, int place, struct buf *text)
{
	(void)place;
	buf_printf(text, "would delay job %s",
		   loop_job(loop, pending_next(&loop->pending, 0))->name);
}

static int run_all(struct run *run, struct err *err)
{
	static const struct loop_policy policy = {.open = easy_open,
						  .close = close,
						  .ended = ended,
						  .renumber = renumber,
						  .pass = pass,
						  .why = why};

	return loop_run(run, &policy, err);
}

const struct queue_policy queue_easy = {
	.entry = {.name = "easy",
		  .example = "easy:reserve=nodes",
		  .summary = "EASY backfilling: a job may overtake if it does not delay "
			     "the first one of the queue",
		  .paper = "Lifka, The ANL/IBM SP scheduling system, JSSPP 1995",
		  .params = (const struct param[]){{.key = "reserve",
						    .type = PARAM_WORD,
						    .choices = "room|nodes",
						    .def = "room",
						    .meaning =
							    "what is reserved for the first job: a "
							    "number of nodes, or the nodes that it "
							    "would get"},
						   LOOP_TIMES,
						   LOOP_MARGIN,
						   {0}}},
	.is_recorded = true,
	.run = run_all,
};
