/* sum.c - slices add to an accumulator */
#include "live/merge/merge.h"

static void gather(const struct merge_input *input)
{
	element_add(input->element, input->host, input->device,
		    input->bytes / input->element->size);
}

const struct merge merge_sum = {
	.entry =
		{
			.name = "sum",
			.example = "sum",
			.summary = "slices add to an accumulator, which begins at 0 on each device",
		},
	.is_sum = true,
	.gather = gather,
};
