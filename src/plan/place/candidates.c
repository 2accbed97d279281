/* candidates.c - every node list that a job might get */
#include "place/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "place/run/run.h"

enum { CANDIDATES_MOST = 1000000 };
static const int64_t STEPS = 2000000000;

/* Sets of the same size, one after the other, each once. */
struct sets {
	int size;
	int_vec nodes;
	struct map known; /* the bytes of a set in label order */
	bool too_many;
};

static int by_label(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int add(void *context, const int *nodes, int n)
{
	struct sets *sets = context;
	size_t before = sets->nodes.n;
	int *set;

	sets->size = n; /* more than the job asks for, where it is padded */
	for (int i = 0; i < n; i++)
		vec_push(&sets->nodes, nodes[i]);
	set = &sets->nodes.at[before];
	qsort(set, (size_t)n, sizeof(*set), by_label);
	if (map_add(&sets->known, (const char *)set, (size_t)n * sizeof(*set), (int64_t)before) !=
	    (int64_t)before)
		sets->nodes.n = before;
	sets->too_many = sets->nodes.n / (size_t)n > CANDIDATES_MOST;
	return sets->too_many;
}

/* qsort has no context: each set is preceded by its size. */
static int compare_sets(const void *a, const void *b)
{
	const int *x = *(const int *const *)a, *y = *(const int *const *)b;
	int n = *x;

	for (int i = 1; i <= n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static void tell_sorted(struct schedule *schedule, const struct sets *sets,
			const struct constraint_case *job_case, int job, candidate_fn *tell,
			void *context)
{
	size_t n = sets->nodes.n / (size_t)sets->size, size = (size_t)sets->size;
	int *copies = xmalloc((n + 1) * (size + 1) * sizeof(*copies));
	int **sorted = xmalloc((n + 1) * sizeof(*sorted));
	int_vec points = {0};
	int64_t ntold = 0;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = &copies[i * (size + 1)];
		sorted[i][0] = sets->size;
		memcpy(&sorted[i][1], &sets->nodes.at[i * size], size * sizeof(int));
	}
	if (n > 1)
		qsort(sorted, n, sizeof(*sorted), compare_sets);
	for (size_t i = 0; i < n; i++) {
		points.n = 0;
		if (io_choose(&schedule->confine->list.space, &job_case->io, &sorted[i][1],
			      sets->size, false, &points))
			tell(context, job, ++ntold, &sorted[i][1], sets->size, &points);
	}
	if (ntold == 0)
		tell(context, job, 0, NULL, 0, &points);
	free(copies);
	free(sorted);
	free(points.at);
}

static int list_job(struct schedule *schedule, const struct job *job, int i, candidate_fn *tell,
		    void *context, struct err *err)
{
	struct alloc_request request = {.machine = &schedule->machine, .job = job};
	struct sets sets = {.size = job->nnodes};
	struct constraint_case job_case;
	int end, status = 0;

	if (confine_case(schedule, &schedule->machine, job, JOB_NO_TIME, &job_case, err) != 0)
		return -1;
	end = constraint_list_all(&schedule->confine->list, &request, &job_case, STEPS, add, &sets);
	if (sets.too_many)
		status = row_error(
			&job->row, err,
			"more than %d node lists are possible; expected a smaller machine or job",
			CANDIDATES_MOST);
	else if (end == SEARCH_BOUND)
		status = row_error(&job->row, err,
				   "the bound was reached before all node lists were "
				   "seen; expected a smaller machine or job");
	else
		tell_sorted(schedule, &sets, &job_case, i, tell, context);
	free(sets.nodes.at);
	map_free(&sets.known);
	return status;
}

int candidates_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes,
		   int n, candidate_fn *tell, void *context, struct err *err)
{
	struct run run = {.schedule = schedule,
			  .jobs = jobs,
			  .outcomes = outcomes,
			  .n = n,
			  .now_ns = JOB_NO_TIME};
	int status;

	schedule->outcomes = outcomes;
	status = run_book(&run, err);
	if (status == 0)
		status = confine_restart(schedule, jobs, n, err);
	for (int i = 0; i < n && status == 0; i++)
		if (!outcomes[i].is_booked)
			status = list_job(schedule, &jobs[i], i, tell, context, err);
	run_restore(&run);
	schedule->outcomes = NULL;
	free(run.ends.heap.at);
	free(run.for_ever.at);
	return status;
}
