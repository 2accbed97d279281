/* choose.c - which nodes a job gets: what its constraints allow, and the policy's choice in it */
#include "place/run/choose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/run/leaf_switches.h"
#include "place/run/run.h"
#include "place/run/stock.h"

/* The newest window that has ended by then; NULL: none. */
static const struct traffic_window *newest(const struct schedule *schedule, const struct job *job,
					   int64_t now_ns)
{
	if (schedule->traffic == NULL)
		return NULL;
	return traffic_at(schedule->traffic, job->run, now_ns != JOB_NO_TIME ? now_ns : INT64_MAX);
}

static int64_t max_age_of(const struct schedule *schedule, const struct traffic_window *window)
{
	const int64_t hour_ns = INT64_C(3600000000000);

	if (schedule->max_age_ns != JOB_NO_TIME)
		return schedule->max_age_ns;
	return window->window_ns > hour_ns / 100 ? 100 * window->window_ns : hour_ns;
}

/* The same; NULL also where it is too old. Newer ones may come: INT64_MAX is no age. */
static const struct traffic_window *window_at(const struct schedule *schedule,
					      const struct job *job, int64_t now_ns)
{
	const struct traffic_window *window = newest(schedule, job, now_ns);

	if (window == NULL || now_ns == JOB_NO_TIME || now_ns == INT64_MAX ||
	    now_ns <= time_after(window->end_ns, max_age_of(schedule, window)))
		return window;
	return NULL;
}

struct alloc_request sched_request(struct schedule *schedule, const struct job *job, int64_t now_ns)
{
	const struct traffic_window *window = window_at(schedule, job, now_ns);

	return (struct alloc_request){.machine = &schedule->machine,
				      .job = job,
				      .traffic = window,
				      .is_traffic_old = window == NULL &&
							newest(schedule, job, now_ns) != NULL,
				      .seed = schedule->seed};
}

static int choose_together(struct schedule *schedule, const struct alloc_request *request,
			   int64_t now_ns, int_vec *nodes, struct buf *reason, struct err *err);

static int choose_alone(struct schedule *schedule, const struct alloc_request *request,
			int64_t now_ns, int_vec *nodes, struct buf *reason, struct err *err)
{
	if (schedule->is_selective)
		return eligible_choose(schedule, request, now_ns, nodes, reason, err);
	return sched_choose_any(schedule, request, now_ns, nodes, reason, err);
}

int sched_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		 int_vec *nodes, struct buf *reason, struct err *err)
{
	if (schedule->confine != NULL)
		schedule->confine->is_unsure = false;
	if (request->job->ncomponents > 0)
		return choose_together(schedule, request, now_ns, nodes, reason, err);
	return choose_alone(schedule, request, now_ns, nodes, reason, err);
}

/* The machine where others are idle; counts of domains are the machine's and are not used. */
static struct machine trial_of(struct schedule *schedule, const uint64_t *idle)
{
	struct machine trial = schedule->machine;

	if (schedule->trial.nlevels == 0)
		bitset_init(&schedule->trial, trial.nnodes);
	bitset_assign(&schedule->trial, idle);
	trial.idle = schedule->trial;
	trial.nidle = bits_count(idle, trial.idle.nwords[0]);
	return trial;
}

int sched_choose_among(struct schedule *schedule, const struct alloc_request *request,
		       const uint64_t *idle, int64_t now_ns, int_vec *nodes, struct buf *reason,
		       struct err *err)
{
	struct machine *machine = request->machine, trial;
	struct alloc_request again = *request;
	size_t mark = machine_mark(machine);
	int status;

	if (schedule->alloc->policy->first == NULL || schedule->is_selective) {
		sched_set_idle(machine, idle);
		status = sched_choose(schedule, request, now_ns, nodes, reason, err);
		machine_undo(machine, mark);
		return status;
	}
	trial = trial_of(schedule, idle);
	again.machine = &trial;
	again.is_trial = true;
	return sched_choose(schedule, &again, now_ns, nodes, reason, err);
}

/* When the next window of traffic ends, for a policy that can't do without one; JOB_NO_TIME: there
 * is one already, or none comes. */
