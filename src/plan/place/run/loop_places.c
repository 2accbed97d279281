/* loop_places.c - the places of a queue: jobs by their submission, and more of them as they come */
#include <stdlib.h>
#include <string.h>

#include "place/run/job_feed.h"
#include "place/run/loop.h"
#include "place/run/stock.h"

struct submission {
	int64_t time_ns;
	int job;
};

static int by_time(const void *a, const void *b)
{
	const struct submission *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

struct submissions {
	VEC(struct submission) of;
};

/* Places for jobs that have not come, behind the ncome ones of those that have. */
static void set_places(struct loop *loop, struct submissions *coming)
{
	int nold = loop->nplaces, n;

	if (coming->of.n > 1)
		qsort(coming->of.at, coming->of.n, sizeof(*coming->of.at), by_time);
	n = loop->nplaces = loop->ncome + (int)coming->of.n;
	loop->job_at = xrealloc(loop->job_at, (size_t)n + 1, sizeof(*loop->job_at));
	loop->submit_at = xrealloc(loop->submit_at, (size_t)n + 1, sizeof(*loop->submit_at));
	loop->was_tried = xrealloc(loop->was_tried, (size_t)n + 1, sizeof(*loop->was_tried));
	if (loop->run->schedule->explains)
		loop->why = xrealloc(loop->why, (size_t)n + 1, sizeof(*loop->why));
	for (int i = 0; i < (int)coming->of.n; i++) {
		loop->job_at[loop->ncome + i] = coming->of.at[i].job;
		loop->submit_at[loop->ncome + i] = coming->of.at[i].time_ns;
	}
	for (int i = nold; i < n; i++) {
		loop->was_tried[i] = 0;
		if (loop->why != NULL)
			loop->why[i] = NULL;
	}
	loop->submit_at[n] = INT64_MAX;
}

/* When a job comes that waits for no other. One that does not say when it was submitted came with
 * the one before it. */
static int64_t arrival_of(struct loop *loop, int number)
{
	const struct job *job = &loop->run->jobs[number];

	if (job->submit_ns != JOB_NO_TIME)
		loop->last_submit_ns = job->submit_ns;
	return job->eligible_ns > loop->last_submit_ns ? job->eligible_ns : loop->last_submit_ns;
}

/* The first jobs that do not say it came with the first that says so, else at 0. */
void loop_set_places(struct loop *loop)
{
	const struct run *run = loop->run;
	struct submissions coming = {0};

	if (run->depend.nleft != NULL || run->arrays.array_of != NULL)
		loop->arrival = xcalloc((size_t)run->n, sizeof(*loop->arrival));
	for (int i = run->n - 1; i >= 0; i--)
		if (run->jobs[i].submit_ns != JOB_NO_TIME)
			loop->last_submit_ns = run->jobs[i].submit_ns;
	for (int i = 0; i < run->n; i++) {
		int64_t time_ns = arrival_of(loop, i);

		if (run->outcomes[i].is_decided)
			continue;
		if (depend_waits(&run->depend, i)) {
			loop->arrival[i] = time_ns;
			time_ns = INT64_MAX;
			loop->nheld++;
		}
		vec_push(&coming.of, (struct submission){time_ns, i});
	}
	set_places(loop, &coming);
	free(coming.of.at);
}

/* Puts a job that was held where it comes now: among those that have not come. */
static void release(struct loop *loop, int job)
{
	int64_t time_ns = loop->arrival[job];
	int from = loop->nplaces - loop->nheld, to;

	int64_t free_ns = depend_arrival(&loop->run->depend, loop->run->jobs, job);

	if (time_ns < free_ns)
		time_ns = free_ns;
	if (time_ns < loop->run->now_ns)
		time_ns = loop->run->now_ns;
	while (loop->job_at[from] != job)
		from++;
	for (to = from; to > loop->ncome &&
			(loop->submit_at[to - 1] > time_ns ||
			 (loop->submit_at[to - 1] == time_ns && loop->job_at[to - 1] > job));
	     to--) {
		loop->submit_at[to] = loop->submit_at[to - 1];
		loop->job_at[to] = loop->job_at[to - 1];
	}
	loop->submit_at[to] = time_ns;
	loop->job_at[to] = job;
	loop->nheld--;
}

void loop_release_held(struct loop *loop)
{
	int_vec *freed = &loop->run->freed;

	for (size_t i = 0; i < freed->n; i++)
		if (!loop->run->outcomes[freed->at[i]].is_decided)
			release(loop, freed->at[i]);
	freed->n = 0;
}

bool loop_hold(struct loop *loop)
{
	int job = loop->job_at[loop->ncome], last = loop->nplaces - 1;
	struct array *array = arrays_full(&loop->run->arrays, job);

	if (array == NULL) {
		arrays_come(&loop->run->arrays, job);
		return false;
	}
	vec_push(&array->held, job);
	loop->arrival[job] = loop->submit_at[loop->ncome];
	memmove(&loop->job_at[loop->ncome], &loop->job_at[loop->ncome + 1],
		(size_t)(last - loop->ncome) * sizeof(*loop->job_at));
	memmove(&loop->submit_at[loop->ncome], &loop->submit_at[loop->ncome + 1],
		(size_t)(last - loop->ncome) * sizeof(*loop->submit_at));
	loop->job_at[last] = job;
	loop->submit_at[last] = INT64_MAX;
	loop->nheld++;
	return true;
}

/* ---- more jobs ---- */

/* Places whose jobs came and are decided go. place_of [nplaces]; -1: gone. */
static void drop_places(struct loop *loop, const int *number_of, int *place_of)
{
	int n = 0, first_new = 0, ncome = loop->ncome;

	for (int place = 0; place < loop->nplaces; place++) {
		int job = number_of[loop->job_at[place]];
		bool is_gone = job < 0 || (place < ncome && loop->run->outcomes[job].is_decided);

		place_of[place] = is_gone ? -1 : n;
		loop->ncome -= is_gone && place < ncome;
		first_new += !is_gone && place < loop->first_new;
		if (is_gone) {
			if (loop->why != NULL)
				free(loop->why[place]);
			continue;
		}
		loop->job_at[n] = job;
		loop->submit_at[n] = loop->submit_at[place];
		loop->was_tried[n] = loop->was_tried[place];
		if (loop->why != NULL)
			loop->why[n] = loop->why[place];
		n++;
	}
	loop->nplaces = n;
	loop->first_new = first_new;
}

static void renumber_running(struct loop *loop, const int *number_of, int nbefore)
{
	int64_t *planned = xcalloc((size_t)loop->run->n + 1, sizeof(*planned));

	for (int i = 0; i < nbefore; i++)
		if (number_of[i] >= 0)
			planned[number_of[i]] = loop->planned_end[i];
	free(loop->planned_end);
	loop->planned_end = planned;
	if (loop->run->schedule->is_sharing)
		loop->run->schedule->stock->planned_end = planned;
	for (size_t i = 0; i < loop->running.of.n; i++)
		loop->running.of.at[i].job = number_of[loop->running.of.at[i].job];
}

void loop_renumber_ends(struct ends *ends, const int *place_of, int gone)
{
	size_t n = ends->heap.n;

	ends->heap.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct job_end end = ends->heap.at[i];

		int place = end.job == gone || place_of[end.job] < 0 ? gone : place_of[end.job];

		/* what is added is before what is still to be looked at */
		if (place >= 0)
			ends_add(ends, end.time_ns, place);
	}
}

