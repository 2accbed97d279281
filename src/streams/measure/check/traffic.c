/* traffic.c - what must hold of traffic per component and window */
#include <stdlib.h>

#include "measure/check/series.h"
#include "base/str.h"
#include "model/kinds.h"

static void traffic_open(struct checking *checking)
{
	checking->state = xcalloc(1, sizeof(struct series));
}

/* Which component the row is of; NULL: none is named. */
static const char *component(const struct checking *checking, const struct row *at)
{
	static const char *const columns[] = {"router", "node", "link", "region"};
	const char *name = NULL;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]) && name == NULL; i++)
		name = row_text(at, table_find(checking->in, columns[i]));
	return name;
}

static void row(struct checking *checking, const struct row *at)
{
	int flits = table_find(checking->in, "traffic_flits_per_s");
	int bytes = table_find(checking->in, "traffic_Bps");
	bool has_value = row_text(at, flits) != NULL || row_text(at, bytes) != NULL;
	int64_t samples;

	check_not_negative(checking, at, "window_s", true);
	if (component(checking, at) == NULL)
		found_at(checking, at, "names no router, node, link or region");
	else
		series_check(checking->state, checking, at, component(checking, at));
	check_node(checking, at, "node");
	check_router(checking, at, "router");
	if (!cell_int(at, table_find(checking->in, "samples"), &samples))
		return;
	if (samples == 0 && has_value)
		found_at(checking, at, "traffic without a single sample");
	if (samples > 0 && !has_value)
		found_at(checking, at, "samples: %lld, but no traffic", (long long)samples);
}

static void close(struct checking *checking)
{
	series_free(checking->state);
	free(checking->state);
}

const struct check check_traffic = {
	.entry =
		{
			.name = "traffic",
			.example = "traffic",
			.summary = "routers and nodes exist, windows have a length and "
				   "are in order of time, values have samples",
		},
	.kind = &kind_traffic,
	.open = traffic_open,
	.row = row,
	.close = close,
};
