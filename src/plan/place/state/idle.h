/* idle.h - the state of a machine: which nodes are idle, counted at every tier, undoable */
#ifndef PLACE_STATE_IDLE_H
#define PLACE_STATE_IDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "model/topo.h"

struct idle_order; /* place/state/idle_order.h */

/* The nodes first … last were taken, or given back. */
struct machine_change {
	int first, last;
	bool was_taken;
};

/*
 * Idle nodes by label, their number in every domain (router, group, …), and the routers by that
 * number, kept with every change in time proportional to the tiers. The members of a domain are
 * listed once: those of tier t's domain d are member[t][first[t][d]] … member[t][first[t][d + 1] -
 * 1]: nodes for tier 0, domains of the tier below for the others.
 */
struct machine {
	const struct topo *topo;
	int nnodes, ntiers, nidle;
	struct bitset idle;
	const int *domain_of[TOPO_LEVELS]; /* of the tier below (nodes for tier 0); -1: none */
	int ndomains[TOPO_LEVELS];
	int *nidle_of[TOPO_LEVELS]; /* [ndomains] */
	int *first[TOPO_LEVELS], *member[TOPO_LEVELS];
	VEC(struct idle_order *) orders; /* kept with every change */
	int most;                        /* nodes of the largest router */
	struct bitset *with; /* [most + 1]: the routers with that number of idle nodes */
	int *router_to;      /* [nnodes] the last node of a run in label order below one router */
	VEC(struct machine_change) journal;
	bool is_undoing;
};

/* All nodes idle. topo must outlive it. */
void machine_init(struct machine *machine, const struct topo *topo);
void machine_free(struct machine *machine);

static inline bool machine_is_idle(const struct machine *machine, int node)
{
	return bitset_has(&machine->idle, node);
}

/* node must be idle (not idle). */
void machine_take(struct machine *machine, int node);
void machine_release(struct machine *machine, int node);
/* The same for first … last, by words and with one count for each router. */
void machine_take_range(struct machine *machine, int first, int last);
void machine_release_range(struct machine *machine, int first, int last);
/* The same for many nodes [n], range by range; fastest where they follow each other. */
void machine_take_all(struct machine *machine, const int *nodes, size_t n);
void machine_release_all(struct machine *machine, const int *nodes, size_t n);

/* Everything since the mark can be rolled back; marks nest. machine_forget lets the journal go. */
size_t machine_mark(const struct machine *machine);
void machine_undo(struct machine *machine, size_t mark);
void machine_forget(struct machine *machine);

/* The idle node at position k (0 is the first) in label order; k < nidle. */
int machine_kth_idle(const struct machine *machine, int k);
/* Appends up to n idle nodes of a router in label order. Returns how many. */
int machine_idle_of_router(const struct machine *machine, int router, int n, int_vec *nodes);
/* The least router ≥ from that has exactly n idle nodes, or -1. */
int machine_router_with(const struct machine *machine, int n, int from);
/* The greatest router ≤ from (which may be -1) that has, or -1. */
int machine_router_before(const struct machine *machine, int n, int from);

#endif
