/* time.c - points in time as people write them */
#include "base/time.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"

int64_t time_days(int64_t year, int month, int day)
{
	/* count years from March, so that the leap day is the last of its year */
	int64_t y = month > 2 ? year : year - 1;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* The number that exactly n digits make; moves *text behind them. -1: other characters. */
static int digits(const char **text, int n)
{
	int value = 0;

	for (; n > 0; n--, ++*text) {
		if (**text < '0' || **text > '9')
			return -1;
		value = value * 10 + (**text - '0');
	}
	return value;
}

static bool skip(const char **text, const char *any)
{
	if (**text == '\0' || strchr(any, **text) == NULL)
		return false;
	++*text;
	return true;
}

int time_parse_zone(const char *text, int64_t *zone_s)
{
	const char *p = text;
	int hours, minutes = 0;

	if (strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0) {
		*zone_s = 0;
		return 0;
	}
	if (!skip(&p, "+-"))
		return -1;
	hours = digits(&p, 2);
	if (hours >= 0 && *p != '\0') {
		skip(&p, ":");
		minutes = digits(&p, 2);
	}
	if (*p != '\0' || hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
		return -1;
	*zone_s = (hours * 3600 + minutes * 60) * (text[0] == '-' ? -1 : 1);
	return 0;
}

static int days_in_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* The part up to the zone; *rest is the zone's text. */
static int parse_clock(const char *text, int64_t *ns, const char **rest)
{
	const char *p = text;
	int part[5]; /* year, month, day, hour, minute */
	static const char *const behind[] = {"-", "-", "T ", ":", ":"};
	char seconds[24];
	int64_t whole_ns;
	size_t n;

	for (int i = 0; i < 5; i++) {
		part[i] = digits(&p, i == 0 ? 4 : 2);
		if (part[i] < 0 || !skip(&p, behind[i]))
			return -1;
	}
	if (part[1] < 1 || part[1] > 12 || part[2] < 1 ||
	    part[2] > days_in_month(part[0], part[1]) || part[3] > 23 || part[4] > 59)
		return -1;
	n = strspn(p, "0123456789.");
	if (n < 2 || n == 3 || n >= sizeof(seconds) || strcspn(p, ".") < 2)
		return -1;
	memcpy(seconds, p, n);
	seconds[n] = '\0';
	if (num_seconds(seconds, ns) != 0 || *ns >= 61000000000 || (n > 2 && p[2] != '.'))
		return -1;
	*rest = p + n;
	/* 64 bits of nanoseconds reach from 1677 to 2262 */
	if (__builtin_mul_overflow(time_days(part[0], part[1], part[2]) * 86400 + part[3] * 3600 +
					   part[4] * 60,
				   1000000000, &whole_ns) ||
	    __builtin_add_overflow(*ns, whole_ns, ns))
		return -1;
	return 0;
}

int time_parse(const char *text, int64_t *ns)
{
	const char *zone;
	int64_t zone_s;

	if (num_seconds(text, ns) == 0)
		return 0;
	if (parse_clock(text, ns, &zone) != 0)
		return -1;
	if (*zone == '\0')
		return -2;
	if (time_parse_zone(zone, &zone_s) != 0)
		return -1;
	return __builtin_sub_overflow(*ns, zone_s * 1000000000, ns) ? -1 : 0;
}

int time_parse_local(const char *text, int64_t zone_s, int64_t *ns)
{
	const char *rest;

	if (parse_clock(text, ns, &rest) != 0 || *rest != '\0')
		return -1;
	return __builtin_sub_overflow(*ns, zone_s * 1000000000, ns) ? -1 : 0;
}

int time_read(const char *text, int64_t *ns, struct err *err)
{
	int status = time_parse(text, ns);

	if (status == 0)
		return 0;
	return err_set(err, "'%s' is not a time%s", text,
		       status == -2
			       ? " with its zone: 2018-12-21T14:30:00Z, say"
			       : ": seconds since the epoch, or ISO 8601 as 2018-12-21T14:30:00Z");
}
