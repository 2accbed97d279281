/* routing_picks.h - every routing of the registry by its example, and variants of some */
#ifndef TESTS_UNIT_ROUTING_PICKS_H
#define TESTS_UNIT_ROUTING_PICKS_H

#include "machine/route/route.h"

/* The variants [nvariants] first; k < nvariants + routings.n. A network need not have it. */
static inline const char *routing_pick(const char *const *variants, int nvariants, int k)
{
	return k < nvariants ? variants[k] : routings.entries[k - nvariants]->example;
}

#endif
