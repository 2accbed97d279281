/* sensitivity.c - sensitive or not: a threshold on the time in MPI, and where it may be */
#include "traffic/classify/sensitivity.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *classify_class(double mpi_fraction, double threshold)
{
	return mpi_fraction > threshold ? "network-sensitive" : "network-insensitive";
}

double classify_smooth(double mpi_fraction, double low, double high)
{
	double s = (mpi_fraction - low) / (high - low);

	/* nine decimals: what is left of them is the noise of the division */
	return s < 0 ? 0 : s > 1 ? 1 : round(s * 1e9) / 1e9;
}

static int by_fraction(const void *a, const void *b)
{
	const struct calibration_run *left = a, *right = b;

	if (left->mpi_fraction != right->mpi_fraction)
		return left->mpi_fraction < right->mpi_fraction ? -1 : 1;
	return strcmp(left->app, right->app);
}

/*
 * Between each two neighbours of different fraction is one interval of thresholds; nwrong of the
 * one below all runs is the number of those that congestion does not slow down.
 */
void classify_calibrate(struct calibration *calibration, struct calibration_run *runs, size_t n,
			double tolerance)
{
	size_t nwrong = 0;

	qsort(runs, n, sizeof(*runs), by_fraction);
	*calibration = (struct calibration){.high = n > 0 ? runs[0].mpi_fraction : 1,
					    .high_app = n > 0 ? runs[0].app : NULL};
	for (size_t i = 0; i < n; i++) {
		if (runs[i].slowdown > tolerance)
			calibration->nsensitive++;
		else
			nwrong++;
	}
	/* a fraction of 0 is above no threshold */
	calibration->nwrong = n > 0 && runs[0].mpi_fraction <= 0 ? SIZE_MAX : nwrong;
	for (size_t i = 0; i < n; i++) {
		/* the threshold rises past run i */
		if (runs[i].slowdown > tolerance)
			nwrong++;
		else
			nwrong--;
		if (i + 1 < n && runs[i + 1].mpi_fraction == runs[i].mpi_fraction)
			continue;
		if (nwrong >= calibration->nwrong)
			continue;
		calibration->nwrong = nwrong;
		calibration->low = runs[i].mpi_fraction;
		calibration->low_app = runs[i].app;
		calibration->high = i + 1 < n ? runs[i + 1].mpi_fraction : 1;
		calibration->high_app = i + 1 < n ? runs[i + 1].app : NULL;
	}
	calibration->separates = calibration->nwrong == 0;
}
