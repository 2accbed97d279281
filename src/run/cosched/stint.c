/* stint.c - a job on one set of devices, from taking it to leaving it, in closed form */
#include "cosched/stint.h"

#include <stddef.h>

#include "cosched/state/set_time.h"

static void deal(struct stint *stint, int64_t slices)
{
	struct bag *bag = &stint->bag;

	bag->slices = slices;
	stint->end_ns = bag_deal(bag);
}

void stint_begin(struct stint *stint, const struct node_profile *profile, int64_t left,
		 int64_t barrier_ns)
{
	int64_t now = left % profile->slices;
	struct bag *bag = &stint->bag;

	stint->slices = profile->slices;
	bag->n = 0;
	for (uint32_t rest = stint->devices; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		stint->first_ns[d] = stint->last_ns[d] = NODE_NEVER;
		stint->kept[d] = 0;
		stint->device_of[bag->n] = d;
		bag->slice_ns[bag->n] = node_slice_ns(profile, stint->devices, d);
		bag->ready_ns[bag->n] = stint->ready_ns[d];
		if (now == 0 && bag->ready_ns[bag->n] < barrier_ns)
			bag->ready_ns[bag->n] = barrier_ns;
		bag->n++;
	}
	now = now == 0 ? profile->slices : now;
	stint->left_after = left - now;
	stint->begin_ns = barrier_ns;
	deal(stint, now);
	if (stint->end_ns < barrier_ns)
		stint->end_ns = barrier_ns;
}

/* Slices of the launch under way that start before t are certain: their times are kept, and handed
 * on. */
static void keep(struct stint *stint, int64_t t)
{
	struct bag *bag = &stint->bag;
	int64_t started[NODE_DEVICES], next[NODE_DEVICES], total = 0;

	for (int i = 0; i < bag->n; i++) {
		int d = stint->device_of[i];

		started[i] = t == NODE_NEVER ? bag->taken[i] : bag_started(bag, i, t);
		next[i] = 0;
		total += started[i];
		stint->kept[d] += started[i];
		if (started[i] == 0)
			continue;
		if (stint->first_ns[d] == NODE_NEVER)
			stint->first_ns[d] = bag->ready_ns[i];
		stint->last_ns[d] = bag->ready_ns[i] + started[i] * bag->slice_ns[i];
	}
	if (stint->on_slice != NULL)
		for (int64_t n = 0; n < total; n++) {
			int first = 0;
			int64_t start_ns = NODE_NEVER;

			for (int i = 0; i < bag->n; i++)
				if (next[i] < started[i] &&
				    bag->ready_ns[i] + next[i] * bag->slice_ns[i] < start_ns) {
					first = i;
					start_ns = bag->ready_ns[i] + next[i] * bag->slice_ns[i];
				}
			next[first]++;
			stint->on_slice(stint->context, stint->device_of[first], stint->first + n,
					start_ns, start_ns + bag->slice_ns[first]);
		}
	stint->first += total;
}

/* Goes on to the launch that is under way at t; one that ends at t still is. */
static void advance(struct stint *stint, int64_t t)
{
	while (t > stint->end_ns && stint->left_after > 0) {
		keep(stint, NODE_NEVER);
		stint->begin_ns = stint->end_ns;
		stint->left_after -= stint->slices;
		for (int i = 0; i < stint->bag.n; i++) {
			int64_t ready = stint->ready_ns[stint->device_of[i]];

			stint->bag.ready_ns[i] = ready > stint->begin_ns ? ready : stint->begin_ns;
		}
		deal(stint, stint->slices);
	}
}

int64_t stint_end(const struct stint *stint)
{
	struct stint ahead = *stint;
	int64_t last_ready = 0, launches;

	for (uint32_t rest = stint->devices; rest != 0; rest &= rest - 1)
		if (stint->ready_ns[__builtin_ctz(rest)] > last_ready)
			last_ready = stint->ready_ns[__builtin_ctz(rest)];
	ahead.on_slice = NULL;
	while (ahead.left_after > 0 && (ahead.end_ns < last_ready || ahead.begin_ns < last_ready))
		advance(&ahead, ahead.end_ns + 1);
	if (ahead.left_after > 0) {
		/* All devices are ready: one more, and the others are alike. */
		advance(&ahead, ahead.end_ns + 1);
		launches = ahead.left_after / ahead.slices;
		ahead.end_ns += launches * (ahead.end_ns - ahead.begin_ns);
	}
	return ahead.end_ns > last_ready ? ahead.end_ns : last_ready;
}

int64_t stint_left(struct stint *stint, int64_t t)
{
	int64_t left;

	advance(stint, t);
	left = stint->left_after + stint->bag.slices;
	for (int i = 0; i < stint->bag.n; i++)
		left -= bag_started(&stint->bag, i, t);
	return left;
}

int64_t stint_poll(struct stint *stint, int64_t t)
{
	struct bag *bag = &stint->bag;
	int64_t poll = NODE_NEVER;

	advance(stint, t);
	for (;;) {
		for (int i = 0; i < bag->n; i++) {
			int64_t ended = bag_ended(bag, i, t - 1),
				end = bag->ready_ns[i] + (ended + 1) * bag->slice_ns[i];
			int64_t ready = stint->ready_ns[stint->device_of[i]];

			if (ended < bag->taken[i] && end < poll)
				poll = end;
			if ((stint->carried >> stint->device_of[i] & 1) != 0 && ready >= t &&
			    ready < poll)
				poll = ready;
		}
		if (poll != NODE_NEVER || stint->left_after == 0)
			return poll;
		advance(stint, stint->end_ns + 1);
	}
}

int64_t stint_ended(struct stint *stint, int device, int64_t t)
{
	advance(stint, t);
	for (int i = 0; i < stint->bag.n; i++)
		if (stint->device_of[i] == device)
			return stint->kept[device] + bag_ended(&stint->bag, i, t);
	return 0;
}

int64_t stint_stop(struct stint *stint, int64_t t, int64_t *idle_ns)
{
	int64_t latest = t;

	advance(stint, t);
	keep(stint, t);
	for (int i = 0; i < stint->bag.n; i++) {
		int d = stint->device_of[i];

		idle_ns[d] = stint->ready_ns[d];
		if (stint->last_ns[d] != NODE_NEVER && stint->last_ns[d] > idle_ns[d])
			idle_ns[d] = stint->last_ns[d];
		if ((stint->last_ns[d] != NODE_NEVER || (stint->carried >> d & 1) != 0) &&
		    idle_ns[d] > latest)
			latest = idle_ns[d];
	}
	return latest;
}

void stint_finish(struct stint *stint)
{
	while (stint->left_after > 0)
		advance(stint, stint->end_ns + 1);
	keep(stint, NODE_NEVER);
}
