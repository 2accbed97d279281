/* profile_db_learn.c - how a new profile comes into a database */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/kinds.h"
#include "traffic/classify/profile_db.h"

static struct profile_columns columns_of(const struct table_in *in, double spread)
{
	return (struct profile_columns){table_find(in, "app"),
					table_find(in, "binary"),
					table_find(in, "mpi_fraction"),
					table_find(in, "nodes_min"),
					table_find(in, "nodes_max"),
					table_find(in, "nodes"),
					spread};
}

/* Opens a lock file; another user's may be read only, or may only be opened, not made, in a folder
 * that anybody may write to. */
static int open_lock(const struct file_place *place, const char *name)
{
	int fd = openat(place->folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);

	return fd >= 0 || errno != EACCES
		       ? fd
		       : openat(place->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

/* The lock file, locked; it stays when the lock is given back (removing it would let two in). It
 * is next to the file that the path leads to, so that it is one for all the file's names. */
static int take_lock(const char *path, struct err *err)
{
	struct file_place place;
	char *name;
	int fd, status = 0;

	if (file_place_find(&place, path, err) != 0)
		return -1;
	name = xasprintf("%s.lock", place.name);
	fd = open_lock(&place, name);
	do
		status = fd >= 0 ? flock(fd, LOCK_EX) : -1;
	while (fd >= 0 && status != 0 && errno == EINTR);
	if (status != 0) {
		err_set(err, "%s: %s: %s", path, name, strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	free(name);
	file_place_close(&place);
	return fd;
}

/* What the database holds so far goes to the new one as it is, if it is one that can be used. */
static int copy_old(struct table_in *old, struct table_out *table, struct profile_db *db,
		    struct err *err)
{
	int status = profile_db_fill(db, old, table, err);

	if (status == 0 && !table_is_whole(old))
		return err_set(err, "a truncated database is not changed");
	return status;
}

/* Results of a classification are no part of a profile: they depend on the threshold. */
static bool is_result(const char *column)
{
	return str_eq(column, "class") || str_eq(column, "sensitivity");
}

static void put_new(struct table_out *table, const struct table_in *in, const struct row *row,
		    const struct profile_entry *entry)
{
	for (int i = 0; i < table_ncolumns(in); i++) {
		const char *name = table_column(in, i), *text = row_text(row, i);

		if (text != NULL && !is_result(name))
			table_out_text(table, table_out_column(table, name), text);
	}
	if (entry->nodes_min > 0)
		table_out_int(table, table_out_column(table, "nodes_min"), entry->nodes_min);
	if (entry->nodes_max < INT64_MAX)
		table_out_int(table, table_out_column(table, "nodes_max"), entry->nodes_max);
	table_out_emit(table);
}

static int add_new(double spread, const struct table_in *in, const struct row *rows, size_t n,
		   struct table_out *table, struct profile_db *db, size_t *nadded, struct err *err)
{
	struct profile_columns columns = columns_of(in, spread);

	for (size_t i = 0; i < n; i++) {
		struct profile_entry *entry;
		struct profile_clash clash;
		int status = profile_db_add(db, &columns, &rows[i], &entry, &clash, err);
		const char *app = row_text(&rows[i], columns.app);

		if (status < 0)
			return -1;
		if (status == 1) {
			put_new(table, in, &rows[i], entry);
			(*nadded)++;
		} else if (!str_eq(clash.with->app, app)) {
			warn("%s is not learned: its %s '%.*s' is %s's, for the same node counts",
			     app, clash.noun, clash.n, clash.name, clash.with->app);
		}
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

static int merge(struct table_in *old, struct out *out, double spread, const struct table_in *in,
		 const struct row *rows, size_t n, size_t *nadded, struct err *err)
{
	struct table_out *table = table_out_new(out, &kind_profile);
	struct profile_db *db = profile_db_new();
	int status = 0;

	declare(table, old, in);
	if (old != NULL)
		status = copy_old(old, table, db, err);
	if (status == 0)
		status = add_new(spread, in, rows, n, table, db, nadded, err);
	table_out_end(table, status == 0);
	profile_db_close(db);
	return status;
}

/* A file that is empty, as mktemp leaves it, is a database that nothing has been learned into. */
static bool is_there(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_size > 0 || !S_ISREG(status.st_mode));
}

static int learn_locked(const struct run_context *context, const char *path, double spread,
			const struct table_in *in, const struct row *rows, size_t n, size_t *nadded,
			struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, NULL};
	struct table_in *old = NULL;
	struct out *out;
	struct err why;
	int status;

	if (is_there(path) && table_open_one(&old, kinds, path, context->accepts_partial, err) != 0)
		return -1;
	if (out_open(&out, path, context->command, err) != 0) {
		table_close(old);
		return -1;
	}
	status = merge(old, out, spread, in, rows, n, nadded, err);
	table_close(old);
	if (out_close(out, status == 0 && *nadded > 0, &why) != 0 && status == 0) {
		*err = why;
		return -1;
	}
	return status;
}

int profile_db_learn(const struct run_context *context, const char *path, double spread,
		     const struct table_in *in, const struct row *rows, size_t n, size_t *nadded,
		     struct err *err)
{
	int lock = take_lock(path, err), status;

	*nadded = 0;
	if (lock < 0)
		return -1;
	status = learn_locked(context, path, spread, in, rows, n, nadded, err);
	close(lock);
	return status;
}
