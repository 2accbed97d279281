/* csv.c - any table of separated values as jobs or nodes, by a map of its columns */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "convert/reader/csv_cells.h"
#include "convert/reader/requeue.h"
#include "formats/csv.h"

/* What the rows of one key have said for a column. */
struct joined {
	const char *text; /* CSV_OF_FIRST */
	struct buf list;  /* CSV_OF_LIST */
	double number;    /* CSV_OF_SUM, _MOST */
	int64_t nrows;
};

struct csv_reader {
	struct csv_cells cells;
	struct csv_map map;
	char **fields; /* [nfields] of the line at hand */
	int nfields;
	int *place; /* [columns of the table at hand] in the line; -1: absent */
	int key;    /* likewise */
	int *to;    /* [all columns, table by table] of the flow */
	size_t table;
	struct map *keys;          /* [tables] key → its place in rows */
	VEC(struct joined) * rows; /* [tables] columns of a table one after the other */
	long nlacking;
	struct buf record; /* of several lines */
	struct requeue requeue;
	struct arena arena;
};

/* ---- lines ---- */

/* RFC 4180 for commas; other delimiters have no quotes. */
static void split(struct csv_reader *reading, char *line, size_t n)
{
	const char *delimiter = reading->map.delimiter;
	VEC(char *) fields = {0};
	char *next;

	arena_reset(&reading->cells.row);
	if (n > 0 && line[n - 1] == '\r')
		line[--n] = '\0';
	if (str_eq(delimiter, ",")) {
		reading->nfields = csv_split(line, n, &reading->cells.row, &reading->fields);
		return;
	}
	for (char *at = line; at != NULL; at = next) {
		next = strstr(at, delimiter);
		if (next != NULL) {
			*next = '\0';
			next += strlen(delimiter);
		}
		vec_push(&fields, at);
	}
	reading->fields = arena_alloc(&reading->cells.row, fields.n * sizeof(char *));
	memcpy(reading->fields, fields.at, fields.n * sizeof(char *));
	reading->nfields = (int)fields.n;
	free(fields.at);
}

/* Whether a quoted cell goes on behind the line; was_open: one came into it. */
static bool is_open(const char *line, size_t n, bool was_open)
{
	bool is_quoted = was_open;

	for (size_t i = 0; i < n; i++)
		if (line[i] == '"' && (is_quoted || i == 0 || line[i - 1] == ','))
			is_quoted = !is_quoted || (i + 1 < n && line[i + 1] == '"' && ++i > 0);
	return is_quoted;
}

/* The next record: cells in quotes go on over lines (RFC 4180), as numpy's arrays do. A quote that
 * is never closed costs the lines up to there. */
static int next_record(struct csv_reader *reading, char **line, size_t *n, struct err *err)
{
	enum { LINES_MOST = 1000 };
	struct in *in = reading->cells.in;
	int status = in_line(in, line, n, err);
	long first = in_lineno(in);
	bool goes_on;

	if (status != 1 || !str_eq(reading->map.delimiter, ",") ||
	    !(goes_on = is_open(*line, *n, false)))
		return status;
	buf_clear(&reading->record);
	buf_add(&reading->record, *line, *n);
	while (goes_on) {
		status = in_lineno(in) - first < LINES_MOST ? in_line(in, line, n, err) : 0;
		if (status < 0)
			return -1;
		if (status == 0) {
			in_error(in, err, "the quote that line %ld opens is not closed", first);
			return flow_leave_out(reading->cells.flow, err) == 0
				       ? next_record(reading, line, n, err)
				       : -1;
		}
		goes_on = is_open(*line, *n, true);
		buf_char(&reading->record, '\n');
		buf_add(&reading->record, *line, *n);
	}
	*line = reading->record.text;
	*n = reading->record.n;
	return 1;
}

static int find_name(const struct csv_reader *reading, char *const *names, int n,
		     const char *wanted)
{
	(void)reading;
	for (int i = 0; i < n; i++)
		if (str_eq(str_trim(names[i]), wanted))
			return i;
	return -1;
}

