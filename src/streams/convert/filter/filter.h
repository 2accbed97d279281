/* filter.h - filters: rows become other rows on their way from a reader to a writer */
#ifndef CONVERT_FILTER_FILTER_H
#define CONVERT_FILTER_FILTER_H

#include <stdbool.h>

#include "base/registry.h"
#include "model/flow.h"
#include "model/kinds.h"

struct filter_input {
	const struct pick *pick; /* the filter's own parameters */
	struct flow *out;        /* where its rows go; its kind is set */
	bool *has_changed;       /* set once a row is not as it was; see filter.no_effect */
};

/*
 * A filter takes the rows of one flow and makes those of the next: in taker.begin it declares the
 * columns of the other (flow_like and its own), in .row and .end it sets cells and calls flow_emit
 * on it; never flow_end, which comes by itself.
 */
struct filter {
	struct entry entry;
	const struct table_kind *const *takes; /* ends in NULL; NULL: any kind */
	const struct table_kind *makes;        /* NULL: the kind that it takes */
	/* Put in by itself where a reader and a writer have no kind in common; its parameters all
	 * have defaults. */
	bool is_bridge;
	/* What is reported where rows came, and left as they were; NULL: of other kinds. */
	const char *no_effect;
	/* The state of one conversion, or NULL with a message; .stop frees it. */
	void *(*start)(const struct filter_input *input, struct err *err);
	struct taker taker;
	void (*stop)(void *state);
};

extern const struct registry filters;

static inline const struct filter *filter_of(const struct entry *entry)
{
	return (const struct filter *)entry;
}

#endif
