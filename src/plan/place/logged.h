/* logged.h - jobs of a log, to be placed anew */
#ifndef PLACE_LOGGED_H
#define PLACE_LOGGED_H

#include "model/job.h"

/* A job with its nodes becomes one that waits for some, and takes as long as it did. */
void logged_unplace(struct job *job);

/* The same, submitted when it started if nothing says when; one without nodes stays as it is. */
void logged_anew(struct job *job);
/* Whether a job of a log left the queue without a start; then it does so in a replay. state: of the
 * log; NULL: not said */
bool logged_withdraws(struct job *job, const char *state);
/* It has nodes and has begun, and nothing says how long it takes. */
bool logged_is_open(const struct job *job);

/* Whether a job of a log was there at a moment: one that ran keeps its nodes, one that waited waits
 * from then on. */
bool logged_was_there(struct job *job, int64_t at_ns);

#endif