/* Where the table's columns are. */
static int find_columns(struct csv_reader *reading, char *const *names, int n, struct err *err)
{
	const struct csv_table *table = &reading->map.tables.at[reading->table];

	for (size_t i = 0; i < table->columns.n; i++) {
		const struct csv_column *column = &table->columns.at[i];

		reading->place[i] = -1;
		if (column->from == NULL)
			continue;
		reading->place[i] = find_name(reading, names, n, column->from);
		if (reading->place[i] < 0 && !column->may_lack)
			return in_error(reading->cells.in, err,
					"has no column '%s', which the map reads %s from",
					column->from, column->name);
	}
	reading->key = -1;
	if (table->key == NULL)
		return 0;
	reading->key = find_name(reading, names, n, table->key);
	return reading->key >= 0 ? 0
				 : in_error(reading->cells.in, err, "has no column '%s' to join by",
					    table->key);
}

/* A cell; NULL: empty, or a word that means nothing. */
static const char *cell(const struct csv_reader *reading, int place)
{
	const char *text =
		place >= 0 && place < reading->nfields ? str_trim(reading->fields[place]) : NULL;

	if (text == NULL || *text == '\0')
		return NULL;
	for (size_t i = 0; i < reading->map.absent.n; i++)
		if (str_eq(text, reading->map.absent.at[i]))
			return NULL;
	return text;
}

/* ---- joined tables ---- */

static int join_cell(struct csv_reader *reading, const struct csv_column *column,
		     struct joined *joined, const char *text, struct err *err)
{
	double number = 0;

	joined->nrows++;
	if (text == NULL)
		return 0;
	if (column->of == CSV_OF_FIRST && joined->text == NULL)
		joined->text = arena_strndup(&reading->arena, text, strlen(text));
	else if (column->of == CSV_OF_LIST)
		buf_printf(&joined->list, "%s%s", joined->list.n > 0 ? "," : "", text);
	else if (column->of == CSV_OF_SUM || column->of == CSV_OF_MOST) {
		if (num_real(text, -1e18, 1e18, &number) != 0)
			return csv_not_such(&reading->cells, column, text, "a number", err);
		joined->number = column->of == CSV_OF_SUM  ? joined->number + number
				 : number > joined->number ? number
							   : joined->number;
	}
	return 0;
}

static int join_row(struct csv_reader *reading, struct err *err)
{
	const struct csv_table *table = &reading->map.tables.at[reading->table];
	const char *key = cell(reading, reading->key);
	size_t n = table->columns.n, first;
	int64_t id;

	if (key == NULL)
		return 0;
	first = reading->rows[reading->table].n;
	id = map_add(&reading->keys[reading->table], key, strlen(key), (int64_t)first);
	if (id == (int64_t)first)
		for (size_t i = 0; i < n; i++)
			vec_push(&reading->rows[reading->table], (struct joined){0});
	for (size_t i = 0; i < n; i++)
		if (join_cell(reading, &table->columns.at[i],
			      &reading->rows[reading->table].at[(size_t)id + i],
			      cell(reading, reading->place[i]), err) != 0)
			return -1;
	return 0;
}

/* What the joined rows of a key are for our row. */
static int put_joined(struct csv_reader *reading, const struct csv_column *column, int to,
		      struct joined *joined, struct err *err)
{
	char number[NUM_TEXT];
	const char *text = joined->text;

	if (column->of == CSV_OF_LIST)
		text = joined->list.n > 0 ? joined->list.text : NULL;
	if (column->of == CSV_OF_SUM || column->of == CSV_OF_MOST) {
		num_print_real(number, joined->number);
		text = number;
	}
	if (column->of == CSV_OF_ROWS) {
		num_print_int(number, joined->nrows);
		text = number;
	}
	return text != NULL ? csv_put_cell(&reading->cells, column, to, text, err) : 0;
}

/* ---- rows ---- */

