/* csv.c - lines of comma-separated fields, read in large blocks; only selected fields
 * are located */
#include "formats/csv.h"

#include <stdlib.h>
#include <string.h>

#include "formats/csv_scan.h"
#include "formats/in.h"

enum { BLOCK = 1 << 20, LINE_MOST = 1 << 28 };

struct csv {
	struct in *in;
	csv_scan_fn *scan;
	char *text; /* [size + 1 + CSV_PAD]: at … end is read; a newline follows it */
	size_t size, at, end;
	size_t last; /* where the last line began */
	long lineno;
	bool ended;

	/* The selected columns, as the boundaries that the scan looks for: a field is between its
	 * own and the next one's first byte. */
	int nwanted, nbounds;
	int *columns, *bounds;  /* [nwanted], [nbounds] */
	int *start;             /* [nwanted]: which bound; the next one is its end */
	const char **found;     /* [nbounds] */
	struct csv_cell *cells; /* [nwanted] */
	struct arena quoted;    /* fields of a line with quotes */
};

int csv_open(struct csv **result, const char *path, struct err *err)
{
	struct csv *csv;
	struct in *in;

	*result = NULL;
	if (in_open(&in, path, err) != 0)
		return -1;
	csv = xcalloc(1, sizeof(*csv));
	csv->in = in;
	csv->scan = csv_scan_best();
	*result = csv;
	return 0;
}

static void free_wanted(struct csv *csv)
{
	free(csv->columns);
	free(csv->bounds);
	free(csv->start);
	free(csv->found);
	free(csv->cells);
}

void csv_close(struct csv *csv)
{
	if (csv == NULL)
		return;
	in_close(csv->in);
	free_wanted(csv);
	arena_free(&csv->quoted);
	free(csv->text);
	free(csv);
}

const char *csv_name(const struct csv *csv)
{
	return in_name(csv->in);
}

void csv_want(struct csv *csv, const int *columns, int n)
{
	size_t count = (size_t)n;

	free_wanted(csv);
	csv->nwanted = n;
	csv->nbounds = 0;
	csv->columns = xcalloc(count, sizeof(int));
	csv->bounds = xcalloc(2 * count, sizeof(int));
	csv->start = xcalloc(count, sizeof(int));
	csv->found = xcalloc(2 * count, sizeof(char *));
	csv->cells = xcalloc(count, sizeof(struct csv_cell));
	for (int i = 0; i < n; i++) {
		csv->columns[i] = columns[i];
		if (csv->nbounds == 0 || csv->bounds[csv->nbounds - 1] != columns[i])
			csv->bounds[csv->nbounds++] = columns[i];
		csv->start[i] = csv->nbounds - 1;
		csv->bounds[csv->nbounds++] = columns[i] + 1;
	}
}

/* Makes room behind the text and fills it, with a newline behind. */
static int fill(struct csv *csv, struct err *err)
{
	ssize_t n;

	if (csv->at > 0) {
		memmove(csv->text, csv->text + csv->at, csv->end - csv->at);
		csv->end -= csv->at;
		csv->at = 0;
	}
	if (csv->end == csv->size) {
		if (csv->size >= LINE_MOST)
			return err_set(err, "%s:%ld: the line has more than 256 MiB", csv_name(csv),
				       csv->lineno + 1);
		csv->size = csv->size > 0 ? csv->size * 2 : BLOCK;
		csv->text = xrealloc(csv->text, csv->size + 1 + CSV_PAD, 1);
	}
	n = in_block(csv->in, csv->text + csv->end, csv->size - csv->end, err);
	if (n < 0)
		return -1;
	csv->ended = n == 0;
	csv->end += (size_t)n;
	memset(csv->text + csv->end, '\n', 1 + CSV_PAD);
	return 0;
}

/* Fills until the text holds a newline, or all that there is. */
static int fill_line(struct csv *csv, struct err *err)
{
	size_t looked = csv->end - csv->at;

	do {
		if (fill(csv, err) != 0)
			return -1;
		if (memchr(csv->text + csv->at + looked, '\n', csv->end - csv->at - looked) != NULL)
			break;
		looked = csv->end - csv->at;
	} while (!csv->ended);
	return 0;
}

