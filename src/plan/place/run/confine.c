/* confine.c - the constraints of a schedule, and who has which I/O nodes */
#include "place/run/confine.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "place/run/choose.h"
#include "place/run/run.h"

/* ---- opening ---- */

static void read_waits(struct confine *confine)
{
	for (int i = 0; i < confine->list.n; i++) {
		const struct pick *pick = &confine->list.picks[i];

		confine->wait_ns[i] = INT64_MAX;
		if (pick_has(pick, "wait"))
			confine->wait_ns[i] = (int64_t)llround(pick_real(pick, "wait") * 1e9);
		if (pick_bool(pick, "best-effort"))
			confine->wait_ns[i] = 0;
		confine->reads_running |= confine->list.at[i].type->reads_running;
		confine->pads |= confine->list.at[i].type->pad != NULL && pick_bool(pick, "pad");
	}
}

int confine_open(struct confine **result, struct topo *topo, const char *const *texts, int n,
		 const char *routing, const unsigned char *use, struct err *err)
{
	struct confine *confine = xcalloc(1, sizeof(*confine));
	bool *away = xcalloc((size_t)topo->nnodes, sizeof(*away));
	int status;

	*result = NULL;
	for (int node = 0; node < topo->nnodes; node++)
		away[node] = use[node] == NODE_AWAY;
	status = constraint_list_open(&confine->list, topo, texts, n, routing, away, err);
	free(away);
	if (status != 0) {
		free(confine);
		return -1;
	}
	read_waits(confine);
	confine->failed_at = xcalloc((size_t)topo->nnodes + 1, sizeof(int));
	confine->was_possible = xcalloc((size_t)topo->nnodes + 1, 1);
	confine->was_unsure = xcalloc((size_t)topo->nnodes + 1, sizeof(bool));
	confine->is_held = xcalloc((size_t)confine->list.space.npoints + 1, sizeof(bool));
	confine_forget(confine);
	*result = confine;
	return 0;
}

void confine_close(struct confine *confine)
{
	if (confine == NULL)
		return;
	constraint_list_close(&confine->list);
	free(confine->holds.at);
	free(confine->is_held);
	free(confine->failed_at);
	free(confine->was_possible);
	free(confine->was_unsure);
	free(confine->pinned.at);
	free(confine->points.at);
	free(confine->tried_points.at);
	map_free(&confine->gave_up.jobs);
	map_free(&confine->left_out.jobs);
	free(confine->running.at);
	free(confine->listed_in.at);
	free(confine);
}

bool confine_needs_holders(const struct confine *confine)
{
	for (int i = 0; i < confine->list.space.npoints; i++)
		if (confine->list.space.points[i].is_exclusive)
			return true;
	return confine->reads_running;
}

/* ---- I/O nodes ---- */

static void hold(struct schedule *schedule, int i, const int_vec *points)
{
	struct confine *confine = schedule->confine;
	const struct outcome *outcome = &schedule->outcomes[i];
	int node = -1;

	for (size_t k = 0; k < outcome->nodes.n && node < 0; k++)
		if (schedule->holder[outcome->nodes.at[k]] == i)
			node = outcome->nodes.at[k];
	for (size_t k = 0; k < points->n; k++)
		if (node >= 0 && confine->list.space.points[points->at[k]].is_exclusive)
			vec_push(&confine->holds, (struct io_hold){points->at[k], i, node});
}

int confine_restart(struct schedule *schedule, const struct job *jobs, int n, struct err *err)
{
	struct confine *confine = schedule->confine;

	confine->holds.n = 0;
	confine_forget(confine);
	memset(confine->was_possible, 0, (size_t)schedule->topo->nnodes + 1);
	for (int i = 0; i < n; i++) {
		if (!schedule->outcomes[i].is_booked || jobs[i].io_nodelist == NULL)
			continue;
		confine->points.n = 0;
		if (io_list_read(&confine->list.space, jobs[i].io_nodelist, &confine->points,
				 err) != 0)
			return err_prefix(err, "%s:%ld: io_nodelist: ", jobs[i].row.file,
					  jobs[i].row.line);
		hold(schedule, i, &confine->points);
	}
	return 0;
}

