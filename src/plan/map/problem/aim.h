/* aim.h - what a mapping is to keep small, and which of two is better */
#ifndef MAP_PROBLEM_AIM_H
#define MAP_PROBLEM_AIM_H

#include <stdbool.h>

#include "base/registry.h"
#include "map/problem/hybrid_metric.h"

/*
 * A mapping is judged by the terms of its loads (hybrid_metric.h). By default the maximum
 * congestion decides, hop-bytes between equals: of 169 mappings simulated no sum of terms picks
 * faster ones.
 */
struct map_aim {
	bool is_in_turn; /* maximum congestion first, then hop-bytes; else: */
	struct hybrid_weights weights;
	/* Not both 0: the mean of maximum congestion and hop-bytes by multiplication, with these
	 * weights, instead of the sum. */
	double mc_power, hb_power;
};

/* What -m names. */
struct map_objective {
	struct entry entry;
	struct map_aim aim;
	void (*fill)(struct map_aim *aim, const struct pick *pick); /* NULL: it has no parameters */
};

extern const struct registry map_objectives; /* "objectives" */

/* What simulated times follow best. */
extern const struct map_aim map_aim_of_time;

/* text: a pick of map_objectives; NULL: the default. */
int map_aim_read(struct map_aim *aim, const char *text, struct err *err);
/* Whether it is the weighted sum. */
bool map_aim_is_sum(const struct map_aim *aim);
/* One number that is less for the better mapping; in turn: the maximum congestion. */
double map_aim_value(const struct map_aim *aim, const struct hybrid_terms *terms);
bool map_aim_is_better(const struct map_aim *aim, const struct hybrid_terms *a,
		       const struct hybrid_terms *b);

#endif
