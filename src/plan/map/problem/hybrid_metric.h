/* hybrid_metric.h - hop-bytes, maximum congestion, and the rest of the hybrid metric, kept while
 * loads grow */
#ifndef MAP_PROBLEM_HYBRID_METRIC_H
#define MAP_PROBLEM_HYBRID_METRIC_H

#include <stdbool.h>

#include "map/routes/map_routes.h"
#include "base/mem.h"
#include "model/comm.h"

/* Weights of the four terms; PTRAM eq. (3) has 1 for each. root: the variance's square root takes
 * its place, so that every term is in bytes. */
struct hybrid_weights {
	double hb, mc, nzca, nzcv;
	bool root;
};

/* The parameters for them. */
#define HYBRID_WEIGHT(name, term)                                                                  \
	{                                                                                          \
		.key = name, .type = PARAM_REAL, .max = 1e15, .def = "1",                          \
		.meaning = "weight of the " term                                                   \
	}
#define HYBRID_WEIGHTS                                                                             \
	HYBRID_WEIGHT("hb", "hop-bytes"), HYBRID_WEIGHT("mc", "maximum congestion"),               \
		HYBRID_WEIGHT("nzca", "non-zero congestion average"),                              \
		HYBRID_WEIGHT("nzcv", "non-zero congestion variance"),                             \
	{                                                                                          \
		.key = "scale", .type = PARAM_REAL, .min = 1e-15, .max = 1e15, .def = "1",         \
		.meaning = "bytes that count 1, as the heaviest edge in the paper: the variance, " \
			   "in bytes squared, is divided by them"                                  \
	}

/* The terms of one state of the links (PTRAM §IV-A). Congestion is load over capacity, capacity
 * relative to the terminal link. */
struct hybrid_terms {
	double hb;   /* Σ bytes × links on the route */
	double mc;   /* greatest congestion */
	double nzca; /* mean congestion of the links that carry anything */
	double nzcv; /* its population variance */
};

double hybrid_value(const struct hybrid_terms *terms, const struct hybrid_weights *weights);

/*
 * Link loads with what the terms need. Bytes are counted in units of their greatest common divisor,
 * so that sums of integers stay exact and ties are ties.
 */
struct hybrid {
	struct routes *routes;
	double unit; /* bytes per unit of load */
	VEC(double) load, change;
	VEC(int32_t) touched; /* each once, though its change may have been 0 in between */
	VEC(char) is_touched;
	/* of the settled loads */
	double hops_units, sum, squares;
	int64_t nused;
	double max;
	/* Where loads are whole and capacities rational: congestions times denominator are whole,
	 * their sum and that of their squares. 0: they are not. */
	int64_t denominator, whole_sum;
	__int128 whole_squares;
	/* the same of the trial that was looked at last */
	struct hybrid_trial {
		double hops_units, max;
		int64_t nused, whole_sum;
		__int128 whole_squares;
	} trial;
};

/* unit: of comm_unit(). */
void hybrid_init(struct hybrid *hybrid, struct routes *routes, double unit);
void hybrid_free(struct hybrid *hybrid);
/* The greatest number that divides all bytes of the graph when they are whole, else 1. */
double comm_unit(const struct comm *comm);
/* Loads will be whole numbers of units: edges are. */
void hybrid_count_whole(struct hybrid *hybrid);

/* bytes more (or fewer) on the route between two nodes of the allocation: a trial. */
void hybrid_book(struct hybrid *hybrid, int a, int b, double bytes);
/* The terms with the trial. */
struct hybrid_terms hybrid_look(struct hybrid *hybrid);
/* PTRAM eq. (3) of the trial that was looked at last, where the heaviest edge counts 1: its bytes.
 * Of whole bytes and rational capacities equal values are equal, however they come about. */
double hybrid_relative(const struct hybrid *hybrid, const struct hybrid_terms *terms,
		       double heaviest);
/* Makes the trial real, or forgets it. */
void hybrid_settle(struct hybrid *hybrid, bool keep);

#endif
