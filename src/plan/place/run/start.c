/* start.c - what queues do with a job: choose its nodes, start it, refuse it */
#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/run/loop.h"
#include "place/run/stock.h"

int64_t loop_length(const struct loop *loop, const struct job *job)
{
	int64_t length_ns = job_planned_length(job);

	if (length_ns == JOB_NO_TIME)
		return INT64_MAX;
	length_ns = time_after(time_after(length_ns, loop->margin_ns), loop->delay_ns);
	return length_ns > 0 ? length_ns : 1;
}

/* What comes on top of the start delay. */
static int64_t lag(const struct loop *loop)
{
	int64_t lag_ns;

	return __builtin_mul_overflow(loop->step_ns, loop->nstarted, &lag_ns) ? INT64_MAX : lag_ns;
}

int64_t loop_end(const struct loop *loop, int place)
{
	return time_after(loop->run->now_ns, loop_length(loop, loop_job(loop, place)));
}

int64_t loop_planned(const struct loop *loop, const struct running_job *job)
{
	return job->end_ns > loop->run->now_ns ? job->end_ns : loop->run->now_ns + 1;
}

int loop_choose(struct loop *loop, int place, int64_t time_ns, struct err *err)
{
	struct schedule *schedule = loop->run->schedule;
	struct alloc_request request =
		sched_request(schedule, loop_job(loop, place), loop->run->now_ns);

	return sched_choose(schedule, &request, time_ns, &loop->nodes, &loop->run->reason, err);
}

int loop_choose_among(struct loop *loop, int place, const uint64_t *idle, int64_t time_ns,
		      struct err *err)
{
	struct schedule *schedule = loop->run->schedule;
	const struct job *job = loop_job(loop, place);
	struct alloc_request request = sched_request(schedule, job, loop->run->now_ns);

	/* the first traffic will be known then */
	if (request.traffic == NULL)
		request.traffic = sched_request(schedule, job, time_ns).traffic;
	return sched_choose_among(schedule, &request, idle, time_ns, &loop->nodes,
				  &loop->run->reason, err);
}

int loop_choose_now(struct loop *loop, int place, struct err *err)
{
	struct schedule *schedule = loop->run->schedule;
	struct alloc_request request =
		sched_request(schedule, loop_job(loop, place), loop->run->now_ns);

	return sched_choose_now(schedule, &request, loop->run->now_ns, &loop->nodes,
				&loop->run->reason, err);
}

void loop_start(struct loop *loop, int place, const char *how)
{
	struct run *run = loop->run;
	int job = loop->job_at[place];
	struct alloc_request request = sched_request(run->schedule, &run->jobs[job], run->now_ns);
	int_vec *nodes = &run->outcomes[job].nodes;

	vec_reserve(nodes, loop->nodes.n);
	memcpy(nodes->at, loop->nodes.at, loop->nodes.n * sizeof(*nodes->at));
	nodes->n = loop->nodes.n;
	if (loop->why != NULL) {
		char *chosen = xstrdup(buf_text(&run->reason));

		buf_clear(&run->reason);
		if (loop->why[place] != NULL)
			buf_printf(&run->reason, "waited: %s; ", loop->why[place]);
		buf_str(&run->reason, how);
		if (chosen[0] != '\0')
			buf_printf(&run->reason, "; %s", chosen);
		free(chosen);
	}
	pending_remove(&loop->pending, place);
	loop->planned_end[job] = loop_end(loop, place);
	running_add(&loop->running, loop->planned_end[job], job, (int)nodes->n);
	run_start(run, job, &request,
		  time_after(run->now_ns, time_after(loop->delay_ns, lag(loop))));
	loop->nstarted++;
}

bool loop_withdraw(struct loop *loop, int place)
{
	struct run *run = loop->run;
	int job = loop->job_at[place];

	if (!run->jobs[job].is_withdrawn)
		return false;
	buf_clear(&run->reason);
	buf_str(&run->reason, "was withdrawn");
	loop_refuse(loop, place);
	depend_end(&run->depend, job, run->jobs[job].end_ns, &run->freed);
	return true;
}

/* Whether its turn would have come. 1, 0, -1 */
static int try_withdrawn(struct loop *loop, int place, struct err *err)
{
	struct machine *machine = &loop->run->schedule->machine;
	size_t mark = machine_mark(machine);
	int status = loop_choose(loop, place, loop->run->now_ns, err);

	machine_undo(machine, mark);
	if (status == 1)
		loop_withdraw(loop, place);
	return status;
}