static int64_t first_traffic(const struct schedule *schedule, const struct job *job,
			     int64_t after_ns)
{
	int64_t first = JOB_NO_TIME;

	if (!schedule->alloc->policy->wants_traffic || schedule->traffic == NULL ||
	    window_at(schedule, job, after_ns) != NULL)
		return JOB_NO_TIME;
	for (int i = 0; i < schedule->traffic->nwindows; i++) {
		int64_t end_ns = schedule->traffic->windows[i].end_ns;

		if (end_ns > after_ns && (first == JOB_NO_TIME || end_ns < first) &&
		    window_at(schedule, job, end_ns) != NULL)
			first = end_ns;
	}
	return first;
}

/* Reservations go by the time at which a job starts, which is chosen delay_ns before. */
static int64_t with_delay(const struct schedule *schedule, int64_t time_ns)
{
	return time_after(time_ns, schedule->delay_ns);
}

static int64_t before_delay(const struct schedule *schedule, int64_t start_ns)
{
	return start_ns != JOB_NO_TIME ? start_ns - schedule->delay_ns : JOB_NO_TIME;
}

static int64_t relaxes_at(const struct schedule *schedule, const struct job *job, int64_t after_ns)
{
	int64_t leaf_ns = job->leaf_switches > 0 ? leaf_switches_until(schedule, job) : INT64_MAX;
	const int64_t times[] = {
		first_traffic(schedule, job, after_ns),
		schedule->confine != NULL ? confine_relaxes_at(schedule->confine, job, after_ns)
					  : JOB_NO_TIME,
		leaf_ns != INT64_MAX && leaf_ns > after_ns ? leaf_ns : JOB_NO_TIME,
		before_delay(schedule, site_rules_relax_at(&schedule->rules, job,
							   with_delay(schedule, after_ns)))};
	int64_t first_ns = JOB_NO_TIME;

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (first_ns == JOB_NO_TIME || (times[i] != JOB_NO_TIME && times[i] < first_ns))
			first_ns = times[i];
	return first_ns;
}

int64_t sched_relaxes_at(struct schedule *schedule, const struct job *job, int64_t after_ns)
{
	int64_t first_ns = JOB_NO_TIME;

	if (job->ncomponents == 0)
		return relaxes_at(schedule, job, after_ns);
	schedule->group = job;
	for (int i = 0; i < job->ncomponents; i++) {
		int64_t time_ns = relaxes_at(schedule, job->components[i], after_ns);

		if (time_ns != JOB_NO_TIME && (first_ns == JOB_NO_TIME || time_ns < first_ns))
			first_ns = time_ns;
	}
	schedule->group = NULL;
	return first_ns;
}

int64_t sched_narrows_at(const struct schedule *schedule, const struct job *job, int64_t after_ns)
{
	int64_t length_ns = job_planned_length(job), start_ns = with_delay(schedule, after_ns);
	int64_t first_ns = JOB_NO_TIME;

	if (job->ncomponents == 0)
		first_ns = site_rules_narrow_at(&schedule->rules, job, length_ns, start_ns);
	for (int i = 0; i < job->ncomponents; i++) {
		int64_t time_ns = site_rules_narrow_at(&schedule->rules, job->components[i],
						       length_ns, start_ns);

		if (time_ns != JOB_NO_TIME && (first_ns == JOB_NO_TIME || time_ns < first_ns))
			first_ns = time_ns;
	}
	return before_delay(schedule, first_ns);
}

bool sched_is_counted(const struct schedule *schedule, const struct job *job, int64_t now_ns)
{
	const struct alloc_policy *policy = schedule->alloc->policy;

	if (policy->may_refuse || schedule->is_selective ||
	    (schedule->confine != NULL && !confine_is_counted(schedule->confine, job, now_ns)))
		return false;
	return !policy->wants_traffic || (job != NULL && window_at(schedule, job, now_ns) != NULL);
}

/* ---- without a choice ---- */

bool sched_is_plain(const struct schedule *schedule, const struct job *job)
{
	const struct alloc_policy *policy = schedule->alloc->policy;

	return schedule->confine != NULL && !schedule->is_selective && !policy->may_refuse &&
	       !policy->wants_traffic && confine_is_plain(schedule->confine, job);
}

bool sched_is_repeatable(const struct schedule *schedule, const struct job *job)
{
	return sched_is_plain(schedule, job) && schedule->alloc->policy->placed == NULL;
}