void confine_renumber(struct confine *confine, const int *number_of)
{
	size_t n = 0;

	for (size_t i = 0; i < confine->holds.n; i++) {
		struct io_hold held = confine->holds.at[i];

		held.job = number_of[held.job];
		if (held.job >= 0)
			confine->holds.at[n++] = held;
	}
	confine->holds.n = n;
}

/* Which points are not free in a state of the machine; jobs that have ended let go of theirs. */
static void find_held(struct schedule *schedule, const struct machine *machine)
{
	struct confine *confine = schedule->confine;

	if (confine->is_planning)
		return;
	memset(confine->is_held, 0, (size_t)confine->list.space.npoints);
	for (size_t i = 0; i < confine->holds.n; i++) {
		const struct io_hold *at = &confine->holds.at[i];

		if (schedule->holder[at->node] != at->job) {
			confine->holds.at[i--] = confine->holds.at[--confine->holds.n];
			continue;
		}
		if (!machine_is_idle(machine, at->node))
			confine->is_held[at->point] = true;
	}
	if (confine->tried.n > 0 && !machine_is_idle(machine, confine->tried.nodes[0]))
		for (size_t i = 0; i < confine->tried_points.n; i++)
			confine->is_held[confine->tried_points.at[i]] = true;
}

static int io_request(struct schedule *schedule, const struct machine *machine,
		      const struct job *job, struct io_request *io, struct err *err)
{
	struct confine *confine = schedule->confine;

	*io = (struct io_request){.wanted = job->io_nodes, .is_held = confine->is_held};
	if (job->io_nodes == 0 && job->io_pinned == NULL)
		return 0;
	find_held(schedule, machine);
	if (job->io_pinned == NULL)
		return 0;
	confine->pinned.n = 0;
	if (io_list_read(&confine->list.space, job->io_pinned, &confine->pinned, err) != 0)
		return err_prefix(err, "%s:%ld: io_pinned: ", job->row.file, job->row.line);
	io->pinned = confine->pinned.at;
	io->npinned = (int)confine->pinned.n;
	if (job->io_nodes != 0 && job->io_nodes != io->npinned)
		return row_error(&job->row, err, "io_pinned: names %d I/O nodes, io_nodes says %d",
				 io->npinned, job->io_nodes);
	io->wanted = io->npinned;
	return 0;
}

char *confine_start(struct schedule *schedule, const struct job *job, int i)
{
	struct confine *confine = schedule->confine;
	const struct outcome *outcome = &schedule->outcomes[i];
	struct io_request io;
	struct buf text = {0};

	if (io_request(schedule, &schedule->machine, job, &io, &(struct err){0}) != 0 ||
	    io.wanted == 0)
		return NULL;
	confine->points.n = 0;
	/* the nearest ones: those beside its nodes, where there are such */
	if (confine->promised != NULL && confine->promised->n > 0)
		for (size_t k = 0; k < confine->promised->n; k++)
			vec_push(&confine->points, confine->promised->at[k]);
	else if (!io_choose(&confine->list.space, &io, outcome->nodes.at, outcome->nnodes, false,
			    &confine->points))
		return NULL;
	hold(schedule, i, &confine->points);
	io_list_add(&confine->list.space, confine->points.at, confine->points.n, &text);
	return text.text;
}

/* ---- decisions ---- */

/* The jobs whose nodes are busy in a state of the machine, by the first of these. */
static void find_running(struct schedule *schedule, const struct machine *machine)
{
	struct confine *confine = schedule->confine;

	confine->running.n = 0;
	confine->round++;
	for (int node = 0; node < machine->nnodes; node++) {
		int job = schedule->holder[node];
		const int_vec *nodes;

		if (job < 0 || machine_is_idle(machine, node))
			continue;
		while (confine->listed_in.n <= (size_t)job)
			vec_push(&confine->listed_in, 0);
		if (confine->listed_in.at[job] == confine->round)
			continue;
		confine->listed_in.at[job] = confine->round;
		nodes = &schedule->outcomes[job].nodes;
		vec_push(&confine->running, (struct constraint_job){nodes->at, (int)nodes->n});
	}
	if (confine->tried.n > 0)
		vec_push(&confine->running, confine->tried);
}

