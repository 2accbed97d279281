/* stall.h - how long packets wait in an input buffer */
#ifndef SIM_NETWORK_STALL_H
#define SIM_NETWORK_STALL_H

#include <stdint.h>

/*
 * The union of the times in which packets wait there: from when one may leave the router to when it
 * begins to. Some are known to leave at a time ahead, others wait for room, for an unknown time.
 */
struct stall {
	int64_t total_ps; /* without what lasts at the moment */
	int64_t known_ps; /* until then a packet is known to wait; already counted if nopen is 0 */
	int64_t since_ps; /* nopen > 0: counted up to here, which may lie ahead */
	int32_t nopen;    /* wait for room */
};

static inline int64_t stall_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A packet waits from now on. */
static inline void stall_begin(struct stall *stall, int64_t now)
{
	if (stall->nopen++ == 0)
		stall->since_ps = stall_later(now, stall->known_ps);
}

/* One that waits will leave at depart_ps ≥ now. */
static inline void stall_end(struct stall *stall, int64_t now, int64_t depart_ps)
{
	int64_t known = stall_later(stall->known_ps, depart_ps);

	if (--stall->nopen == 0)
		stall->total_ps += stall_later(now, known) - stall->since_ps;
	stall->known_ps = known;
}

/* Up to now. */
static inline int64_t stall_total(const struct stall *stall, int64_t now)
{
	if (stall->nopen > 0)
		return stall->total_ps + now - stall->since_ps;
	return stall->total_ps - stall_later(stall->known_ps - now, 0);
}

#endif