static int put_joins(struct csv_reader *reading, char *const *names, int nnames, struct err *err)
{
	size_t to = reading->map.tables.at[0].columns.n;

	for (size_t t = 1; t < reading->map.tables.n; t++) {
		const struct csv_table *table = &reading->map.tables.at[t];
		const char *key = cell(reading, find_name(reading, names, nnames, table->key));
		int64_t id = key != NULL ? map_get(&reading->keys[t], key, strlen(key)) : -1;

		for (size_t i = 0; i < table->columns.n; i++, to++)
			if (id >= 0 && put_joined(reading, &table->columns.at[i], reading->to[to],
						  &reading->rows[t].at[(size_t)id + i], err) != 0)
				return -1;
	}
	return 0;
}

/* Whether the row has what the kind demands. */
static bool is_complete(const struct csv_reader *reading)
{
	for (const struct column *column = reading->map.kind->columns; column->name != NULL;
	     column++) {
		int at = flow_find(reading->cells.flow, column->name);

		if (column->required &&
		    (at < 0 || reading->cells.flow->cells.at[at].type == CELL_MISSING ||
		     (column->type == COLUMN_INT && reading->cells.flow->cells.at[at].number < 1)))
			return false;
	}
	return true;
}

/* Jobs that come again are separate placements. */
static void name_row(struct csv_reader *reading)
{
	int job = flow_find(reading->cells.flow, "job");
	char text[NUM_TEXT];

	if (job >= 0)
		flow_text(reading->cells.flow, job,
			  requeue_name(&reading->requeue,
				       flow_get_text(reading->cells.flow, job, text)));
}

static int put_row(struct csv_reader *reading, char *const *names, int nnames, struct err *err)
{
	const struct csv_table *table = &reading->map.tables.at[0];

	for (size_t i = 0; i < table->columns.n; i++) {
		const struct csv_column *column = &table->columns.at[i];
		const char *text =
			column->value != NULL ? column->value : cell(reading, reading->place[i]);

		text = text != NULL ? text : column->otherwise;
		if (text != NULL &&
		    csv_put_cell(&reading->cells, column, reading->to[i], text, err) != 0)
			return -1;
	}
	if (put_joins(reading, names, nnames, err) != 0)
		return -1;
	if (!is_complete(reading)) {
		flow_skip(reading->cells.flow);
		reading->nlacking++;
		return 0;
	}
	name_row(reading);
	reading->cells.flow->line = in_lineno(reading->cells.in);
	return flow_emit(reading->cells.flow, err);
}

static int read_lines(struct csv_reader *reading, struct err *err)
{
	bool is_first = reading->table == 0, has_names;
	struct arena kept = {0};
	char **names = NULL, *line;
	int nnames = 0, status = 0;
	size_t n;

	if (is_first && reading->map.header.n > 0) {
		names = (char **)reading->map.header.at;
		nnames = (int)reading->map.header.n;
		status = find_columns(reading, names, nnames, err);
	}
	while (status == 0 && (status = next_record(reading, &line, &n, err)) == 1) {
		status = 0;
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		has_names = names != NULL;
		split(reading, line, n);
		if (names == NULL) {
			nnames = reading->nfields;
			names = arena_alloc(&kept, (size_t)nnames * sizeof(char *));
			for (int i = 0; i < nnames; i++)
				names[i] = arena_strndup(&kept, reading->fields[i],
							 strlen(reading->fields[i]));
			status = find_columns(reading, names, nnames, err);
		} else if (reading->nfields < nnames) {
			status = in_error(reading->cells.in, err, "has %d fields, expected %d",
					  reading->nfields, nnames);
		} else {
			status = is_first ? put_row(reading, names, nnames, err)
					  : join_row(reading, err);
		}
		if (status != 0 && has_names)
			status = flow_leave_out(reading->cells.flow, err);
	}
	arena_free(&kept);
	return status;
}

