/* table_in.c - reading tab-separated streams */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/table.h"
#include "formats/table_priv.h"

/* ---- ## lines ---- */

static void list_kinds(const struct table_in *table, struct buf *names)
{
	for (int i = 0; table->kinds[i] != NULL; i++)
		buf_printf(names, "%s%s", i ? ", " : "", table->kinds[i]->name);
}

static int wrong_kind(struct table_in *table, const char *name, struct err *err)
{
	struct buf names = {0};

	list_kinds(table, &names);
	in_error(table->in, err, "holds '%s', expected a stream of %s", name, buf_text(&names));
	buf_free(&names);
	return -1;
}

/* ##placetools=KIND/VERSION [end=yes] */
static int read_first_line(struct table_in *table, char *text, struct err *err)
{
	char *rest = strchr(text, ' '), *slash;
	const struct table_kind *kind = NULL;
	int64_t version;

	if (rest != NULL)
		*rest++ = '\0';
	slash = strchr(text, '/');
	if (slash == NULL || num_int(slash + 1, 1, INT32_MAX, &version) != 0)
		return in_error(table->in, err, "'%s' is not KIND/VERSION, as in jobs/1", text);
	*slash = '\0';
	for (int i = 0; table->kinds[i] != NULL; i++)
		if (str_eq(table->kinds[i]->name, text))
			kind = table->kinds[i];
	if (kind == NULL)
		return wrong_kind(table, text, err);
	if (version != kind->version)
		return in_error(table->in, err, "is %s/%lld, expected version %d", text,
				(long long)version, kind->version);
	if (table->kind != NULL && table->kind != kind)
		return in_error(table->in, err, "holds %s, but the stream began with %s", text,
				table->kind->name);
	table->kind = kind;
	table->is_introduced = true;
	table->expects_columns = true;
	if (rest != NULL && strstr(rest, "end=yes") != NULL)
		table->npromised++;
	return 0;
}

static int read_meta(struct table_in *table, char *line, size_t n, struct err *err)
{
	if (str_starts(line, "##placetools="))
		return read_first_line(table, line + strlen("##placetools="), err);
	if (str_eq(line, "##end")) {
		table->nended++;
		return 0;
	}
	if (map_get(&table->meta_seen, line, n) == -1) {
		map_add(&table->meta_seen, line, n, 1);
		vec_push(&table->meta, arena_strndup(&table->arena, line, n));
		vec_push(&table->places, (struct meta_place){table->file, in_lineno(table->in)});
	}
	return 0;
}

/* Which of the ## lines has the key last; -1: none. */
static long find_meta(const struct table_in *table, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = table->meta.n; i-- > 0;) {
		const char *line = table->meta.at[i];

		if (strncmp(line + 2, key, n) == 0 && line[2 + n] == '=')
			return (long)i;
	}
	return -1;
}

const char *table_meta(const struct table_in *table, const char *key)
{
	long i = find_meta(table, key);

	return i < 0 ? NULL : table->meta.at[i] + 3 + strlen(key);
}

int table_meta_blame(const struct table_in *table, const char *key, struct err *err)
{
	long i = find_meta(table, key);

	if (i < 0)
		return -1;
	return err_prefix(err, "%.500s:%ld: ", table->places.at[i].file, table->places.at[i].line);
}

const char *table_meta_line(const struct table_in *table, size_t i)
{
	return i < table->meta.n ? table->meta.at[i] : NULL;
}

/* ---- rows ---- */

/* value: what the cell holds, for whoever asks for it */
static int check_cell(const struct row *row, int i, const struct column *column,
		      struct row_value *value, struct err *err)
{
	double max = column->min == 0 && column->max == 0 ? 1e300 : column->max;
	int status = 0;