static int add_places(struct loop *loop, int nleft, bool has_passed, struct err *err)
{
	const struct run *run = loop->run;
	struct submissions coming = {0};

	for (int place = loop->ncome; place < loop->nplaces; place++)
		vec_push(&coming.of,
			 (struct submission){loop->submit_at[place], loop->job_at[place]});
	for (int i = nleft; i < run->n; i++) {
		int64_t time_ns = arrival_of(loop, i);

		if (time_ns < run->now_ns || (has_passed && time_ns == run->now_ns)) {
			free(coming.of.at);
			return row_error(&run->jobs[i].row, err,
					 "submit_s: was passed more than %d jobs before: expected "
					 "the order of submission, or a greater --read-ahead",
					 run->schedule->feed->nahead);
		}
		vec_push(&coming.of, (struct submission){time_ns, i});
	}
	set_places(loop, &coming);
	free(coming.of.at);
	return 0;
}

int loop_read_ahead(struct loop *loop, bool has_passed, struct err *err)
{
	struct run *run = loop->run;

	while (run->schedule->feed != NULL && !run->has_ended_feed &&
	       loop->nplaces - loop->ncome < run->schedule->feed->nahead) {
		int nbefore = run->n, nold = loop->nplaces, *number_of, nleft, status;
		int *place_of = xmalloc((size_t)(nold + 1) * sizeof(*place_of));

		nleft = run_more(run, &number_of, err);
		drop_places(loop, number_of, place_of);
		renumber_running(loop, number_of, nbefore);
		loop_renumber_ends(&loop->relaxes, place_of, LOOP_GONE);
		loop_renumber_ends(&loop->leaves, place_of, LOOP_GONE);
		status = nleft < 0 ? -1 : add_places(loop, nleft, has_passed, err);
		if (loop->policy->renumber != NULL)
			loop->policy->renumber(loop, place_of, nold);
		pending_free(&loop->pending);
		pending_init(&loop->pending, loop->nplaces);
		for (int place = 0; place < loop->ncome; place++)
			pending_add(&loop->pending, place, loop_job(loop, place)->nnodes,
				    loop_length(loop, loop_job(loop, place)));
		free(place_of);
		free(number_of);
		if (status != 0)
			return -1;
	}
	return 0;
}
