/* profile_db.c - a database of MPI profiles: which one a job has */
#include "traffic/classify/profile_db.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/kinds.h"

/* A profile under one of its names; all of a name's are chained, the latest first. */
struct named {
	const struct profile_entry *entry;
	int64_t next; /* −1: none */
};

struct profile_db {
	struct map apps, binaries; /* name → the first of its chain in names */
	VEC(struct named) names;
	struct arena arena;
};

struct columns {
	int app, binary, fraction, min, max;
};

static bool overlap(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->nodes_min <= b->nodes_max && b->nodes_min <= a->nodes_max;
}

/* Puts the profile into the chain of a name. */
static int add_name(struct profile_db *db, struct map *map, const char *noun, const char *name,
		    size_t n, const struct profile_entry *entry, const struct row *row,
		    struct err *err)
{
	int64_t first = map_get(map, name, n);

	for (int64_t i = first; i >= 0; i = db->names.at[i].next)
		if (overlap(db->names.at[i].entry, entry))
			return row_error(row, err,
					 "the %s '%.*s' has a profile for these node counts "
					 "already, in line %ld",
					 noun, (int)n, name, db->names.at[i].entry->line);
	map_set(map, name, n, (int64_t)db->names.n);
	vec_push(&db->names, (struct named){entry, first});
	return 0;
}

static int add_row(struct profile_db *db, const struct columns *columns, const struct row *row,
		   struct err *err)
{
	struct profile_entry *entry = arena_alloc(&db->arena, sizeof(*entry));
	const char *app = row_text(row, columns->app), *binary = row_text(row, columns->binary);

	*entry = (struct profile_entry){.nodes_max = INT64_MAX, .line = row->line};
	entry->app = arena_strndup(&db->arena, app, strlen(app));
	if (row_real(row, columns->fraction, "mpi_fraction", 0, 1, &entry->mpi_fraction, err) < 0 ||
	    row_int(row, columns->min, "nodes_min", 0, INT64_MAX, &entry->nodes_min, err) < 0 ||
	    row_int(row, columns->max, "nodes_max", 0, INT64_MAX, &entry->nodes_max, err) < 0)
		return -1;
	if (entry->nodes_min > entry->nodes_max)
		return row_error(row, err, "nodes_min is greater than nodes_max");
	if (add_name(db, &db->apps, "application", app, strlen(app), entry, row, err) != 0)
		return -1;
	while (binary != NULL && *binary != '\0') {
		size_t n = strcspn(binary, ",");

		if (n > 0 && add_name(db, &db->binaries, "binary", binary, n, entry, row, err) != 0)
			return -1;
		binary += n + (binary[n] == ',');
	}
	return 0;
}

int profile_db_open(struct profile_db **result, const char *path, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, NULL};
	char *paths[] = {(char *)path, NULL};
	struct profile_db *db;
	struct columns columns;
	struct table_in *in;
	struct row row;
	int status;

	*result = NULL;
	if (table_open(&in, kinds, paths, err) != 0)
		return -1;
	db = xcalloc(1, sizeof(*db));
	columns = (struct columns){table_find(in, "app"), table_find(in, "binary"),
				   table_find(in, "mpi_fraction"), table_find(in, "nodes_min"),
				   table_find(in, "nodes_max")};
	while ((status = table_next(in, &row, err)) == 1)
		if (add_row(db, &columns, &row, err) != 0) {
			status = -1;
			break;
		}
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: a database that was cut off is not used", path);
	table_close(in);
	if (status != 0) {
		profile_db_close(db);
		return -1;
	}
	*result = db;
	return 0;
}

void profile_db_close(struct profile_db *db)
{
	if (db == NULL)
		return;
	map_free(&db->apps);
	map_free(&db->binaries);
	free(db->names.at);
	arena_free(&db->arena);
	free(db);
}

static const struct profile_entry *find_in(const struct profile_db *db, int64_t first,
					   int64_t nodes)
{
	for (int64_t i = first; i >= 0; i = db->names.at[i].next) {
		const struct profile_entry *entry = db->names.at[i].entry;

		if (nodes >= entry->nodes_min && nodes <= entry->nodes_max)
			return entry;
	}
	return NULL;
}

const struct profile_entry *profile_db_find(const struct profile_db *db, const char *app,
					    const char *binary, int64_t nodes)
{
	int64_t first = app != NULL ? map_get(&db->apps, app, strlen(app)) : -1;

	if (first < 0 && binary != NULL)
		first = map_get(&db->binaries, binary, strlen(binary));
	return find_in(db, first, nodes);
}
