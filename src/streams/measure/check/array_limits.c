/* array_limits.c - whether no more tasks of an array run at once than it allows */
#include "measure/check/array_limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void array_limits_add(struct array_limits *limits, struct checking *checking, const struct row *row)
{
	const char *run = row_text(row, table_find(checking->in, "run"));
	const char *policy = row_text(row, table_find(checking->in, "policy"));
	const char *job = row_text(row, table_find(checking->in, "job"));
	const char *line = job != NULL ? strrchr(job, '_') : NULL;
	struct array_task task = {.end_ns = INT64_MAX, .line = row->line, .file = row->file};

	if (table_find(checking->in, "array_limit") < 0 || line == NULL || line == job ||
	    !cell_seconds(row, table_find(checking->in, "start_s"), &task.start_ns))
		return;
	cell_seconds(row, table_find(checking->in, "end_s"), &task.end_ns);
	cell_int(row, table_find(checking->in, "array_limit"), &task.limit);
	task.array = xasprintf("%s\t%.*s", run != NULL ? run : "", (int)(line - job), job);
	task.policy = xstrdup(policy != NULL ? policy : "");
	task.job = xstrdup(job);
	vec_push(&limits->tasks, task);
}

/* By array and policy, those that came with their nodes first. */
static int by_policy(const void *a, const void *b)
{
	const struct array_task *x = a, *y = b;
	int order = strcmp(x->array, y->array);

	return order != 0 ? order : strcmp(x->policy, y->policy);
}

static int by_start(const void *a, const void *b)
{
	const struct array_task *x = a, *y = b;
	int order = (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);

	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many of ends [n], from *nended on, are after now. */
static size_t count_running(const int64_t *ends, size_t n, size_t *nended, size_t nstarted,
			    int64_t now_ns)
{
	while (*nended < n && ends[*nended] <= now_ns)
		++*nended;
	return nstarted > *nended ? nstarted - *nended : 0;
}

/* The tasks [n] of one array under a policy, and those that came with their nodes. Where these
 * alone are too many, that is found where there is no policy. */
static void check_array(struct array_task *tasks, size_t n, const char *policy,
			struct checking *checking)
{
	int64_t *ends = xmalloc(n * sizeof(*ends)), *placed = xmalloc(n * sizeof(*placed));
	int64_t limit = 0;
	size_t nended = 0, nplaced = 0, nplaced_ended = 0, nplaced_started = 0;

	qsort(tasks, n, sizeof(*tasks), by_start);
	for (size_t i = 0; i < n; i++) {
		ends[i] = tasks[i].end_ns;
		if (str_eq(tasks[i].policy, policy))
			placed[nplaced++] = tasks[i].end_ns;
		if (tasks[i].limit > 0 && (limit == 0 || tasks[i].limit < limit))
			limit = tasks[i].limit;
	}
	qsort(ends, n, sizeof(*ends), by_time);
	if (nplaced > 1)
		qsort(placed, nplaced, sizeof(*placed), by_time);
	for (size_t i = 0; i < n && limit > 0; i++) {
		bool is_placed = str_eq(tasks[i].policy, policy);
		size_t nrunning = count_running(ends, n, &nended, i, tasks[i].start_ns);
		size_t nbeside = count_running(placed, nplaced, &nplaced_ended, nplaced_started,
					       tasks[i].start_ns);

		nplaced_started += is_placed;
		if (nrunning < (size_t)limit || (!is_placed && nbeside == 0))
			continue;
		found_in(checking, tasks[i].file, tasks[i].line,
			 "array_limit: %s started while %zu tasks of its array ran, of at most "
			 "%lld at a time",
			 tasks[i].job, nrunning, (long long)limit);
	}
	free(placed);
	free(ends);
}

void array_limits_end(struct array_limits *limits, struct checking *checking)
{
	struct array_task *tasks = limits->tasks.at;
	size_t n = limits->tasks.n, booked = 0, nbooked = 0, next;
	VEC(struct array_task) together = {0};

	if (n > 1)
		qsort(tasks, n, sizeof(*tasks), by_policy);
	for (size_t first = 0; first < n; first = next) {
		for (next = first + 1; next < n && by_policy(&tasks[next], &tasks[first]) == 0;)
			next++;
		if (first == 0 || !str_eq(tasks[first].array, tasks[booked].array)) {
			booked = first;
			nbooked = *tasks[first].policy == '\0' ? next - first : 0;
		}
		together.n = 0;
		for (size_t i = booked; i < booked + nbooked && i < first; i++)
			vec_push(&together, tasks[i]);
		for (size_t i = first; i < next; i++)
			vec_push(&together, tasks[i]);
		check_array(together.at, together.n, tasks[first].policy, checking);
	}
	for (size_t i = 0; i < n; i++) {
		free(tasks[i].array);
		free(tasks[i].policy);
		free(tasks[i].job);
	}
	vec_free(&together);
	vec_free(&limits->tasks);
}