static unsigned soft_at(const struct confine *confine, const struct job *job, int64_t now_ns)
{
	int64_t submit_ns = job->submit_ns != JOB_NO_TIME ? job->submit_ns : 0;
	unsigned soft = 0;

	for (int i = 0; i < confine->list.n; i++) {
		int64_t wait_ns = confine->wait_ns[i];

		if (wait_ns == 0 || (wait_ns != INT64_MAX && now_ns != JOB_NO_TIME &&
				     now_ns >= time_after(submit_ns, wait_ns)))
			soft |= 1U << i;
	}
	return soft;
}

int confine_case(struct schedule *schedule, const struct machine *machine, const struct job *job,
		 int64_t now_ns, struct constraint_case *job_case, struct err *err)
{
	struct confine *confine = schedule->confine;

	*job_case = (struct constraint_case){.soft = soft_at(confine, job, now_ns)};
	if (io_request(schedule, machine, job, &job_case->io, err) != 0)
		return -1;
	if (confine->reads_running) {
		if (!confine->is_planning)
			find_running(schedule, machine);
		job_case->running = confine->running.at;
		job_case->nrunning = (int)confine->running.n;
	}
	return 0;
}

static void count(struct searches *searches, const struct job *job)
{
	searches->n++;
	map_add(&searches->jobs, job->name, strlen(job->name), 0);
}

int confine_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		   int_vec *nodes, struct buf *reason, struct err *err)
{
	struct confine *confine = schedule->confine;
	struct constraint_case job_case;
	int status;

	if (confine_case(schedule, request->machine, request->job, now_ns, &job_case, err) != 0)
		return -1;
	status = constraint_list_choose(&confine->list, schedule->alloc, request, &job_case, nodes,
					&confine->points, reason, err);
	confine->is_unsure |= confine->list.is_unsure;
	if (confine->list.gave_up)
		count(confine->list.was_left_out ? &confine->left_out : &confine->gave_up,
		      request->job);
	return status;
}

bool confine_still_holds(struct schedule *schedule, const struct machine *machine,
			 const int_vec *nodes)
{
	struct confine *confine = schedule->confine;
	struct constraint_case job_case = {.io = {.is_held = confine->is_held}};

	if (!confine->reads_running)
		return true;
	find_running(schedule, machine);
	job_case.running = confine->running.at;
	job_case.nrunning = (int)confine->running.n;
	return constraint_list_still_holds(&confine->list, machine, &job_case, nodes);
}

void confine_suppose(struct schedule *schedule, const struct job *job, const int_vec *nodes)
{
	struct confine *confine = schedule->confine;
	struct io_request io;

	confine->tried = (struct constraint_job){0};
	confine->tried_points.n = 0;
	if (nodes == NULL)
		return;
	confine->points.n = 0;
	if (io_request(schedule, &schedule->machine, job, &io, &(struct err){0}) == 0 &&
	    io.wanted > 0)
		/* as confine_start will */
		io_choose(&confine->list.space, &io, nodes->at, (int)nodes->n, false,
			  &confine->points);
	for (size_t i = 0; i < confine->points.n; i++)
		if (confine->list.space.points[confine->points.at[i]].is_exclusive)
			vec_push(&confine->tried_points, confine->points.at[i]);
	confine->tried = (struct constraint_job){nodes->at, (int)nodes->n};
}

/* ---- plans ---- */

void confine_plan(struct confine *confine)
{
	confine->is_planning = true;
	confine->running.n = 0;
	memset(confine->is_held, 0, (size_t)confine->list.space.npoints);
}

