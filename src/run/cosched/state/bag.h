/* bag.h - slices of one launch dealt to devices, in closed form */
#ifndef COSCHED_STATE_BAG_H
#define COSCHED_STATE_BAG_H

/*
 * Each device takes the next slice of the bag as soon as it is ready and has ended its last one
 * (Khetawat, §4.3.2); at one instant the lower device takes first. Between two decisions slices of
 * a device are of one length, so its k-th starts at ready + k · slice: how a bag of n slices is
 * dealt follows without going over the slices.
 */

#include <stdint.h>

#include "cosched/state/state.h"

struct bag {
	int n; /* devices, in ascending order of their numbers */
	int64_t slices;
	int64_t ready_ns[NODE_DEVICES]; /* [n] */
	int64_t slice_ns[NODE_DEVICES]; /* [n] above 0 */
	int64_t taken[NODE_DEVICES];    /* [n] slices of each; bag_deal sets it */
};

/* Sets taken; returns when the last slice ends. There must be a device and a slice. */
int64_t bag_deal(struct bag *bag);

/* Slices of a device that start before t, and those that end at t or before. */
int64_t bag_started(const struct bag *bag, int i, int64_t t);
int64_t bag_ended(const struct bag *bag, int i, int64_t t);

#endif
