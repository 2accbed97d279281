/* time.c - points in time: what is read, what is refused, and the calendar against the C library */
#include <stddef.h>
#include <time.h>

#include "base/time.h"
#include "check.h"

static void test_points(void)
{
	int64_t ns;

	CHECK(time_parse("1545400200.5", &ns) == 0 && ns == 1545400200500000000);
	CHECK(time_parse("2018-12-21T13:50:00Z", &ns) == 0 && ns == 1545400200000000000);
	CHECK(time_parse("2018-12-21 14:50:00.25+01:00", &ns) == 0 && ns == 1545400200250000000);
	CHECK(time_parse("2018-12-21T08:20:00-0530", &ns) == 0 && ns == 1545400200000000000);
	CHECK(time_parse("1969-12-31T23:59:59.5Z", &ns) == 0 && ns == -500000000);
	CHECK(time_parse("2016-12-31T23:59:60Z", &ns) == 0); /* a leap second */
	CHECK_INT(time_parse("2018-12-21T14:50:00", &ns), -2);
	CHECK(time_parse_local("2018-12-21T14:50:00", 3600, &ns) == 0);
	CHECK_INT(ns, 1545400200000000000);
	CHECK_INT(time_parse_local("2018-12-21T14:50:00Z", 0, &ns), -1);
}

static void test_refused(void)
{
	static const char *const bad[] = {"",
					  "now",
					  "2018-12-21",
					  "2018-12-21T14:50Z",
					  "18-12-21T14:50:00Z",
					  "2018-13-01T00:00:00Z",
					  "2018-00-01T00:00:00Z",
					  "2018-02-29T00:00:00Z",
					  "2018-02-00T00:00:00Z",
					  "1900-02-29T00:00:00Z",
					  "2018-12-21T24:00:00Z",
					  "2018-12-21T14:60:00Z",
					  "2018-12-21T14:50:61Z",
					  "2018-12-21T14:50:5Z",
					  "2018-12-21T14:50:05.Z",
					  "2018-12-21T14:50:005Z",
					  "2018-12-21T14:50:00+1",
					  "2018-12-21T14:50:00+15:00",
					  "2018-12-21T14:50:00+01:60",
					  "2018-12-21T14:50:00+01:00x",
					  "2018-12- 1T14:50:00Z",
					  "2018-12-+1T14:50:00Z",
					  "2018/12/21T14:50:00Z",
					  NULL};
	int64_t ns;

	for (int i = 0; bad[i] != NULL; i++)
		if (time_parse(bad[i], &ns) != -1)
			check_text(bad[i], "a refusal", __FILE__, __LINE__);
	CHECK(time_parse("2000-02-29T00:00:00Z", &ns) == 0);
}

static void test_zones(void)
{
	int64_t zone;

	CHECK(time_parse_zone("Z", &zone) == 0 && zone == 0);
	CHECK(time_parse_zone("UTC", &zone) == 0 && zone == 0);
	CHECK(time_parse_zone("+01", &zone) == 0 && zone == 3600);
	CHECK(time_parse_zone("-0930", &zone) == 0 && zone == -34200);
	CHECK(time_parse_zone("CET", &zone) == -1 && time_parse_zone("", &zone) == -1);
	CHECK(time_parse_zone("+", &zone) == -1 && time_parse_zone("+01:", &zone) == -1);
}

/* Every day from 1800 to 2200 against timegm. */
static void test_calendar(void)
{
	int nwrong = 0;

	for (int64_t day = time_days(1800, 1, 1); day < time_days(2200, 1, 1); day++) {
		time_t t = (time_t)day * 86400;
		struct tm tm;

		if (gmtime_r(&t, &tm) == NULL)
			break;
		nwrong += time_days(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday) != day;
	}
	CHECK_INT(nwrong, 0);
	CHECK_INT(time_days(1970, 1, 1), 0);
	CHECK_INT(time_days(2000, 3, 1), 11017);
}

int main(void)
{
	test_points();
	test_refused();
	test_zones();
	test_calendar();
	return check_done();
}
