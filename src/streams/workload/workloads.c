/* workloads.c - the registry of workloads */
#include "workload/workload.h"

#define REGISTRY "workload/workloads.def"
#define REGISTRY_TYPE struct workload
#define REGISTRY_PREFIX workload_
#include "base/registry_entries.h"

const struct registry workloads = REGISTRY_OF("workloads", "workload");
