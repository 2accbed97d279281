/* metrics_summary.c - mean, deviation and quartiles */
#include <math.h>
#include <stdlib.h>

#include "model/metrics.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Neumaier's sum: the rounding errors are added up beside it. */
struct exact_sum {
	double sum, lost;
};

static void exact_add(struct exact_sum *sum, double x)
{
	double total = sum->sum + x;

	sum->lost += fabs(sum->sum) >= fabs(x) ? (sum->sum - total) + x : (x - total) + sum->sum;
	sum->sum = total;
}

static double quantile(const double *sorted, size_t n, double p)
{
	double at = p * (double)(n - 1);
	size_t i = (size_t)at;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

void summary_make(struct summary *summary, double *values, size_t n)
{
	struct exact_sum sum = {0}, squares = {0};
	double mean;

	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < n; i++)
		exact_add(&sum, values[i]);
	mean = (sum.sum + sum.lost) / (double)n;
	for (size_t i = 0; i < n; i++)
		exact_add(&squares, (values[i] - mean) * (values[i] - mean));
	*summary = (struct summary){
		.n = (int64_t)n,
		.mean = mean,
		.sd = n > 1 ? sqrt((squares.sum + squares.lost) / (double)(n - 1)) : NAN,
		.min = values[0],
		.q1 = quantile(values, n, 0.25),
		.median = quantile(values, n, 0.5),
		.q3 = quantile(values, n, 0.75),
		.max = values[n - 1],
	};
}
