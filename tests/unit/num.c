/* num.c - text becomes numbers and back: limits, rests, units, exactness */
#include <float.h>
#include <math.h>

#include "base/num.h"
#include "base/rng.h"
#include "check.h"

static void test_whole(void)
{
	int64_t i = 7;
	uint64_t u;

	CHECK(num_int("-12", -20, 20, &i) == 0 && i == -12);
	CHECK(num_int("0", 0, 0, &i) == 0 && i == 0);
	CHECK(num_int("9223372036854775807", INT64_MIN, INT64_MAX, &i) == 0 && i == INT64_MAX);
	i = 7;
	CHECK(num_int("9223372036854775808", INT64_MIN, INT64_MAX, &i) != 0);
	CHECK(num_int("21", -20, 20, &i) != 0);
	CHECK(num_int("-21", -20, 20, &i) != 0);
	for (const char *const *bad = (const char *const[]){"", "-", "--1", "+1", " 1", "1 ", "1x",
							    "0x1", "1.0", "1e3", "\xc2\xb2", NULL};
	     *bad != NULL; bad++)
		CHECK(num_int(*bad, -100, 10000, &i) != 0);
	CHECK_INT(i, 7); /* what is refused changes nothing */
	CHECK(num_uint("18446744073709551615", UINT64_MAX, &u) == 0 && u == UINT64_MAX);
	CHECK(num_uint("18446744073709551616", UINT64_MAX, &u) != 0);
	CHECK(num_uint("99999999999999999999999", UINT64_MAX, &u) != 0);
	CHECK(num_uint("-1", UINT64_MAX, &u) != 0);
}

/* Every number of digits, and around each change of it. */
static void test_printed(void)
{
	char got[NUM_TEXT], want[NUM_TEXT];

	for (uint64_t power = 1; power <= 1000000000000000000; power *= 10)
		for (int64_t i = (int64_t)power - 11; i <= (int64_t)power + 11; i++)
			for (int sign = -1; sign <= 1; sign += 2) {
				snprintf(want, sizeof(want), "%lld", (long long)(sign * i));
				CHECK_INT(num_print_int(got, sign * i), strlen(want));
				CHECK_TEXT(got, want);
			}
	num_print_int(got, INT64_MIN);
	CHECK_TEXT(got, "-9223372036854775808");
	num_print_int(got, INT64_MAX);
	CHECK_TEXT(got, "9223372036854775807");
	num_print_seconds(got, 1000000001);
	CHECK_TEXT(got, "1.000000001");
	num_print_seconds(got, -12000000);
	CHECK_TEXT(got, "-0.012");
}

static void test_real(void)
{
	double x = 7;

	CHECK(num_real("1.5", 0, 2, &x) == 0 && x == 1.5);
	CHECK(num_real("-.5e1", -10, 0, &x) == 0 && x == -5);
	CHECK(num_real("+3", 0, 4, &x) == 0 && x == 3);
	x = 7;
	for (const char *const *bad =
		     (const char *const[]){"", ".", "-", "nan", "inf", "-inf", "1e999", "0x1p3",
					   "1,5", "1.5 ", " 1", "1.5.2", "1e", "2.0001", NULL};
	     *bad != NULL; bad++)
		CHECK(num_real(*bad, -2, 2, &x) != 0);
	CHECK(x == 7);
}

/* Up to nineteen digits with a point anywhere or none are what the C library makes of them. */
static void test_plain(void)
{
	struct rng rng = rng_make(1, "plain", NULL, NULL);

	for (int i = 0; i < 20000; i++) {
		int ndigits = 1 + (int)rng_below(&rng, 19);
		int point = (int)rng_below(&rng, (uint64_t)ndigits + 2) - 1; /* -1: none */
		char text[NUM_TEXT], *p = text;
		double got, want;

		if (rng_below(&rng, 4) == 0)
			*p++ = rng_below(&rng, 2) == 0 ? '-' : '+';
		for (int d = 0; d <= ndigits; d++) {
			if (d == point)
				*p++ = '.';
			if (d < ndigits)
				*p++ = (char)('0' + rng_below(&rng, 10));
		}
		*p = '\0';
		CHECK(sscanf(text, "%lf", &want) == 1);
		CHECK(num_real(text, -1e20, 1e20, &got) == 0 && got == want &&
		      signbit(got) == signbit(want));
		p[0] = '.';
		p[1] = '\0';
		CHECK((num_real(text, -1e20, 1e20, &got) == 0) == (point < 0));
	}
}

