/* slice.c - an NDRange cut into slices of whole work groups along one dimension */
#include "live/slice/slice.h"

static int64_t largest_divisor(int64_t n, int64_t most)
{
	for (int64_t d = most < n ? most : n; d > 1; d--)
		if (n % d == 0)
			return d;
	return 1;
}

void range_choose_local(struct range *range)
{
	int64_t room = 64;

	for (int d = 0; d < range->dims; d++) {
		int64_t most = range->dims > 1 && room > 16 ? 16 : room;

		if (range->local[d] == 0)
			range->local[d] = largest_divisor(range->global[d], most);
		room /= range->local[d];
		room = room < 1 ? 1 : room;
	}
}

static int64_t groups_along(const struct range *range, int d)
{
	return range->global[d] / range->local[d] + (range->global[d] % range->local[d] != 0);
}

static int slowest_with_most(const struct range *range)
{
	int best = 0;

	for (int d = 1; d < range->dims; d++)
		if (groups_along(range, d) >= groups_along(range, best))
			best = d;
	return best;
}

int slicing_make(struct slicing *slicing, const struct range *range, int dimension, int64_t nslices,
		 bool takes_rest, struct err *err)
{
	if (range->dims < 1 || range->dims > RANGE_DIMS)
		return err_set(err, "%d dimensions; expected 1 to 3", range->dims);
	for (int d = 0; d < range->dims; d++) {
		if (range->global[d] < 1 || range->local[d] < 0 || range->offset[d] < 0)
			return err_set(
				err, "dimension %d: no work items; expected at least 1 of them", d);
		if (range->local[d] > 0 && range->global[d] % range->local[d] != 0 && !takes_rest)
			return err_set(err,
				       "dimension %d: %lld work items are not a multiple of groups "
				       "of %lld",
				       d, (long long)range->global[d], (long long)range->local[d]);
	}
	if (dimension >= range->dims)
		return err_set(err, "dimension %d of a range of %d; expected 0 to %d", dimension,
			       range->dims, range->dims - 1);
	if (nslices < 1)
		return err_set(err, "%lld slices; expected at least 1", (long long)nslices);
	slicing->range = *range;
	range_choose_local(&slicing->range);
	slicing->dimension = dimension >= 0 ? dimension : slowest_with_most(&slicing->range);
	slicing->ngroups = groups_along(&slicing->range, slicing->dimension);
	slicing->is_clipped = nslices > slicing->ngroups;
	slicing->n = slicing->is_clipped ? slicing->ngroups : nslices;
	return 0;
}

/* The first group of a slice: number · ngroups / n, rounded up, without a product
 * that overflows. */
static int64_t first_group(const struct slicing *slicing, int64_t number)
{
	int64_t each = slicing->ngroups / slicing->n, longer = slicing->ngroups % slicing->n;

	return number * each + (number < longer ? number : longer);
}

struct slice slicing_slice(const struct slicing *slicing, int64_t number)
{
	int64_t local = slicing->range.local[slicing->dimension];
	int64_t global = slicing->range.global[slicing->dimension];
	int64_t first = first_group(slicing, number) * local;
	int64_t behind =
		number + 1 == slicing->n ? global : first_group(slicing, number + 1) * local;

	return (struct slice){first, behind - first};
}

int64_t slicing_number(const struct slicing *slicing, int64_t item)
{
	int64_t group = item / slicing->range.local[slicing->dimension];
	int64_t each = slicing->ngroups / slicing->n, longer = slicing->ngroups % slicing->n;

	if (group < longer * (each + 1))
		return group / (each + 1);
	return longer + (group - longer * (each + 1)) / each;
}
