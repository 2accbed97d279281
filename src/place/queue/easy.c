/* easy.c - EASY backfilling: jobs overtake if that does not delay the first one */
#include <stdlib.h>

#include "place/run/loop.h"
#include "place/queue/queue.h"

/* What is planned for the first job of the queue. */
struct easy {
	bool reserves_nodes;
	int64_t shadow_ns; /* its start; INT64_MAX: it has none */
	int nextra;        /* idle nodes that it leaves then, if any nodes will do for it */
	int nidle;         /* idle nodes then */
	bool is_sure;      /* that the head finds nodes then is known without a choice */
	int shadow_of; /* the head that shadow_ns is surely of as long as all goes to plan; -1 */
	bool has_reserved; /* its nodes then were chosen */
	int_vec reserved;
	VEC(int64_t) times;
};

static int easy_open(struct loop *loop, struct err *err)
{
	struct easy *easy = xcalloc(1, sizeof(*easy));

	easy->reserves_nodes = pick_is(loop->run->schedule->queue, "reserve", "nodes");
	easy->shadow_of = -1;
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
	free(easy->times.at);
	free(easy);
}

/* ---- when the head can start ---- */

/* By the number of nodes: idle ones, and those of the jobs that end first. */
static void find_shadow_by_count(struct loop *loop, int head)
{
	struct easy *easy = loop->state;
	int wanted = loop_job(loop, head)->nnodes, n = loop_idle(loop);

	easy->shadow_of = -1;
	easy->shadow_ns = INT64_MAX;
	easy->nextra = 0;
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns == INT64_MAX || (n >= wanted && end_ns > easy->shadow_ns))
			break;
		n += loop->running.of.at[i].nnodes;
		if (n >= wanted) {
			easy->shadow_ns = end_ns;
			easy->nextra = n - wanted;
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The times at which more may be possible for the head than before: ends, and waits that
 * are over. */
static void list_times(struct loop *loop, int head)
{
	struct easy *easy = loop->state;
	int64_t time_ns = loop->run->now_ns;

	easy->times.n = 0;
	while ((time_ns = sched_relaxes_at(loop->run->schedule, loop_job(loop, head), time_ns)) !=
	       JOB_NO_TIME)
		vec_push(&easy->times, time_ns);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns != INT64_MAX &&
		    (easy->times.n == 0 || easy->times.at[easy->times.n - 1] != end_ns))
			vec_push(&easy->times, end_ns);
	}
	if (easy->times.n > 1)
		qsort(easy->times.at, easy->times.n, sizeof(*easy->times.at), by_time);
}

/* Whether the head finds nodes when all that is planned to end by then has ended. */
static int has_room(struct loop *loop, int head, int64_t time_ns, struct err *err)
{
	return loop_choose_among(loop, head, loop_idle_then(loop, time_ns), time_ns, err);
}

/*
 * By trying: more nodes are idle at a later time, so that the first one is found by halving; but a
 * search that gave up may say no to more nodes than it said yes to, and from there on all times are
 * tried one after the other.
 */
static int search_shadow(struct loop *loop, int head, int64_t from_ns, struct err *err)
{
	struct easy *easy = loop->state;
	size_t low = 0, high;
	bool is_sure = true;

	list_times(loop, head);
	high = easy->times.n;
	while (low < high && easy->times.at[low] < from_ns)
		low++;
	while (low < high) {
		size_t middle = is_sure ? (low + high) / 2 : low;
		int status = has_room(loop, head, easy->times.at[middle], err);

		if (status < 0)
			return -1;
		if (status == 0 && is_sure && !sched_is_sure(loop->run->schedule)) {
			is_sure = false; /* the times below may say yes */
			continue;
		}
		if (status == 1)
			high = middle;
		else
			low = middle + 1;
	}
	easy->shadow_ns = low < easy->times.n ? easy->times.at[low] : INT64_MAX;
	return 0;
}

/* Without trying: true, and the shadow time; or only when it is not before. */
static bool ask_shadow(struct loop *loop, int head, int64_t *from_ns)
{
	struct easy *easy = loop->state;
	bool is_exact;

	loop_free_times(loop);
	*from_ns = easy->shadow_ns =
		sched_earliest(loop->run->schedule, loop_job(loop, head), &loop->times, &is_exact);
	return is_exact;
}

/* Idle nodes when all that is planned to end by then has ended. */
static int count_idle(const struct loop *loop, int64_t time_ns)
{
	int n = loop_idle(loop);

	for (size_t i = 0; i < loop->running.of.n; i++) {
		if (loop_planned(loop, &loop->running.of.at[i]) > time_ns)
			break;
		n += loop->running.of.at[i].nnodes;
	}
	return n;
}

/* The nodes that the head gets at the shadow time. */
static int find_reserved(struct loop *loop, int head, struct err *err)
{
	struct easy *easy = loop->state;

	easy->has_reserved = true;
	easy->reserved.n = 0;
	if (!easy->reserves_nodes)
		return 0;
	if (has_room(loop, head, easy->shadow_ns, err) < 0)
		return -1;
	for (size_t i = 0; i < loop->nodes.n; i++)
		vec_push(&easy->reserved, loop->nodes.at[i]);
	return 0;
}

/*
 * Whether the shadow time is as it was: jobs that end when they were planned to leave what is free
 * at any time as it was, and those that started since left room for the head.
 */
static bool is_as_planned(const struct loop *loop, int head)
{
	const struct easy *easy = loop->state;

	return easy->shadow_of == head &&
	       (loop->running.of.n == 0 || loop->running.of.at[0].end_ns > loop->run->now_ns);
}

