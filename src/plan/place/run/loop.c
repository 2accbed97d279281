/* loop.c - the event loop of queues: jobs come, start and end */
#include "place/run/loop.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "place/run/stock.h"

/* ---- opening and closing ---- */

static int64_t duration(const struct pick *pick, const char *key)
{
	for (const struct param *param = pick->entry->params; param != NULL && param->key != NULL;
	     param++)
		if (str_eq(param->key, key))
			return (int64_t)llround(pick_real(pick, key) * 1e9);
	return 0;
}

/* A booked job is planned to end walltime_s after its start, else when it ends. */
static void note_booked(struct loop *loop, int job)
{
	const struct run *run = loop->run;
	const struct outcome *outcome = &run->outcomes[job];
	int64_t end_ns = time_after(outcome->start_ns, run->jobs[job].walltime_ns);
	int nnodes = 0;

	if (end_ns == JOB_NO_TIME)
		end_ns = outcome->end_ns != JOB_NO_TIME ? outcome->end_ns : INT64_MAX;
	for (size_t k = 0; k < outcome->nodes.n; k++)
		nnodes += run->schedule->holder[outcome->nodes.at[k]] == job &&
			  run->schedule->use[outcome->nodes.at[k]] != NODE_AWAY;
	loop->planned_end[job] = end_ns;
	running_add(&loop->running, end_ns, job, nnodes);
}

static void open_loop(struct loop *loop)
{
	struct run *run = loop->run;

	loop_set_places(loop);
	loop->planned_end = xcalloc((size_t)run->n + 1, sizeof(*loop->planned_end));
	pending_init(&loop->pending, loop->nplaces);
	if (run->schedule->is_sharing) {
		run->schedule->stock->planned_end = loop->planned_end;
		run->schedule->stock->now_ns = &run->now_ns;
	}
	for (int i = 0; i < run->n; i++)
		if (run->outcomes[i].is_booked)
			note_booked(loop, i);
}

static void close_loop(struct loop *loop)
{
	for (int i = 0; loop->why != NULL && i < loop->nplaces; i++)
		free(loop->why[i]);
	free(loop->why);
	free(loop->job_at);
	free(loop->submit_at);
	if (loop->run->schedule->is_sharing)
		loop->run->schedule->stock->planned_end = NULL;
	free(loop->planned_end);
	free(loop->arrival);
	free(loop->was_tried);
	free(loop->running.of.at);
	free(loop->relaxes.heap.at);
	free(loop->leaves.heap.at);
	free(loop->nodes.at);
	free_times_free(&loop->times);
	free(loop->idle_then);
	pending_free(&loop->pending);
}

/* ---- events ---- */

static void note_relax(struct loop *loop, int place)
{
	int64_t time_ns =
		sched_relaxes_at(loop->run->schedule, loop_job(loop, place), loop->run->now_ns);

	if (time_ns != JOB_NO_TIME)
		ends_add(&loop->relaxes, time_ns, place);
}

static void come(struct loop *loop, int place)
{
	const struct job *job = loop_job(loop, place);
	struct run *run = loop->run;

	if (run->schedule->come_ns != NULL)
		run->schedule->come_ns[loop->job_at[place]] = loop->submit_at[place];
	/* components may have parts of one node */
	if (job->nnodes > run->nusable && (job->ncomponents == 0 || !run->schedule->is_sharing)) {
		buf_clear(&run->reason);
		buf_printf(&run->reason, "%d nodes requested, the machine has %d", job->nnodes,
			   run->nusable);
		run_refuse(run, loop->job_at[place]);
		arrays_end(&run->arrays, loop->job_at[place], &run->freed);
		return;
	}
	pending_add(&loop->pending, place, job->nnodes, loop_length(loop, job));
	note_relax(loop, place);
	if (job->is_withdrawn && job->end_ns != JOB_NO_TIME)
		ends_add(&loop->leaves, job->end_ns, place);
}

/* When the next thing happens by itself; INT64_MAX: nothing will. */
static int64_t next_event(const struct loop *loop)
{
	int64_t next_ns = loop->submit_at[loop->ncome];
	int64_t times[] = {ends_first(&loop->run->ends), ends_first(&loop->relaxes),
			   ends_first(&loop->leaves)};

	for (int i = 0; i < 3; i++)
		if (times[i] < next_ns)
			next_ns = times[i];
	return next_ns;
}

/* Ends, then submissions, then waits that are over, all of one time. */
static int happen(struct loop *loop, struct err *err)
{
	struct run *run = loop->run;
	int job, place;

	while ((job = ends_next(&run->ends, run->now_ns)) >= 0) {
		running_remove(&loop->running, loop->planned_end[job], job);
		if (loop->policy->ended != NULL)
			loop->policy->ended(loop, job);
		run_give_back(run, job);
		loop->has_ended = true;
	}
	loop_release_held(loop);
	while (loop->submit_at[loop->ncome] <= run->now_ns && loop->ncome < loop->nplaces) {
		if (loop_hold(loop))
			continue;
		come(loop, loop->ncome++);
		loop_release_held(loop);
		if (loop_read_ahead(loop, false, err) != 0)
			return -1;
	}
	while ((place = ends_next(&loop->leaves, run->now_ns)) >= 0)
		if (place != LOOP_GONE && !run->outcomes[loop->job_at[place]].is_decided) {
			if (loop->policy->left != NULL)
				loop->policy->left(loop, place);
			loop_withdraw(loop, place);
			loop->has_ended = true;
		}
	loop_release_held(loop);
	while ((place = ends_next(&loop->relaxes, run->now_ns)) >= 0)
		if (place != LOOP_GONE && !run->outcomes[loop->job_at[place]].is_decided) {
			loop->has_relaxed = true;
			note_relax(loop, place);
		}
	return 0;
}

