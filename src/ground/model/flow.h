/* flow.h - rows of one kind on their way from a reader through filters to a writer */
#ifndef MODEL_FLOW_H
#define MODEL_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/num.h"
#include "formats/table.h"

/* One cell. Numbers stay numbers on the way; what came as text stays text until somebody asks. */
enum cell_type { CELL_MISSING, CELL_TEXT, CELL_INT, CELL_REAL, CELL_SECONDS };
struct cell {
	enum cell_type type;
	union {
		const char *text; /* ends in NUL; its maker keeps it until flow_emit returns */
		int64_t number;   /* CELL_INT; CELL_SECONDS: nanoseconds */
		double real;
	};
};

struct flow;

/* Who takes the rows. Each returns 0, or -1 with a message; any may be NULL. */
struct taker {
	int (*begin)(void *state, struct flow *flow, struct err *err); /* all columns are known */
	int (*row)(void *state, struct flow *flow, struct err *err);   /* flow->cells.at */
	/* whole: the input was not truncated; called only after a begin and valid rows */
	int (*end)(void *state, struct flow *flow, bool whole, struct err *err);
};

/* A word of a reader's input that it does not know. */
struct flow_unknown {
	const char *what, *word;
	int64_t n;
};

/* A ##key=value line. */
struct flow_meta {
	const char *key, *value;
};

/*
 * The maker declares columns (flow_column), then sets cells and calls flow_emit for each row, and
 * flow_end once. ##lines may be added at any time; a taker looks at meta.n with every row.
 */
struct flow {
	const struct table_kind *kind;
	VEC(const char *) columns;
	struct map column_ids;  /* name → its place in columns */
	VEC(struct cell) cells; /* [columns.n] of the row being made */
	VEC(struct flow_meta) meta;
	const char *file; /* where the row is, for messages; NULL: nowhere */
	long line;
	const struct flow *source; /* a filter's input, whose place is meant; or NULL */
	struct flow *next;         /* what the taker itself makes rows for; or NULL */
	const struct taker *taker;
	void *state;
	bool is_begun, has_rows;
	bool is_strict;       /* what cannot be read is an error, and not left out */
	bool has_failed;      /* who takes the rows refused one */
	int64_t nskipped;     /* rows that were left out */
	const char *skip_why; /* of the first of them */
	VEC(struct flow_unknown) unknowns;
	struct map unknown_ids; /* "what\tword" → its place in unknowns */
	struct arena arena;
};

/* taker's state and next may be set later, before the first row. */
void flow_init(struct flow *flow, const struct table_kind *kind, const struct taker *taker,
	       void *state);
void flow_free(struct flow *flow);

/* The place of a column, which is appended unless it is there; only before the first row. */
int flow_column(struct flow *flow, const char *name);
int flow_find(const struct flow *flow, const char *name); /* -1: absent */
/* Behind a message that there is no such column: near_hint of those that are there. */
const char *flow_hint(const struct flow *flow, const char *name, struct near_name *near);
void flow_meta(struct flow *flow, const char *key, const char *value);
/* Takes over the ##lines of a table that came since *ndone, which counts those done before. */
void flow_meta_lines(struct flow *flow, const struct table_in *in, size_t *ndone);
/* Declares the columns of a table, takes its ##lines and hands on all its rows. 0, or -1. */
int flow_rows(struct flow *flow, struct table_in *in, struct err *err);
/* For filters: takes over the columns, the ##lines and the place of the rows. */
void flow_like(struct flow *flow, const struct flow *source);
/* Takes over ##lines that source got meanwhile; *ndone counts those taken before. */
void flow_meta_of(struct flow *flow, const struct flow *source, size_t *ndone);

/* text NULL or "": missing. */
static inline void flow_text(struct flow *flow, int column, const char *text)
{
	flow->cells.at[column] = (struct cell){
		.type = text != NULL && *text != '\0' ? CELL_TEXT : CELL_MISSING, .text = text};
}

static inline void flow_int(struct flow *flow, int column, int64_t number)
{
	flow->cells.at[column] = (struct cell){.type = CELL_INT, .number = number};
}

static inline void flow_real(struct flow *flow, int column, double real)
{
	flow->cells.at[column] = (struct cell){.type = CELL_REAL, .real = real};
}

static inline void flow_seconds(struct flow *flow, int column, int64_t ns)
{
	flow->cells.at[column] = (struct cell){.type = CELL_SECONDS, .number = ns};
}

/* Hands the row on and makes all cells missing. 0, or the taker's -1. */
int flow_emit(struct flow *flow, struct err *err);
void flow_skip(struct flow *flow); /* makes all cells missing */
/*
 * For readers of what other programs write: a row cannot be read, err says where and why. It is
 * left out and counted: 0. -1: it is an error, as rows are taken strictly, or as not the row was
 * refused but what was made of it.
 */
int flow_leave_out(struct flow *flow, struct err *err);
/* A type, state or element that the reader does not know, which makes nothing of it: "states
 * of jobs", "FOO". Each is counted. */
void flow_unknown(struct flow *flow, const char *what, const char *word);
/* Warns once about rows that were left out, and counts them in the stream as ##skipped=; likewise
 * of what was not known. */
void flow_report_left_out(struct flow *flow);
/* Ends this flow and those behind it. */
int flow_end(struct flow *flow, bool whole, struct err *err);

/* "FILE:LINE: …" of the row, or the plain text where a row has no place; returns -1. */
int flow_error(const struct flow *flow, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * What the current row holds in a column (-1: a column that is not there). 1: *value is set; 0: it
 * is missing; -1: it is no such number, with a message. Seconds are nanoseconds.
 */
int flow_get_int(const struct flow *flow, int column, int64_t min, int64_t max, int64_t *value,
		 struct err *err);
int flow_get_real(const struct flow *flow, int column, double min, double max, double *value,
		  struct err *err);
int flow_get_seconds(const struct flow *flow, int column, int64_t *ns, struct err *err);
/* As text; NULL when missing. Numbers are printed into text. */
const char *flow_get_text(const struct flow *flow, int column, char text[NUM_TEXT]);

#endif