bool sched_still_holds(struct schedule *schedule, const uint64_t *idle, const int_vec *nodes)
{
	struct machine trial = trial_of(schedule, idle);

	return confine_still_holds(schedule, &trial, nodes);
}

void sched_suppose(struct schedule *schedule, const struct job *job, const int_vec *nodes)
{
	if (schedule->confine != NULL)
		confine_suppose(schedule, job, nodes);
}

int sched_fits(const struct schedule *schedule, const struct job *job, const uint64_t *idle)
{
	return constraint_list_fits(&schedule->confine->list, idle, job->nnodes);
}

int64_t sched_earliest(const struct schedule *schedule, const struct job *job,
		       const struct free_times *times, bool *is_exact)
{
	return constraint_list_earliest(&schedule->confine->list, times, job->nnodes, is_exact);
}

bool sched_is_sure(const struct schedule *schedule)
{
	return schedule->confine == NULL || !schedule->confine->is_unsure;
}

bool sched_is_long(const struct schedule *schedule)
{
	return schedule->confine != NULL && constraint_list_is_long(&schedule->confine->list);
}

int sched_epoch(const struct schedule *schedule)
{
	return schedule->confine != NULL ? schedule->confine->epoch : 0;
}

int sched_choose_now(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		     int_vec *nodes, struct buf *reason, struct err *err)
{
	/* what failed for one job's nodes says nothing of another's */
	struct confine *confine = !schedule->is_selective ? schedule->confine : NULL;
	int status;

	if (confine != NULL && request->job->nnodes <= schedule->machine.nidle &&
	    (confine_knows_no(confine, request->job) ||
	     confine_gives_up(confine, request->machine, request->job))) {
		nodes->n = 0;
		buf_clear(reason);
		constraint_list_say_none(&confine->list, confine_was_unsure(confine, request->job),
					 reason);
		return 0;
	}
	status = sched_choose(schedule, request, now_ns, nodes, reason, err);
	if (confine != NULL && status == 0)
		confine_note(confine, request->job);
	return status;
}

int sched_most(const struct schedule *schedule)
{
	int most = schedule->confine != NULL ? confine_most(schedule->confine) : INT_MAX;

	if (schedule->is_sharing) /* parts of nodes are not counted here */
		return most != INT_MAX ? most : INT_MAX - 1;
	return schedule->machine.nidle < most ? schedule->machine.nidle : most;
}

/* ---- nodes that are tried ---- */

char *sched_cpus(const struct schedule *schedule, const struct job *job, const int_vec *nodes)
{
	int64_t *cpus = xmalloc((nodes->n + 1) * sizeof(*cpus));
	struct share how = {.is_whole = !job->asks_share, .nrows = 1, .partition = -1};
	struct buf text = {0};
	const char *partition;
	size_t n = eligible_partition(schedule, job, nodes, &partition);

	if (schedule->stock != NULL)
		stock_enter(schedule->stock, job, job->asks_share && schedule->is_sharing,
			    partition, n, &how);
	stock_deal(schedule->stock, job, &how, nodes->at, (int)nodes->n, cpus);
	for (size_t i = 0, same; i < nodes->n; i += same) {
		for (same = 1; i + same < nodes->n && cpus[i + same] == cpus[i];)
			same++;
		buf_printf(&text, "%s%lld", i > 0 ? "," : "", (long long)cpus[i]);
		if (same > 1)
			buf_printf(&text, "(x%zu)", same);
	}
	free(cpus);
	return text.text;
}

static void hold(struct schedule *schedule, const struct job *job, int number, const int_vec *nodes)
{
	struct share how = {0};
	const char *partition;
	size_t n;

	if (!schedule->is_sharing)
		return;
	n = eligible_partition(schedule, job, nodes, &partition);
	stock_enter(schedule->stock, job, job->asks_share, partition, n, &how);
	stock_take(schedule->stock, job, number, nodes->at, (int)nodes->n, &how);
}

void sched_hold(struct schedule *schedule, const struct job *job, int number, const int_vec *nodes)
{
	const struct share whole = {.is_whole = true, .nrows = 1, .partition = -1};
	size_t first = 0;

	if (job->ncomponents == 0)
		hold(schedule, job, number, nodes);
	for (int i = 0; i < job->ncomponents; i++) {
		int_vec part = {.at = nodes->at + first, .n = (size_t)job->components[i]->nnodes};

		hold(schedule, job->components[i], number, &part);
		first += part.n;
	}
	if (job->ncomponents > 0 && schedule->is_sharing)
		stock_take(schedule->stock, job, number, nodes->at + first, (int)(nodes->n - first),
			   &whole);
}

