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
		HYBRID_WEIGHT("nzcv", "non-zero congestion variance")

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
};

/* unit: of comm_unit(). */
void hybrid_init(struct hybrid *hybrid, struct routes *routes, double unit);
void hybrid_free(struct hybrid *hybrid);
/* The greatest number that divides all bytes of the graph when they are whole, else 1. */
double comm_unit(const struct comm *comm);

/* bytes more (or fewer) on the route between two nodes of the allocation: a trial. */
void hybrid_book(struct hybrid *hybrid, int a, int b, double bytes);
/* The terms with the trial. */
struct hybrid_terms hybrid_look(struct hybrid *hybrid);
/* Makes the trial real, or forgets it. */
void hybrid_settle(struct hybrid *hybrid, bool keep);

#endif
