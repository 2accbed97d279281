/* metrics_inference.c - how sure a mean is: the bootstrap, the sign test, signed ranks */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/metrics.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bootstrap_mean(const double *values, size_t n, double level, struct rng *rng, double *low,
		    double *high)
{
	enum { MOST = 10000, LEAST = 200 };
	size_t nmeans = n > 0 ? 200000000 / n : 0, at;
	double *means, sum;

	*low = *high = NAN;
	if (n < 2)
		return;
	nmeans = nmeans > MOST ? MOST : nmeans < LEAST ? LEAST : nmeans;
	means = xcalloc(nmeans, sizeof(*means));
	for (size_t i = 0; i < nmeans; i++) {
		sum = 0;
		for (size_t k = 0; k < n; k++)
			sum += values[rng_below(rng, n)];
		means[i] = sum / (double)n;
	}
	qsort(means, nmeans, sizeof(*means), compare);
	at = (size_t)floor((1 - level) / 2 * (double)nmeans);
	*low = means[at];
	*high = means[nmeans - 1 - at];
	free(means);
}

double tested_difference(double a, double b)
{
	double size = fmax(fabs(a), fabs(b));
	double difference = a - b;
	char text[400];

	if (a == b || size < 1e-300 || size >= 1e15 || (rint(a) == a && rint(b) == b))
		return difference;
	snprintf(text, sizeof(text), "%.*f", 14 - (int)floor(log10(size)), difference);
	num_real(text, -1e15, 1e15, &difference);
	return difference;
}

double sign_test(const double *differences, size_t n)
{
	double npositive = 0, nnegative = 0, p = 0, few, all, one;

	for (size_t i = 0; i < n; i++) {
		npositive += differences[i] > 0;
		nnegative += differences[i] < 0;
	}
	all = npositive + nnegative;
	few = npositive < nnegative ? npositive : nnegative;
	/* the binomial coefficients one from the other, exact as long as 2^-all is a number */
	one = exp2(-all);
	for (double k = 0; k <= few; k++) {
		p += all < 1000 ? one
				: exp(lgamma(all + 1) - lgamma(k + 1) - lgamma(all - k + 1) -
				      all * M_LN2);
		one *= (all - k) / (k + 1);
	}
	return 2 * p < 1 ? 2 * p : 1;
}

/* A difference that is not zero. */
struct ranked {
	double size;
	int rank2; /* twice its mean rank, so that it is whole */
	bool is_positive;
};

static int by_size(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->size > y->size) - (x->size < y->size);
}

/* Returns Σ (t³ − t) over the groups of t equal sizes. */
static double rank(struct ranked *ranked, size_t n)
{
	double ties = 0;

	qsort(ranked, n, sizeof(*ranked), by_size);
	for (size_t first = 0, next; first < n; first = next) {
		double t;

		for (next = first + 1; next < n && ranked[next].size == ranked[first].size; next++)
			;
		t = (double)(next - first);
		ties += t * t * t - t;
		for (size_t i = first; i < next; i++)
			ranked[i].rank2 = (int)(first + next + 1);
	}
	return ties;
}

/* The share of all ways to choose signs that give a sum of ranks of at most few2/2. */
static double exact_tail(const struct ranked *ranked, size_t n, int64_t few2)
{
	double *ways = xcalloc((size_t)few2 + 1, sizeof(*ways)), tail = 0;

	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (int64_t sum = few2; sum >= 0; sum--)
			ways[sum] = (ways[sum] +
				     (sum >= ranked[i].rank2 ? ways[sum - ranked[i].rank2] : 0)) /
				    2;
	for (int64_t sum = 0; sum <= few2; sum++)
		tail += ways[sum];
	free(ways);
	return tail;
}

double wilcoxon_test(const double *differences, size_t n)
{
	enum { MOST_EXACT = 60 };
	struct ranked *ranked = xcalloc(n + 1, sizeof(*ranked));
	size_t nranked = 0;
	int64_t positive2 = 0, all2, few2;
	double ties, p, count, sd;

	for (size_t i = 0; i < n; i++)
		if (differences[i] != 0)
			ranked[nranked++] = (struct ranked){.size = fabs(differences[i]),
							    .is_positive = differences[i] > 0};
	ties = rank(ranked, nranked);
	for (size_t i = 0; i < nranked; i++)
		positive2 += ranked[i].is_positive ? ranked[i].rank2 : 0;
	count = (double)nranked;
	all2 = (int64_t)nranked * ((int64_t)nranked + 1);
	few2 = positive2 < all2 - positive2 ? positive2 : all2 - positive2;
	if (nranked <= MOST_EXACT) {
		p = 2 * exact_tail(ranked, nranked, few2);
	} else {
		sd = sqrt(count * (count + 1) * (2 * count + 1) / 24 - ties / 48);
		p = erfc((count * (count + 1) / 4 - (double)few2 / 2 - 0.5) / sd / M_SQRT2);
	}
	free(ranked);
	return p < 1 ? p : 1;
}
