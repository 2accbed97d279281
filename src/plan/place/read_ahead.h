/* read_ahead.h - jobs as they come, some ahead of the queue, instead of whole runs */
#ifndef PLACE_READ_AHEAD_H
#define PLACE_READ_AHEAD_H

#include "place/session.h"

/* All of the input, with --read-ahead. */
int read_ahead_all(struct allocate_session *session, struct err *err);

#endif
