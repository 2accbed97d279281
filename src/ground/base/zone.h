/* zone.h - zones of times that are written without one: +01:00, or Europe/Berlin by its rules */
#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

struct zone {
	bool is_named;      /* by the system's zone database, else offset_s holds always */
	int64_t offset_s;   /* seconds east of UTC */
	bool has_ambiguous; /* a time was read that comes twice, when clocks are put back */
	/* Offsets that hold for a whole hour of the clocks, at the place of its number. */
	struct zone_hour {
		int64_t number, offset_s;
	} hours[256];
};

/* "Z", "+01:00" or a name of the zone database, which becomes the zone of this process. 0 or -1. */
int zone_parse(struct zone *zone, const char *text);

/*
 * ISO 8601 without a zone, in this one: nanoseconds since the epoch. Of an hour that comes twice
 * the first one is taken, and zone->has_ambiguous set. Returns -1: not a time, or one that is
 * skipped when clocks are put forward.
 */
int zone_time(struct zone *zone, const char *text, int64_t *ns);

#endif