	switch (column->type) {
	case COLUMN_INT:
		status = row_int(row, i, column->name, (int64_t)column->min,
				 max >= 9e15 ? INT64_MAX : (int64_t)max, &value->whole, err);
		value->kind = status == 1 ? VALUE_WHOLE : VALUE_NONE;
		return status;
	case COLUMN_REAL:
		status = row_real(row, i, column->name, column->min, max, &value->real, err);
		value->kind = status == 1 ? VALUE_REAL : VALUE_NONE;
		return status;
	case COLUMN_SECONDS:
		status = row_seconds(row, i, column->name, &value->whole, err);
		value->kind = status == 1 ? VALUE_NS : VALUE_NONE;
		return status;
	case COLUMN_BOOL:
		if (row_text(row, i) != NULL && !str_eq(row->cells[i], "yes") &&
		    !str_eq(row->cells[i], "no"))
			return row_error(row, err, "%s: '%s' is not yes or no", column->name,
					 row->cells[i]);
		return 0;
	case COLUMN_TEXT:
	case COLUMN_NAME:
	case COLUMN_NODELIST:
		return 0;
	}
	return 0;
}

static const char *unit_of(const struct column *column)
{
	if (column->type != COLUMN_INT && column->type != COLUMN_REAL &&
	    column->type != COLUMN_SECONDS)
		return NULL;
	if (str_eq(column->name, "bytes") || str_ends(column->name, "_bytes"))
		return "bytes";
	return str_ends(column->name, "_s") ? "s" : NULL;
}

/* 64KiB becomes 65536, and 2min 120. Returns whether it was such a thing. */
static bool take_unit(struct table_in *table, const struct row *row, int i)
{
	const struct column *column = table->known.at[i];
	const char *cell = row->cells[i], *unit = unit_of(column);
	char text[NUM_TEXT];
	size_t n;
	double value;

	if (unit == NULL || num_real(cell, -1e300, 1e300, &value) == 0 ||
	    num_real_of(cell, unit, 0, 9e15, &value) != 0)
		return false;
	if (column->type == COLUMN_SECONDS && fabs(value) < 9e9)
		n = num_print_seconds(text, llround(value * 1e9));
	else
		n = num_print_real(text, value);
	row->cells[i] = arena_strndup(&table->rows, text, n);
	table->has_units = true;
	return true;
}

/* A known column's value, or any cell at all, is as it must be. */
static int check_column(struct table_in *table, const struct row *row, int i, struct err *err)
{
	const struct column *column = table->known.at[i];

	if (row->cells[i][0] == '\0')
		return row_error(row, err, "%s: an empty cell; a missing value is '.'",
				 table->columns.at[i]);
	if (column == NULL)
		return 0;
	if (check_cell(row, i, column, &table->values[i], err) < 0 &&
	    (!take_unit(table, row, i) || check_cell(row, i, column, &table->values[i], err) < 0))
		return -1;
	if (column->required && row_text(row, i) == NULL)
		return row_error(row, err, "%s: the value is missing", column->name);
	return 0;
}

/* 0; -1: error; 1: it was reported. */
static int tell(const struct table_in *table, const struct err *err)
{
	if (table->tell == NULL)
		return -1;
	table->tell(table->tell_context, err->msg);
	return 1;
}

static int check_row(struct table_in *table, const struct row *row, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < table->columns.n; i++) {
		if (check_column(table, row, (int)i, err) == 0)
			continue;
		status = tell(table, err);
		if (status < 0)
			return -1;
	}
	return status;
}

/* The key of the row must not have been there, once table_unique was asked for. */
static int check_key(struct table_in *table, const struct row *row, struct err *err)
{
	struct buf *key = &table->key;
	int64_t first;

	buf_clear(key);
	for (int i = 0; table->kind->key[i] != NULL; i++) {
		int column = table_find(table, table->kind->key[i]);

		buf_str(key, column >= 0 ? row->cells[column] : "");
		buf_char(key, '\t');
	}
	first = key_set_add(&table->keys, key->text, key->n, row->line);
	if (first == 0)
		return 0;
	key->text[key->n - 1] = '\0';
	for (char *p = key->text; *p != '\0'; p++)
		if (*p == '\t')
			*p = ' ';
	return row_error(row, err, "'%s' is there twice (first in line %lld)", str_trim(key->text),
			 (long long)first);
}

