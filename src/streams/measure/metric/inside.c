/* inside.c - how near the ranks of a node that talk to each other are */
#include <math.h>

#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"inside-bytes", "bytes", "what stays inside nodes, but for a rank's messages to itself"},
	{"core-dilation", "1",
	 "levels that such a byte climbs to a part of the node that holds both cores: 1 is the "
	 "nearest; '.' where a rank has no core"},
	{"outermost-bytes", "bytes",
	 "of these, what goes between the outermost parts of a node, such as its packages"},
	{0}};

struct sums {
	double bytes, climbed, outermost;
};

static void add(struct sums *sums, const struct link_loads *loads, int a, int b, double bytes)
{
	const struct mapping *mapping = loads->mapping;
	const struct topo_inside *inside = topo_inside(loads->topo, mapping->node_of[a]);
	int distance = topo_inside_distance(inside, mapping->core_of[a], mapping->core_of[b]);

	sums->bytes += bytes;
	sums->climbed += mapping->core_of[a] >= 0 && mapping->core_of[b] >= 0
				 ? bytes * (double)distance
				 : NAN;
	if (inside != NULL && inside->nlevels > 1 && distance == inside->nlevels)
		sums->outermost += bytes;
}

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	const struct comm *comm = loads->comm;
	struct sums sums = {0};

	(void)state, (void)err;
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			int peer = comm->peer[e];

			if (peer != r &&
			    loads->mapping->node_of[r] == loads->mapping->node_of[peer])
				add(&sums, loads, r, peer, comm->bytes[e]);
		}
	metric_put(sink, outputs[0].name, outputs[0].unit, sums.bytes, NULL);
	metric_put(sink, outputs[1].name, outputs[1].unit,
		   sums.bytes > 0 ? sums.climbed / sums.bytes : 0, NULL);
	metric_put(sink, outputs[2].name, outputs[2].unit,
		   isnan(sums.climbed) ? NAN : sums.outermost, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_inside = {
	.entry = {.name = "inside",
		  .example = "inside",
		  .summary = "how close the cores of a node are whose ranks communicate"},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.only_when_asked = true,
	.outputs = outputs,
	.mapping = mapping,
};
