/* merge.h - how what the devices of a set have written becomes one output */
#ifndef LIVE_MERGE_MERGE_H
#define LIVE_MERGE_MERGE_H

/*
 * Each device has a whole copy of a buffer and did some of the slices (Khetawat, §4.3.2). A merge
 * takes from a device's copy what its slices wrote.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"
#include "live/merge/element.h"
#include "live/slice/slice.h"

struct merge_input {
	const struct slicing *slicing;
	const struct element *element;
	size_t bytes;
	const unsigned char *device; /* [bytes] the device's copy */
	const unsigned char *before; /* [bytes] what had been copied in */
	const int32_t *map;          /* [bytes / element->size] .has_map: who writes an element */
	const unsigned char *done;   /* [slicing->n] 1: a slice that the device did */
	unsigned char *host;         /* [bytes] the output */
};

struct merge {
	struct entry entry;
	/*
	 * The buffer is an accumulator that begins at 0 on each device, and to which slices add.
	 * The runtime reads real ones after each slice, as the order of additions matters there.
	 */
	bool is_sum;
	bool has_map;
	/* It takes slices along the slowest dimension only. */
	bool is_contiguous;
	/* Whether a buffer can be merged so; NULL: any can. */
	int (*check)(const struct slicing *slicing, const struct element *element, size_t bytes,
		     struct err *err);
	void (*gather)(const struct merge_input *input);
};

extern const struct registry merges;

#endif
