/* night_asks.h - what jobs ask for besides nodes and time, as far as it can make them wait */
#ifndef REPORT_NIGHT_ASKS_H
#define REPORT_NIGHT_ASKS_H

#include "model/job.h"

/* The last one is that a job asks for none of the others. */
enum {
	NIGHT_ASKS = 12,
	NIGHT_ASKS_NOTHING = NIGHT_ASKS - 1,
	NIGHT_ASKS_NETWORK = 1 | 2 | 4 | 8, /* those of the first four, where its nodes are */
};

extern const char *const night_ask_names[NIGHT_ASKS];

/* Bit i: the job asks for night_ask_names[i]; 0: for nothing. */
unsigned night_asks(const struct job *job);

#endif
