/* zone.c - zones of times that are written without one */
#include "base/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"

int zone_parse(struct zone *zone, const char *text)
{
	char path[256];
	int n;

	*zone = (struct zone){.quarter = INT64_MIN};
	if (time_parse_zone(text, &zone->offset_s) == 0)
		return 0;
	if (text[0] == '\0' || text[0] == '/' || strstr(text, "..") != NULL)
		return -1;
	n = snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", text);
	if (n < 0 || n >= (int)sizeof(path) || access(path, R_OK) != 0)
		return -1;
	if (setenv("TZ", text, 1) != 0)
		return -1;
	tzset();
	zone->is_named = true;
	return 0;
}

/* What clocks that show a local time mean, summer time or not; -1: they never show it so. */
static int to_epoch(int64_t local_s, int is_summer, int64_t *epoch_s)
{
	time_t shown = (time_t)local_s, epoch;
	struct tm tm, back;

	if (gmtime_r(&shown, &tm) == NULL)
		return -1;
	tm.tm_isdst = is_summer;
	epoch = mktime(&tm);
	if (localtime_r(&epoch, &back) == NULL ||
	    timegm(&(struct tm){.tm_sec = back.tm_sec,
				.tm_min = back.tm_min,
				.tm_hour = back.tm_hour,
				.tm_mday = back.tm_mday,
				.tm_mon = back.tm_mon,
				.tm_year = back.tm_year}) != shown)
		return -1;
	*epoch_s = epoch;
	return 0;
}

/* The offset at a local time; *twice: there are two. */
static int find_offset(int64_t local_s, int64_t *offset_s, bool *twice)
{
	int64_t summer, winter;
	bool is_summer = to_epoch(local_s, 1, &summer) == 0;
	bool is_winter = to_epoch(local_s, 0, &winter) == 0;

	*twice = is_summer && is_winter && summer != winter;
	if (!is_summer && !is_winter)
		return -1;
	*offset_s = local_s - (is_summer && (!is_winter || summer < winter) ? summer : winter);
	return 0;
}

int zone_time(struct zone *zone, const char *text, int64_t *ns)
{
	int64_t local_s, quarter;
	bool twice;

	if (time_parse_local(text, 0, ns) != 0)
		return -1;
	local_s = *ns / 1000000000 - (*ns % 1000000000 < 0);
	quarter = local_s / 900 - (local_s % 900 < 0);
	if (!zone->is_named) {
		zone->found = zone->offset_s;
	} else if (quarter != zone->quarter) {
		if (find_offset(local_s, &zone->found, &twice) != 0)
			return -1;
		zone->has_ambiguous |= twice;
		zone->quarter = quarter;
	}
	return __builtin_sub_overflow(*ns, zone->found * 1000000000, ns) ? -1 : 0;
}
