/* time.h - points in time as people write them */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

#include "base/err.h"

/*
 * Seconds since the epoch (1545400200.5), or ISO 8601 with its zone (2018-12-21T14:30:00Z,
 * …+01:00): nanoseconds since the epoch. Returns 0, or -1: not a time; -2: a time without a zone.
 */
int time_parse(const char *text, int64_t *ns);

/* The same; 0, or -1 with a message of what was expected. */
int time_read(const char *text, int64_t *ns, struct err *err);

/* ISO 8601 without a zone, taken as zone_s seconds east of UTC; fractions as above. */
int time_parse_local(const char *text, int64_t zone_s, int64_t *ns);

/* "Z", "UTC", "+01:00", "-0530": seconds east of UTC. Returns 0 or -1. */
int time_parse_zone(const char *text, int64_t *zone_s);

/* Days since 1970-01-01 in the proleptic Gregorian calendar; month 1…12, day 1…31. */
int64_t time_days(int64_t year, int month, int day);

#endif
