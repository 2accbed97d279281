/* min_cut.h - a minimum cut of a network, by Dinic's algorithm */
#ifndef PLACE_MIN_CUT_H
#define PLACE_MIN_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct cut_arc {
	int to, next; /* next: the arc of the same vertex before it, or -1 */
	int64_t left; /* capacity that is not used */
};

/* Arc i and i ^ 1 are each other's reverse. */
struct cut {
	int n; /* vertices */
	VEC(struct cut_arc) arcs;
	int *last;       /* [n] the last arc of each, or -1 */
	int *depth, *at; /* [n] scratch */
};

void cut_init(struct cut *cut, int n);
void cut_free(struct cut *cut);
void cut_arc(struct cut *cut, int from, int to, int64_t capacity);
/* The capacity of the cut. Vertices on the source's side have depth ≥ 0 then: the fewest there
 * can be. */
int64_t cut_find(struct cut *cut, int source, int sink);

#endif
