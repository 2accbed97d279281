/* summary.c - a machine in numbers: sizes, distances, bisection */
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "machine/export/exporter.h"
#include "machine/stats/bisection.h"
#include "machine/stats/distance.h"
#include "model/kinds.h"
#include "model/topo_type.h"

struct summary {
	const struct topo *topo;
	struct table_out *table;
	int scope, id, metric, value, unit, note;
};

static void start_row(struct summary *summary, const char *scope, const char *id,
		      const char *metric)
{
	table_out_text(summary->table, summary->scope, scope);
	table_out_text(summary->table, summary->id, id);
	table_out_text(summary->table, summary->metric, metric);
}

static void write_int(struct summary *summary, const char *scope, const char *id,
		      const char *metric, int64_t value)
{
	start_row(summary, scope, id, metric);
	table_out_int(summary->table, summary->value, value);
	table_out_emit(summary->table);
}

/* note NULL: none */
static void write_real(struct summary *summary, const char *scope, const char *id,
		       const char *metric, double value, const char *unit, const char *note)
{
	start_row(summary, scope, id, metric);
	table_out_real(summary->table, summary->value, value);
	table_out_text(summary->table, summary->unit, unit);
	table_out_text(summary->table, summary->note, note);
	table_out_emit(summary->table);
}

/* The results of one pass over the links. */
struct link_counts {
	int nnodes;
	int64_t links[TOPO_LEVELS];
	double injection; /* bytes/s of all nodes' links, one direction */
	const struct topo *topo;
	int *cables; /* [nrouters] */
};

static void count_link(void *context, int a, int b, int level)
{
	struct link_counts *counts = context;

	counts->links[level]++;
	if (a >= counts->nnodes)
		counts->cables[a - counts->nnodes]++;
	if (b >= counts->nnodes)
		counts->cables[b - counts->nnodes]++;
	if (a < counts->nnodes || b < counts->nnodes)
		counts->injection += counts->topo->levels[level].bandwidth;
}

static int64_t count_cores(const struct topo *topo)
{
	int64_t cores = 0;

	for (int node = 0; node < topo->nnodes; node++)
		cores += topo->cores_of != NULL ? topo->cores_of[node] : topo->cores;
	return cores;
}

static void write_sizes(struct summary *summary, const struct link_counts *counts)
{
	const struct topo *topo = summary->topo;
	int64_t nlinks = 0, radix = 0;

	for (int level = 0; level < topo->nlevels; level++)
		nlinks += counts->links[level];
	for (int router = 0; router < topo->nrouters; router++)
		radix = counts->cables[router] > radix ? counts->cables[router] : radix;
	write_int(summary, "machine", topo->name, "nodes", topo->nnodes);
	write_int(summary, "machine", topo->name, "cores", count_cores(topo));
	write_int(summary, "machine", topo->name, "routers", topo->nrouters);
	for (int tier = 1; tier < topo->ntiers; tier++)
		write_int(summary, "tier", topo->tiers[tier].name, "domains", topo->tiers[tier].n);
	write_int(summary, "machine", topo->name, "radix", radix);
	write_int(summary, "machine", topo->name, "links", nlinks);
	for (int level = LINK_TERMINAL; level < topo->nlevels; level++) {
		write_int(summary, "level", topo->levels[level].name, "links",
			  counts->links[level]);
		write_real(summary, "level", topo->levels[level].name, "bandwidth",
			   topo->levels[level].bandwidth, "B/s", NULL);
		write_real(summary, "level", topo->levels[level].name, "latency",
			   topo->levels[level].latency, "s", NULL);
	}
}

static void write_distances(struct summary *summary, struct topo *topo)
{
	static const char BETWEEN[] = "between routers; links of nodes not counted";
	static const char ALL[] = "links of nodes included";
	struct distance_counts counts;
	double mean;

	topo_distances(topo, &counts);
	mean = topo_mean_distance(&counts);
	if (counts.longest >= 0) {
		write_real(summary, "machine", topo->name, "diameter", counts.longest, "links",
			   BETWEEN);
		write_real(summary, "machine", topo->name, "mean_distance", mean, "links", BETWEEN);
		write_real(summary, "machine", topo->name, "longest_route", counts.longest + 2,
			   "links", ALL);
		write_real(summary, "machine", topo->name, "mean_route", mean + 2, "links", ALL);
	}
	if (counts.unreachable > 0)
		write_real(summary, "machine", topo->name, "unreachable_pairs",
			   (double)counts.unreachable, "pairs", "ordered pairs of nodes");
	free(counts.pairs);
}

static void write_bisection(struct summary *summary, struct topo *topo, double injection)
{
	const char *how;
	double width;

	write_real(summary, "machine", topo->name, "injection", injection, "B/s",
		   "all links of nodes, one direction");
	if (topo_bisection(topo, &width, &how) != 0)
		return;
	write_real(summary, "machine", topo->name, "bisection", width, "B/s", how);
	write_real(summary, "machine", topo->name, "bisection_per_injection",
		   width / (injection / 2), NULL,
		   "of what half of the nodes can send; 1 is full bisection");
}

static int write_summary(struct topo *topo, struct out *out, const struct topo_export *how,
			 struct err *err)
{
	struct summary summary = {.topo = topo, .table = table_out_new(out, &kind_metrics)};
	struct link_counts counts = {
		.nnodes = topo->nnodes,
		.topo = topo,
		.cables = xcalloc((size_t)topo->nrouters + 1, sizeof(int)),
	};

	(void)how;
	(void)err;
	topo_record(topo, summary.table);
	summary.scope = table_out_column(summary.table, "scope");
	summary.id = table_out_column(summary.table, "id");
	summary.metric = table_out_column(summary.table, "metric");
	summary.value = table_out_column(summary.table, "value");
	summary.unit = table_out_column(summary.table, "unit");
	summary.note = table_out_column(summary.table, "note");
	topo->type->links(topo, count_link, &counts);
	write_sizes(&summary, &counts);
	write_distances(&summary, topo);
	write_bisection(&summary, topo, counts.injection);
	table_out_end(summary.table, true);
	free(counts.cables);
	return 0;
}

const struct topo_exporter topo_exporter_summary = {
	.entry =
		{
			.name = "summary",
			.summary = "metrics: sizes, links of each level, "
				   "distances, bisection bandwidth",
			.example = "summary",
		},
	.write = write_summary,
};
