/* night_past.h - what was before a night, and who its people are */
#ifndef REPORT_NIGHT_PAST_H
#define REPORT_NIGHT_PAST_H

#include "formats/table.h"
#include "report/night.h"

/* The name, or user1 where the page is to name nobody (people: those named so far; else NULL): by
 * the order in which they come. */
const char *night_person(struct night *night, struct map *people, const char *what,
			 const char *name);

/* Tables of the kinds events and nights. */
int night_read_events(struct night *night, struct table_in *in, struct err *err);
int night_read_past(struct night *night, struct table_in *in, struct err *err);

#endif
