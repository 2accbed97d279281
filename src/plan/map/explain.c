/* explain.c - what each stage of a mapping gained, in words */
#include "map/explain.h"

#include <stdlib.h>

#include "base/mem.h"
#include "map/problem/bounds.h"
#include "map/problem/copied_load.h"

/* Loads are sums in any order. */
static const double slack = 1e-9;

static void put_change(struct out *out, double before, double now)
{
	if (before == now)
		out_str(out, " (no change)");
	else if (before > 0)
		out_printf(out, " (%+.1f %%)", 100 * (now / before - 1));
}

/* What a mapping loads: links, and nodes with copies. */
struct loaded {
	struct hybrid_terms terms;
	double copied;
};

static void put_loaded(struct out *out, const char *name, const struct loaded *before,
		       const struct loaded *now)
{
	out_printf(out, "%s: at most %.10g bytes on a link", name, now->terms.mc);
	if (before != NULL)
		put_change(out, before->terms.mc, now->terms.mc);
	out_printf(out, ", %.10g hop-bytes", now->terms.hb);
	if (before != NULL)
		put_change(out, before->terms.hb, now->terms.hb);
	if (now->copied > 0 || (before != NULL && before->copied > 0)) {
		out_printf(out, ", copies of a node like %.10g bytes", now->copied);
		if (before != NULL)
			put_change(out, before->copied, now->copied);
	}
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
	struct loaded before = {0};
	bool has_before = false;
	struct err why;

	if (map_policy_in_order.run(in, NULL, NULL, node_of, &why) == 0) {
		before = (struct loaded){map_measure(in, node_of), map_copied_load(in, node_of)};
		has_before = true;
		put_loaded(out, "ranks in order", NULL, &before);
	}
	free(node_of);
	for (int i = 0; i < stages->n; i++) {
		const struct map_stage *stage = &stages->at[i];
		const struct loaded now = {stage->terms, stage->copied};

		if (!stage->is_measured)
			continue;
		put_loaded(out, stage->name, has_before ? &before : NULL, &now);
		before = now;
		has_before = true;
	}
	if (has_before && stages->n > 0)
		put_bounds(out, in, &before.terms);
}
