/* depends.c - whether jobs started when those that they depend on had ended */
#include "measure/check/depends.h"

#include <stdlib.h>
#include <string.h>

#include "model/job.h"

void depends_add(struct depends *depends, struct checking *checking, const struct row *row)
{
	int column = table_find(checking->in, "depends");
	const char *run = row_text(row, table_find(checking->in, "run"));
	const char *policy = row_text(row, table_find(checking->in, "policy"));
	const char *job = row_text(row, table_find(checking->in, "job"));
	const char *names;
	struct depends_row at = {.line = row->line, .file = row->file, .end_ns = JOB_NO_TIME};

	if (column < 0 || job == NULL)
		return;
	names = row_text(row, column);
	at.start_ns = JOB_NO_TIME;
	cell_seconds(row, table_find(checking->in, "start_s"), &at.start_ns);
	cell_seconds(row, table_find(checking->in, "end_s"), &at.end_ns);
	at.group = xasprintf("%s\t%s\t", run != NULL ? run : "", policy != NULL ? policy : "");
	at.job = xstrdup(job);
	at.depends = names != NULL ? xstrdup(names) : NULL;
	vec_push(&depends->rows, at);
}

static int by_name(const void *a, const void *b)
{
	const struct depends_row *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	return order != 0 ? order : strcmp(x->job, y->job);
}

/* The first row of the group that is not before a name. */
static size_t first_row(const struct depends *depends, const char *group, const char *name,
			size_t n)
{
	size_t low = 0, high = depends->rows.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct depends_row *at = &depends->rows.at[middle];
		int order = strcmp(at->group, group);

		if (order == 0)
			order = strncmp(at->job, name, n);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Rows of the group that have a name, or (is_array) one that goes on behind it. */
static void check_named(const struct depends *depends, struct checking *checking,
			const struct depends_row *row, const char *name, size_t n, bool is_array)
{
	for (size_t i = first_row(depends, row->group, name, n); i < depends->rows.n; i++) {
		const struct depends_row *at = &depends->rows.at[i];

		if (strcmp(at->group, row->group) != 0 || strncmp(at->job, name, n) != 0 ||
		    (at->job[n] == '\0') == is_array)
			return;
		if (at == row || strchr(at->job + n, '_') != NULL)
			continue;
		if (at->end_ns == JOB_NO_TIME || at->end_ns > row->start_ns) {
			found_in(checking, row->file, row->line,
				 "job %s started before the end of %s, on which it depends",
				 row->job, at->job);
			return;
		}
	}
}

/* The jobs of a name, and the tasks of the array of that name: 102, then 102_1, 102_2, … */
static void check_name(const struct depends *depends, struct checking *checking,
		       const struct depends_row *row, const char *name, size_t n)
{
	char *tasks = xasprintf("%.*s_", (int)n, name);

	check_named(depends, checking, row, name, n, false);
	check_named(depends, checking, row, tasks, n + 1, true);
	free(tasks);
}

void depends_end(struct depends *depends, struct checking *checking)
{
	if (depends->rows.n > 1)
		qsort(depends->rows.at, depends->rows.n, sizeof(*depends->rows.at), by_name);
	for (size_t i = 0; i < depends->rows.n; i++) {
		const struct depends_row *row = &depends->rows.at[i];
		const char *name = row->depends;

		while (name != NULL && *name != '\0' && row->start_ns != JOB_NO_TIME) {
			size_t n = strcspn(name, ",");

			check_name(depends, checking, row, name, n);
			name += n + (name[n] == ',');
		}
	}
	for (size_t i = 0; i < depends->rows.n; i++) {
		free(depends->rows.at[i].group);
		free(depends->rows.at[i].job);
		free(depends->rows.at[i].depends);
	}
	vec_free(&depends->rows);
}
