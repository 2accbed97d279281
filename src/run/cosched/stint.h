/* stint.h - a job on one set of devices, from taking it to leaving it, in closed form */
#ifndef COSCHED_STINT_H
#define COSCHED_STINT_H

#include <stdint.h>

#include "cosched/state/bag.h"

/*
 * Devices take slices from when they are ready, launch after launch: one begins when all slices of
 * the last have ended. Nothing in between is an event: when the stint would end, when the next
 * slice ends, and how many slices have been started at a time are formulas over the launch that is
 * under way. Times asked for never go back.
 */
struct stint {
	uint32_t devices;
	uint32_t carried; /* devices that still do a slice of the last stint, until ready_ns */
	int64_t ready_ns[NODE_DEVICES]; /* by device: opened, input copied in */
	int64_t slices;                 /* of a whole launch */
	int64_t left_after;             /* slices of launches behind this one */
	int64_t begin_ns, end_ns;       /* of the launch that is under way */
	int64_t first;                  /* slices of the job that were started before this launch */
	struct bag bag;                 /* its slices */
	int device_of[NODE_DEVICES];    /* [bag.n] */
	int64_t first_ns[NODE_DEVICES],
		last_ns[NODE_DEVICES]; /* by device: run begins, ends; NODE_NEVER: not at all */
	int64_t kept[NODE_DEVICES];    /* by device: slices of launches before this one */
	/* Called for each slice as soon as it is certain; NULL: not requested. */
	void (*on_slice)(void *context, int device, int64_t slice, int64_t start_ns,
			 int64_t end_ns);
	void *context;
};

/* devices, carried, ready_ns, first and on_slice are set. left slices remain of launches of slices
 * each, none of which starts before barrier_ns if they are of a launch that has not begun. */
void stint_begin(struct stint *stint, const struct node_profile *profile, int64_t left,
		 int64_t barrier_ns);
/* When all slices have ended and all devices are ready, if nothing changes. */
int64_t stint_end(const struct stint *stint);
/* Slices not started before t. */
int64_t stint_left(struct stint *stint, int64_t t);
/* The first end of a slice at t or later; NODE_NEVER: all have ended by then. */
int64_t stint_poll(struct stint *stint, int64_t t);
/* Slices of a device that have ended at t. */
int64_t stint_ended(struct stint *stint, int device, int64_t t);
/*
 * No slice starts at t or later. idle_ns [NODE_DEVICES]: when each device has ended its last slice,
 * or is ready if it had none. Returns the latest end of a slice that was running at t, or t.
 */
int64_t stint_stop(struct stint *stint, int64_t t, int64_t *idle_ns);
/* All slices are done: hands the last launch to on_slice and sets first_ns and last_ns. */
void stint_finish(struct stint *stint);

#endif
