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
	task.array = xasprintf("%s\t%s\t%.*s", run != NULL ? run : "", policy != NULL ? policy : "",
			       (int)(line - job), job);
	task.job = xstrdup(job);
	vec_push(&limits->tasks, task);
}

static int by_start(const void *a, const void *b)
{
	const struct array_task *x = a, *y = b;
	int order = strcmp(x->array, y->array);

	if (order == 0)
		order = (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The tasks [n] of one array, by their start. */
static void check_array(const struct array_task *tasks, size_t n, struct checking *checking)
{
	int64_t *ends = xmalloc(n * sizeof(*ends)), limit = 0;
	size_t nended = 0;

	for (size_t i = 0; i < n; i++) {
		ends[i] = tasks[i].end_ns;
		if (tasks[i].limit > 0 && (limit == 0 || tasks[i].limit < limit))
			limit = tasks[i].limit;
	}
	qsort(ends, n, sizeof(*ends), by_time);
	for (size_t i = 0; i < n && limit > 0; i++) {
		while (nended < n && ends[nended] <= tasks[i].start_ns)
			nended++;
		if (i < nended + (size_t)limit)
			continue;
		found_in(checking, tasks[i].file, tasks[i].line,
			 "array_limit: %s started while %zu tasks of its array ran, of at most "
			 "%lld at a time",
			 tasks[i].job, i - nended, (long long)limit);
	}
	free(ends);
}

void array_limits_end(struct array_limits *limits, struct checking *checking)
{
	struct array_task *tasks = limits->tasks.at;
	size_t n = limits->tasks.n, next;

	if (n > 1)
		qsort(tasks, n, sizeof(*tasks), by_start);
	for (size_t first = 0; first < n; first = next) {
		for (next = first + 1; next < n && str_eq(tasks[next].array, tasks[first].array);)
			next++;
		check_array(&tasks[first], next - first, checking);
	}
	for (size_t i = 0; i < n; i++) {
		free(tasks[i].array);
		free(tasks[i].job);
	}
	vec_free(&limits->tasks);
}
