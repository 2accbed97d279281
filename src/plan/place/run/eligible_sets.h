/* eligible_sets.h - nodes by partition, feature and reservation, and what jobs write about them */
#ifndef PLACE_RUN_ELIGIBLE_SETS_H
#define PLACE_RUN_ELIGIBLE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/names.h"

/* Sets of nodes by name: words [nwords] each. Zeroed is none. */
struct name_sets {
	int nwords;
	struct map ids;
	VEC(uint64_t *) sets;
};

void sets_free(struct name_sets *sets);
/* A node is in the sets of these names, separated by commas; NULL: in none. */
void sets_add(struct name_sets *sets, int node, const char *names);
/* The nodes of a name; NULL: no node has it. */
const uint64_t *sets_get(const struct name_sets *sets, const char *name, size_t n);

/* So many nodes that have a feature. */
struct feature_count {
	int n;
	uint64_t *words; /* [nwords] */
};
typedef VEC(struct feature_count) feature_count_vec;

/*
 * The alternatives of "a&b|c" (one, whose nodes may differ) or "[a|b]" (one after the other, each
 * the same for all nodes); begin with *text at the beginning. words [nwords]. 1; 0: no more; -1:
 * not such a thing.
 */
int features_next(const struct name_sets *features, const char **text, uint64_t *words);

/* Whether features are counted, as in "a*2" or "[a*2&b*4]". */
bool features_are_counted(const char *text);
/* Those: counts gets a set for each; what has no count must hold for all nodes: words.
 * -1 likewise. */
int features_count(const struct name_sets *features, const char *text, feature_count_vec *counts,
		   uint64_t *words);
void feature_counts_clear(feature_count_vec *counts);

#endif
