/* owner.c - a map says which work item writes an element */
#include <string.h>

#include "live/merge/merge.h"

static void gather(const struct merge_input *input)
{
	const struct slicing *slicing = input->slicing;
	size_t size = input->element->size;
	int64_t items = slicing->range.global[slicing->dimension];

	for (size_t i = 0; i < input->bytes / size; i++)
		if (input->map[i] >= 0 && input->map[i] < items &&
		    input->done[slicing_number(slicing, input->map[i])] != 0)
			memcpy(input->host + i * size, input->device + i * size, size);
}

const struct merge merge_owner = {
	.entry =
		{
			.name = "owner",
			.example = "owner",
			.summary =
				"a map names the work item, along the dimension that is cut, that "
				"writes each element; below 0: none",
		},
	.has_map = true,
	.gather = gather,
};
