/* depends.c - whether jobs started when those that they depend on had ended, and components
 * together */
#include "measure/check/depends.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/job.h"

void depends_add(struct depends *depends, struct checking *checking, const struct row *row)
{
	int column = table_find(checking->in, "depends");
	int het_column = table_find(checking->in, "het_job");
	const char *run = row_text(row, table_find(checking->in, "run"));
	const char *policy = row_text(row, table_find(checking->in, "policy"));
	const char *job = row_text(row, table_find(checking->in, "job"));
	const char *names, *het;
	struct depends_row at = {.line = row->line, .file = row->file, .end_ns = JOB_NO_TIME};

	if ((column < 0 && het_column < 0) || job == NULL)
		return;
	names = row_text(row, column);
	het = row_text(row, het_column);
	at.start_ns = JOB_NO_TIME;
	cell_seconds(row, table_find(checking->in, "start_s"), &at.start_ns);
	cell_seconds(row, table_find(checking->in, "end_s"), &at.end_ns);
	cell_seconds(row, table_find(checking->in, "depends_delay_s"), &at.delay_ns);
	at.group = xasprintf("%s\t%s\t", run != NULL ? run : "", policy != NULL ? policy : "");
	at.booked = policy != NULL ? xasprintf("%s\t\t", run != NULL ? run : "") : NULL;
	at.job = xstrdup(job);
	at.depends = names != NULL ? xstrdup(names) : NULL;
	at.het = het != NULL ? xstrdup(het) : NULL;
	at.is_given = policy != NULL && !str_eq(policy, JOB_RECORDED) &&
		      row_text(row, table_find(checking->in, "nodelist")) != NULL;
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

/* Rows of a group that have a name, or (is_array) one that goes on behind it. */
static void check_named(const struct depends *depends, struct checking *checking,
			const struct depends_row *row, const char *group, const char *name,
			size_t n, bool is_array)
{
	for (size_t i = first_row(depends, group, name, n); i < depends->rows.n; i++) {
		const struct depends_row *at = &depends->rows.at[i];

		if (strcmp(at->group, group) != 0 || strncmp(at->job, name, n) != 0 ||
		    (at->job[n] == '\0') == is_array)
			return;
		if (at == row || strchr(at->job + n, '_') != NULL)
			continue;
		if (at->end_ns == JOB_NO_TIME || row->start_ns - row->delay_ns < at->end_ns) {
			found_in(checking, row->file, row->line,
				 "job %s started before the end of %s, on which it depends",
				 row->job, at->job);
			return;
		}
	}
}

/* The components of a heterogeneous job by its own name, in some row of a group. */
static void check_components(const struct depends *depends, struct checking *checking,
			     const struct depends_row *row, const char *group, const char *name,
			     size_t n)
{
	for (size_t i = first_row(depends, group, "", 0);
	     i < depends->rows.n && str_eq(depends->rows.at[i].group, group); i++) {
		const struct depends_row *at = &depends->rows.at[i];

		if (at == row || at->het == NULL || strlen(at->het) != n ||
		    memcmp(at->het, name, n) != 0)
			continue;
		if (at->end_ns == JOB_NO_TIME || row->start_ns - row->delay_ns < at->end_ns) {
			found_in(checking, row->file, row->line,
				 "job %s started before the end of %s, on which it depends",
				 row->job, at->job);
			return;
		}
	}
}

static int by_het(const void *a, const void *b)
{
	const struct depends_row *x = *(const struct depends_row *const *)a;
	const struct depends_row *y = *(const struct depends_row *const *)b;
	int order = strcmp(x->group, y->group);

	order = order != 0 ? order : strcmp(x->het, y->het);
	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* Those of a heterogeneous job that a policy placed start at one time. */
static void check_together(const struct depends *depends, struct checking *checking)
{
	VEC(const struct depends_row *) rows = {0};

	for (size_t i = 0; i < depends->rows.n; i++)
		if (depends->rows.at[i].het != NULL && depends->rows.at[i].is_given)
			vec_push(&rows, &depends->rows.at[i]);
	if (rows.n > 1)
		qsort(rows.at, rows.n, sizeof(*rows.at), by_het);
	for (size_t i = 1; i < rows.n; i++) {
		const struct depends_row *row = rows.at[i], *before = rows.at[i - 1];

		if (strcmp(row->group, before->group) == 0 && str_eq(row->het, before->het) &&
		    row->start_ns != before->start_ns)
			found_in(checking, row->file, row->line,
				 "start_s: %s and %s are components of job %s and start apart",
				 before->job, row->job, row->het);
	}
	vec_free(&rows);
}

/* The jobs of a name, and the tasks of the array of that name: 102, then 102_1, 102_2, … */
static void check_name(const struct depends *depends, struct checking *checking,
		       const struct depends_row *row, const char *name, size_t n)
{
	const char *groups[] = {row->group, row->booked};
	char *tasks = xasprintf("%.*s_", (int)n, name);

	for (int i = 0; i < 2 && groups[i] != NULL; i++) {
		check_named(depends, checking, row, groups[i], name, n, false);
		check_named(depends, checking, row, groups[i], tasks, n + 1, true);
		if (table_find(checking->in, "het_job") >= 0)
			check_components(depends, checking, row, groups[i], name, n);
	}
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
	check_together(depends, checking);
	for (size_t i = 0; i < depends->rows.n; i++) {
		free(depends->rows.at[i].het);
		free(depends->rows.at[i].group);
		free(depends->rows.at[i].booked);
		free(depends->rows.at[i].job);
		free(depends->rows.at[i].depends);
	}
	vec_free(&depends->rows);
}
