/* escape.c - how much of a job's messages leaves its nodes (Figs 1 and 3 of Bleuse et al.) */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/own_routes.h"
#include "measure/metric/regions.h"
#include "model/kinds.h"

static const struct metric_output compute_outputs[] = {
	{"compute-escape", "1",
	 "part of the routes between two of the job's nodes that visit a "
	 "router below which other compute nodes are too"},
	{0}};
static const struct metric_output io_outputs[] = {
	{"io-escape", "1",
	 "part of the routes between the job's nodes and its I/O nodes, there and back, that do"},
	{0}};
static const struct metric_output foreign_outputs[] = {
	{"io-foreign-nodes", "1",
	 "compute nodes that the job does not have, idle ones too, on routers of the routes "
	 "between its nodes and its I/O nodes"},
	{0}};

struct escape {
	struct regions regions;
	struct own_routes own;
	int *counted; /* [nrouters] the last job that counted its nodes */
	/* Of the job at hand. */
	struct route_counts counts;
	int64_t nforeign;
};

static int escape_open(void **state, const struct pick *pick, const struct metric_context *context,
		       struct err *err)
{
	struct escape *escape = xcalloc(1, sizeof(*escape));

	(void)pick;
	*state = escape;
	escape->counted = xcalloc((size_t)context->topo->nrouters, sizeof(*escape->counted));
	if (regions_open(&escape->regions, context, err) != 0)
		return -1;
	own_routes_open(&escape->own, &escape->regions.geometry);
	return 0;
}

static void close(void *state)
{
	struct escape *escape = state;

	own_routes_close(&escape->own);
	regions_close(&escape->regions);
	free(escape->counted);
	free(escape);
}

/* Compute nodes at a router that the job does not have; once a job. */
static int foreign_nodes(struct escape *escape, int router)
{
	const struct geometry *geometry = &escape->regions.geometry;
	const struct topo *topo = geometry->topo;
	const struct topo_graph *graph = topo->graph;
	int n = 0;

	if (escape->counted[router] == geometry->job)
		return 0;
	escape->counted[router] = geometry->job;
	for (int64_t i = graph->first[topo->nnodes + router];
	     i < graph->first[topo->nnodes + router + 1] && graph->peer[i] < topo->nnodes; i++)
		n += geometry_computes(geometry, graph->peer[i]) &&
		     !geometry_has(geometry, graph->peer[i]);
	return n;
}

/* Messages between two nodes of one router meet no others. */
static void add_route(struct escape *escape, int a, int b)
{
	struct geometry *geometry = &escape->regions.geometry;
	int escapes;

	if (a == b || (escapes = geometry_escapes(geometry, a, b)) < 0)
		return;
	escape->counts.nroutes++;
	escape->counts.nescaping += escapes;
	for (size_t i = 0; i + 1 < geometry->path.n && geometry->path.n > 2; i++)
		escape->nforeign +=
			foreign_nodes(escape, geometry_router_at(geometry, geometry->path.at[i]));
}

static int start(struct escape *escape, const struct metric_item *item, struct region *region,
		 struct err *err)
{
	if (regions_of(&escape->regions, item, region, err) != 0)
		return -1;
	escape->counts = (struct route_counts){0};
	escape->nforeign = 0;
	geometry_mark(&escape->regions.geometry, region);
	return 0;
}

static double part(const struct escape *escape)
{
	const struct route_counts *counts = &escape->counts;

	return counts->nroutes > 0 ? (double)counts->nescaping / (double)counts->nroutes : NAN;
}

static int compute_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		       struct err *err)
{
	struct escape *escape = state;
	struct region region;

	if (start(escape, item, &region, err) != 0)
		return -1;
	escape->counts = own_routes_count(&escape->own, item->by_label);
	metric_put(sink, compute_outputs[0].name, "1", part(escape),
		   region.n == 0   ? "not placed"
		   : region.n == 1 ? "a single node"
				   : NULL);
	return 0;
}

/* All routes between its nodes and its I/O nodes. Returns why there are none, or NULL. */
static const char *add_io(struct escape *escape, const struct region *region)
{
	int nswitches = 0;

	for (int i = 0; i < region->nio; i++) {
		int io = region->io[i].node;

		nswitches += io < 0;
		for (int k = 0; io >= 0 && k < region->n; k++) {
			add_route(escape, region->nodes[k], io);
			add_route(escape, io, region->nodes[k]);
		}
	}
	return region->n == 0     ? "not placed"
	       : region->nio == 0 ? "no I/O nodes"
	       : nswitches > 0    ? "no route ends at a switch"
				  : NULL;
}

static int io_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		  struct err *err)
{
	struct escape *escape = state;
	struct region region;
	const char *note;

	if (start(escape, item, &region, err) != 0)
		return -1;
	note = add_io(escape, &region);
	metric_put(sink, io_outputs[0].name, "1", part(escape), note);
	return 0;
}

static int foreign_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		       struct err *err)
{
	struct escape *escape = state;
	struct region region;
	const char *note;

	if (start(escape, item, &region, err) != 0)
		return -1;
	note = add_io(escape, &region);
	metric_put(sink, foreign_outputs[0].name, "1",
		   escape->counts.nroutes > 0 ? (double)escape->nforeign : NAN, note);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};
static const char *const io_columns[] = {"nodelist", "io_nodelist", NULL};

#define ESCAPE(id, name_of, what, figure, columns_of, outputs_of, row_of)                          \
	const struct metric metric_##id = {                                                        \
		.entry = {.name = name_of,                                                         \
			  .example = name_of,                                                      \
			  .summary = what,                                                         \
			  .paper = "Bleuse et al., " figure},                                      \
		.kinds = kinds,                                                                    \
		.columns = columns_of,                                                             \
		.needs = METRIC_TOPOLOGY | METRIC_ROUTES,                                          \
		.only_when_asked = true,                                                           \
		.outputs = outputs_of,                                                             \
		.open = escape_open,                                                               \
		.row = row_of,                                                                     \
		.close = close,                                                                    \
	}

ESCAPE(compute_escape, "compute-escape",
       "fraction of the messages between the job's nodes that leave them", "Fig. 1", columns,
       compute_outputs, compute_row);
ESCAPE(io_escape, "io-escape",
       "fraction of the messages between the job's nodes and its I/O nodes that leave "
       "them",
       "Fig. 1", io_columns, io_outputs, io_row);
ESCAPE(io_foreign_nodes, "io-foreign-nodes",
       "compute nodes of other jobs that the job's "
       "I/O passes",
       "Fig. 3", io_columns, foreign_outputs, foreign_row);
