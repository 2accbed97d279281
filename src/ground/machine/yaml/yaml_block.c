/* yaml_block.c - the tables of an explicit machine: literal blocks of lines with tabs */
#include "machine/yaml/yaml_block.h"

#include <string.h>

/* Cuts the next line that is neither empty nor a comment into cells. 1: a line; 0: the end; -1. */
static int next_line(struct yaml_block *block, struct slice cells[COLUMNS_MOST], int *ncells,
		     struct err *err)
{
	struct slice line;

	do {
		const char *newline;

		if (block->rest >= block->end)
			return 0;
		newline = memchr(block->rest, '\n', (size_t)(block->end - block->rest));
		line.text = block->rest;
		line.n = (size_t)((newline != NULL ? newline : block->end) - block->rest);
		block->rest += line.n + 1;
		block->at.line++;
	} while (line.n == 0 || *line.text == '#');
	for (*ncells = 0;; (*ncells)++) {
		const char *tab = memchr(line.text, '\t', line.n);

		if (*ncells == COLUMNS_MOST)
			return yaml_error(block->file, &block->at, err,
					  "%s: a line has more than %d cells", block->name,
					  COLUMNS_MOST);
		cells[*ncells] = (struct slice){line.text, line.n};
		if (tab == NULL)
			break;
		cells[*ncells].n = (size_t)(tab - line.text);
		line.n -= cells[*ncells].n + 1;
		line.text = tab + 1;
	}
	++*ncells;
	return 1;
}

int block_open(struct yaml_block *block, const struct yaml_file *file, const char *name,
	       struct err *err)
{
	const struct yaml *tables = yaml_get(yaml_root(file), "tables");
	const struct yaml *at = yaml_get(tables, name);
	int status;

	if (at == NULL)
		return yaml_error(file, tables, err, "an explicit machine needs the table %s",
				  name);
	if (at->type != YAML_SCALAR)
		return yaml_error(file, at, err, "%s: is not a literal block with a table", name);
	*block = (struct yaml_block){.file = file,
				     .name = name,
				     .rest = at->text,
				     .end = at->text + at->n,
				     .at = {.line = at->line}};
	status = next_line(block, block->columns, &block->ncolumns, err);
	if (status == 0)
		return yaml_error(file, at, err, "%s: has no line that names its columns", name);
	return status < 0 ? -1 : 0;
}

int block_next(struct yaml_block *block, struct err *err)
{
	int ncells, status = next_line(block, block->cells, &ncells, err);

	if (status == 1 && ncells != block->ncolumns)
		return yaml_error(block->file, &block->at, err, "%s: %d cells under %d columns",
				  block->name, ncells, block->ncolumns);
	return status;
}

bool slice_is(struct slice slice, const char *text)
{
	return slice.n == strlen(text) && memcmp(slice.text, text, slice.n) == 0;
}

int block_column(const struct yaml_block *block, const char *name)
{
	for (int i = 0; i < block->ncolumns; i++)
		if (slice_is(block->columns[i], name))
			return i;
	return -1;
}

int block_check(const struct yaml_block *block, const char *const *names, int nrequired,
		struct err *err)
{
	struct yaml at = block->at;

	for (int i = 0; i < nrequired; i++)
		if (block_column(block, names[i]) < 0)
			return yaml_error(block->file, &at, err, "%s: needs a column '%s'",
					  block->name, names[i]);
	for (int i = 0; i < block->ncolumns; i++) {
		int j = 0;

		while (names[j] != NULL && !slice_is(block->columns[i], names[j]))
			j++;
		if (names[j] == NULL || block_column(block, names[j]) != i)
			return yaml_error(block->file, &at, err,
					  "%s: the column '%.*s' is unknown or there twice",
					  block->name,
					  block->columns[i].n < 80 ? (int)block->columns[i].n : 80,
					  block->columns[i].text);
	}
	return 0;
}

int block_refuse(const struct yaml_block *block, const struct err *why, struct err *err)
{
	return yaml_error(block->file, &block->at, err, "%s: %s", block->name, why->msg);
}
