/* time.c - points in time as people write them */
#include "base/time.h"

#include <stdio.h>
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

int time_parse_zone(const char *text, int64_t *zone_s)
{
	int hours, minutes = 0, used = 0;

	if (strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0) {
		*zone_s = 0;
		return 0;
	}
	if ((text[0] != '+' && text[0] != '-') || text[1] < '0' || text[1] > '9')
		return -1;
	if (!(sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) == 2 &&
	      text[1 + used] == '\0') &&
	    !(sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) == 2 &&
	      text[1 + used] == '\0')) {
		minutes = 0;
		if (sscanf(text + 1, "%2d%n", &hours, &used) != 1 || text[1 + used] != '\0')
			return -1;
	}
	if (hours > 14 || minutes < 0 || minutes > 59)
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
	int year, month, day, hour, minute, used = 0;
	char seconds[24];
	size_t n;

	if (sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d:%n", &year, &month, &day, &hour, &minute,
		   &used) != 5 ||
	    used == 0)
		return -1;
	if (month < 1 || month > 12 || day < 1 || year < 0 || day > days_in_month(year, month) ||
	    hour < 0 || hour > 23 || minute < 0 || minute > 59)
		return -1;
	text += used;
	n = strspn(text, "0123456789.");
	if (n < 2 || n >= sizeof(seconds))
		return -1;
	memcpy(seconds, text, n);
	seconds[n] = '\0';
	if (num_seconds(seconds, ns) != 0 || *ns >= 61000000000)
		return -1;
	*ns += (time_days(year, month, day) * 86400 + hour * 3600 + minute * 60) * 1000000000;
	*rest = text + n;
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
	*ns -= zone_s * 1000000000;
	return 0;
}

int time_parse_local(const char *text, int64_t zone_s, int64_t *ns)
{
	const char *rest;

	if (parse_clock(text, ns, &rest) != 0 || *rest != '\0')
		return -1;
	*ns -= zone_s * 1000000000;
	return 0;
}
