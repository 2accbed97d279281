/* profile.c - what must hold of MPI profiles */
#include <stdlib.h>
#include <string.h>

#include "measure/check/check.h"
#include "base/names.h"
#include "model/kinds.h"

/* Reports round to three decimals, and there are four parts. */
static const double rounding = 0.005;

/* A row that says for which node counts it holds; all of an application are chained. */
struct range {
	int64_t min, max;
	long line;
	int64_t next; /* -1: none */
};

struct profiles {
	struct map apps; /* name → the latest of its ranges */
	VEC(struct range) ranges;
};

static void profile_open(struct checking *checking)
{
	checking->state = xcalloc(1, sizeof(struct profiles));
}

static void check_parts(struct checking *checking, const struct row *at)
{
	static const char *const parts[] = {"allreduce_fraction", "sendrecv_fraction",
					    "wait_fraction", "other_fraction"};
	double all, sum = 0, part;

	if (!cell_real(at, table_find(checking->in, "mpi_fraction"), &all))
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (cell_real(at, table_find(checking->in, parts[i]), &part))
			sum += part;
	if (sum > all + rounding)
		found_at(checking, at,
			 "mpi_fraction: its parts add up to %.6g, more than the whole, %.6g", sum,
			 all);
}

static void check_range(struct checking *checking, const struct row *at)
{
	struct profiles *profiles = checking->state;
	const char *app = row_text(at, table_find(checking->in, "app"));
	struct range range = {.line = at->line};
	int64_t first;

	if (!cell_int(at, table_find(checking->in, "nodes_min"), &range.min) ||
	    !cell_int(at, table_find(checking->in, "nodes_max"), &range.max))
		return;
	first = map_get(&profiles->apps, app, strlen(app));
	for (int64_t i = first; i >= 0; i = profiles->ranges.at[i].next) {
		const struct range *other = &profiles->ranges.at[i];

		if (range.min > other->max || other->min > range.max)
			continue;
		found_at(checking, at, "%s has a profile for some of these node counts in line %ld",
			 app, other->line);
		break;
	}
	range.next = first;
	map_set(&profiles->apps, app, strlen(app), (int64_t)profiles->ranges.n);
	vec_push(&profiles->ranges, range);
}

static void row(struct checking *checking, const struct row *at)
{
	static const char *const classes[] = {"network-sensitive", "network-insensitive", NULL};

	check_word(checking, at, "class", classes);
	check_ordered(checking, at, "nodes_min", "nodes_max");
	check_ordered(checking, at, "nodes_min", "nodes");
	check_ordered(checking, at, "nodes", "nodes_max");
	check_ordered(checking, at, "mpi_s", "runtime_s");
	check_parts(checking, at);
	check_range(checking, at);
}

static void close(struct checking *checking)
{
	struct profiles *profiles = checking->state;

	map_free(&profiles->apps);
	free(profiles->ranges.at);
	free(profiles);
}

const struct check check_profile = {
	.entry =
		{
			.name = "profile",
			.example = "profile",
			.summary = "ranges of node counts do not overlap, and parts of the "
				   "time in MPI do not exceed the whole",
		},
	.kind = &kind_profile,
	.open = profile_open,
	.row = row,
	.close = close,
};
