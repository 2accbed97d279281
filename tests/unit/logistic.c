/* logistic.c - logistic regression against R, closed forms and the conditions of an optimum */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "traffic/classify/logistic.h"

static int near(double a, double b, double within)
{
	if (fabs(a - b) <= within)
		return 1;
	printf("%.12g instead of %.12g\n", a, b);
	return 0;
}

/* glm(am ~ wt, binomial, mtcars) in R: 12.040 - 4.024 wt, residual deviance 19.176. */
static void check_mtcars(void)
{
	static const double wt[] = {2.620, 2.875, 2.320, 3.215, 3.440, 3.460, 3.570, 3.190,
				    3.150, 3.440, 3.440, 4.070, 3.730, 3.780, 5.250, 5.424,
				    5.345, 2.200, 1.615, 1.835, 2.465, 3.520, 3.435, 3.840,
				    3.845, 1.935, 2.140, 1.513, 3.170, 2.770, 3.570, 2.780};
	static const bool am[32] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
				    0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
	const struct logistic_data data = {wt, am, 32, 1};
	double w[2], deviance = 0;
	struct err err;

	CHECK(logistic_fit(&data, 0, w, &err) == 0);
	CHECK(near(w[0], 12.040, 5e-4));
	CHECK(near(w[1], -4.024, 5e-4));
	for (int i = 0; i < 32; i++) {
		double p = logistic(logistic_score(w, &wt[i], 1));

		deviance -= 2 * log(am[i] ? p : 1 - p);
	}
	CHECK(near(deviance, 19.176, 5e-4));
}

/* One column of 0 and 1: the odds of each half, and their ratio. */
static void check_odds(void)
{
	double x[20], w[2];
	bool y[20];
	const struct logistic_data data = {x, y, 20, 1};
	struct err err;

	for (int i = 0; i < 20; i++) {
		x[i] = i >= 8;
		y[i] = i < 8 ? i < 3 : i < 17; /* 3 of 8, and 9 of 12 */
	}
	CHECK(logistic_fit(&data, 0, w, &err) == 0);
	CHECK(near(w[0], log(3.0 / 5), 1e-9));
	CHECK(near(w[1], log(9.0 / 3) - log(3.0 / 5), 1e-9));
}

/* ∂/∂w of the penalised loss, which is 0 at the least and only there. */
static double steepest(const struct logistic_data *data, double ridge, const double *w)
{
	double most = 0;

	for (int a = 0; a <= data->k; a++) {
		double slope = a > 0 ? ridge * w[a] : 0;

		for (size_t i = 0; i < data->n; i++) {
			const double *x = data->x + i * (size_t)data->k;
			double p = logistic(logistic_score(w, x, data->k));

			slope += (p - data->y[i]) * (a > 0 ? x[a - 1] : 1);
		}
		most = fmax(most, fabs(slope));
	}
	return most;
}

static void check_random(void)
{
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct rng rng = rng_make(seed, "logistic", NULL, NULL);
		size_t n = 2 + rng_below(&rng, 60);
		int k = 1 + (int)rng_below(&rng, 5);
		double *x = xcalloc(n * (size_t)k, sizeof(*x)), w[6], again[6];
		bool *y = xcalloc(n, sizeof(*y));
		struct logistic_data data = {x, y, n, k};
		double ridge = seed % 2 == 0 ? 1 : 1e-3;
		struct err err;

		for (size_t i = 0; i < n; i++) {
			for (int j = 0; j < k; j++)
				x[i * (size_t)k + (size_t)j] = 4 * rng_unit(&rng) - 2;
			/* by a plane, one in ten on the wrong side; in some there is none */
			y[i] = (x[i * (size_t)k] > 0) != (rng_below(&rng, 10) == 0);
		}
		y[0] = true;
		y[1] = false;
		CHECK(logistic_fit(&data, ridge, w, &err) == 0);
		CHECK(steepest(&data, ridge, w) < 1e-6);
		/* the other way round: the same with other signs */
		for (size_t i = 0; i < n; i++)
			y[i] = !y[i];
		CHECK(logistic_fit(&data, ridge, again, &err) == 0);
		for (int a = 0; a <= k; a++)
			CHECK(near(again[a], -w[a], 1e-6 * (1 + fabs(w[a]))));
		free(x);
		free(y);
	}
}

/* Classes that a plane separates have no finite weights; a ridge gives them some. */
static void check_separable(void)
{
	static const double x[] = {-2, -1, 1, 2}, twice[] = {-2, -2, 1, 1, -1, -1, 2, 2};
	static const bool apart[] = {false, false, true, true},
			  mixed[] = {false, true, false, true};
	const struct logistic_data separable = {x, apart, 4, 1}, dependent = {twice, mixed, 4, 2};
	double w[3];
	struct err err;

	CHECK(logistic_fit(&separable, 0, w, &err) == -1);
	CHECK(strstr(err.msg, "larger ridge") != NULL);
	CHECK(logistic_fit(&separable, 0.5, w, &err) == 0);
	CHECK(near(w[0], 0, 1e-9));
	CHECK(w[1] > 0 && steepest(&separable, 0.5, w) < 1e-9);
	CHECK(logistic_fit(&dependent, 0, w, &err) == -1);
	CHECK(logistic_fit(&dependent, 1, w, &err) == 0);
	CHECK(near(w[1], w[2], 1e-9));
}

int main(void)
{
	check_mtcars();
	check_odds();
	check_random();
	check_separable();
	CHECK(logistic(800) == 1 && logistic(-800) == 0 && logistic(0) == .5);
	return check_done();
}
