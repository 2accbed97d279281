/* kinds.h - the kinds of tables, their columns and what they mean */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "formats/table.h"

extern const struct table_kind kind_classifier, kind_jobs, kind_nodes, kind_counters, kind_traffic,
	kind_profile, kind_comm, kind_mapping, kind_links, kind_ranks, kind_loadcurve, kind_iotrace,
	kind_mpitrace, kind_metrics, kind_kernels, kind_sharing, kind_slices, kind_storage,
	kind_timeline, kind_partitions, kind_reservations, kind_events, kind_nights, kind_graph;

/* All of them, sorted by name; ends in NULL: for tools that read any stream. */
extern const struct table_kind *const all_kinds[];

#endif
