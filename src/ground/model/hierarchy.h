/* hierarchy.h - hierarchies of named domains beside the network: racks, blocks, NVLink, rows */
#ifndef MODEL_HIERARCHY_H
#define MODEL_HIERARCHY_H

#include "model/topo.h"

enum { DOMAIN_LEVELS_MOST = 16 };

/*
 * A hierarchy is a tree of domains whose leaves are nodes. A machine has any number of them, which
 * need not agree with each other or with the links. The order of domains is that of their source
 * and counts: every= makes domains of consecutive ones. A domain may have no nodes, and a node may
 * be in none: then it is in none of any level of the hierarchy.
 */
struct domain_level {
	char *name;   /* no other level or tier of the machine has it */
	int n;        /* domains */
	char **names; /* [n], each once */
	int *above;   /* [n] the domain of the next level outside, or -1 */
	double up;    /* bytes/s out of a domain, each direction; 0: not known */
	int size;     /* nodes that a domain is planned with (Slurm's first BlockSizes); 0: none */
	int every;    /* k: made of k consecutive domains of the level inside; 0: they are listed */
	struct map ids; /* of names */
};

struct hierarchy {
	char *name;
	int nlevels;
	struct domain_level *levels; /* outermost first */
	int *of;                     /* [nnodes] domain of the innermost level; -1: in none */
};

/* ---- looked up by name ---- */

/* A level of a hierarchy, or of the network: a tier ("router", "group", …), or "node". */
struct level_ref {
	const struct topo *topo;
	const struct hierarchy *hierarchy; /* NULL: of the network */
	int level;                         /* of the hierarchy, or the tier; -1: node */
};

/* A name that no level has is answered by the nearest one. */
int level_find(struct level_ref *ref, const struct topo *topo, const char *name, size_t n,
	       struct err *err);
const char *level_name(const struct level_ref *ref);
int level_count(const struct level_ref *ref);            /* its domains */
int level_domain(const struct level_ref *ref, int node); /* -1: in none */
int *level_domains(const struct level_ref *ref);         /* [nnodes] of each; to be freed */
/* Nodes of domain d: member[first[d]] … member[first[d + 1] - 1], ascending; both to be freed. of
 * [nnodes]: its domain, of n, or -1. */
void domain_members(const int *of, int nnodes, int n, int **first, int **member);
/* Its name; text is used or not. */
const char *level_domain_name(const struct level_ref *ref, int domain, char text[TOPO_NAME]);
/* How far outside it is within its hierarchy: "node", or the innermost level of one, is 0. */
int level_depth(const struct level_ref *ref);
/* The first level with a size, of the first hierarchy that has one: Slurm's blocks. False: none. */
bool level_with_size(struct level_ref *ref, const struct topo *topo);
/* That of the next hierarchy that has one, from *next on. */
bool level_with_size_next(struct level_ref *ref, const struct topo *topo, int *next);

/* ---- made ---- */

/* Adds an empty one to a machine whose nodes are numbered. Its index, or -1: no name, or taken. */
int hierarchy_add(struct topo *topo, const char *name, size_t n, struct err *err);
/* The next level inside. like: every, size and up. Its index, or -1. */
int hierarchy_level(struct topo *topo, int hierarchy, const char *name, size_t n,
		    const struct domain_level *like, struct err *err);
/* A domain of a level that is listed; above: of the next listed level outside, or -1. */
int hierarchy_domain(struct topo *topo, int hierarchy, int level, const char *name, size_t n,
		     int above, struct err *err);
/* The next listed level outside (inside), or -1. */
int hierarchy_outside(const struct topo *topo, int hierarchy, int level);
int hierarchy_inside(const struct topo *topo, int hierarchy, int level);
/* The nodes first … last are in a domain of the innermost listed level; refused if one is in
 * another domain of it. */
int hierarchy_nodes(struct topo *topo, int hierarchy, int domain, int first, int last,
		    struct err *err);
/* Makes the levels of every=. Refused: one of their domains that is in two of the next level. */
int hierarchy_finish(struct topo *topo, int hierarchy, struct err *err);
void hierarchies_free(struct topo *topo);

#endif
