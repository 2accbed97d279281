/* table_priv.h - what reading and writing of tables share */
#ifndef FORMATS_TABLE_PRIV_H
#define FORMATS_TABLE_PRIV_H

#include "base/key_set.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/table.h"

/* Where a ## line was read. */
struct meta_place {
	const char *file;
	long line;
};

/* A cell's number, as its column has it. */
struct row_value {
	enum { VALUE_NONE, VALUE_WHOLE, VALUE_REAL, VALUE_NS } kind;
	union {
		int64_t whole; /* VALUE_WHOLE; nanoseconds of VALUE_NS */
		double real;
	};
};

struct table_in {
	const struct table_kind *const *kinds; /* ends in NULL */
	const struct table_kind *kind;         /* once the first line is read */
	const char *const *paths;              /* ends in NULL */
	int npath;
	struct in *in; /* NULL: between files */
	const char *file;
	bool is_introduced; /* this file's ##placetools line was there */
	long npromised, nended;
	bool accepts_partial;
	bool was_reported; /* that the input was truncated */

	VEC(char *) meta;              /* the ## lines, each once */
	VEC(struct meta_place) places; /* [meta.n] */
	struct map meta_seen;

	const char *column_line; /* the last one that was read; NULL until the first */
	bool expects_columns;    /* a ##placetools line was read, and no column line behind it */
	bool is_new_file;        /* and this is the file's first */
	/* Where the cells of a row go, since the last column line; NULL: where they are. */
	int *order;
	size_t ncells; /* of a row */
	char missing[2];
	/* Columns that are there in any case, behind those of the first column line; ends
	 * in NULL */
	char *const *united;
	VEC(char *) columns;
	struct map column_ids;            /* name → its place in columns */
	VEC(const struct column *) known; /* [columns.n]; NULL: not a known column */
	char **cells;                     /* [columns.n] of the row in in's buffer */
	struct row_value *values;         /* [columns.n] */

	bool keeps, checks_keys;
	bool has_units;      /* a cell of the last row was written out of rows */
	table_tell_fn *tell; /* NULL: an invalid row is an error */
	void *tell_context;
	struct key_set keys; /* of the rows so far, with their lines */
	struct buf key;      /* of a row */
	struct arena arena, rows;
};

int table_find_n(const struct table_in *table, const char *name, size_t n); /* -1: absent */
/* The first column line, and those of later streams, whose columns may be in another order and
 * be fewer. */
int table_read_columns(struct table_in *table, const char *line, struct err *err);
int table_read_more_columns(struct table_in *table, const char *line, struct err *err);
/* Whether a line has all columns that a kind needs, so that it can't be a row: what was put
 * together by other programs may have ## lines amid its rows. */
bool table_is_column_line(const struct table_kind *kind, const char *line);
/* What separates the words of a line that should have had tabs; NULL: unknown. */
const char *table_separator(const char *line);

/* table_open with such columns, united may be NULL. */
int table_open_with(struct table_in **in, const struct table_kind *const *kinds, char *const *paths,
		    char *const *united, bool accepts_partial, struct err *err);

#endif
