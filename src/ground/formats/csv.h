/* csv.h - comma-separated lines of which a few columns are read; the rest is skipped fast */
#ifndef FORMATS_CSV_H
#define FORMATS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * A record is one line: a newline inside quotes ends it all the same (LDMS writes none, and so a
 * line that was truncated inside quotes spoils no other). Quotes as in RFC 4180: around a whole
 * field, doubled inside. Plain or gzip by content; "-" is standard input.
 */
struct csv;

struct csv_cell {
	const char *text; /* not ended by NUL; NULL: the line has no such field */
	size_t n;
};

struct csv_row {
	const char *line; /* [n], without its end */
	size_t n;
	long lineno;
	int nfields;
	bool is_cut; /* the last line, without a newline: its last field may be a part only */
	const struct csv_cell *cells; /* [wanted]; in the order of csv_want */
};

int csv_open(struct csv **csv, const char *path, struct err *err);
void csv_close(struct csv *csv); /* NULL is allowed */

/* From the next row on: these columns, numbered from 0; ascending, each once; none at first. */
void csv_want(struct csv *csv, const int *columns, int n);

/* 1: a row, valid until the next call; 0: the end; -1: error. Empty lines are rows. */
int csv_next(struct csv *csv, struct csv_row *row, struct err *err);

/* The line of the last csv_next once more, with what csv_want asked for since then. */
int csv_again(struct csv *csv, struct csv_row *row, struct err *err);

const char *csv_name(const struct csv *csv); /* of the file, for messages */

/* Cuts one line into its fields, quotes resolved, each ended by NUL, in the arena. The number of
 * fields. */
int csv_split(const char *line, size_t n, struct arena *arena, char ***fields);

#endif
