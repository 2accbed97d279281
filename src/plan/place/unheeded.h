/* unheeded.h - columns of jobs that decide nothing, since nothing is known of it for any node */
#ifndef PLACE_UNHEEDED_H
#define PLACE_UNHEEDED_H

#include "place/run/schedule.h"

/* Which of these columns a job fills, as bits, added to *asked. */
void unheeded_note(const struct job *job, unsigned *asked);
/* Reports them once, if the machine is one whose nodes have no such thing. */
void unheeded_report(unsigned asked, const struct schedule *schedule);

#endif
