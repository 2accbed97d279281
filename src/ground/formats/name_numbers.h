/* name_numbers.h - names of nodes as numbers, as they come up; ranges of names by arithmetic */
#ifndef FORMATS_NAME_NUMBERS_H
#define FORMATS_NAME_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "base/umap.h"
#include "formats/node_ranges.h"

/* A name that came up. */
struct numbered_name {
	const char *text;
	/* It is that of the number before, counted up by one, and ends in its number: a list may
	 * go on to it without writing it. */
	bool counts_on;
};

/*
 * Every name has one number, 0 for the first that came up. Names that differ in their last number
 * only are kept by that number, 64 at a time, so that no name in a range that came up before is
 * written or compared. Zeroed is empty; nothing need be known of a machine.
 */
struct name_numbers {
	VEC(struct numbered_name) names; /* by number */
	struct map families;             /* text before and after the number */
	VEC(struct name_family) of;
	struct arena arena;
	struct buf key;
	struct name_digits *last; /* of names.at[names.n - 1]; NULL: it has no number */
};

int name_numbers_add(struct name_numbers *numbers, const char *name, size_t n);
/* The numbers of a list's names, in its order; ranges are cleared first. What is there twice is
 * there twice in ranges. Returns 0, or -1 with what is wrong with the text. */
int name_numbers_read(struct name_numbers *numbers, const char *text, struct node_ranges *ranges,
		      struct err *err);
/* Appends the hostlist of the names to out. */
void name_numbers_print(const struct name_numbers *numbers, const struct node_ranges *ranges,
			struct buf *out);
void name_numbers_free(struct name_numbers *numbers);

#endif
