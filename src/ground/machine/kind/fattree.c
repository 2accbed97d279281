/* fattree.c - k-ary n-trees and tapered fat trees */
#include "machine/kind/pgft.h"

static int from_k(struct topo *topo, const struct pick *pick, struct err *err)
{
	int64_t k = pick_int(pick, "k"), m[PGFT_LEVELS], w[PGFT_LEVELS], p[PGFT_LEVELS];
	int levels = (int)pick_int(pick, "levels");

	for (int l = 0; l < levels; l++) {
		m[l] = k;
		w[l] = l > 0 ? k : 1;
		p[l] = 1;
	}
	return pgft_shape(topo, m, w, p, levels, err);
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct value *down = pick_value(pick, "down"), *up = pick_value(pick, "up");
	const struct value *cables = pick_value(pick, "cables");
	int64_t ones[PGFT_LEVELS] = {1, 1, 1, 1, 1, 1, 1, 1};

	if (pick_has(pick, "k") != pick_has(pick, "levels") ||
	    pick_has(pick, "k") == down->is_set || down->is_set != up->is_set)
		return err_set(err, "it needs either k= and levels=, or down= and up=");
	if (!down->is_set && cables->is_set)
		return err_set(err, "cables= goes with down= and up=");
	if (!down->is_set)
		return from_k(topo, pick, err);
	if (down->nsizes > PGFT_LEVELS)
		return err_set(err, "down: '%s' has more than %d levels", down->text, PGFT_LEVELS);
	if (up->nsizes != down->nsizes)
		return err_set(err, "up: '%s' needs %d numbers, as down", up->text, down->nsizes);
	if (cables->is_set && cables->nsizes != down->nsizes)
		return err_set(err, "cables: '%s' needs %d numbers, as down", cables->text,
			       down->nsizes);
	return pgft_shape(topo, down->sizes, up->sizes, cables->is_set ? cables->sizes : ones,
			  down->nsizes, err);
}

static const struct param params[] = {
	{.key = "k",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "of a k-ary n-tree: children and parents of each switch; k^levels nodes"},
	{.key = "levels",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = PGFT_LEVELS,
	 .optional = true,
	 .meaning = "of a k-ary n-tree: levels of switches (n)"},
	{.key = "down",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "children of a switch, for each level from the leaf switches upwards"},
	{.key = "up",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "parents of what is below that level: 1 for nodes "
		    "with one link, then of switches"},
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables from each child to each parent, for each level; 1"},
	TOPO_COMMON_PARAMS,
	PGFT_LEVEL_PARAMS,
	{.key = NULL},
};

const struct topo_type topo_type_fattree = {
	.entry =
		{
			.name = "fattree",
			.summary = "k-ary n-tree, or parallel generalised fat tree with any taper",
			.paper = "Petrini and Vanneschi, k-ary n-trees, IPPS 1997; Zahavi, "
				 "Fat-tree routing and node ordering providing contention "
				 "free traffic, JPDC 2012 (PGFT, D-mod-k)",
			.example = "fattree:k=3,levels=3",
			.params = params,
		},
	.family = "fattree",
	.shape = shape,
	PGFT_FUNCTIONS,
};
