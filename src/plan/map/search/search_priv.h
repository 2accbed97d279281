/* search_priv.h - what the stages of a search share */
#ifndef MAP_SEARCH_SEARCH_PRIV_H
#define MAP_SEARCH_SEARCH_PRIV_H

#include <stdbool.h>

#include "map/search/placing.h"
#include "map/search/search.h"
#include "base/rng.h"

/* A trial has 2^20 random numbers; what it draws itself ends before the middle. */
enum { SEARCH_DRAWS = 20 };

/* In place of an item: a free slot; not accessible. */
enum { SEARCH_FREE = -1, SEARCH_FULL = -2 };

/* An edge across one of the most loaded links. */
struct hot_edge {
	int from, to;
};

/* Where a node worth trying for an item is found: on its own router, which changes what depends on
 * the destination and nothing else; on that of a partner; a partner's own; a partner's partner's;
 * or anywhere. */
enum proposal {
	PROPOSE_MATE,
	PROPOSE_PEERS_MATE,
	PROPOSE_PEERS,
	PROPOSE_PEERS_PEERS,
	PROPOSE_ANY,
	NPROPOSALS
};

enum { PROPOSALS = 256 };

/* What proposals of each kind cost lately, and how much those that were accepted moved. */
struct search_tally {
	int64_t cost[NPROPOSALS], gain[NPROPOSALS];
};

struct search_state {
	const struct search *search;
	struct routes *routes;
	struct placing placing;
	int *first_mate, *mates; /* nodes by source: those of one router */
	VEC(bool) is_hot;        /* by link */
	VEC(struct hot_edge) hot;
	struct rng rng;
	int64_t trial; /* number of the next one */
	int64_t work;  /* of all members, up to the last batch */
	int64_t own_work;
	int64_t ntrials, nmoves, nbatches;
	int_vec records; /* of this member: trial, moves, (item, other, node) of each */
	size_t record;   /* where the last one begins */
	int nrecords;
	double temperature;
	uint8_t proposals[PROPOSALS];         /* of which one is drawn: an enum proposal */
	struct search_tally tally, own_tally; /* of all members; of this one, in a batch */
	bool *is_waiting;                     /* [nitems] */
	int *best_of;                         /* [nitems] nodes in the best mapping so far */
	double best_max, best_sum;
	int64_t best_when; /* work, when it was last clearly better */
};

/* T, as part of a load that is aimed at, and μ (see search.h). */
void search_aim(struct search_state *s, double load, double part, double mu);
/* Whether it is a better mapping; it is kept then. */
bool search_keep(struct search_state *s);
/* Lists the edges on links with at least a part of the greatest load. */
void search_find_hot(struct search_state *s, double max);

/* ---- neighbours ---- */
void search_open_near(struct search_state *s);
int search_candidate(const struct search_state *s, int i, enum proposal kind,
		     struct rng_small *rng);
int search_peer(const struct search_state *s, int i, struct rng_small *rng); /* i, if it has none */
/* Whether items i and j fit where the other one is. */
bool search_fit(const struct search_state *s, int i, int j);
/* Whom item i would meet on a node: an item, or SEARCH_FREE or SEARCH_FULL. */
int search_other(const struct search_state *s, int i, int there, struct rng_small *rng);

/* ---- proposals ---- */
/*
 * Kinds of proposals share in all of them by what they have moved lately for what they cost (as
 * probability matching: Thierens, An adaptive pursuit strategy for allocating operator
 * probabilities, GECCO 2005, §2). What an accepted one moves is what it adds or saves, a
 * temperature at most: exchanges that change nothing are accepted always, and lead nowhere.
 */
void search_open_proposals(struct search_state *s);
enum proposal search_propose(const struct search_state *s, struct rng_small *rng);
/* A proposal of a kind, and whether it was tried; and what it adds, if it was accepted. */
void search_tally(struct search_state *s, enum proposal kind, bool is_tried);
void search_tally_gain(struct search_state *s, enum proposal kind, double gain);
/* Shares anew, by what all members have tallied. */
void search_adapt(struct search_state *s);

/* ---- batches ---- */
/* Tries something and, if it is good, records it; leaves all as it was. */
typedef void search_trial(struct search_state *s, int64_t trial, struct rng_small *rng);
/* What the recorded exchanges of a trial may add to the sum. */
typedef double search_limit(const struct search_state *s, int64_t trial);
/* Trials of all members; what they recorded is done in the order of the trials, as far as it is
 * still good. Returns how many were. */
int search_batch(struct search_state *s, int ntrials, search_trial *try, search_limit *limit);
/* Begins a record, and adds an exchange to it. */
void search_record(struct search_state *s, int64_t trial);
void search_record_move(struct search_state *s, int i, int j, int there);

/* ---- stages ---- */
void search_anneal(struct search_state *s, double bound);
void search_mend(struct search_state *s, double bound);
void search_polish(struct search_state *s);

#endif
