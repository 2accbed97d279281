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

/* The least number that makes one of all speeds' ratios whole; 0: none of a few digits. */
static int64_t find_denominator(const struct topo *topo)
{
	enum { MOST = 1 << 12 };
	int64_t all = 1;

	for (int level = 0; level < topo->nlevels && all < MOST; level++) {
		double per_byte =
			topo->levels[LINK_TERMINAL].bandwidth / topo->levels[level].bandwidth;

		if (level == LINK_NODE)
			continue;
		for (int64_t d = all;; d += all)
			if (d >= MOST)
				return 0;
			else if (fabs(rint(per_byte * (double)d) - per_byte * (double)d) < 1e-9) {
				all = d;
				break;
			}
	}
	return all;
}

void hybrid_count_whole(struct hybrid *hybrid)
{
	if (hybrid->routes->split == NULL && hybrid->routes->bundles == NULL && hybrid->unit >= 1)
		hybrid->denominator = find_denominator(hybrid->routes->topo);
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

/* A change of the congestion of one channel, and of its square, times the denominator. */
static void count_whole(const struct hybrid *hybrid, int c, int64_t *sum, __int128 *squares)
{
	double per_byte = hybrid->routes->per_byte.at[c] * (double)hybrid->denominator;
	int64_t old = (int64_t)(hybrid->load.at[c] * rint(per_byte));
	int64_t new = (int64_t)((hybrid->load.at[c] + hybrid->change.at[c]) * rint(per_byte));

	*sum += new - old;
	*squares += (__int128)new *new - (__int128)old *old;
}

struct hybrid_terms hybrid_look(struct hybrid *hybrid)
{
	struct hybrid_trial whole = {.whole_sum = hybrid->whole_sum,
				     .whole_squares = hybrid->whole_squares};
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
		if (hybrid->denominator > 0)
			count_whole(hybrid, c, &whole.whole_sum, &whole.whole_squares);
		lost_max = lost_max || (old == hybrid->max && new < old);
		max = new > max ? new : max;
	}
	if (lost_max && max < hybrid->max)
		max = fmax(max, greatest_but_touched(hybrid));
	else
		max = fmax(max, hybrid->max);
	mean = nused > 0 ? sum / (double)nused : 0;
	whole.hops_units = hops;
	whole.max = max;
	whole.nused = nused;
	hybrid->trial = whole;
	return (struct hybrid_terms){
		.hb = hops * u,
		.mc = max * u,
		.nzca = mean * u,
		.nzcv = nused > 0 ? fmax(squares / (double)nused - mean * mean, 0) * u * u : 0,
	};
}

/*
 * With n channels in use, d the denominator, w the heaviest edge, congestions c in units / d:
 * Σ hops / w + max c / dw + Σ c / ndw + (Σ c² / n − (Σ c)² / n²) / d²w², over its denominator
 * n²d²w². In lowest terms equal values have the same numerator and denominator, so the same
 * quotient.
 */
double hybrid_relative(const struct hybrid *hybrid, const struct hybrid_terms *terms,
		       double heaviest)
{
	const double most = 1e36; /* of what a number of 128 bits holds */
	const struct hybrid_trial *trial = &hybrid->trial;
	double n = (double)trial->nused, d = (double)hybrid->denominator;
	double w = heaviest / hybrid->unit;
	__int128 top, bottom, a, b;

	if (heaviest <= 0)
		return 0;
	if (d == 0 || n == 0 || w != rint(w) || fabs(trial->hops_units) > 0x1p53 ||
	    n * n * d * w * (d * trial->hops_units + d * trial->max) > most ||
	    n * (double)trial->whole_squares > most || n * n * d * d * w * w > most)
		return (terms->hb + terms->mc + terms->nzca + terms->nzcv / heaviest) / heaviest;
	a = (__int128)trial->nused;
	b = (__int128)hybrid->denominator * (__int128)w;
	top = a * a * b *
		      ((__int128)hybrid->denominator * (__int128)rint(trial->hops_units) +
		       (__int128)rint(trial->max * d)) +
	      a * b * trial->whole_sum + a * trial->whole_squares -
	      (__int128)trial->whole_sum * trial->whole_sum;
	bottom = a * a * b * b;
	for (a = top, b = bottom; b != 0;) {
		__int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a == 0 ? 0 : (double)(top / a) / (double)(bottom / a);
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
		if (hybrid->denominator > 0) {
			hybrid->change.at[c] = change;
			count_whole(hybrid, c, &hybrid->whole_sum, &hybrid->whole_squares);
			hybrid->change.at[c] = 0;
		}
		hybrid->load.at[c] += change;
	}
	if (keep) {
		hybrid->max = 0;
		hybrid->max = greatest_but_touched(hybrid);
	}
	hybrid->touched.n = 0;
}