int loop_try(struct loop *loop, int place, const char *how, struct err *err)
{
	int status;

	if (loop_job(loop, place)->is_withdrawn)
		return try_withdrawn(loop, place, err);
	status = loop_choose_now(loop, place, err);
	if (status == 1)
		loop_start(loop, place, how);
	return status;
}

void loop_refuse(struct loop *loop, int place)
{
	pending_remove(&loop->pending, place);
	run_refuse(loop->run, loop->job_at[place]);
	arrays_end(&loop->run->arrays, loop->job_at[place], &loop->run->freed);
}

/* Whether a node is idle once a job (and, of one that is shared, all that end by then) ended. */
static bool gives_back(const struct loop *loop, int job, int node, int64_t until_ns)
{
	const struct schedule *schedule = loop->run->schedule;

	if (schedule->is_sharing)
		return schedule->use[node] != NODE_AWAY &&
		       stock_is_free_at(schedule->stock, node, until_ns);
	return !loop->run->outcomes[job].is_booked ||
	       (schedule->holder[node] == job && schedule->use[node] != NODE_AWAY);
}

static void release_one(struct loop *loop, int job, int64_t until_ns)
{
	const struct outcome *outcome = &loop->run->outcomes[job];

	for (size_t i = 0; i < outcome->nodes.n; i++) {
		int node = outcome->nodes.at[i];

		if (gives_back(loop, job, node, until_ns))
			loop->idle_then[node / 64] |= 1ULL << (node % 64);
	}
}

uint64_t *loop_idle_then(struct loop *loop, int64_t until_ns)
{
	const struct bitset *idle = &loop->run->schedule->machine.idle;
	size_t bytes = (size_t)idle->nwords[0] * sizeof(uint64_t);

	if (loop->idle_then == NULL)
		loop->idle_then = xmalloc(bytes);
	memcpy(loop->idle_then, idle->level[0], bytes);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		if (loop_planned(loop, &loop->running.of.at[i]) > until_ns)
			break;
		release_one(loop, loop->running.of.at[i].job, until_ns);
	}
	return loop->idle_then;
}

/* The nodes that the end of a job gives back. */
static void add_nodes(struct loop *loop, int job, int64_t end_ns)
{
	const int_vec *nodes = &loop->run->outcomes[job].nodes;

	for (size_t i = 0; i < nodes->n; i++)
		if (gives_back(loop, job, nodes->at[i], end_ns))
			free_times_add(&loop->times, nodes->at[i], end_ns);
}

void loop_free_times(struct loop *loop)
{
	free_times_start(&loop->times, &loop->run->schedule->machine);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t time_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (time_ns == INT64_MAX)
			return;
		add_nodes(loop, loop->running.of.at[i].job, time_ns);
	}
}

/* What was found possible for as many nodes is so again. */
static unsigned char *was_possible(struct loop *loop, int place)
{
	const struct job *job = loop_job(loop, place);
	struct schedule *schedule = loop->run->schedule;

	if (sched_is_plain(schedule, job) && job->nnodes <= schedule->topo->nnodes)
		return &schedule->confine->was_possible[job->nnodes];
	return &loop->was_tried[place];
}

int loop_is_possible(struct loop *loop, int place, struct err *err)
{
	struct run *run = loop->run;
	const struct site_rules *rules = &run->schedule->rules;
	const struct job *job = loop_job(loop, place);
	const char *over = site_rules_are_over(rules, job, rules->now_ns);
	int status;

	if (over != NULL) {
		buf_clear(&run->reason);
		buf_printf(&run->reason, "the reservation %s has ended", over);
		return 0;
	}
	if (*was_possible(loop, place) ||
	    sched_is_counted(loop->run->schedule, loop_job(loop, place), loop->run->now_ns))
		return 1;
	status = loop_choose_among(loop, place, loop_idle_then(loop, INT64_MAX), INT64_MAX, err);
	*was_possible(loop, place) =
		status == 1 && !site_rules_will_narrow(rules, job_planned_length(job));
	return status;
}

int loop_start_heads(struct loop *loop, int *head, struct err *err)
{
	while ((*head = pending_next(&loop->pending, 0)) >= 0) {
		int status = !loop->run->schedule->is_sharing &&
					     loop_job(loop, *head)->nnodes > loop_idle(loop)
				     ? 0
				     : loop_try(loop, *head, "first in the queue", err);

		if (status == 0) {
			status = loop_is_possible(loop, *head, err);
			if (status == 1)
				return 0;
			if (status == 0)
				loop_refuse(loop, *head);
		}
		if (status < 0)
			return -1;
	}
	return 0;
}
