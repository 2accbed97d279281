/* table_columns.c - the column lines of tab-separated streams */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "formats/table_priv.h"

const char *table_separator(const char *line)
{
	if (strchr(line, '\t') != NULL || line[0] == '{' || line[0] == '[' || line[0] == '<')
		return NULL;
	if (strchr(line, ',') != NULL)
		return "commas (CSV)";
	if (strchr(line, ';') != NULL)
		return "semicolons";
	return strchr(line, ' ') != NULL ? "blanks" : NULL;
}

static int check_columns(struct table_in *table, struct err *err)
{
	const char *separator =
		table->columns.n == 1 ? table_separator(table->columns.at[0]) : NULL;

	if (separator != NULL)
		return in_error(table->in, err, "the columns are separated by %s, expected tabs",
				separator);
	for (const struct column *column = table->kind->columns; column->name != NULL; column++)
		if (column->required && table_find(table, column->name) < 0)
			return in_error(table->in, err, "has no column '%s', which %s streams need",
					column->name, table->kind->name);
	for (int i = 0; table->kind->one_of != NULL && table->kind->one_of[i] != NULL; i++) {
		bool found = false;

		for (const char *p = table->kind->one_of[i];; p++) {
			size_t n = strcspn(p, "|");

			found = found || table_find_n(table, p, n) >= 0;
			p += n;
			if (*p == '\0')
				break;
		}
		if (!found)
			return in_error(table->in, err,
					"has none of the columns %s, of which %s streams need one",
					table->kind->one_of[i], table->kind->name);
	}
	return 0;
}

static bool has_cell(const char *line, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = line;; p++) {
		size_t length = strcspn(p, "\t");

		if (length == n && memcmp(p, name, n) == 0)
			return true;
		p += length;
		if (*p == '\0')
			return false;
	}
}

bool table_is_column_line(const struct table_kind *kind, const char *line)
{
	for (const struct column *column = kind->columns; column->name != NULL; column++)
		if (column->required && !has_cell(line, column->name))
			return false;
	return true;
}

/* Appends a column; -1: it is there already. */
static int add_column(struct table_in *table, const char *text, size_t n)
{
	char *name = arena_strndup(&table->arena, text, n);

	if (map_add(&table->column_ids, name, n, (int64_t)table->columns.n) !=
	    (int64_t)table->columns.n)
		return -1;
	vec_push(&table->columns, name);
	vec_push(&table->known, kind_column(table->kind, name));
	return 0;
}

/* Columns that only later streams have follow those of the first. */
static void unite_columns(struct table_in *table)
{
	for (int i = 0; table->united[i] != NULL; i++)
		add_column(table, table->united[i], strlen(table->united[i]));
	if (table->columns.n == table->ncells)
		return;
	table->order = arena_alloc(&table->arena, table->columns.n * sizeof(*table->order));
	for (size_t i = 0; i < table->ncells; i++)
		table->order[i] = (int)i;
}

int table_read_columns(struct table_in *table, const char *line, struct err *err)
{
	table->column_line = arena_strndup(&table->arena, line, strlen(line));
	table->expects_columns = table->is_new_file = false;
	for (const char *p = line;; p++) {
		size_t n = strcspn(p, "\t");

		if (n == 0)
			return in_error(table->in, err, "a column without a name");
		if (add_column(table, p, n) != 0)
			return in_error(table->in, err, "the column '%.*s' is there twice", (int)n,
					p);
		p += n;
		if (*p == '\0')
			break;
	}
	table->ncells = table->columns.n;
	if (table->united != NULL)
		unite_columns(table);
	table->united = NULL;
	table->cells = xcalloc(table->columns.n, sizeof(*table->cells));
	table->values = xcalloc(table->columns.n, sizeof(*table->values));
	return check_columns(table, err);
}

int table_read_more_columns(struct table_in *table, const char *line, struct err *err)
{
	bool *is_there = xcalloc(table->columns.n, sizeof(*is_there));
	int status = 0;

	table->column_line = arena_strndup(&table->arena, line, strlen(line));
	table->expects_columns = false;
	table->order = arena_alloc(&table->arena, table->columns.n * sizeof(*table->order));
	table->ncells = 0;
	for (const char *p = line; status == 0; p++) {
		size_t n = strcspn(p, "\t");
		int column = table_find_n(table, p, n);

		if (column < 0)
			status = in_error(table->in, err,
					  "the column '%.*s' was not there before; 'traceconv --to "
					  "%s' unites such streams",
					  (int)n, p, table->kind->name);
		else if (is_there[column])
			status = in_error(table->in, err, "the column '%.*s' is there twice",
					  (int)n, p);
		if (status != 0)
			break;
		is_there[column] = true;
		table->order[table->ncells++] = column;
		p += n;
		if (*p == '\0')
			break;
	}
	free(is_there);
	return status;
}
