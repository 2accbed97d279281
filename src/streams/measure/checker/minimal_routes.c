/* minimal_routes.c - checks of what is to be as small as it can be on the machine without jobs */
#include "measure/checker/minimal_routes.h"

#include <stdlib.h>

void minimal_open(struct checker *checker, enum least_of measure)
{
	struct least *least = xcalloc(1, sizeof(*least));

	least_open(least, checker->geometry, measure, pick_is(checker->pick, "distance", "routes"));
	checker->state = least;
}

void minimal_close(struct checker *checker)
{
	least_close(checker->state);
	free(checker->state);
}

enum verdict minimal_check(struct checker *checker, const struct region *region,
			   struct buf *witness)
{
	struct least *least = checker->state;
	int a = -1, b = -1;
	int64_t value = least_measure(least, region->nodes, region->n, &a, &b);
	struct bounds bounds;

	/* it has nodes that others are never given */
	if ((size_t)region->n > least->serving.n) {
		buf_str(witness, "fewer nodes are in service");
		return VERDICT_OPEN;
	}
	bounds = least_bounds(least, region->n);
	if (value <= bounds.lower)
		return VERDICT_HOLDS;
	if (least->measure == LEAST_SUM) {
		buf_printf(witness, "its distances sum up to %lld", (long long)value);
	} else {
		geometry_say_node(checker->geometry, a, witness);
		buf_str(witness, " and ");
		geometry_say_node(checker->geometry, b, witness);
		buf_printf(witness, " are %lld apart", (long long)value);
	}
	if (value > bounds.upper) {
		buf_printf(witness, ", %lld can be had", (long long)bounds.upper);
		return VERDICT_BROKEN;
	}
	buf_printf(witness, "; whether less can be had (at least %lld) was not found out",
		   (long long)bounds.lower);
	return VERDICT_OPEN;
}
