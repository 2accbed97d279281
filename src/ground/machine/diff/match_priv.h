/* match_priv.h - what the files share that find out which router is which */
#ifndef MACHINE_DIFF_MATCH_PRIV_H
#define MACHINE_DIFF_MATCH_PRIV_H

#include "base/mem.h"
#include "base/umap.h"
#include "machine/diff/cabling.h"

/* Two routers that may be the same one. */
struct pair {
	int32_t seen, plan;
	int32_t score;                /* cables that both have to vertices that are matched */
	int32_t next_seen, next_plan; /* pairs of the same router of seen, of plan; -1: the end */
};

typedef VEC(int32_t) vertex_vec;

struct match {
	struct cabling *plan, *seen;
	VEC(struct pair) pairs;
	struct umap ids;         /* (seen, plan) → index of the pair */
	int32_t *of_seen;        /* [seen->n] its first pair; -1: none */
	int32_t *of_plan;        /* [plan->n] */
	vertex_vec dirty;        /* routers of seen whose best pair may have changed */
	bool *is_dirty;          /* [seen->n] */
	int32_t *unit_of;        /* [plan->n] leaves that common nodes join; NULL: a node has one */
	vertex_vec fresh, trail; /* matched: not passed on yet; in order, newest last */
};

/* The best pair of a router of seen may have changed. */
void match_mark(struct match *match, int seen);
/* The two are more likely one, by so many cables. */
void match_raise(struct match *match, int seen, int plan, int by);
/* Passes on what the units of rails tell; unit_of is there. */
void match_units(struct match *match);
/* Matches what is not matched, from what is. */
void match_extend(struct match *match);

#endif
