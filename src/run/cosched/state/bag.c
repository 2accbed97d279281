/* bag.c - slices of one launch dealt to devices, in closed form */
#include "cosched/state/bag.h"

/* A time by which less than all slices have started, from the rates; only how fast the answer is
 * found hangs on it. */
static int64_t guess(const struct bag *bag, int64_t base)
{
	uint32_t left = (1u << bag->n) - 1;

	for (;;) {
		double rate = 0, head = (double)bag->slices, latest = -1;
		int last = -1;

		for (int i = 0; i < bag->n; i++)
			if (left >> i & 1) {
				double ready = (double)(bag->ready_ns[i] - base);
				double slice = (double)bag->slice_ns[i];

				rate += 1 / slice;
				head += ready / slice - 1;
				if (ready > latest) {
					latest = ready;
					last = i;
				}
			}
		/* By then the devices that are left start at most as many slices as there are. */
		double t = head / rate;

		if (t >= latest || (left & (left - 1)) == 0)
			return t <= 0 ? base : base + (int64_t)t;
		left &= ~(1u << last);
	}
}

int64_t bag_started(const struct bag *bag, int i, int64_t t)
{
	int64_t n;

	if (t <= bag->ready_ns[i])
		return 0;
	n = (t - bag->ready_ns[i] - 1) / bag->slice_ns[i] + 1;
	return n < bag->taken[i] ? n : bag->taken[i];
}

int64_t bag_ended(const struct bag *bag, int i, int64_t t)
{
	int64_t n;

	if (t <= bag->ready_ns[i])
		return 0;
	n = (t - bag->ready_ns[i]) / bag->slice_ns[i];
	return n < bag->taken[i] ? n : bag->taken[i];
}

int64_t bag_deal(struct bag *bag)
{
	int64_t base = bag->ready_ns[0], longest = 0, t, sum, end = INT64_MIN;
	int64_t next[NODE_DEVICES];

	for (int i = 0; i < bag->n; i++) {
		if (bag->ready_ns[i] < base)
			base = bag->ready_ns[i];
		if (bag->slice_ns[i] > longest)
			longest = bag->slice_ns[i];
		bag->taken[i] = bag->slices;
	}
	t = guess(bag, base);
	for (;; t -= longest) {
		sum = 0;
		for (int i = 0; i < bag->n; i++)
			sum += bag_started(bag, i, t);
		if (sum <= bag->slices)
			break;
	}
	for (int i = 0; i < bag->n; i++) {
		bag->taken[i] = bag_started(bag, i, t);
		next[i] = bag->ready_ns[i] + bag->taken[i] * bag->slice_ns[i];
	}
	for (; sum < bag->slices; sum++) {
		int first = 0;

		for (int i = 1; i < bag->n; i++)
			if (next[i] < next[first])
				first = i;
		bag->taken[first]++;
		next[first] += bag->slice_ns[first];
	}
	for (int i = 0; i < bag->n; i++)
		if (bag->taken[i] > 0 && next[i] > end)
			end = next[i];
	return end;
}
