/* io_placement.c - what I/O placements share */
#include "machine/io/io_placement.h"

int io_placement_tier(const struct topo *topo, const struct pick *pick, struct err *err)
{
	int tier = topo_tier_find(topo, pick_word(pick, "tier"));

	if (tier >= 0)
		return tier;
	return err_set(err, "%s has no tier '%s'; expected %s%s", topo->name,
		       pick_word(pick, "tier"), topo->tiers[0].name,
		       topo->ntiers > 1 ? " or one above it" : "");
}