static void test_seconds(void)
{
	char text[NUM_TEXT];
	int64_t ns;

	CHECK(num_seconds("1545400200.123456789", &ns) == 0);
	CHECK_INT(ns, 1545400200123456789);
	CHECK(num_seconds("-0.000000001", &ns) == 0 && ns == -1);
	CHECK(num_seconds("1.5000000000", &ns) == 0 && ns == 1500000000);
	CHECK(num_seconds(".25", &ns) == 0 && ns == 250000000);
	CHECK(num_seconds("0.0000000001", &ns) != 0);
	CHECK(num_seconds("9223372037", &ns) != 0);
	CHECK(num_seconds("", &ns) != 0 && num_seconds(".", &ns) != 0 &&
	      num_seconds("-", &ns) != 0);
	CHECK(num_seconds("1e3", &ns) != 0 && num_seconds("1s", &ns) != 0);
	num_print_seconds(text, 1500000000);
	CHECK_TEXT(text, "1.5");
	num_print_seconds(text, -1);
	CHECK_TEXT(text, "-0.000000001");
	num_print_seconds(text, INT64_MIN);
	CHECK_TEXT(text, "-9223372036.854775808");
	num_print_seconds(text, 0);
	CHECK_TEXT(text, "0");
}

static void test_units(void)
{
	double x;

	CHECK(num_bandwidth("8Gbit/s", &x) == 0 && x == 1e9);
	CHECK(num_bandwidth("1GB/s", &x) == 0 && x == 1e9);
	CHECK(num_bandwidth("1GiB/s", &x) == 0 && x == 1073741824.0);
	CHECK(num_bandwidth("12.5e9", &x) == 0 && x == 12.5e9);
	CHECK(num_bandwidth("8Gbit", &x) != 0 && num_bandwidth("8G", &x) != 0);
	CHECK(num_bandwidth("-1GB/s", &x) != 0 && num_bandwidth("GB/s", &x) != 0);
	CHECK(num_duration("100ns", &x) == 0 && x == 1e-7); /* the nearest double, not 100 · 1e-9 */
	CHECK(num_duration("1.5us", &x) == 0 && x == 1.5e-6);
	CHECK(num_duration("2h", &x) == 0 && x == 7200);
	CHECK(num_duration("3", &x) == 0 && x == 3);
	CHECK(num_duration("3 s", &x) != 0 && num_duration("-3s", &x) != 0);
	CHECK(num_duration("1e308d", &x) != 0);
	CHECK(num_bytes("4KiB", &x) == 0 && x == 4096);
	CHECK(num_bytes("4k", &x) == 0 && x == 4000);
	CHECK(num_bytes("64", &x) == 0 && x == 64);
	CHECK(num_bytes("64b", &x) != 0 && num_bytes("1e300TiB", &x) != 0);
}

/* Every double comes back as it was, whatever its bits. */
static void test_print(void)
{
	struct rng rng = rng_make(1, "test", NULL, NULL);
	char text[NUM_TEXT];
	double x, back;

	for (int i = 0; i < 20000; i++) {
		uint64_t bits = rng_u64(&rng);

		memcpy(&x, &bits, sizeof(x));
		if (!isfinite(x))
			continue;
		CHECK(num_print_real(text, x) == strlen(text));
		CHECK(num_real(text, -DBL_MAX, DBL_MAX, &back) == 0 && back == x);
	}
	num_print_real(text, 0.1);
	CHECK_TEXT(text, "0.1");
	num_print_real(text, 1.0 / 3);
	CHECK_TEXT(text, "0.3333333333333333");
	num_print_real(text, -0.0);
	CHECK_TEXT(text, "0");
	num_print_real(text, 123456789012345.0);
	CHECK_TEXT(text, "123456789012345");
	num_print_real(text, 5e-324);
	CHECK_TEXT(text, "5e-324");
	num_print_real(text, -DBL_MAX);
	CHECK_TEXT(text, "-1.7976931348623157e+308");
}

/* num_digits agrees with num_uint on every length, and on every byte that is no digit. */
static void test_digits(void)
{
	static const char digits[] = "98765432109876543210123";
	char text[24];
	uint64_t got, want;

	for (size_t n = 0; n <= 21; n++)
		for (size_t from = 0; from + n < sizeof(digits) - 1; from++) {
			int status;

			memcpy(text, digits + from, n);
			text[n] = '\0';
			status = num_uint(text, UINT64_MAX, &want);
			text[n] = '7'; /* what stands behind does not count */
			got = want;
			CHECK_INT(num_digits(text, n, &got), n > 20 ? -1 : status);
			CHECK(n > 20 || status != 0 || got == want);
		}
	CHECK(num_digits("18446744073709551615", 20, &got) == 0 && got == UINT64_MAX);
	CHECK(num_digits("18446744073709551616", 20, &got) == -1);
	CHECK(num_digits("000000000000000000001", 21, &got) == -1);
	for (size_t n = 1; n <= 19; n++) /* 20 digits may be too many */
		for (size_t at = 0; at < n; at++)
			for (int c = 0; c < 256; c++) {
				memset(text, '1', sizeof(text));
				text[at] = (char)c;
				CHECK_INT(num_digits(text, n, &got), c >= '0' && c <= '9' ? 0 : -1);
			}
}

int main(void)
{
	test_digits();
	test_whole();
	test_printed();
	test_real();
	test_plain();
	test_seconds();
	test_units();
	test_print();
	return check_done();
}