/* Where the cell at p ends: the next tab, or NULL in the last one. Most cells are short. */
static char *find_tab(char *p, const char *end)
{
	const char *near = end - p < 16 ? end : p + 16;

	for (; p < near; p++)
		if (*p == '\t')
			return p;
	return memchr(p, '\t', (size_t)(end - p));
}

/* 0; -1: error; 1: the fault was reported, the row is left out. */
static int split_row(struct table_in *table, char *line, size_t n, struct row *row, struct err *err)
{
	size_t ncells = 0;
	char **cells = table->cells;
	int status;

	if (table->keeps) {
		line = arena_strndup(&table->rows, line, n);
		cells = arena_alloc(&table->rows, table->columns.n * sizeof(*cells));
	} else if (table->has_units) {
		arena_reset(&table->rows);
		table->has_units = false;
	}
	*row = (struct row){cells, NULL, in_lineno(table->in), table->file};
	for (size_t i = 0; table->order != NULL && i < table->columns.n; i++)
		cells[i] = table->missing;
	for (char *p = line, *tab;; p = tab + 1) {
		if (ncells < table->ncells)
			cells[table->order != NULL ? (size_t)table->order[ncells] : ncells] = p;
		ncells++;
		tab = find_tab(p, line + n);
		if (tab == NULL)
			break;
		*tab = '\0';
	}
	if (ncells != table->ncells) {
		row_error(row, err, "has %zu cells, expected %zu columns", ncells, table->ncells);
		return tell(table, err);
	}
	status = check_row(table, row, err);
	if (status != 0)
		return status;
	if (!table->keeps)
		row->values = table->values;
	if (table->checks_keys && check_key(table, row, err) != 0)
		return tell(table, err) < 0 ? -1 : 0;
	return 0;
}

/* ---- the files one after the other ---- */

static int open_next(struct table_in *table, struct err *err)
{
	const char *path = table->paths[table->npath];

	if (path == NULL)
		return 0;
	table->npath++;
	if (in_open(&table->in, path, err) != 0)
		return -1;
	table->file = arena_strndup(&table->arena, in_name(table->in), strlen(in_name(table->in)));
	table->is_introduced = false;
	table->is_new_file = true;
	return 1;
}

/* line: the one that should have been the first of a stream; NULL: the file is empty. */
static int not_introduced(struct table_in *table, const char *line, struct err *err)
{
	const char *separator = line != NULL ? table_separator(line) : NULL;
	struct buf names = {0}, words = {0};
	const char *what;

	buf_str(&words, line == NULL ? "is empty" : "is not a placetools stream");
	if (separator != NULL)
		buf_printf(&words, " but separated by %s", separator);
	what = buf_text(&words);

	list_kinds(table, &names);
	if (table->kinds[0] != NULL && table->kinds[1] == NULL)
		in_error(table->in, err, "%s: expected a first line such as ##placetools=%s/1",
			 what, buf_text(&names));
	else
		in_error(table->in, err,
			 "%s: expected a first line ##placetools=KIND/1, where KIND is one of %s",
			 what, buf_text(&names));
	buf_free(&names);
	buf_free(&words);
	return -1;
}

/* The next line that is no ## line; 1, 0 at the end of the last file, -1. */
static int next_line(struct table_in *table, char **line, size_t *n, struct err *err)
{
	for (;;) {
		int status;

		if (table->in == NULL) {
			status = open_next(table, err);
			if (status <= 0)
				return status;
		}
		status = in_line(table->in, line, n, err);
		if (status < 0)
			return -1;
		if (status == 0) {
			if (!table->is_introduced)
				return not_introduced(table, NULL, err);
			in_close(table->in);
			table->in = NULL;
			continue;
		}
		if ((*line)[0] == '#' && (*line)[1] == '#') {
			if (read_meta(table, *line, *n, err) != 0)
				return -1;
			continue;
		}
		if (!table->is_introduced)
			return not_introduced(table, *line, err);
		return 1;
	}
}

