/* profile_db_learn.c - how a new profile comes into a database */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/kinds.h"
#include "traffic/classify/profile_db.h"

/* A row that is in the database, or comes in: the chain of its application. */
struct range {
	int64_t min, max, next;
};

struct ranges {
	struct map apps; /* → first of the chain */
	VEC(struct range) at;
};

struct range_columns {
	int app, nodes, min, max;
};

static struct range_columns range_columns(const struct table_in *in)
{
	return (struct range_columns){table_find(in, "app"), table_find(in, "nodes"),
				      table_find(in, "nodes_min"), table_find(in, "nodes_max")};
}

static int read_range(struct range *range, const struct range_columns *columns,
		      const struct row *row, struct err *err)
{
	*range = (struct range){0, INT64_MAX, -1};
	if (row_int(row, columns->min, "nodes_min", 0, INT64_MAX, &range->min, err) < 0 ||
	    row_int(row, columns->max, "nodes_max", 0, INT64_MAX, &range->max, err) < 0)
		return -1;
	if (range->min > range->max)
		return row_error(row, err, "nodes_min is greater than nodes_max");
	return 0;
}

/* Books the range, unless the application has an overlapping one: then false. */
static bool book(struct ranges *ranges, const char *app, struct range range)
{
	size_t n = strlen(app);

	range.next = map_get(&ranges->apps, app, n);
	for (int64_t i = range.next; i >= 0; i = ranges->at.at[i].next)
		if (range.min <= ranges->at.at[i].max && ranges->at.at[i].min <= range.max)
			return false;
	map_set(&ranges->apps, app, n, (int64_t)ranges->at.n);
	vec_push(&ranges->at, range);
	return true;
}

/* The lock file, locked; it stays when the lock is given back (removing it would let two in). */
static int take_lock(const char *path, struct err *err)
{
	char *name = xasprintf("%s.lock", path);
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666), status;

	if (fd < 0) {
		err_set(err, "%s: %s", name, strerror(errno));
		free(name);
		return -1;
	}
	do
		status = flock(fd, LOCK_EX);
	while (status != 0 && errno == EINTR);
	if (status != 0) {
		err_set(err, "%s: %s", name, strerror(errno));
		close(fd);
		fd = -1;
	}
	free(name);
	return fd;
}

/* What the database holds so far goes to the new one as it is. */
static int copy_old(struct table_in *old, struct table_out *table, struct ranges *ranges,
		    struct err *err)
{
	struct range_columns columns = range_columns(old);
	struct row row;
	int status;

	while ((status = table_next(old, &row, err)) == 1) {
		struct range range;

		if (read_range(&range, &columns, &row, err) != 0)
			return -1;
		book(ranges, row_text(&row, columns.app), range);
		table_out_pass(table, &row);
		table_out_emit(table);
	}
	if (status == 0 && !table_is_whole(old))
		return err_set(err, "a database that was cut off is not changed");
	return status;
}

/* Results of a classification are no part of a profile: they depend on the threshold. */
static bool is_result(const char *column)
{
	return str_eq(column, "class") || str_eq(column, "sensitivity");
}

static void put_new(struct table_out *table, const struct table_in *in, const struct row *row,
		    const struct range *range)
{
	for (int i = 0; i < table_ncolumns(in); i++) {
		const char *name = table_column(in, i), *text = row_text(row, i);

		if (text != NULL && !is_result(name))
			table_out_text(table, table_out_column(table, name), text);
	}
	if (range->min > 0)
		table_out_int(table, table_out_column(table, "nodes_min"), range->min);
	if (range->max < INT64_MAX)
		table_out_int(table, table_out_column(table, "nodes_max"), range->max);
	table_out_emit(table);
}

static int add_new(const struct table_in *in, const struct row *rows, size_t n,
		   struct table_out *table, struct ranges *ranges, size_t *nadded, struct err *err)
{
	struct range_columns columns = range_columns(in);

	for (size_t i = 0; i < n; i++) {
		struct range range;
		int64_t nodes;

		if (read_range(&range, &columns, &rows[i], err) != 0)
			return -1;
		if (row_text(&rows[i], columns.min) == NULL &&
		    row_text(&rows[i], columns.max) == NULL &&
		    row_int(&rows[i], columns.nodes, "nodes", 1, INT64_MAX, &nodes, err) == 1)
			range.min = range.max = nodes;
		if (!book(ranges, row_text(&rows[i], columns.app), range))
			continue;
		put_new(table, in, &rows[i], &range);
		(*nadded)++;
	}
	return 0;
}

/* The columns of both, before the first row fixes them. */
static void declare(struct table_out *table, const struct table_in *old, const struct table_in *in)
{
	if (old != NULL)
		table_out_like(table, old);
	for (int i = 0; i < table_ncolumns(in); i++)
		if (!is_result(table_column(in, i)))
			table_out_column(table, table_column(in, i));
	table_out_column(table, "nodes_min");
	table_out_column(table, "nodes_max");
}

static int merge(struct table_in *old, struct out *out, const struct table_in *in,
		 const struct row *rows, size_t n, size_t *nadded, struct err *err)
{
	struct table_out *table = table_out_new(out, &kind_profile);
	struct ranges ranges = {0};
	int status = 0;

	declare(table, old, in);
	if (old != NULL)
		status = copy_old(old, table, &ranges, err);
	if (status == 0)
		status = add_new(in, rows, n, table, &ranges, nadded, err);
	table_out_end(table, status == 0);
	map_free(&ranges.apps);
	free(ranges.at.at);
	return status;
}

/* A file that is empty, as mktemp leaves it, is a database that nothing has been learned into. */
static bool is_there(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_size > 0 || !S_ISREG(status.st_mode));
}

static int learn_locked(const char *path, const struct table_in *in, const struct row *rows,
			size_t n, size_t *nadded, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, NULL};
	char *paths[] = {(char *)path, NULL};
	struct table_in *old = NULL;
	struct out *out;
	struct err why;
	int status;

	if (is_there(path) && table_open(&old, kinds, paths, err) != 0)
		return -1;
	if (out_open(&out, path, err) != 0) {
		table_close(old);
		return -1;
	}
	status = merge(old, out, in, rows, n, nadded, err);
	table_close(old);
	if (out_close(out, status == 0 && *nadded > 0, &why) != 0 && status == 0) {
		*err = why;
		return -1;
	}
	return status;
}

int profile_db_learn(const char *path, const struct table_in *in, const struct row *rows, size_t n,
		     size_t *nadded, struct err *err)
{
	int lock = take_lock(path, err), status;

	*nadded = 0;
	if (lock < 0)
		return -1;
	status = learn_locked(path, in, rows, n, nadded, err);
	close(lock);
	return status;
}
