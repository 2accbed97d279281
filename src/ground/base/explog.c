/* explog.c - exponentials and logarithms that are the same on every machine */
#include "base/explog.h"

#include <math.h>

/* ln 2 in two parts: whole multiples of the first are exact. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

double same_exp(double x)
{
	double k = floor(x / (ln2_high + ln2_low) + 0.5);
	double rest = (x - k * ln2_high) - k * ln2_low, sum = 0;

	/* Taylor's series in |rest| <= ln 2 / 2, from its small end (Horner) */
	for (int n = 16; n >= 1; n--)
		sum = (sum + 1) * rest / n;
	return ldexp(1 + sum, (int)k);
}

double same_log(double x)
{
	int exponent;
	double mantissa = frexp(x, &exponent), s, square, sum = 0;

	if (mantissa < 0x1.6a09e667f3bcdp-1) {
		mantissa *= 2;
		exponent--;
	}
	/* ln m = 2 artanh((m - 1) / (m + 1)), |s| < 0.172 */
	s = (mantissa - 1) / (mantissa + 1);
	square = s * s;
	for (int n = 21; n >= 3; n -= 2)
		sum = (sum + 1.0 / n) * square;
	return exponent * ln2_high + (2 * (s + s * sum) + exponent * ln2_low);
}
