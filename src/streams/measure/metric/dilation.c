/* dilation.c - how far the messages of a mapped job go */
#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"hop-bytes", "bytes", "sum of bytes × links on the route"},
	{"dilation", "1", "sum of messages × links on the route"},
	{"dilation-mean", "1", "links that a message takes, 0 inside a node"},
	{"network-bytes", "bytes", "what does not stay inside a node"},
	{0}};

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	(void)state, (void)err;
	metric_put(sink, outputs[0].name, outputs[0].unit, loads->hop_bytes, NULL);
	metric_put(sink, outputs[1].name, outputs[1].unit, loads->dilation, NULL);
	metric_put(sink, outputs[2].name, outputs[2].unit,
		   loads->all_messages > 0 ? loads->dilation / loads->all_messages : 0, NULL);
	metric_put(sink, outputs[3].name, outputs[3].unit, loads->network_bytes, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_dilation = {
	.entry = {.name = "dilation",
		  .aliases = "hop-bytes",
		  .example = "dilation",
		  .summary = "links on the routes of messages, by message and by byte"},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.outputs = outputs,
	.mapping = mapping,
};
