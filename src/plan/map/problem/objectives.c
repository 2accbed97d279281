/* objectives.c - what a mapping is to keep small: terms of PTRAM's hybrid metric, and how they
 * count */
#include "map/problem/aim.h"

static void fill_hybrid(struct map_aim *aim, const struct pick *pick)
{
	aim->weights.hb = pick_real(pick, "hb");
	aim->weights.mc = pick_real(pick, "mc");
	aim->weights.nzca = pick_real(pick, "nzca");
	aim->weights.nzcv = pick_real(pick, "nzcv") / pick_real(pick, "scale");
}

const struct map_objective map_objective_hybrid = {
	.entry = {.name = "hybrid",
		  .example = "hybrid:nzcv=0",
		  .summary = "the sum of all four terms, each with its weight",
		  .paper = "Mirsadeghi, Afsahi: PTRAM, eq. (3)",
		  .params = (const struct param[]){HYBRID_WEIGHTS, {0}}},
	.fill = fill_hybrid,
};

static void fill_product(struct map_aim *aim, const struct pick *pick)
{
	aim->mc_power = pick_real(pick, "mc");
	aim->hb_power = pick_real(pick, "hb");
}

const struct map_objective map_objective_product = {
	.entry = {.name = "product",
		  .example = "product:mc=0.8,hb=0.4",
		  .summary = "maximum congestion times hop-bytes, each to a power, as a mean",
		  .params = (const struct param[]){{.key = "mc",
						    .type = PARAM_REAL,
						    .min = 0.001,
						    .max = 100,
						    .def = "0.81",
						    .meaning = "power of the maximum congestion"},
						   {.key = "hb",
						    .type = PARAM_REAL,
						    .min = 0.001,
						    .max = 100,
						    .def = "0.38",
						    .meaning = "power of the hop-bytes; the "
							       "defaults follow simulated "
							       "times best"},
						   {0}}},
	.fill = fill_product,
};

const struct map_objective map_objective_in_turn = {
	.entry = {.name = "in-turn",
		  .example = "in-turn",
		  .summary = "the maximum congestion; among equals, hop-bytes"},
	.aim = {.is_in_turn = true},
};

#define TERM(id, text, of, ...)                                                                    \
	const struct map_objective map_objective_##id = {                                          \
		.entry = {.name = text, .example = text, .summary = of},                           \
		.aim = {.weights = {__VA_ARGS__, false}},                                          \
	}

TERM(hop_bytes, "hop-bytes", "the sum of bytes times links on the route", 1, 0, 0, 0);
TERM(max_congestion, "max-congestion", "the largest bytes over capacity of a link", 0, 1, 0, 0);
TERM(nzca, "nzca", "the mean congestion of the links that carry anything", 0, 0, 1, 0);
TERM(nzcv, "nzcv", "the variance of that congestion", 0, 0, 0, 1);
