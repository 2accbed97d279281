/* logistic.c - logistic regression with a ridge, by Newton's method */
#include "traffic/classify/logistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_STEPS = 200, MOST_HALVINGS = 60 };
/* 1 + exp(-36) is 1: a class is certain, and without a ridge the weights have no bound. */
#define LARGEST_SCORE 36

double logistic(double z)
{
	return z >= 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z));
}

double logistic_score(const double *w, const double *x, int k)
{
	double z = w[0];

	for (int j = 0; j < k; j++)
		z += w[1 + j] * x[j];
	return z;
}

static double loss(const struct logistic_data *data, double ridge, const double *w)
{
	double sum = 0;

	for (size_t i = 0; i < data->n; i++) {
		double z = logistic_score(w, data->x + i * (size_t)data->k, data->k);

		z = data->y[i] ? -z : z;
		sum += z > 0 ? z + log1p(exp(-z)) : log1p(exp(z));
	}
	for (int j = 1; j <= data->k; j++)
		sum += ridge / 2 * w[j] * w[j];
	return sum;
}

/* Gradient [m] and Hessian [m·m] of the loss, m = 1 + k. Returns the largest |score|. */
static double derive(const struct logistic_data *data, double ridge, const double *w,
		     double *gradient, double *hessian)
{
	int m = 1 + data->k;
	double largest = 0;

	memset(gradient, 0, (size_t)m * sizeof(*gradient));
	memset(hessian, 0, (size_t)m * (size_t)m * sizeof(*hessian));
	for (size_t i = 0; i < data->n; i++) {
		const double *x = data->x + i * (size_t)data->k;
		double z = logistic_score(w, x, data->k), p = logistic(z);
		double slope = p * logistic(-z);

		largest = fmax(largest, fabs(z));
		for (int a = 0; a < m; a++) {
			double xa = a == 0 ? 1 : x[a - 1];

			gradient[a] += (p - data->y[i]) * xa;
			for (int b = 0; b <= a; b++)
				hessian[a * m + b] += slope * xa * (b == 0 ? 1 : x[b - 1]);
		}
	}
	for (int j = 1; j < m; j++) {
		gradient[j] += ridge * w[j];
		hessian[j * m + j] += ridge;
	}
	return largest;
}

/* Solves hessian · step = gradient in place (Cholesky; lower half). Returns -1 where it is
 * singular. */
static int solve(double *hessian, double *step, int m)
{
	for (int a = 0; a < m; a++) {
		double diagonal = hessian[a * m + a];

		for (int b = 0; b <= a; b++) {
			double sum = hessian[a * m + b];

			for (int c = 0; c < b; c++)
				sum -= hessian[a * m + c] * hessian[b * m + c];
			if (b < a)
				hessian[a * m + b] = sum / hessian[b * m + b];
			else if (sum > 1e-12 * diagonal && sum > 1e-300)
				hessian[a * m + a] = sqrt(sum);
			else
				return -1;
		}
	}
	for (int a = 0; a < m; a++) {
		for (int c = 0; c < a; c++)
			step[a] -= hessian[a * m + c] * step[c];
		step[a] /= hessian[a * m + a];
	}
	for (int a = m - 1; a >= 0; a--) {
		for (int c = a + 1; c < m; c++)
			step[a] -= hessian[c * m + a] * step[c];
		step[a] /= hessian[a * m + a];
	}
	return 0;
}

/* Goes along the step, or half of it, or … Returns whether anything was gained. */
static bool move(const struct logistic_data *data, double ridge, double *w, const double *step,
		 double *next)
{
	double before = loss(data, ridge, w), part = 1;
	int m = 1 + data->k;

	for (int i = 0; i < MOST_HALVINGS; i++, part /= 2) {
		for (int a = 0; a < m; a++)
			next[a] = w[a] - part * step[a];
		if (loss(data, ridge, next) < before) {
			memcpy(w, next, (size_t)m * sizeof(*w));
			return true;
		}
	}
	return false;
}

/* Weights that put every row on its side are not the best: twice as large ones are better. */
static bool separates(const struct logistic_data *data, const double *w)
{
	for (size_t i = 0; i < data->n; i++) {
		double z = logistic_score(w, data->x + i * (size_t)data->k, data->k);

		if (data->y[i] ? z <= 0 : z >= 0)
			return false;
	}
	return true;
}

int logistic_fit(const struct logistic_data *data, double ridge, double *w, struct err *err)
{
	size_t m = 1 + (size_t)data->k;
	double *step = xcalloc(m, sizeof(*step)), *next = xcalloc(m, sizeof(*next));
	double *hessian = xcalloc(m * m, sizeof(*hessian));
	bool is_singular = false, gains = true;

	memset(w, 0, m * sizeof(*w));
	for (int i = 0; i < MOST_STEPS && gains && !is_singular; i++) {
		double largest = derive(data, ridge, w, step, hessian);

		is_singular = solve(hessian, step, (int)m) != 0 ||
			      (ridge <= 0 && (largest > LARGEST_SCORE || separates(data, w)));
		gains = !is_singular && move(data, ridge, w, step, next);
	}
	free(step);
	free(next);
	free(hessian);
	if (is_singular || gains)
		return err_set(
			err, "%s",
			"no finite weights: a plane separates the classes, or columns depend "
			"on each other; expected a larger ridge");
	return 0;
}
