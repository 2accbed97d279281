/* profile_db.c - a database of MPI profiles: which one a job has */
#include "traffic/classify/profile_db.h"

#include <float.h>
#include <math.h>
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
	const struct classifier *model; /* NULL: none */
	struct arena arena;
};

static bool overlap(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->nodes_min <= b->nodes_max && b->nodes_min <= a->nodes_max;
}

/* The names of an entry, one after the other: its application, then its binaries. */
struct name_at {
	const char *noun, *name, *rest; /* rest: binaries that follow */
	size_t n;
};

static bool next_name(struct name_at *at)
{
	if (at->rest == NULL)
		return false;
	while (*at->rest == ',')
		at->rest++;
	at->noun = "binary";
	at->name = at->rest;
	at->n = strcspn(at->rest, ",");
	at->rest += at->n;
	return at->n > 0;
}

static struct map *names_of(struct profile_db *db, const struct name_at *at)
{
	return str_eq(at->noun, "binary") ? &db->binaries : &db->apps;
}

static bool clashes(struct profile_db *db, const struct name_at *at,
		    const struct profile_entry *entry, struct profile_clash *clash)
{
	int64_t i = map_get(names_of(db, at), at->name, at->n);

	while (i >= 0 && !overlap(db->names.at[i].entry, entry))
		i = db->names.at[i].next;
	if (i < 0)
		return false;
	*clash = (struct profile_clash){at->noun, at->name, (int)at->n, db->names.at[i].entry};
	return true;
}

/* Puts the entry into the chain of a name, unless the row has the name twice. */
static void add_name(struct profile_db *db, const struct name_at *at,
		     const struct profile_entry *entry)
{
	struct map *map = names_of(db, at);
	int64_t first = map_get(map, at->name, at->n);

	if (first >= 0 && db->names.at[first].entry == entry)
		return;
	map_set(map, at->name, at->n, (int64_t)db->names.n);
	vec_push(&db->names, (struct named){entry, first});
}

static int read_entry(struct profile_entry *entry, const struct profile_columns *columns,
		      const struct row *row, struct err *err)
{
	int min, max;
	int64_t nodes;

	*entry = (struct profile_entry){.nodes_max = INT64_MAX, .line = row->line};
	if (row_real(row, columns->fraction, "mpi_fraction", 0, 1, &entry->mpi_fraction, err) < 0)
		return -1;
	min = row_int(row, columns->min, "nodes_min", 0, INT64_MAX, &entry->nodes_min, err);
	max = row_int(row, columns->max, "nodes_max", 0, INT64_MAX, &entry->nodes_max, err);
	if (min < 0 || max < 0)
		return -1;
	if (entry->nodes_min > entry->nodes_max)
		return row_error(row, err, "nodes_min is greater than nodes_max");
	if (min == 0 && max == 0 &&
	    row_int(row, columns->nodes, "nodes", 1, INT64_MAX, &nodes, err) == 1)
		entry->nodes_min = entry->nodes_max = nodes;
	return 0;
}

/* The entry's own number of nodes is taken by nobody; so are those around it that it keeps. */
static void widen(struct profile_db *db, const struct name_at *first, double spread,
		  struct profile_entry *entry)
{
	int64_t own = entry->nodes_min;
	/* 100 * 1.15 is 115, though the product of the binary numbers is less */
	double slack = 1 + 4 * DBL_EPSILON, most = (double)own * spread * slack;
	struct name_at at = *first;

	entry->nodes_min = (int64_t)ceil((double)own / spread / slack);
	entry->nodes_max = most < 1e15 ? (int64_t)most : (int64_t)1e15;
	do
		for (int64_t i = map_get(names_of(db, &at), at.name, at.n); i >= 0;
		     i = db->names.at[i].next) {
			const struct profile_entry *other = db->names.at[i].entry;

			if (other->nodes_max < own && other->nodes_max >= entry->nodes_min)
				entry->nodes_min = other->nodes_max + 1;
			if (other->nodes_min > own && other->nodes_min <= entry->nodes_max)
				entry->nodes_max = other->nodes_min - 1;
		}
	while (next_name(&at));
}

struct profile_db *profile_db_new(void)
{
	return xcalloc(1, sizeof(struct profile_db));
}

int profile_db_add(struct profile_db *db, const struct profile_columns *columns,
		   const struct row *row, struct profile_entry **result,
		   struct profile_clash *clash, struct err *err)
{
	struct profile_entry *entry = arena_alloc(&db->arena, sizeof(*entry));
	const char *app = row_text(row, columns->app);
	const struct name_at first = {"application", app, row_text(row, columns->binary),
				      strlen(app)};
	struct name_at at = first;

	if (read_entry(entry, columns, row, err) != 0)
		return -1;
	entry->app = arena_strndup(&db->arena, app, strlen(app));
	do
		if (clashes(db, &at, entry, clash))
			return 0;
	while (next_name(&at));
	if (columns->spread > 1 && row_text(row, columns->nodes) != NULL &&
	    row_text(row, columns->min) == NULL && row_text(row, columns->max) == NULL)
		widen(db, &first, columns->spread, entry);
	at = first;
	do
		add_name(db, &at, entry);
	while (next_name(&at));
	*result = entry;
	return 1;
}

int profile_db_fill(struct profile_db *db, struct table_in *in, struct table_out *copy,
		    struct err *err)
{
	const struct profile_columns columns = {table_find(in, "app"),
						table_find(in, "binary"),
						table_find(in, "mpi_fraction"),
						table_find(in, "nodes_min"),
						table_find(in, "nodes_max"),
						-1,
						1};
	struct classifier_columns asked = {0};
	struct profile_entry *entry;
	struct profile_clash clash;
	struct row row;
	int status;

	if (db->model != NULL && classifier_bind(db->model, &asked, in, err) != 0)
		return -1;
	while ((status = table_next(in, &row, err)) == 1) {
		double probability = 0;
		int added = 1;

		if (db->model != NULL)
			added = classifier_ask(db->model, &asked, &row, &probability, err) == 0
					? 1
					: -1;
		if (added == 1)
			added = profile_db_add(db, &columns, &row, &entry, &clash, err);

		if (added == 0)
			row_error(&row, err,
				  "the %s '%.*s' has a profile for these node "
				  "counts already, in line %ld",
				  clash.noun, clash.n, clash.name, clash.with->line);
		if (added != 1) {
			status = -1;
			break;
		}
		entry->probability = probability;
		if (copy != NULL) {
			table_out_pass(copy, &row);
			table_out_emit(copy);
		}
	}
	classifier_unbind(&asked);
	return status;
}

int profile_db_open(struct profile_db **result, const char *path, const struct classifier *model,
		    bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, NULL};
	struct profile_db *db;
	struct table_in *in;
	int status;

	*result = NULL;
	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	db = profile_db_new();
	db->model = model;
	status = profile_db_fill(db, in, NULL, err);
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: a truncated database is not used", path);
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
