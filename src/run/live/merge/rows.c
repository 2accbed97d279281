/* rows.c - each slice writes its part of the buffer, in the order of the slices */
#include <string.h>

#include "live/merge/merge.h"

/* The bytes of a work item, or of a group where each has one result; 0: neither. */
static size_t row_bytes(const struct slicing *slicing, const struct element *element, size_t bytes,
			int64_t *items)
{
	int64_t all = slicing->range.global[slicing->dimension];
	int64_t local = slicing->range.local[slicing->dimension];

	*items = 1;
	if (bytes % ((size_t)all * element->size) == 0)
		return bytes / (size_t)all;
	*items = local;
	return bytes % ((size_t)slicing->ngroups * element->size) == 0
		       ? bytes / (size_t)slicing->ngroups
		       : 0;
}

static int check(const struct slicing *slicing, const struct element *element, size_t bytes,
		 struct err *err)
{
	int64_t items;
	size_t row = row_bytes(slicing, element, bytes, &items);

	if (row == 0)
		return err_set(err,
			       "rows: %zu bytes are not whole elements for each of %lld work items "
			       "or %lld groups along dimension %d",
			       bytes, (long long)slicing->range.global[slicing->dimension],
			       (long long)slicing->ngroups, slicing->dimension);
	return 0;
}

static void gather(const struct merge_input *input)
{
	const struct slicing *slicing = input->slicing;
	int64_t items;
	size_t row = row_bytes(slicing, input->element, input->bytes, &items);

	for (int64_t i = 0; i < slicing->n; i++) {
		struct slice slice = slicing_slice(slicing, i);
		size_t first = (size_t)(slice.first / items), n = (size_t)(slice.count / items);

		if (input->done[i] != 0)
			memcpy(input->host + first * row, input->device + first * row, n * row);
	}
}

const struct merge merge_rows = {
	.entry =
		{
			.name = "rows",
			.example = "rows",
			.summary = "each slice writes its part of the buffer, in the order of work "
				   "items",
			.paper = "Khetawat, dissertation, §4.3.2",
		},
	.is_contiguous = true,
	.check = check,
	.gather = gather,
};
