/* table.h - tab-separated streams: a first line that says what it is, named columns, ##end */
#ifndef FORMATS_TABLE_H
#define FORMATS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/name_hint.h"
#include "formats/out.h"

/* ---- what a kind of table is ---- */

enum column_type {
	COLUMN_TEXT,
	COLUMN_NAME, /* text that is a key: a job, a node, an application */
	/* Columns that are named …_s or bytes, …_bytes may be given with a unit: 2min, 64KiB.
	 * Whoever asks for the cell sees the plain number. */
	COLUMN_INT,      /* a whole number within min … max */
	COLUMN_REAL,     /* a number within min … max */
	COLUMN_SECONDS,  /* exact decimal seconds, kept as nanoseconds */
	COLUMN_BOOL,     /* yes or no */
	COLUMN_NODELIST, /* Slurm's hostlist syntax */
};

struct column {
	const char *name;
	enum column_type type;
	bool required;
	bool is_instant;     /* COLUMN_SECONDS of jobs: a point in time, no length */
	double min, max;     /* COLUMN_INT, _REAL; both 0: from 0 without limit */
	const char *meaning; /* one line, with the unit, for the manual */
};

struct table_kind {
	const char *name;             /* "jobs" */
	int version;                  /* 1 */
	const char *summary;          /* one line */
	const struct column *columns; /* known columns; ends in name NULL */
	/* Groups of which one column must be there, each as "router|node|link|region"; ends in
	 * NULL; may be NULL. */
	const char *const *one_of;
	/* The columns that together name a row, as far as they are there; ends in NULL. */
	const char *const *key;
};

const struct column *kind_column(const struct table_kind *kind, const char *name); /* or NULL */

/* ---- reading ---- */

struct table_in;

struct row_value;

struct row {
	char **cells; /* [ncolumns]; never NULL, "." is missing */
	/* [ncolumns] what the check of known columns read, so that row_int, row_real and
	 * row_seconds need not read it again; NULL: they do. */
	const struct row_value *values;
	long line;
	const char *file;
};

/*
 * Opens the operands (ends in NULL; none: standard input) as one stream of one of the kinds (ends
 * in NULL) and reads up to the column line. A stream without any column line is an empty table.
 * accepts_partial: a truncated stream is as good as a whole one.
 */
int table_open(struct table_in **in, const struct table_kind *const *kinds, char *const *paths,
	       bool accepts_partial, struct err *err);
/* The same of one file. */
int table_open_one(struct table_in **in, const struct table_kind *const *kinds, const char *path,
		   bool accepts_partial, struct err *err);
/*
 * The same for streams that were concatenated and have different columns: all columns of all of
 * them, in order of appearance. Reads the input twice; what is not a file goes through a temporary
 * one. The streams are of the kind kinds[0].
 */
int table_open_united(struct table_in **in, const struct table_kind *const *kinds,
		      char *const *paths, bool accepts_partial, struct err *err);
void table_close(struct table_in *in); /* NULL is allowed */

/*
 * 1: a row; 0: the end; -1: error. The row is valid until the next call, unless table_keep asked
 * for more. Known columns hold what their type says: every cell of them is checked here.
 */
int table_next(struct table_in *in, struct row *row, struct err *err);
/* From here on rows stay valid until table_forget. */
void table_keep(struct table_in *in);
void table_forget(struct table_in *in);
/* From here on a row whose key (kind->key) was there before is refused: memory grows with
 * the rows. */
void table_unique(struct table_in *in);
/* From here on everything wrong with a row is reported, "FILE:LINE: …", and is not an error: a
 * row with a broken cell is left out, one whose key was there before is handed on. */
typedef void table_tell_fn(void *context, const char *text);
void table_tolerate(struct table_in *in, table_tell_fn *tell, void *context);

const struct table_kind *table_kind(const struct table_in *in);
int table_ncolumns(const struct table_in *in);
const char *table_column(const struct table_in *in, int column);
int table_find(const struct table_in *in, const char *name); /* -1: absent */
/* Behind a message that there is no such column: near_hint of those that are there. */
const char *table_hint(const struct table_in *in, const char *name, struct near_name *near);
/* The last ##key=value read so far, or NULL. */
const char *table_meta(const struct table_in *in, const char *key);
/* Puts FILE:LINE of that line before the message; returns -1. */
int table_meta_blame(const struct table_in *in, const char *key, struct err *err);
/* The ## lines read so far, each once, in order: "##key=value"; NULL behind the last one. */
const char *table_meta_line(const struct table_in *in, size_t i);
/* Of the first file, for names relative to it; "" for standard input and the current folder. */
const char *table_folder(const struct table_in *in);
/* After table_next returned 0: no declared ##end is missing (or truncated streams are
 * accepted). Warns once "input was truncated" otherwise; then the tool's own output gets no ##end
 * and its status is 2. */
bool table_is_whole(struct table_in *in);

/* "FILE:LINE: …" of a row; returns -1. */
int row_error(const struct row *row, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The cell's text, or NULL when the column is absent (-1) or the value missing ("."). */
const char *row_text(const struct row *row, int column);
/* 1: *value is set; 0: missing; -1: error, with FILE:LINE. name: for the message. */
int row_int(const struct row *row, int column, const char *name, int64_t min, int64_t max,
	    int64_t *value, struct err *err);
int row_real(const struct row *row, int column, const char *name, double min, double max,
	     double *value, struct err *err);
int row_seconds(const struct row *row, int column, const char *name, int64_t *ns, struct err *err);

/* ---- writing ---- */

struct table_out;

/* A table of a kind on out, which stays the caller's. The column line is written with the first row
 * (or the end), so that columns may be added until then. */
struct table_out *table_out_new(struct out *out, const struct table_kind *kind);
/* Carries on the ##lines and columns of an input: of a filter, which keeps what it does not know.
 * ##lines that come later are carried on too. */
void table_out_like(struct table_out *table, const struct table_in *in);
/* Only the ##lines. */
void table_out_meta_of(struct table_out *table, const struct table_in *in);
/* After the first row it is written at once. */
void table_out_meta(struct table_out *table, const char *key, const char *value);
/* The place of a column, which is appended unless it is there. */
int table_out_column(struct table_out *table, const char *name);
/* After table_out_like: the input's cells, each in its place. */
void table_out_pass(struct table_out *table, const struct row *row);
/* One cell of the row being made; NULL or "" is missing. Texts are copied; tabs, line ends and #
 * become _. */
void table_out_text(struct table_out *table, int column, const char *text);
void table_out_int(struct table_out *table, int column, int64_t value);
void table_out_real(struct table_out *table, int column, double value);
void table_out_seconds(struct table_out *table, int column, int64_t ns);
void table_out_bool(struct table_out *table, int column, bool value);
/* Writes the row; cells that were not set are missing. */
void table_out_emit(struct table_out *table);
/* The same for a row that the caller has written out: n bytes, every column, no newline. */
void table_out_line(struct table_out *table, const char *text, size_t n);
/* whole: writes ##end. Frees the table. */
void table_out_end(struct table_out *table, bool whole);

#endif