void confine_plan_job(struct schedule *schedule, int job)
{
	struct confine *confine = schedule->confine;

	confine_plan_add(confine, schedule->outcomes[job].nodes.at,
			 (int)schedule->outcomes[job].nodes.n, NULL);
	for (size_t i = 0; i < confine->holds.n; i++)
		if (confine->holds.at[i].job == job)
			confine->is_held[confine->holds.at[i].point] = true;
}

void confine_plan_add(struct confine *confine, const int *nodes, int n, const int_vec *points)
{
	vec_push(&confine->running, (struct constraint_job){nodes, n});
	for (size_t i = 0; points != NULL && i < points->n; i++)
		if (confine->list.space.points[points->at[i]].is_exclusive)
			confine->is_held[points->at[i]] = true;
}

void confine_plan_end(struct confine *confine)
{
	confine->is_planning = false;
}

/* ---- what is remembered ---- */

bool confine_is_plain(const struct confine *confine, const struct job *job)
{
	if (confine->list.n == 0 || confine->pads || job->io_nodes != 0 || job->io_pinned != NULL)
		return false;
	for (int i = 0; i < confine->list.n; i++)
		if (confine->wait_ns[i] != INT64_MAX)
			return false;
	return true;
}

void confine_forget(struct confine *confine)
{
	confine->epoch++;
	confine->ngave_up_now = 0;
	confine->least_failed = INT_MAX;
}

void confine_note(struct confine *confine, const struct job *job)
{
	if ((!confine->list.is_no && !confine->list.gave_up) || !confine_is_plain(confine, job))
		return;
	confine->failed_at[job->nnodes] = confine->epoch;
	confine->ngave_up_now += confine->list.gave_up;
	confine->was_unsure[job->nnodes] = confine->list.gave_up;
	if (job->nnodes < confine->least_failed && constraint_list_shrinks(&confine->list))
		confine->least_failed = job->nnodes;
}

bool confine_knows_no(const struct confine *confine, const struct job *job)
{
	return confine_is_plain(confine, job) &&
	       (confine->failed_at[job->nnodes] == confine->epoch ||
		job->nnodes >= confine->least_failed);
}

bool confine_was_unsure(const struct confine *confine, const struct job *job)
{
	int nnodes = confine->failed_at[job->nnodes] == confine->epoch ? job->nnodes
								       : confine->least_failed;

	return confine->was_unsure[nnodes];
}

bool confine_gives_up(struct confine *confine, const struct machine *machine, const struct job *job)
{
	if (!constraint_list_is_large(&confine->list) ||
	    confine->ngave_up_now < SCHED_MOST_GAVE_UP || !confine_is_plain(confine, job) ||
	    constraint_list_fits(&confine->list, machine->idle.level[0], job->nnodes) >= 0)
		return false;
	confine->list.gave_up = true;
	count(&confine->left_out, job);
	confine_note(confine, job);
	return true;
}

int confine_most(const struct confine *confine)
{
	return confine->least_failed != INT_MAX ? confine->least_failed - 1 : INT_MAX;
}

int64_t confine_relaxes_at(const struct confine *confine, const struct job *job, int64_t after_ns)
{
	int64_t submit_ns = job->submit_ns != JOB_NO_TIME ? job->submit_ns : 0;
	int64_t first_ns = JOB_NO_TIME;

	for (int i = 0; i < confine->list.n; i++) {
		int64_t time_ns;

		if (confine->wait_ns[i] == 0 || confine->wait_ns[i] == INT64_MAX)
			continue;
		time_ns = time_after(submit_ns, confine->wait_ns[i]);
		if (time_ns > after_ns && (first_ns == JOB_NO_TIME || time_ns < first_ns))
			first_ns = time_ns;
	}
	return first_ns;
}

bool confine_is_counted(const struct confine *confine, const struct job *job, int64_t now_ns)
{
	if (confine->pads)
		return false;
	if (job != NULL)
		return job->io_nodes == 0 && job->io_pinned == NULL &&
		       soft_at(confine, job, now_ns) == (1U << confine->list.n) - 1;
	for (int i = 0; i < confine->list.n; i++)
		if (confine->wait_ns[i] != 0)
			return false;
	return confine->list.space.npoints == 0;
}
