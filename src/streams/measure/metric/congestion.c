/* congestion.c - what the links carry for a mapped job */
#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"max-congestion", "bytes", "the most on a directed link, bytes over capacity"},
	{"max-congestion-messages", "1", "the most messages on a directed link"},
	{"nzca", "bytes", "non-zero congestion average: mean over the links that carry anything"},
	{"nzcv", "bytes2", "non-zero congestion variance: of those links"},
	{"links-used", "1", "directed links that carry anything"},
	{"links-max", "1", "number of links that carry the most"},
	{0}};

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	struct congestion found = congestion_of(loads);
	const double values[] = {found.max,      found.max_messages,  found.mean,
				 found.variance, (double)found.nused, (double)found.nmax};

	(void)state, (void)err;
	for (int i = 0; outputs[i].name != NULL; i++)
		metric_put(sink, outputs[i].name, outputs[i].unit, values[i], NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_congestion = {
	.entry = {.name = "congestion",
		  .example = "congestion",
		  .summary = "what directed links carry; capacity is relative to the terminal link",
		  .paper = "Mirsadeghi, Afsahi: PTRAM, §II and §IV-A"},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.outputs = outputs,
	.mapping = mapping,
};