/*
 * One field at p, quotes resolved into *copy, which moves behind its NUL. *next: behind its comma,
 * or NULL: it was the last one.
 */
static struct csv_cell quoted_field(const char *p, const char *end, char **copy, const char **next)
{
	struct csv_cell cell = {.text = *copy};
	const char *comma;
	char *to = *copy;

	if (p < end && *p == '"') {
		for (p++; p < end; p++) {
			if (*p == '"' && (p + 1 == end || p[1] != '"'))
				break;
			p += *p == '"';
			*to++ = *p;
		}
		p += p < end;
	}
	comma = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
	*next = comma != NULL ? comma + 1 : NULL;
	if (comma == NULL)
		comma = end;
	memcpy(to, p, (size_t)(comma - p));
	to += comma - p;
	*to = '\0';
	cell.n = (size_t)(to - cell.text);
	*copy = to + 1;
	return cell;
}

static size_t count_commas(const char *line, size_t n)
{
	size_t commas = 0;

	for (size_t i = 0; i < n; i++)
		commas += line[i] == ',';
	return commas;
}

/* The slow way, for lines with quotes. Returns the number of fields. */
static int split_quoted(struct csv *csv, const char *line, size_t n)
{
	const char *next = line;
	int wanted = 0, nfields = 0;
	char *copy;

	arena_reset(&csv->quoted);
	copy = arena_alloc(&csv->quoted, n + count_commas(line, n) + 1);
	for (int i = 0; i < csv->nwanted; i++)
		csv->cells[i] = (struct csv_cell){0};
	while (next != NULL) {
		struct csv_cell cell = quoted_field(next, line + n, &copy, &next);

		if (wanted < csv->nwanted && csv->columns[wanted] == nfields)
			csv->cells[wanted++] = cell;
		nfields++;
	}
	return nfields;
}

static void cut_cells(struct csv *csv, const struct csv_row *row)
{
	const char *end = row->line + row->n;

	for (int i = 0; i < csv->nwanted; i++) {
		const char *start = csv->found[csv->start[i]];

		if (csv->columns[i] >= row->nfields) {
			csv->cells[i] = (struct csv_cell){0};
			continue;
		}
		csv->cells[i].text = start;
		csv->cells[i].n = (size_t)(csv->columns[i] + 1 == row->nfields
						   ? end - start
						   : csv->found[csv->start[i] + 1] - 1 - start);
	}
}

/* Scans the next line, once it is whole. 1, 0: the end, -1. */
static int scan_line(struct csv *csv, struct csv_scan *scan, struct err *err)
{
	for (;;) {
		if (csv->at < csv->end) {
			*scan = csv->scan(csv->text + csv->at, csv->bounds, csv->nbounds,
					  csv->found);
			if (scan->end < csv->text + csv->end || csv->ended)
				return 1;
		} else if (csv->ended) {
			return 0;
		}
		if (fill_line(csv, err) != 0)
			return -1;
	}
}

int csv_next(struct csv *csv, struct csv_row *row, struct err *err)
{
	struct csv_scan scan;
	int status = scan_line(csv, &scan, err);

	if (status != 1)
		return status;
	csv->last = csv->at;
	row->lineno = ++csv->lineno;
	row->line = csv->text + csv->at;
	row->n = (size_t)(scan.end - row->line);
	row->is_cut = scan.end == csv->text + csv->end;
	csv->at += row->n + !row->is_cut;
	row->n -= row->n > 0 && row->line[row->n - 1] == '\r';
	row->cells = csv->cells;
	row->nfields = scan.nfields;
	if (scan.is_quoted)
		row->nfields = split_quoted(csv, row->line, row->n);
	else
		cut_cells(csv, row);
	return 1;
}

int csv_again(struct csv *csv, struct csv_row *row, struct err *err)
{
	csv->at = csv->last;
	csv->lineno--;
	return csv_next(csv, row, err);
}

int csv_split(const char *line, size_t n, struct arena *arena, char ***fields)
{
	size_t most = count_commas(line, n) + 1;
	char *copy = arena_alloc(arena, n + most);
	const char *next = line;
	int nfields = 0;

	*fields = arena_alloc(arena, most * sizeof(char *));
	while (next != NULL)
		(*fields)[nfields++] = (char *)quoted_field(next, line + n, &copy, &next).text;
	return nfields;
}
