/* objectives.c - what a mapping is to keep small: terms of PTRAM's hybrid metric, and their weights
 */
#include "map/problem/problem.h"

#define WEIGHT(name, of)                                                                           \
	{                                                                                          \
		.key = name, .type = PARAM_REAL, .max = 1e15, .def = "1",                          \
		.meaning = "weight of the " of                                                     \
	}

const struct map_objective map_objective_hybrid = {
	.entry = {.name = "hybrid",
		  .example = "hybrid:nzcv=0",
		  .summary = "the sum of all four terms, each with its weight",
		  .paper = "Mirsadeghi, Afsahi: PTRAM, eq. (3)",
		  .params = (const struct param[]){WEIGHT("hb", "hop-bytes"),
						   WEIGHT("mc", "maximum congestion"),
						   WEIGHT("nzca", "non-zero congestion average"),
						   WEIGHT("nzcv", "non-zero congestion variance"),
						   {0}}},
	.weights = {1, 1, 1, 1, false},
};

#define TERM(id, text, of, ...)                                                                    \
	const struct map_objective map_objective_##id = {                                          \
		.entry = {.name = text, .example = text, .summary = of},                           \
		.weights = {__VA_ARGS__, false},                                                   \
	}

TERM(hop_bytes, "hop-bytes", "the sum of bytes times links on the route", 1, 0, 0, 0);
TERM(max_congestion, "max-congestion", "the largest bytes over capacity of a link", 0, 1, 0, 0);
TERM(nzca, "nzca", "the mean congestion of the links that carry anything", 0, 0, 1, 0);
TERM(nzcv, "nzcv", "the variance of that congestion", 0, 0, 0, 1);
