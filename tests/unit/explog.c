/* explog.c - our own exponentials and logarithms beside those of the C library */
#include <math.h>

#include "base/explog.h"
#include "base/rng.h"
#include "check.h"

static double relative(double got, double want)
{
	return want == 0 ? fabs(got) : fabs(got / want - 1);
}

int main(void)
{
	struct rng rng = rng_make(1, "explog", NULL, NULL);
	double worst_exp = 0, worst_log = 0;

	for (int i = 0; i < 200000; i++) {
		double x = (rng_unit(&rng) - 0.5) * 1400 * (i % 2 ? 1 : 1e-3), e;
		double y = exp((rng_unit(&rng) - 0.5) * 1400 * (i % 2 ? 1 : 1e-3));

		e = relative(same_exp(x), exp(x));
		worst_exp = e > worst_exp ? e : worst_exp;
		e = fabs(same_log(y) - log(y)) / fmax(fabs(log(y)), 1e-3);
		worst_log = e > worst_log ? e : worst_log;
	}
	printf("worst relative error: exp %.2g, log %.2g\n", worst_exp, worst_log);
	CHECK(worst_exp < 1e-15);
	CHECK(worst_log < 1e-15);
	CHECK(same_exp(0) == 1 && same_log(1) == 0);
	CHECK(relative(same_log(2), 0.69314718055994530942) < 1e-16);
	return check_done();
}
