/* pgft_scotch.c - trees as a target architecture of Scotch: tleaf */
#include "base/mem.h"
#include "formats/out.h"
#include "machine/kind/pgft.h"

/* How many domains of a tier each one of the next has, lowest first: of nodes in routers, …, of the
 * top ones in the machine; 0: they differ, or are not consecutive. */
static bool find_arities(const struct topo *topo, int64_t *arity)
{
	int nbelow = topo->nnodes;

	for (int tier = 0; tier < topo->ntiers; tier++) {
		const struct tier *t = &topo->tiers[tier];
		int ndomains = 0;

		/* routers without nodes come last, or the order says nothing */
		for (int i = 0; i < nbelow; i++)
			if (t->of[i] >= ndomains)
				ndomains = t->of[i] + 1;
		if (ndomains == 0 || nbelow % ndomains != 0)
			return false;
		arity[tier] = nbelow / ndomains;
		for (int i = 0; i < nbelow; i++)
			if (t->of[i] != i / arity[tier])
				return false;
		nbelow = ndomains;
	}
	arity[topo->ntiers] = nbelow;
	return true;
}

/* Levels from the top: children and the weight of the links to them; those of one child join the
 * next one below. */
bool pgft_write_scotch(const struct topo *topo, int ncores, struct out *out)
{
	int64_t arity[TOPO_LEVELS + 1];
	int nlevels = 0, weight = 1;
	struct buf text = {0};

	if (!find_arities(topo, arity))
		return false;
	for (int tier = topo->ntiers; tier >= 0; tier--) {
		if (arity[tier] == 1 && tier > 0) {
			weight++;
			continue;
		}
		buf_printf(&text, " %lld %d", (long long)arity[tier], weight);
		weight = 1;
		nlevels++;
	}
	if (ncores > 1) {
		buf_printf(&text, " %d 1", ncores);
		nlevels++;
	}
	out_printf(out, "tleaf\n%d%s\n", nlevels, buf_text(&text));
	buf_free(&text);
	return true;
}
