/* inputs.h - many files of samples as one stream, run by run in order of time */
#ifndef TRAFFIC_INPUTS_H
#define TRAFFIC_INPUTS_H

#include "traffic/feed.h"

/*
 * Files are merged by their runs, in the order in which those appear, and by the times of their
 * lines; each is taken as it is, so what is out of order within one stays so. Files that do not
 * overlap in time are open one after the other.
 */
struct inputs;

/* paths ends in NULL; none: standard input. All of them are looked into at once. */
int inputs_open(struct inputs **inputs, char *const *paths, const char *header_path,
		struct header_set *set, struct feed_counts *counts, bool accepts_partial,
		struct err *err);
void inputs_close(struct inputs *inputs); /* NULL is allowed */
/* 1: a sample, valid until the next call; 0: the end; -1: error. */
int inputs_next(struct inputs *inputs, struct sample *sample, struct err *err);
/* The first operand that is a table of ours, for its ## lines, or NULL; once it is open. */
const struct table_in *inputs_table(const struct inputs *inputs);
/* After the end: no ##end was missing. */
bool inputs_are_whole(const struct inputs *inputs);

/*
 * The time of the newest sample of all files, which are read once for it; a pipe cannot be.
 * 1: found; 0: there is no sample; -1: error.
 */
int inputs_newest(char *const *paths, const char *header_path, struct header_set *set,
		  int64_t *time_ns, struct err *err);

#endif
