/* difference.c - bytes that differ from what was copied in */
#include <string.h>

#include "live/merge/merge.h"

static void gather(const struct merge_input *input)
{
	const unsigned char *device = input->device, *before = input->before;

	for (size_t i = 0; i < input->bytes;) {
		uint64_t a, b;

		if (i + sizeof(a) <= input->bytes) { /* most are equal: eight at a time */
			memcpy(&a, device + i, sizeof(a));
			memcpy(&b, before + i, sizeof(b));
			if (a == b) {
				i += sizeof(a);
				continue;
			}
		}
		for (size_t end = i + sizeof(a); i < end && i < input->bytes; i++)
			if (device[i] != before[i])
				input->host[i] = device[i];
	}
}

const struct merge merge_difference = {
	.entry =
		{
			.name = "difference",
			.example = "difference",
			.summary = "bytes that differ from what was copied in",
		},
	.gather = gather,
};