/* The caller's array may be gone when the next file is due. */
static const char *const *copy_paths(struct table_in *table, char *const *paths)
{
	const char **copy;
	int n = 0;

	while (paths[n] != NULL)
		n++;
	copy = arena_alloc(&table->arena, (size_t)(n + 1) * sizeof(*copy));
	for (int i = 0; i < n; i++)
		copy[i] = arena_strndup(&table->arena, paths[i], strlen(paths[i]));
	copy[n] = NULL;
	return copy;
}

int table_open(struct table_in **result, const struct table_kind *const *kinds, char *const *paths,
	       bool accepts_partial, struct err *err)
{
	return table_open_with(result, kinds, paths, NULL, accepts_partial, err);
}

int table_open_one(struct table_in **result, const struct table_kind *const *kinds,
		   const char *path, bool accepts_partial, struct err *err)
{
	return table_open(result, kinds, (char *[]){(char *)path, NULL}, accepts_partial, err);
}

int table_open_with(struct table_in **result, const struct table_kind *const *kinds,
		    char *const *paths, char *const *united, bool accepts_partial, struct err *err)
{
	struct table_in *table = xcalloc(1, sizeof(*table));
	size_t n;
	char *line;
	int status;

	*result = NULL;
	table->kinds = kinds;
	table->accepts_partial = accepts_partial;
	table->missing[0] = '.';
	table->united = united;
	table->paths = copy_paths(table, in_paths(paths));
	status = next_line(table, &line, &n, err);
	if (status == 1)
		status = table_read_columns(table, line, err);
	if (status != 0) {
		table_close(table);
		return -1;
	}
	*result = table;
	return 0;
}

void table_close(struct table_in *table)
{
	if (table == NULL)
		return;
	in_close(table->in);
	map_free(&table->meta_seen);
	key_set_free(&table->keys);
	buf_free(&table->key);
	map_free(&table->column_ids);
	free(table->meta.at);
	free(table->places.at);
	free(table->columns.at);
	free(table->known.at);
	free(table->cells);
	free(table->values);
	arena_free(&table->rows);
	arena_free(&table->arena);
	free(table);
}

int table_next(struct table_in *table, struct row *row, struct err *err)
{
	for (;;) {
		char *line;
		size_t n;
		int status = next_line(table, &line, &n, err);

		if (status <= 0)
			return status;
		if (table->column_line == NULL) {
			if (table_read_columns(table, line, err) != 0)
				return -1;
			continue;
		}
		if (line[0] == table->column_line[0] && str_eq(line, table->column_line)) {
			table->expects_columns = table->is_new_file = false;
			continue;
		}
		if (table->expects_columns &&
		    (table->is_new_file || table_is_column_line(table->kind, line))) {
			table->is_new_file = false;
			if (table_read_more_columns(table, line, err) != 0)
				return -1;
			continue;
		}
		table->expects_columns = false;
		/* a line without its end, where an ##end was declared: truncated in its middle */
		if (!in_had_newline(table->in) && table->npromised > table->nended)
			continue;
		status = split_row(table, line, n, row, err);
		if (status <= 0)
			return status == 0 ? 1 : -1;
	}
}

void table_keep(struct table_in *table)
{
	table->keeps = true;
}

void table_forget(struct table_in *table)
{
	arena_reset(&table->rows);
}

void table_tolerate(struct table_in *table, table_tell_fn *tell_fn, void *context)
{
	table->tell = tell_fn;
	table->tell_context = context;
}

void table_unique(struct table_in *table)
{
	table->checks_keys = table->kind->key != NULL;
}

const char *table_folder(const struct table_in *table)
{
	const char *path = table->paths[0], *slash = strrchr(path, '/');
	struct table_in *writable = (struct table_in *)table;

	if (slash == NULL)
		return "";
	return arena_strndup(&writable->arena, path, (size_t)(slash - path) + 1);
}

bool table_is_whole(struct table_in *table)
{
	if (table->nended >= table->npromised || table->accepts_partial)
		return true;
	if (!table->was_reported)
		warn("%s: input was truncated: the declared ##end is missing", table->file);
	table->was_reported = true;
	return false;
}
