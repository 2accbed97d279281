/* zone.c - zones of times that are written without one */
#include "base/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"

enum { NHOURS = sizeof((struct zone){0}.hours) / sizeof(struct zone_hour) };

int zone_parse(struct zone *zone, const char *text)
{
	char path[256];
	int n;

	*zone = (struct zone){0};
	for (int i = 0; i < NHOURS; i++)
		zone->hours[i].number = INT64_MIN;
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

/* What clocks are ahead of UTC at an instant. 0 or -1. */
static int offset_at(int64_t epoch_s, int64_t *offset_s)
{
	time_t epoch = (time_t)epoch_s;
	struct tm tm;

	if (localtime_r(&epoch, &tm) == NULL)
		return -1;
	*offset_s = tm.tm_gmtoff;
	return 0;
}

/* The offset at the first instant at which clocks show a local time: that of the day before or of
 * the day after. -1: they never show it. *twice: there is a second such instant. */
static int find_offset(int64_t local_s, int64_t *offset_s, bool *twice)
{
	int64_t before, after, then;
	bool is_before, is_after;

	if (offset_at(local_s - 86400, &before) != 0 || offset_at(local_s + 86400, &after) != 0)
		return -1;
	is_before = offset_at(local_s - before, &then) == 0 && then == before;
	is_after = offset_at(local_s - after, &then) == 0 && then == after;
	*twice = is_before && is_after && before != after;
	if (!is_before && !is_after)
		return -1;
	*offset_s = is_before && (!is_after || before > after) ? before : after;
	return 0;
}

/* The same, of what is known of its hour if clocks do not change in it. */
static int know_offset(struct zone *zone, int64_t local_s, int64_t *offset_s)
{
	int64_t number = local_s / 3600 - (local_s % 3600 < 0), first, last;
	struct zone_hour *hour = &zone->hours[(uint64_t)number % NHOURS];
	bool twice, twice_first, twice_last;

	if (hour->number == number) {
		*offset_s = hour->offset_s;
		return 0;
	}
	if (find_offset(local_s, offset_s, &twice) != 0)
		return -1;
	zone->has_ambiguous |= twice;
	if (find_offset(number * 3600, &first, &twice_first) == 0 &&
	    find_offset(number * 3600 + 3599, &last, &twice_last) == 0 && first == last &&
	    first == *offset_s && !twice && !twice_first && !twice_last)
		*hour = (struct zone_hour){number, first};
	return 0;
}

int zone_time(struct zone *zone, const char *text, int64_t *ns)
{
	int64_t offset_s = zone->offset_s;

	if (time_parse_local(text, 0, ns) != 0 ||
	    (zone->is_named &&
	     know_offset(zone, *ns / 1000000000 - (*ns % 1000000000 < 0), &offset_s) != 0))
		return -1;
	return __builtin_sub_overflow(*ns, offset_s * 1000000000, ns) ? -1 : 0;
}