/* Under the sanitizer: it is as it would be found anew. */
static void check_planned(struct loop *loop, int head)
{
#ifdef __SANITIZE_ADDRESS__
	struct easy *easy = loop->state;
	int64_t was_ns = easy->shadow_ns, from_ns;

	if (ask_shadow(loop, head, &from_ns) && easy->shadow_ns != was_ns)
		abort();
	easy->shadow_ns = was_ns;
#else
	(void)loop, (void)head;
#endif
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

/* The shadow time. */
static int find_shadow(struct loop *loop, int head, bool is_counted, struct err *err)
{
	struct easy *easy = loop->state;
	int64_t from_ns = INT64_MIN;

	easy->has_reserved = false;
	easy->is_sure = is_as_planned(loop, head);
	if (easy->is_sure)
		check_planned(loop, head);
	if (is_counted)
		find_shadow_by_count(loop, head);
	else if (!easy->is_sure && sched_is_plain(loop->run->schedule, loop_job(loop, head)))
		easy->is_sure = ask_shadow(loop, head, &from_ns);
	easy->shadow_of = easy->is_sure ? head : -1;
	if (!is_counted && !easy->is_sure && search_shadow(loop, head, from_ns, err) != 0)
		return -1;
	easy->nidle = 0;
	if (easy->shadow_ns == INT64_MAX)
		return 0;
	easy->nidle = count_idle(loop, easy->shadow_ns);
	/* a policy with a history may choose otherwise once others have started */
	return loop->run->schedule->alloc->policy->placed != NULL ? find_reserved(loop, head, err)
								  : 0;
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
		if (status == 1 && outlives)
			easy->nextra -= loop_job(loop, place)->nnodes;
	}
}

/* A job that outlives the shadow time gets idle nodes other than the reserved ones. 1, 0, -1 */
static int choose_beside_reserved(struct loop *loop, int head, int place, struct err *err)
{
	struct easy *easy = loop->state;
	struct machine *machine = &loop->run->schedule->machine;
	uint64_t *idle;
	int status;

	if (!easy->has_reserved && find_reserved(loop, head, err) != 0)
		return -1;
	idle = loop_idle_then(loop, INT64_MIN);
	for (size_t i = 0; i < easy->reserved.n; i++)
		idle[easy->reserved.at[i] / 64] &= ~(1ULL << (easy->reserved.at[i] % 64));
	status = loop_choose_among(loop, place, idle, loop->run->now_ns, err);
	machine_take_all(machine, loop->nodes.at, loop->nodes.n);
	return status;
}

/* Whether the head finds nodes at the shadow time though a job holds some that it was tried on. */
static int leaves_room(struct loop *loop, int head, struct err *err)
{
	struct easy *easy = loop->state;
	struct schedule *schedule = loop->run->schedule;
	uint64_t *idle = loop_idle_then(loop, easy->shadow_ns);
	int fits = -1;

	if (sched_is_plain(schedule, loop_job(loop, head)))
		fits = sched_fits(schedule, loop_job(loop, head), idle);
	return fits >= 0 ? fits : loop_choose_among(loop, head, idle, easy->shadow_ns, err);
}

/* With its nodes taken the head must still find some at the shadow time. 1, 0, -1 */
static int choose_beside_some(struct loop *loop, int head, int place, struct err *err)
{
	struct schedule *schedule = loop->run->schedule;
	int job = loop->job_at[place];
	int_vec nodes = {0};
	struct buf reason = {0};
	int status;

	status = loop_choose_now(loop, place, err);
	if (status != 1)
		return status;
	for (size_t i = 0; i < loop->nodes.n; i++)
		vec_push(&nodes, loop->nodes.at[i]);
	buf_str(&reason, buf_text(&loop->run->reason));
	loop->planned_end[job] = loop_end(loop, place);
	sched_hold(schedule, loop_job(loop, place), job, &nodes);
	status = leaves_room(loop, head, err);
	if (status == 1)
		sched_unhold(schedule, job, &nodes);
	else
		sched_release(schedule, job, &nodes);
	/* the choice for the head is no longer of interest */
	loop->nodes.n = 0;
	for (size_t i = 0; i < nodes.n && status == 1; i++)
		vec_push(&loop->nodes, nodes.at[i]);
	buf_clear(&loop->run->reason);
	buf_str(&loop->run->reason, buf_text(&reason));
	free(nodes.at);
	buf_free(&reason);
	return status;
}

static int start_beside(struct loop *loop, int head, int place, struct err *err)
{
	struct easy *easy = loop->state;
	int nnodes = loop_job(loop, place)->nnodes, status;

	if (!loop->run->schedule->is_sharing && nnodes > easy->nidle - loop_job(loop, head)->nnodes)
		return 0;
	status = easy->reserves_nodes ? choose_beside_reserved(loop, head, place, err)
				      : choose_beside_some(loop, head, place, err);
	if (status == 1) {
		loop_start(loop, place, beside);
		easy->nidle -= nnodes;
	}
	return status;
}

static int backfill(struct loop *loop, int head, struct err *err)
{
	const struct easy *easy = loop->state;
	int place = head, status = 0;

	while (status >= 0) {
		place = pending_next_fitting(&loop->pending, place + 1,
					     sched_most(loop->run->schedule), INT64_MAX, 0);
		if (place < 0)
			return 0;
		status = loop_end(loop, place) > easy->shadow_ns
				 ? start_beside(loop, head, place, err)
				 : loop_try(loop, place, before, err);
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
		find_shadow_by_count(loop, head);
		return backfill_by_count(loop, head, err);
	}
	return find_shadow(loop, head, is_counted, err) == 0 ? backfill(loop, head, err) : -1;
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
