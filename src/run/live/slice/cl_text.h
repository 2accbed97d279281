/* cl_text.h - the words of a program in OpenCL C: what can't be sliced, and parameters added */
#ifndef LIVE_SLICE_CL_TEXT_H
#define LIVE_SLICE_CL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Why slices of a program may not do what the whole does, as far as its text shows that. What it
 * includes is not seen, nor that one group reads what another one wrote. */
enum cl_doubt {
	DOUBT_ATOMICS = 1, /* on memory that may be global: no merge but sum is right */
	DOUBT_PRINTF = 2,  /* lines in another order */
	DOUBT_IMAGES = 4,  /* images are written */
	DOUBT_PIPES = 8,
	DOUBT_ENQUEUE = 16, /* kernels launched by kernels */
	DOUBT_REDEFINED =
		32,       /* the program defines one of the functions that the prelude defines */
	DOUBT_UNSEEN = 64 /* it may do any of these: what it does can't be seen */
};

/* One word, number or other character of a program; comments, strings and blanks are left out. */
struct cl_word {
	const char *at;
	size_t n;
	bool is_name;    /* an identifier */
	bool is_literal; /* a string or a character */
	bool is_command; /* the # that begins a line of the preprocessor */
};

/* The next word from *p on; false: there is none. */
bool cl_text_next(const char **p, struct cl_word *word);
bool cl_word_is(const struct cl_word *word, const char *text);

/* All doubts of a text; what [n]: the first name that each was found by, as "atomic_add on sum";
 * cleared before. */
unsigned cl_text_doubts(const char *source, struct buf *what);
/* DOUBT_UNSEEN where the text does not show all words of a program: it includes files, makes or
 * joins words by macros, or names what only a compiler knows. what: one more. */
unsigned cl_text_unseen(const char *source, struct buf *what);
/* "prints; writes images": for a message. */
void cl_doubts_text(unsigned doubts, struct buf *text);

/* The source with one more parameter for each of its kernels. */
void cl_text_add_parameter(const char *source, const char *parameter, struct buf *text);

#endif
