/* domain_asks.h - what a job asks of domains: within, slices, spread, balance, together */
#ifndef MODEL_DOMAIN_ASKS_H
#define MODEL_DOMAIN_ASKS_H

#include "model/hierarchy.h"

/* The cells as they are written; NULL: the job asks for nothing of the kind. */
struct domain_texts {
	const char *within, *slices, *spread, *balance, *together;
};

struct domain_ask {
	struct level_ref level;
	int size;     /* units of a slice, or the most of a domain */
	bool is_soft; /* within: if it can be */
};

/* Units are nodes, or the GPUs of a job that shares its nodes. */
struct domain_asks {
	struct domain_ask within[DOMAIN_LEVELS_MOST], spread[DOMAIN_LEVELS_MOST];
	struct domain_ask slices[DOMAIN_LEVELS_MOST]; /* outermost first, each divides the last */
	int nwithin, nspread, nslices;
	bool has_balance, has_together;
	struct level_ref balance;
	struct level_ref together;
	const char *group; /* [ngroup] of together, within its text */
	size_t ngroup;
};

bool domain_texts_any(const struct domain_texts *texts);
/* Refused, with the column: a level that is nowhere, a number that is none, slices that are not
 * outermost first, of one hierarchy and each a divisor of the one before. The texts must outlive
 * it. */
int domain_asks_read(struct domain_asks *asks, const struct topo *topo,
		     const struct domain_texts *texts, struct err *err);

#endif
