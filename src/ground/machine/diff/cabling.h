/* cabling.h - who is cabled to whom in a machine, and what each is in another one */
#ifndef MACHINE_DIFF_CABLING_H
#define MACHINE_DIFF_CABLING_H

#include "model/topo.h"

/* Vertices as in struct topo. Parallel cables are one entry; those of v are
 * first[v] … first[v + 1] - 1. */
struct cabling {
	struct topo *topo;
	int n;          /* vertices */
	int64_t *first; /* [n + 1] */
	int32_t *peer;
	int32_t *count;  /* cables to this peer */
	int32_t *degree; /* [n] cables */
	int32_t *mate;   /* [n] what it is in the other machine; -1: nothing */
};

/* topo stays the caller's. */
void cabling_make(struct cabling *cabling, struct topo *topo);
void cabling_free(struct cabling *cabling);

static inline bool cabling_is_node(const struct cabling *cabling, int vertex)
{
	return vertex < cabling->topo->nnodes;
}

/* Written into text, or found. */
const char *cabling_name(const struct cabling *cabling, int vertex, char text[TOPO_NAME]);

/*
 * Finds what each vertex of seen is in plan, and the other way. Nodes are known by their names,
 * routers by their cables to what is known already. Returns how many nodes have the same name.
 */
int cabling_match(struct cabling *plan, struct cabling *seen);

/* [n] Of each router the unit of leaves that common nodes join, by one of them; NULL: no node has
 * more than one router. The caller frees it. */
int32_t *cabling_units(const struct cabling *cabling);

/* What differs, as cables: ends are vertices of plan; where a router has no mate there, plan.n plus
 * its number in seen. */
struct cable {
	int32_t ends[2];
	bool is_swapped;
};
typedef VEC(struct cable) cable_vec;

/* Appends the cables that only one of the two has, to lists that may be NULL; returns how many. */
int64_t cabling_compare(const struct cabling *plan, const struct cabling *seen, cable_vec *missing,
			cable_vec *extra);

#endif
