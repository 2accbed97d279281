/* availability.h - which nodes are planned to be idle over time */
#ifndef PLACE_QUEUE_AVAILABILITY_H
#define PLACE_QUEUE_AVAILABILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "place/queue/room.h"

/* From a time until the next slice's, the last one forever. */
struct slice {
	int64_t from_ns;
	int nidle;
	uint64_t *idle; /* [nwords] a bit for each node */
};

/* A change: from a time until another. */
struct span_ns {
	int64_t from_ns, to_ns;
};

struct word_mask {
	int word;
	uint64_t mask;
};

/* Neighbours differ, unless profile_cut was called since profile_join; there is at least one slice.
 */
struct profile {
	VEC(struct slice) slices;
	VEC(struct word_mask) changes; /* of the change at hand */
	struct window {
		size_t first, middle, end, base; /* slices; front begins with base */
		uint64_t *front; /* [most · nwords] of slice i: what i … middle − 1 share */
		size_t most;
		uint64_t *back, *both; /* [nwords] what middle … end − 1 share; all of them */
	} window;
	int nwords;
	VEC(uint64_t *) unused; /* sets to be used again */
	int64_t nforgotten;     /* changes that were before those of the log */
	VEC(struct span_ns) log;
};

/* One slice from now on. idle [nwords] */
void profile_reset(struct profile *profile, int64_t now_ns, int nidle, const uint64_t *idle,
		   int nwords);
void profile_free(struct profile *profile);

/* Forgets what is before now. */
void profile_advance(struct profile *profile, int64_t now_ns);

/* From from_ns (or the first slice, if that is later) until to_ns (INT64_MAX: forever) that many
 * nodes [nnodes] become idle, or are taken. */
void profile_change(struct profile *profile, int64_t from_ns, int64_t to_ns, const int *nodes,
		    int nnodes, bool becomes_idle);

/* A slice begins at a time, if it is after the first one, though the same nodes are idle before;
 * then equal ones are one again. */
void profile_cut(struct profile *profile, int64_t time_ns);
void profile_join(struct profile *profile);

/* How many changes there were; whether one since a number of them was of what is from from_ns on
 * for length_ns. */
int64_t profile_nchanges(const struct profile *profile);
bool profile_has_changed(const struct profile *profile, int64_t since, int64_t from_ns,
			 int64_t length_ns);

/* The nodes that are idle from from_ns on for length_ns, into idle [nwords]. Returns how many. */
int profile_common(const struct profile *profile, int64_t from_ns, int64_t length_ns,
		   uint64_t *idle);

/* The steps of what is idle from now on without a break; idle [nwords] is for its own use. */
void profile_list_steps(const struct profile *profile, uint64_t *idle, struct steps *steps);

/*
 * Goes through the starts of slices, from that of from_ns on, at which at least nnodes can be had
 * for length_ns. profile_next_start: the slice after *slice (begin with SIZE_MAX); false: no more.
 * Then *idle has the nodes that are idle all the time [nwords], *nidle their number; valid until
 * the profile changes.
 */
bool profile_next_start(struct profile *profile, int64_t from_ns, int nnodes, int64_t length_ns,
			size_t *slice, uint64_t **idle, int *nidle);

#endif
