/* hybrid_metric.c - hop-bytes, maximum congestion, and the rest of the hybrid metric, kept while
 * loads grow */
#include "map/problem/hybrid_metric.h"

#include <math.h>
#include <stdlib.h>

double hybrid_value(const struct hybrid_terms *terms, const struct hybrid_weights *weights)
{
	double nzcv = weights->root ? sqrt(terms->nzcv) : terms->nzcv;

	return weights->hb * terms->hb + weights->mc * terms->mc + weights->nzca * terms->nzca +
	       weights->nzcv * nzcv;
}

double comm_unit(const struct comm *comm)
{
	uint64_t unit = 0;
	double last = 0; /* most edges are like the one before */

	for (int64_t e = 0; e < comm->nedges; e++) {
		uint64_t a = unit, b;

		if (comm->bytes[e] == last)
			continue;
		last = comm->bytes[e];
		if (last != floor(last) || last >= 0x1p53)
			return 1;
		b = (uint64_t)last;
		while (b != 0) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
		unit = a;
	}
	return unit > 0 ? (double)unit : 1;
}

void hybrid_init(struct hybrid *hybrid, struct routes *routes, double unit)
{
	*hybrid = (struct hybrid){.routes = routes, .unit = unit};
}

void hybrid_free(struct hybrid *hybrid)
{
	free(hybrid->load.at);
	free(hybrid->change.at);
	free(hybrid->touched.at);
	free(hybrid->is_touched.at);
}

void hybrid_book(struct hybrid *hybrid, int a, int b, double bytes)
{
	const int32_t *route = routes_get(hybrid->routes, a, b);
	const double *share = routes_shares(hybrid->routes, route);

	while (hybrid->load.n < hybrid->routes->channels.n) {
		vec_push(&hybrid->load, 0);
		vec_push(&hybrid->change, 0);
		vec_push(&hybrid->is_touched, 0);
	}
	for (int i = 1; i <= route[0]; i++) {
		if (!hybrid->is_touched.at[route[i]]) {
			hybrid->is_touched.at[route[i]] = 1;
			vec_push(&hybrid->touched, route[i]);
		}
		hybrid->change.at[route[i]] +=
			share != NULL ? bytes / hybrid->unit * share[i - 1] : bytes / hybrid->unit;
	}
}

static double greatest_but_touched(const struct hybrid *hybrid)
{
	double max = 0;

	for (size_t c = 0; c < hybrid->load.n; c++) {
		double load = hybrid->load.at[c] * hybrid->routes->per_byte.at[c];

		if (load > max && hybrid->change.at[c] == 0)
			max = load;
	}
	return max;
}

struct hybrid_terms hybrid_look(struct hybrid *hybrid)
{
	double hops = hybrid->hops_units, sum = hybrid->sum, squares = hybrid->squares, max = 0;
	double u = hybrid->unit, mean;
	int64_t nused = hybrid->nused;
	bool lost_max = false;

	for (size_t i = 0; i < hybrid->touched.n; i++) {
		int c = hybrid->touched.at[i];
		double change = hybrid->change.at[c], per_byte = hybrid->routes->per_byte.at[c];
		double old = hybrid->load.at[c] * per_byte;
		double new = (hybrid->load.at[c] + change) * per_byte;

		if (change == 0)
			continue;
		hops += change;
		sum += new - old;
		squares += new *new - old *old;
		nused += (new > 0) - (old > 0);
		lost_max = lost_max || (old == hybrid->max && new < old);
		max = new > max ? new : max;
	}
	if (lost_max && max < hybrid->max)
		max = fmax(max, greatest_but_touched(hybrid));
	else
		max = fmax(max, hybrid->max);
	mean = nused > 0 ? sum / (double)nused : 0;
	return (struct hybrid_terms){
		.hb = hops * u,
		.mc = max * u,
		.nzca = mean * u,
		.nzcv = nused > 0 ? fmax(squares / (double)nused - mean * mean, 0) * u * u : 0,
	};
}

void hybrid_settle(struct hybrid *hybrid, bool keep)
{
	for (size_t i = 0; i < hybrid->touched.n; i++) {
		int c = hybrid->touched.at[i];
		double change = hybrid->change.at[c], per_byte = hybrid->routes->per_byte.at[c];
		double old = hybrid->load.at[c] * per_byte;
		double new = (hybrid->load.at[c] + change) * per_byte;

		hybrid->change.at[c] = 0;
		hybrid->is_touched.at[c] = 0;
		if (!keep || change == 0)
			continue;
		hybrid->hops_units += change;
		hybrid->sum += new - old;
		hybrid->squares += new *new - old *old;
		hybrid->nused += (new > 0) - (old > 0);
		hybrid->load.at[c] += change;
	}
	if (keep) {
		hybrid->max = 0;
		hybrid->max = greatest_but_touched(hybrid);
	}
	hybrid->touched.n = 0;
}
