/* digits.c - a grid of ranks on a grid of nodes, or on domains within domains */
#include "map/grid/digits.h"

#include "base/die.h"

static int read_grid(struct rank_grid *grid, const struct map_input *in, const struct value *dims,
		     struct err *err)
{
	int64_t n = 1;

	*grid = (struct rank_grid){0};
	for (int d = dims->nsizes - 1; d >= 0; d--) {
		n = n <= INT32_MAX ? n * dims->sizes[d] : n;
		if (dims->sizes[d] > 1 && grid->nsides < RANK_GRID_SIDES)
			grid->side[grid->nsides++] = (int)dims->sizes[d];
	}
	if (n != in->comm->nranks)
		return err_set(err, "digits: dims %s: %d ranks in all are expected", dims->text,
			       in->comm->nranks);
	return 0;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	const struct value *dims = pick_value(pick, "dims");
	struct rank_grid grid;
	struct places places;
	int status = 0;

	(void)parts;
	if (!dims->is_set)
		digits_grid_once(in, &grid);
	else if (read_grid(&grid, in, dims, err) != 0)
		return -1;
	if (!places_find(&places, in)) {
		say("digits: the job's nodes are neither a grid nor equal domains, or do not take "
		    "equally many ranks: ranks stay in order");
		status = map_policy_in_order.run(in, NULL, NULL, node_of, err);
	} else if (dims->is_set) {
		digits_embed(in, in->routes, &grid, &places, 1, node_of);
	} else {
		digits_embed_once(in, in->routes, &grid, &places, 1, node_of);
	}
	places_free(&places);
	rank_grid_free(&grid);
	return status;
}

const struct map_policy map_policy_digits = {
	.entry =
		{
			.name = "digits",
			.example = "digits",
			.summary = "a grid of ranks on a grid of nodes or on nested "
				   "domains, digit by digit",
			.params =
				(const struct param[]){
					{.key = "dims",
					 .type = PARAM_SIZES,
					 .min = 1,
					 .max = 1 << 24,
					 .optional = true,
					 .meaning = "the grid of the ranks, last dimension "
						    "numbered fastest; default: the one in "
						    "which partners are nearest, however "
						    "ranks are numbered"},
					{0}},
		},
	.refine = "none",
	.run = run,
};
