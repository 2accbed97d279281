/* metrics_inference.c - tests of differences against all signs, and R's printed example; intervals
 * by how often they hold */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "check.h"
#include "model/metrics.h"

/* Hollander and Wolfe's depression data, as in R's help of wilcox.test: V = 40, p = 0.01953
 * one-sided. */
static void printed_example(void)
{
	const double x[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
	const double y[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
	double differences[9];

	for (int i = 0; i < 9; i++)
		differences[i] = x[i] - y[i];
	CHECK(fabs(wilcoxon_test(differences, 9) - 2 * 0.01953125) < 1e-12);
	CHECK(fabs(sign_test(differences, 9) - 2 * 46.0 / 512) < 1e-12);
}

static double mean_rank(const double *differences, int n, int i)
{
	double below = 0, equal = 0;

	for (int k = 0; k < n; k++) {
		below += fabs(differences[k]) < fabs(differences[i]);
		equal += fabs(differences[k]) == fabs(differences[i]);
	}
	return below + (equal + 1) / 2;
}

/* The share of all signs whose statistic is as far from its middle. */
static void all_signs(struct rng *rng)
{
	double differences[11], ranks = 0, sum = 0;
	int n = 1 + (int)rng_below(rng, 11), npositive = 0;
	double far_sum = 0, far_count = 0, all = pow(2, n);

	for (int i = 0; i < n; i++) {
		differences[i] = (double)rng_below(rng, 4) + 1;
		if (rng_below(rng, 3) == 0)
			differences[i] = -differences[i];
	}
	for (int i = 0; i < n; i++) {
		ranks += mean_rank(differences, n, i);
		sum += differences[i] > 0 ? mean_rank(differences, n, i) : 0;
		npositive += differences[i] > 0;
	}
	for (unsigned signs = 0; signs < 1U << n; signs++) {
		double got = 0;
		int count = __builtin_popcount(signs);

		for (int i = 0; i < n; i++)
			got += signs >> i & 1 ? mean_rank(differences, n, i) : 0;
		far_sum += fabs(got - ranks / 2) >= fabs(sum - ranks / 2) - 1e-9;
		far_count += abs(2 * count - n) >= abs(2 * npositive - n);
	}
	CHECK(fabs(wilcoxon_test(differences, (size_t)n) - far_sum / all) < 1e-12);
	CHECK(fabs(sign_test(differences, (size_t)n) - far_count / all) < 1e-12);
}

/* Where exactness ends the approximation goes on. */
static void approximation(struct rng *rng)
{
	double differences[61], exact, approximate;

	for (int i = 0; i < 61; i++)
		differences[i] = rng_unit(rng) - 0.42;
	exact = wilcoxon_test(differences, 60);
	differences[60] = 1e-9;
	approximate = wilcoxon_test(differences, 61);
	CHECK(fabs(exact - approximate) < 0.02);
}

/* Decimals differ as they are written; what is really apart stays so. */
static void decimals(void)
{
	CHECK(tested_difference(0.3, 0.1) == tested_difference(0.4, 0.2));
	CHECK(tested_difference(1.3, 1.1) == tested_difference(0.3, 0.1));
	CHECK(tested_difference(0.1 + 0.2, 0.3) == 0);
	CHECK(tested_difference(-5, 2.5) == -7.5);
	CHECK(tested_difference(1e15 + 1024, 1e15) == 1024);
	CHECK(tested_difference(1700000000.0003, 1700000000.0001) == .0002);
	for (int i = 1; i < 290; i++) {
		static const char *const digits[] = {"9.3", "9.1", "10.3", "10.1"};
		double values[4];

		for (int k = 0; k < 4; k++) {
			char text[40];

			snprintf(text, sizeof(text), "%se-%d", digits[k], i);
			CHECK(num_real(text, 0, 20, &values[k]) == 0);
		}
		CHECK(tested_difference(values[0], values[1]) ==
		      tested_difference(values[2], values[3]));
	}
	CHECK(tested_difference(3e-300, 1e-300) > 0);
	CHECK(tested_difference(0, 0) == 0);
}

/* Of 100 samples, 95 % intervals hold the mean about 95 times. */
static void intervals(struct rng *rng)
{
	double values[40], low, high;
	int nheld = 0;

	for (int trial = 0; trial < 100; trial++) {
		for (int i = 0; i < 40; i++)
			values[i] = rng_unit(rng) + rng_unit(rng);
		bootstrap_mean(values, 40, 0.95, rng, &low, &high);
		CHECK(low < high);
		nheld += low <= 1 && 1 <= high;
	}
	CHECK(nheld >= 87 && nheld < 100);
	bootstrap_mean(values, 1, 0.95, rng, &low, &high);
	CHECK(isnan(low) && isnan(high));
}

int main(void)
{
	struct rng rng = rng_make(1, "test", NULL, NULL);
	const double zeros[] = {0, 0};

	printed_example();
	decimals();
	for (int i = 0; i < 300; i++)
		all_signs(&rng);
	approximation(&rng);
	intervals(&rng);
	CHECK(wilcoxon_test(zeros, 2) == 1 && sign_test(zeros, 2) == 1);
	return check_done();
}
