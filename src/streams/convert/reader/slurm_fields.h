/* slurm_fields.h - what the readers of Slurm's listings share: tables by name, times */
#ifndef CONVERT_READER_SLURM_FIELDS_H
#define CONVERT_READER_SLURM_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "convert/reader/reader.h"
#include "base/str.h"
#include "formats/in.h"

enum { SLURM_CELLS = 256 };
/* Longer times do not fit nanoseconds; Slurm's own limit is 2^32 minutes, and means none. */
#define SLURM_SECONDS_MOST INT64_C(9000000000)

/*
 * A listing: a line of names, then rows. Names and cells are separated by bars or tabs where the
 * line of names has one, or by what follows the name that must be there; else they are in
 * columns of fixed width, as squeue and sinfo print them.
 */
struct slurm_table {
	struct in *in;
	char sep;              /* 0: fixed width */
	const char *delimiter; /* of more than one byte, which becomes sep; NULL: none */
	char *header;
	char *names[SLURM_CELLS];
	int ends[SLURM_CELLS]; /* fixed width: where each name ends in the line */
	int ncolumns;
	char *cells[SLURM_CELLS]; /* of the current row */
	bool has_blanks;          /* the row has: its cells may begin or end in them */
	int ncells;               /* more than ncolumns where a text holds a separator */
	bool is_found;            /* sep was found in the line of names */
	bool has_touching;        /* fixed width: two names touch */
	bool ends_in_sep;         /* the line of names does, as sacct -p has it, and so all lines */
	/* Fixed width: dashes below the names say which bytes are a column's, as in sacct; ends are
	 * those of the dashes then. */
	bool is_ruled;
	bool has_begun;            /* a line behind the names was read */
	bool has_texts;            /* a column's cells may hold newlines, which nobody escapes */
	bool ends_in_text;         /* the last one's may */
	bool has_names;            /* the last one is a name: its further lines are read */
	bool is_closed;            /* the last one is JobIDRaw, which ends each row */
	struct buf row;            /* the row, where it is not the input's line */
	struct buf ahead;          /* the line behind it */
	bool has_ahead, is_joined; /* the row had several lines */
	bool is_bad;               /* of what slurm_next refused, the input goes on behind it */
	long line, ahead_line, njoined;
	char room[64]; /* of delimiter */
};

/* The parameters of the readers of listings. */
#define SLURM_LISTING_PARAMS                                                                       \
	{.key = "columns",                                                                         \
	 .type = PARAM_TEXT,                                                                       \
	 .optional = true,                                                                         \
	 .meaning = "column names of a listing without a header, as [JobID,State]"},               \
	{                                                                                          \
		.key = "delimiter", .type = PARAM_TEXT, .optional = true,                          \
		.meaning = "separator of the fields; default: taken from the header, or a"         \
			   " bar without one"                                                      \
	}

/* known: a column that the line of names must have; the lines before it (a date) are skipped. */
int slurm_open(struct slurm_table *table, struct in *in, const char *known, struct err *err);
/*
 * A listing whose line of names is not the user's to trust: columns, a list of names by commas or
 * bars, in brackets or not, say what it has (NULL: its line of names does), delimiter what is
 * between its cells (NULL: found in the first line).
 */
int slurm_open_as(struct slurm_table *table, struct in *in, const char *known, const char *columns,
		  const char *delimiter, struct err *err);
void slurm_close(struct slurm_table *table);
/* 1: a row, valid until the next call; 0: the end; -1: error. Empty lines are skipped, and a line
 * of names that comes again; rows that cannot be read are left out as flow_leave_out does it. */
int slurm_next(struct slurm_table *table, struct flow *flow, struct err *err);
/* FILE:LINE of the row before a message; returns -1. */
int slurm_row_error(const struct slurm_table *table, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Warns, after the last row, if rows had several lines: a name may have made one of them. */
void slurm_report_joined(const struct slurm_table *table);
/* The column of the first of the names (ends in NULL) that is there, letters of either case; -1. */
int slurm_column(const struct slurm_table *table, const char *const *names);
/* Whether a cell of a ruled table was cut to its column's width: it ends in a plus there. */
bool slurm_is_cut(const struct slurm_table *table, int column);
/* A cell without blanks at its ends; NULL: no such column, or empty, or one of the words that mean
 * nothing: N/A, Unknown, None, (null), None assigned. */
const char *slurm_cell(const struct slurm_table *table, int column);

/* Whether the first line of names (of the two first lines: a date may be before it) begins with
 * one of two words and has a third: what squeue and sinfo print. */
bool slurm_is_listing(const char *head, const char *first, const char *or_first, const char *has);

/* A time as Slurm prints it: local without a zone, unless SLURM_TIME_FORMAT says otherwise. 1; 0:
 * no time (text NULL); -1: no time, or one without a zone when the input has none (the message has
 * no place yet). */
int slurm_time(const struct reader_input *input, const char *text, int64_t *ns, struct err *err);
/* [days-]hours:minutes:seconds, minutes:seconds, days-hours, minutes. 1; 0: none (UNLIMITED,
 * Partition_Limit, INVALID, NULL); -1, likewise. */
int slurm_duration(const char *text, int64_t *seconds, struct err *err);

#endif