void sched_unhold(struct schedule *schedule, int number, const int_vec *nodes)
{
	if (schedule->is_sharing)
		stock_give_back(schedule->stock, number, nodes->at, (int)nodes->n);
}

void sched_release(struct schedule *schedule, int number, const int_vec *nodes)
{
	if (!schedule->is_sharing) {
		machine_release_all(&schedule->machine, nodes->at, nodes->n);
		return;
	}
	stock_give_back(schedule->stock, number, nodes->at, (int)nodes->n);
	for (size_t i = 0; i < nodes->n; i++)
		/* components may have parts of the same node */
		if (stock_is_free_at(schedule->stock, nodes->at[i], INT64_MIN) &&
		    !machine_is_idle(&schedule->machine, nodes->at[i]))
			machine_release(&schedule->machine, nodes->at[i]);
}

/* ---- heterogeneous jobs ---- */

/* Nodes for all components at once, or for none. */
struct together {
	struct schedule *schedule;
	const struct alloc_request *request;
	int64_t now_ns;
	int_vec *of; /* [ncomponents] */
	int *order;  /* [ncomponents] in which they are tried */
	int nchosen;
};

enum { NOBODY = -1 }; /* who has nodes meanwhile */

static int choose_in_order(struct together *together, struct buf *reason, struct err *err)
{
	const struct job *job = together->request->job;
	int status = 1;

	for (together->nchosen = 0; together->nchosen < job->ncomponents && status == 1;
	     together->nchosen += status == 1) {
		struct alloc_request request = *together->request;
		int i = together->order[together->nchosen];

		request.job = job->components[i];
		status = choose_alone(together->schedule, &request, together->now_ns,
				      &together->of[i], reason, err);
		if (status == 1)
			sched_hold(together->schedule, request.job, NOBODY, &together->of[i]);
	}
	for (int k = 0; k < together->nchosen; k++)
		sched_unhold(together->schedule, NOBODY, &together->of[together->order[k]]);
	return status;
}

/* The component that found no nodes is the first one next time. */
static void bring_forward(struct together *together)
{
	int late = together->order[together->nchosen];

	memmove(&together->order[1], &together->order[0],
		(size_t)together->nchosen * sizeof(*together->order));
	together->order[0] = late;
}

/* The components' own nodes in their order, then those that others do not get beside them. */
static void collect(const struct together *together, int_vec *nodes)
{
	const struct job *job = together->request->job;

	for (int i = 0; i < job->ncomponents; i++)
		for (int k = 0; k < job->components[i]->nnodes; k++)
			vec_push(nodes, together->of[i].at[k]);
	for (int i = 0; i < job->ncomponents; i++)
		for (size_t k = (size_t)job->components[i]->nnodes; k < together->of[i].n; k++)
			vec_push(nodes, together->of[i].at[k]);
}

static int choose_together(struct schedule *schedule, const struct alloc_request *request,
			   int64_t now_ns, int_vec *nodes, struct buf *reason, struct err *err)
{
	int n = request->job->ncomponents, status = 0;
	struct together together = {.schedule = schedule, .request = request, .now_ns = now_ns};
	size_t mark = machine_mark(request->machine);
	const struct job *group = schedule->group;

	together.of = xcalloc((size_t)n, sizeof(*together.of));
	together.order = xmalloc((size_t)n * sizeof(int));
	for (int i = 0; i < n; i++)
		together.order[i] = i;
	schedule->group = request->job;
	nodes->n = 0;
	for (int i = 0; i < n && status == 0; i++) {
		if (i > 0 && together.nchosen == 0)
			break; /* it finds none on a machine without the others */
		if (i > 0)
			bring_forward(&together);
		status = choose_in_order(&together, reason, err);
		if (status != 1)
			machine_undo(request->machine, mark);
	}
	schedule->group = group;
	if (status == 1)
		collect(&together, nodes);
	for (int i = 0; i < n; i++)
		vec_free(&together.of[i]);
	free(together.of);
	free(together.order);
	return status;
}
