/* metrics.c - the registry of metrics */
#include "measure/metric/metric.h"

#define X(name) extern const struct metric metric_##name;
#include "measure/metric/metrics.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &metric_##name.entry,
#include "measure/metric/metrics.def"
#undef X
};

const struct registry metrics = {
	.name = "metrics",
	.noun = "metric",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