static int read_file(struct csv_reader *reading, const char *path, struct err *err)
{
	int status;

	if (in_open(&reading->cells.in, path, err) != 0)
		return -1;
	reading->cells.flow->file = in_name(reading->cells.in);
	status = read_lines(reading, err);
	reading->cells.flow->file = NULL;
	in_close(reading->cells.in);
	return status;
}

static int read_tables(struct csv_reader *reading, struct err *err)
{
	char *const *paths = reading->cells.input->paths;
	size_t npaths = 0, ntables = reading->map.tables.n;

	while (paths[npaths] != NULL)
		npaths++;
	if (ntables > 1 && npaths != ntables)
		return err_set(err,
			       "the map joins %zu tables: expected as many files, in its order",
			       ntables);
	for (reading->table = ntables - 1; reading->table > 0; reading->table--)
		if (read_file(reading, paths[reading->table], err) != 0)
			return -1;
	for (size_t i = 0; i < (ntables > 1 ? 1 : npaths); i++)
		if (read_file(reading, paths[i], err) != 0)
			return -1;
	return 0;
}

static void declare(struct csv_reader *reading)
{
	size_t n = 0, most = 0;

	for (size_t t = 0; t < reading->map.tables.n; t++) {
		n += reading->map.tables.at[t].columns.n;
		if (reading->map.tables.at[t].columns.n > most)
			most = reading->map.tables.at[t].columns.n;
	}
	reading->to = xmalloc((n + 1) * sizeof(int));
	reading->place = xmalloc((most + 1) * sizeof(int));
	reading->keys = xcalloc(reading->map.tables.n, sizeof(*reading->keys));
	reading->rows = xcalloc(reading->map.tables.n, sizeof(*reading->rows));
	n = 0;
	for (size_t t = 0; t < reading->map.tables.n; t++)
		for (size_t i = 0; i < reading->map.tables.at[t].columns.n; i++)
			reading->to[n++] = flow_column(
				reading->cells.flow, reading->map.tables.at[t].columns.at[i].name);
}

static void release(struct csv_reader *reading)
{
	for (size_t t = 0; reading->rows != NULL && t < reading->map.tables.n; t++) {
		for (size_t i = 0; i < reading->rows[t].n; i++)
			buf_free(&reading->rows[t].at[i].list);
		vec_free(&reading->rows[t]);
		map_free(&reading->keys[t]);
	}
	free(reading->rows);
	free(reading->keys);
	free(reading->to);
	free(reading->place);
	arena_free(&reading->arena);
	arena_free(&reading->cells.row);
	buf_free(&reading->record);
	csv_map_free(&reading->map);
}

static int read_csv(const struct reader_input *input, struct flow *flow, bool *whole,
		    struct err *err)
{
	struct csv_reader reading = {.cells = {.input = input, .flow = flow}};
	int status;

	(void)whole;
	if (csv_map_read(&reading.map, pick_word(input->pick, "map"), err) != 0)
		return -1;
	reading.cells.map = &reading.map;
	if (reading.map.kind != flow->kind) {
		status = err_set(err, "the map makes %s, not %s: give --to %s",
				 reading.map.kind->name, flow->kind->name, reading.map.kind->name);
	} else {
		declare(&reading);
		status = read_tables(&reading, err);
	}
	if (status == 0 && reading.nlacking > 0)
		warn("%ld rows without a name or without nodes were left out", reading.nlacking);
	requeue_end(&reading.requeue);
	release(&reading);
	return status;
}

static const struct param params[] = {
	{.key = "map",
	 .type = PARAM_TEXT,
	 .meaning = "how the columns become ours: a file of kind csv-map, or @NAME of those that "
		    "come with the tools (@eagle, @alibaba, @alibaba-nodes, @helios, @lassen, "
		    "@xdmod)"},
	{0}};
static const struct table_kind *const makes[] = {&kind_jobs, &kind_nodes, NULL};

const struct reader reader_csv = {
	.entry = {.name = "csv",
		  .example = "csv:map=@alibaba",
		  .summary = "any table of separated values, by a map of its columns",
		  .params = params},
	.makes = makes,
	.read = read_csv,
};
