/* shown.h - which columns of a table are shown, and their cells as text, for people and programs */
#ifndef CONVERT_WRITER_SHOWN_H
#define CONVERT_WRITER_SHOWN_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/writer/writer.h"

enum shown_type {
	SHOWN_TEXT,
	SHOWN_NUMBER,
	SHOWN_BOOL,
	SHOWN_NODES, /* a node list */
	SHOWN_ANY,   /* a column that the kind does not know: what looks like a number is one */
};

struct shown_column {
	const char *name;
	enum shown_type type;
	int column; /* of the flow */
};

struct shown {
	struct out *out;
	const struct pick *pick;
	VEC(struct shown_column) columns;
	int digits;    /* that numbers are rounded to; 0: they stay as they are */
	int64_t width; /* letters of a text, whose rest becomes …; 0: all */
	bool folds;    /* node lists are sorted and folded */
	struct buf text;
};

/* A cell as it is shown. */
struct shown_cell {
	const char *text; /* NULL: missing; valid until the next one */
	bool is_number;
};

/* digits_def: "4", or NULL: as they are. */
#define SHOWN_PARAMS(digits_def)                                                                   \
	{.key = "columns",                                                                         \
	 .type = PARAM_TEXT,                                                                       \
	 .optional = true,                                                                         \
	 .meaning = "only these, in this order, as in [job,nodelist]"},                            \
	{                                                                                          \
		.key = "digits", .type = PARAM_INT, .min = 1, .max = 15, .def = (digits_def),      \
		.optional = true, .meaning = "digits that numbers are rounded to",                 \
	}
#define SHOWN_WIDTH                                                                                \
	{                                                                                          \
		.key = "width", .type = PARAM_INT, .max = 1000000, .def = "60", .unit = "letters", \
		.meaning = "a longer text ends in …; 0: texts are whole"                         \
	}

/* The state of such a writer, of size bytes, which begins with its struct shown; and its end. */
void *shown_start(const struct writer_input *input, size_t size);
void shown_stop(void *state);
/* The columns that the pick names, or all. */
int shown_begin(struct shown *shown, const struct flow *flow, struct err *err);
struct shown_cell shown_cell(struct shown *shown, const struct flow *flow, size_t i);

/* How many characters of UTF-8 a text has. */
size_t shown_width(const char *text);

/* Every kind of ours. */
extern const struct table_kind *const *const shown_takes;

#endif