/* Everything up to the next decision. 1; 0: the end of all; -1 */
static int go_on(struct loop *loop, struct err *err)
{
	int64_t time_ns, wake_ns = INT64_MAX;

	if (loop_read_ahead(loop, true, err) != 0)
		return -1;
	loop_release_held(loop); /* of jobs that were refused */
	time_ns = next_event(loop);
	if (loop->policy->wakes_at != NULL)
		wake_ns = loop->policy->wakes_at(loop);
	if (wake_ns < time_ns)
		time_ns = wake_ns;
	if (time_ns == INT64_MAX)
		return 0;
	loop->first_new = loop->ncome;
	loop->nstarted = 0;
	loop->has_ended = loop->has_relaxed = false;
	do {
		loop->run->now_ns = time_ns;
		loop->run->schedule->rules.now_ns = time_after(time_ns, loop->delay_ns);
		if (happen(loop, err) != 0)
			return -1;
		time_ns = next_event(loop);
	} while (loop->settle_ns > 0 && time_ns > loop->run->now_ns &&
		 time_ns <= time_after(loop->run->now_ns, loop->settle_ns));
	return 1;
}

/* ---- reasons ---- */

static void say_why(struct loop *loop, int place, struct buf *text)
{
	struct machine *machine = &loop->run->schedule->machine;
	int nnodes = loop_job(loop, place)->nnodes;
	size_t mark = machine_mark(machine);
	struct err err;

	buf_clear(text);
	if (nnodes > machine->nidle && !loop->run->schedule->is_sharing)
		buf_printf(text, "%d nodes requested, %d idle", nnodes, machine->nidle);
	else if (loop_choose(loop, place, loop->run->now_ns, &err) == 1 &&
		 loop->policy->why != NULL)
		loop->policy->why(loop, place, text);
	else
		buf_str(text, buf_text(&loop->run->reason));
	machine_undo(machine, mark);
	if (loop->policy->promise != NULL && loop->policy->promise(loop, place) != INT64_MAX) {
		char seconds[NUM_TEXT];

		num_print_seconds(seconds, loop->policy->promise(loop, place));
		buf_printf(text, ", promised for %s s", seconds);
	}
}

static void keep_reasons(struct loop *loop)
{
	for (int place = loop->first_new; place < loop->ncome; place++)
		if (!loop->run->outcomes[loop->job_at[place]].is_decided) {
			say_why(loop, place, &loop->run->text);
			loop->why[place] = xstrdup(buf_text(&loop->run->text));
		}
}

/* Jobs that wait for the end of others that never end, or that get no nodes. */
static void refuse_held(struct loop *loop)
{
	struct run *run = loop->run;

	for (int place = loop->ncome; place < loop->nplaces; place++) {
		int job = loop->job_at[place], blocker = depend_blocker(&run->depend, job);

		buf_clear(&run->reason);
		if (blocker >= 0)
			buf_printf(&run->reason, "waits forever: depends on job %s, which %s",
				   run->jobs[blocker].name,
				   run->outcomes[blocker].is_placed ? "does not end"
								    : "gets no nodes");
		else if (array_of(&run->arrays, job) != NULL)
			buf_printf(&run->reason,
				   "waits forever: as many tasks of its array as may, %d, wait or "
				   "run and do not end",
				   array_of(&run->arrays, job)->limit);
		else
			buf_str(&run->reason, "waits forever: depends_delay_s ends beyond the "
					      "times that can be told");
		run_refuse(run, job);
	}
}

/* Jobs that nothing will ever start any more. */
static void refuse_rest(struct loop *loop)
{
	for (int place = pending_next(&loop->pending, 0); place >= 0;
	     place = pending_next(&loop->pending, place + 1)) {
		if (loop->why != NULL)
			say_why(loop, place, &loop->run->text);
		buf_clear(&loop->run->reason);
		buf_str(&loop->run->reason, "waits forever: ");
		buf_str(&loop->run->reason, buf_text(&loop->run->text));
		run_refuse(loop->run, loop->job_at[place]);
	}
}

int loop_run(struct run *run, const struct loop_policy *policy, struct err *err)
{
	struct loop loop = {.run = run, .policy = policy};
	int status = 0, goes_on = 1;

	loop.delay_ns = duration(run->schedule->queue, "start-delay");
	loop.step_ns = duration(run->schedule->queue, "start-step");
	if (loop.step_ns > 0 && run->schedule->rules.holds.n > 0)
		return err_set(err, "start-step: does not go with reservations, which go by the "
				    "time at which a job starts: expected start-delay alone");
	run->schedule->delay_ns = loop.delay_ns;
	loop.settle_ns = duration(run->schedule->queue, "settle");
	loop.margin_ns = duration(run->schedule->queue, "margin");
	open_loop(&loop);
	run->now_ns = INT64_MIN + 1;
	if (policy->open != NULL)
		status = policy->open(&loop, err);
	while (status == 0 && (goes_on = go_on(&loop, err)) == 1) {
		status = policy->pass(&loop, err);
		if (status == 0 && loop.why != NULL)
			keep_reasons(&loop);
		run_tell(run);
	}
	status = goes_on < 0 ? -1 : status;
	if (status == 0) {
		refuse_rest(&loop);
		refuse_held(&loop);
		run_tell(run);
	}
	if (policy->close != NULL)
		policy->close(&loop);
	close_loop(&loop);
	return status;
}
