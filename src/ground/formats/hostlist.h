/* hostlist.h - Slurm's node lists: nid[00001-00016,00020],login1 */
#ifndef FORMATS_HOSTLIST_H
#define FORMATS_HOSTLIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/*
 * Calls add for every name, in the order of the text; several brackets in a name vary from the
 * right, the last one fastest. add returns 0, or -1 with its own message, which ends the walk.
 * Between names is a comma, or blanks and line ends, or both; a comma has a name on either
 * side. More than 2^24 names are refused.
 */
typedef int hostlist_add_fn(void *context, const char *name, size_t n, struct err *err);
int hostlist_walk(const char *text, hostlist_add_fn *add, void *context, struct err *err);

/* The names of a range in the last bracket of a name: prefix, a number from first to last with at
 * least width digits, suffix. The texts do not end in a null byte. */
struct hostlist_run {
	const char *prefix, *suffix;
	size_t nprefix, nsuffix;
	uint64_t first, last;
	int width;
};

/* The same walk; ranges of two names and more are first offered whole to add_run, which returns 1:
 * taken, 0: hand the names out one by one, -1: an error, which ends the walk. */
typedef int hostlist_run_fn(void *context, const struct hostlist_run *run, struct err *err);
int hostlist_walk_runs(const char *text, hostlist_add_fn *add, hostlist_run_fn *add_run,
		       void *context, struct err *err);

/* How many names a walk would hand out, without a walk: INT64_MAX where there are more. What is
 * wrong with the text is found by the walk. */
int64_t hostlist_count(const char *text);

/*
 * Folds names in the order they come: only what is consecutive in that order is joined into a
 * range. Zeroed is empty.
 */
struct hostlist {
	struct buf text;
	struct buf prefix; /* of the bracket that is open */
	int64_t first, last;
	int width;
	int is_open; /* 0: none; 1: one number; 2: in brackets */
};
void hostlist_add(struct hostlist *list, const char *name, size_t n);
/* n more names, each with the number after the last one's, as wide as it or (without leading zeros)
 * wider. The last name must have ended in a number. */
void hostlist_extend(struct hostlist *list, int64_t n);
const char *hostlist_text(struct hostlist *list); /* ends the open bracket; valid until freed */
void hostlist_clear(struct hostlist *list);
void hostlist_free(struct hostlist *list);

#endif
