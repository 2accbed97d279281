/* tree.c - a tree of switches with the nodes as its leaves */
#include "machine/kind/pgft.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct value *arity = pick_value(pick, "arity"), *cables = pick_value(pick, "cables");
	int64_t ones[PGFT_LEVELS] = {1, 1, 1, 1, 1, 1, 1, 1};

	if (arity->nsizes > PGFT_LEVELS)
		return err_set(err, "arity: '%s' has more than %d levels", arity->text,
			       PGFT_LEVELS);
	if (cables->is_set && cables->nsizes != arity->nsizes)
		return err_set(err, "cables: '%s' needs %d numbers, as arity", cables->text,
			       arity->nsizes);
	return pgft_shape(topo, arity->sizes, ones, cables->is_set ? cables->sizes : ones,
			  arity->nsizes, err);
}

static const struct param params[] = {
	{.key = "arity",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .meaning = "children of a switch, for each level from the leaf "
		    "switches (children: nodes) up to the root"},
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables from each child to its parent, for each level; 1"},
	TOPO_COMMON_PARAMS,
	PGFT_LEVEL_PARAMS,
	{.key = NULL},
};

const struct topo_type topo_type_tree = {
	.entry =
		{
			.name = "tree",
			.summary = "a tree of switches with the nodes as its leaves",
			.example = "tree:arity=4x2x2",
			.params = params,
		},
	.family = "tree",
	.shape = shape,
	PGFT_FUNCTIONS,
};
