/* link_forms.h - whose messages meet links that are in use: closed forms by the kind of machine */
#ifndef PLACE_CONSTRAINT_LINK_FORMS_H
#define PLACE_CONSTRAINT_LINK_FORMS_H

#include "base/bitset.h"
#include "place/constraint/space.h"

struct link_form;

/*
 * Links are cables: both directions are one. Units are sets of nodes whose routes meet the same
 * ones, and are numbered so that those of a group, a line or a leaf switch begin with a word:
 * numbers without a unit are never in a set.
 */
struct links {
	const struct link_form *form;
	const struct space *space;
	int nwords;      /* of a set of links */
	int nunit_words; /* of a set of units */
	int *unit_of;    /* [nnodes] */
	int first_host; /* the bit of the cable of node 0, where each node has one; −1: no such */
	int64_t mark_steps; /* what mark() costs about, for many nodes */
	uint64_t *used;     /* [nwords] what narrow() goes by */
	void *state;
};

struct link_form {
	/* Whether it is for such a machine: fills state, nwords, nunit_words, unit_of, first_host.
	 */
	bool (*open)(struct links *links);
	void (*close)(struct links *links);
	/* Adds the links on the routes between all nodes of a job. */
	void (*mark)(struct links *links, const int *nodes, int n, uint64_t *marked);
	/* links->used has changed. NULL: nothing to prepare. */
	void (*prepare)(struct links *links);
	/* Takes out of units [nunit_words] those that are joined with a unit by a route, either
	 * way, with a link in use. Returns steps of about a nanosecond. */
	int64_t (*narrow)(struct links *links, int unit, uint64_t *units);
};

/* The first of the forms that is for the machine. */
void links_open(struct links *links, const struct space *space);
/* By following each route; the oracle of the others. */
void links_open_walked(struct links *links, const struct space *space);
void links_close(struct links *links);
/* used [nwords] from now on. */
void links_use(struct links *links, const uint64_t *used);

/* Whether a node's own cable is in use, so that it goes with no other one. */
static inline bool links_is_cut(const struct links *links, int node)
{
	return links->first_host >= 0 && bits_has(links->used, (int64_t)links->first_host + node);
}

/* ---- for forms ---- */

/* Every node hangs on one router by one cable, no two routers are joined by two, and every message
 * takes the path of the closed form. */
bool links_are_single(const struct space *space);
/* Room for the cables of nodes, behind those of routers. */
void links_add_hosts(struct links *links);
void links_mark_hosts(const struct links *links, const int *nodes, int n, uint64_t *marked);

extern const struct link_form link_form_dragonfly, link_form_grid, link_form_tree, link_form_walked;

#endif
