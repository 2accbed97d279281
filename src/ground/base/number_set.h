/* number_set.h - which numbers were there: for many that are close together, such as those of jobs
 */
#ifndef BASE_NUMBER_SET_H
#define BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/mem.h"

enum { NUMBER_SET_WORDS = 8 }; /* a page: 512 numbers */

/* Zeroed is empty. Memory: 64 bytes and some 100 more for each 512 numbers that hold one. */
struct number_set {
	struct map pages; /* number / 512, as eight bytes → its page */
	VEC(uint64_t) words;
	uint64_t last;    /* the page of the number before, */
	size_t last_word; /* and where it begins in words */
};

/* Whether the number is new. */
bool number_set_add(struct number_set *set, uint64_t number);
void number_set_free(struct number_set *set);

#endif
