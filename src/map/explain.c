/* explain.c - what each stage of a mapping gained, in words */
#include "map/explain.h"

#include <stdlib.h>

#include "base/mem.h"
#include "map/problem/bounds.h"

/* Loads are sums in any order. */
static const double slack = 1e-9;

static void put_change(struct out *out, double before, double now)
{
	if (before == now)
		out_str(out, " (no change)");
	else if (before > 0)
		out_printf(out, " (%+.1f %%)", 100 * (now / before - 1));
}

static void put_terms(struct out *out, const char *name, const struct hybrid_terms *before,
		      const struct hybrid_terms *now)
{
	out_printf(out, "%s: at most %.10g bytes on a link", name, now->mc);
	if (before != NULL)
		put_change(out, before->mc, now->mc);
	out_printf(out, ", %.10g hop-bytes", now->hb);
	if (before != NULL)
		put_change(out, before->hb, now->hb);
	out_char(out, '\n');
}

static void put_bound(struct out *out, const char *name, double found, double bound)
{
	if (found <= bound * (1 + slack))
		out_printf(out, "%s: the least, proven\n", name);
	else if (bound > 0)
		out_printf(out, "%s: no mapping is below %.10g, this one is %.1f %% above it\n",
			   name, bound, 100 * (found / bound - 1));
	else
		out_printf(out, "%s: no bound is known\n", name);
}

static void put_bounds(struct out *out, const struct map_input *in,
		       const struct hybrid_terms *found)
{
	struct map_bounds bounds;

	map_bounds_find(&bounds, in);
	if (bounds.all_are_alike) {
		out_str(out, "all ranks send the same to all others, and fill all slots: every "
			     "mapping is the best, proven\n");
		return;
	}
	out_printf(out, "at least %.10g bytes leave their nodes, however ranks are grouped%s\n",
		   bounds.leaving, bounds.is_exact_cut ? "" : " (by partners of ranks)");
	put_bound(out, "maximum congestion", found->mc, bounds.mc);
	put_bound(out, "hop-bytes", found->hb, bounds.hb);
}

void map_explain(const struct map_input *in, const struct map_stages *stages, struct out *out)
{
	int *node_of = xmalloc(((size_t)in->comm->nranks + 1) * sizeof(*node_of));
	struct hybrid_terms before = {0};
	bool has_before = false;
	struct err why;

	if (map_policy_in_order.run(in, NULL, NULL, node_of, &why) == 0) {
		before = map_measure(in, node_of);
		has_before = true;
		put_terms(out, "ranks in order", NULL, &before);
	}
	free(node_of);
	for (int i = 0; i < stages->n; i++) {
		const struct map_stage *stage = &stages->at[i];

		if (!stage->is_measured)
			continue;
		put_terms(out, stage->name, has_before ? &before : NULL, &stage->terms);
		before = stage->terms;
		has_before = true;
	}
	if (has_before && stages->n > 0)
		put_bounds(out, in, &before);
}
