/* metrics.c - the registry of metrics */
#include "measure/metric/metric.h"

#define REGISTRY "measure/metric/metrics.def"
#define REGISTRY_TYPE struct metric
#define REGISTRY_PREFIX metric_
#include "base/registry_entries.h"

const struct registry metrics = REGISTRY_OF("metrics", "metric");
