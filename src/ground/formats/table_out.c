/* table_out.c - writing tab-separated streams */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/table_priv.h"

struct table_out {
	struct out *out;
	const struct table_kind *kind;
	const struct table_in *like; /* NULL: its own */
	size_t nmeta_passed;         /* of like's ## lines */
	VEC(char *) meta;            /* its own, until the column line is written */
	VEC(char *) columns;
	struct map column_ids;   /* name → its place in columns */
	VEC(const char *) cells; /* [columns.n]; NULL: missing */
	bool is_begun, is_filter;
	struct arena arena, row;
};

struct table_out *table_out_new(struct out *out, const struct table_kind *kind)
{
	struct table_out *table = xcalloc(1, sizeof(*table));

	table->out = out;
	table->kind = kind;
	return table;
}

void table_out_meta_of(struct table_out *table, const struct table_in *in)
{
	table->like = in;
}

int table_out_column(struct table_out *table, const char *name)
{
	size_t n = strlen(name);
	int64_t column = map_add(&table->column_ids, name, n, (int64_t)table->columns.n);

	if (column == (int64_t)table->columns.n) {
		vec_push(&table->columns, arena_strndup(&table->arena, name, n));
		vec_push(&table->cells, NULL);
	}
	return (int)column;
}

void table_out_like(struct table_out *table, const struct table_in *in)
{
	table_out_meta_of(table, in);
	table->is_filter = true;
	for (int i = 0; i < table_ncolumns(in); i++)
		table_out_column(table, table_column(in, i));
}

static void write_meta(struct out *out, const char *line)
{
	out_foreign(out, foreign_meta, line);
	out_char(out, '\n');
}

void table_out_meta(struct table_out *table, const char *key, const char *value)
{
	char *line = xasprintf("##%s=%s", key, value);

	if (table->is_begun)
		write_meta(table->out, line);
	vec_push(&table->meta, arena_strndup(&table->arena, line, strlen(line)));
	free(line);
}

/* A meta line of ours replaces the input's with the same key, except that commands add up. */
static bool is_replaced(const struct table_out *table, const char *line)
{
	size_t n = strcspn(line, "=") + 1;

	if (str_starts(line, "##command=") || str_starts(line, "##column="))
		return false;
	for (size_t i = 0; i < table->meta.n; i++)
		if (strncmp(table->meta.at[i], line, n) == 0)
			return true;
	return false;
}

static void pass_meta(struct table_out *table)
{
	if (table->like == NULL)
		return;
	for (; table->nmeta_passed < table->like->meta.n; table->nmeta_passed++) {
		const char *line = table->like->meta.at[table->nmeta_passed];

		if (is_replaced(table, line))
			continue;
		write_meta(table->out, line);
	}
}

static void begin(struct table_out *table)
{
	table->is_begun = true;
	out_printf(table->out, "##placetools=%s/%d end=yes\n", table->kind->name,
		   table->kind->version);
	pass_meta(table);
	for (size_t i = 0; i < table->meta.n; i++)
		write_meta(table->out, table->meta.at[i]);
	if (out_command(table->out) != NULL) {
		out_str(table->out, "##command=");
		write_meta(table->out, out_command(table->out));
	}
	/* an input without a column line is an empty table, and so is what a filter makes of it */
	if (table->columns.n == 0 || (table->is_filter && table_ncolumns(table->like) == 0))
		return;
	for (size_t i = 0; i < table->columns.n; i++) {
		out_str(table->out, i ? "\t" : "");
		out_foreign(table->out, foreign_cell, table->columns.at[i]);
	}
	out_char(table->out, '\n');
}

void table_out_pass(struct table_out *table, const struct row *row)
{
	for (int i = 0; i < table_ncolumns(table->like); i++)
		table->cells.at[i] = row->cells[i];
}

void table_out_text(struct table_out *table, int column, const char *text)
{
	table->cells.at[column] = text != NULL && *text != '\0'
					  ? arena_strndup(&table->row, text, strlen(text))
					  : NULL;
}

void table_out_int(struct table_out *table, int column, int64_t value)
{
	char text[NUM_TEXT];

	num_print_int(text, value);
	table_out_text(table, column, text);
}

void table_out_real(struct table_out *table, int column, double value)
{
	char text[NUM_TEXT];

	num_print_real(text, value);
	table_out_text(table, column, text);
}

void table_out_seconds(struct table_out *table, int column, int64_t ns)
{
	char text[NUM_TEXT];

	num_print_seconds(text, ns);
	table_out_text(table, column, text);
}

void table_out_bool(struct table_out *table, int column, bool value)
{
	table->cells.at[column] = value ? "yes" : "no";
}

static void write_cell(struct out *out, const char *text)
{
	size_t n = text != NULL ? foreign_cell_plain(text) : 0;

	if (text == NULL || *text == '\0')
		out_char(out, '.');
	else if (text[n] == '\0')
		out_write(out, text, n);
	else
		out_foreign(out, foreign_cell, text);
}

void table_out_emit(struct table_out *table)
{
	if (!table->is_begun)
		begin(table);
	else
		pass_meta(table);
	for (size_t i = 0; i < table->columns.n; i++) {
		if (i > 0)
			out_char(table->out, '\t');
		write_cell(table->out, table->cells.at[i]);
		table->cells.at[i] = NULL;
	}
	out_char(table->out, '\n');
	arena_reset(&table->row);
}

void table_out_line(struct table_out *table, const char *text, size_t n)
{
	if (!table->is_begun)
		begin(table);
	else
		pass_meta(table);
	out_write(table->out, text, n);
	out_char(table->out, '\n');
}

void table_out_end(struct table_out *table, bool whole)
{
	if (!table->is_begun)
		begin(table);
	else
		pass_meta(table);
	if (whole)
		out_str(table->out, "##end\n");
	free(table->meta.at);
	free(table->columns.at);
	map_free(&table->column_ids);
	free(table->cells.at);
	arena_free(&table->row);
	arena_free(&table->arena);
	free(table);
}
