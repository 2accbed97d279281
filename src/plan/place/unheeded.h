/* unheeded.h - columns of jobs that decide nothing */
#ifndef PLACE_UNHEEDED_H
#define PLACE_UNHEEDED_H

#include "place/run/schedule.h"

/* Which of these columns a job fills, as bits, added to *asked. */
void unheeded_note(const struct job *job, unsigned *asked);
/* Reports them once: those that no node is known to have, those that the policy does not look at.
 */
void unheeded_report(unsigned asked, const struct schedule *schedule);

#endif
