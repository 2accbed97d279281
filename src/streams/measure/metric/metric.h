/* metric.h - what evalmetrics can measure: the registry of metrics and their contract */
#ifndef MEASURE_METRIC_METRIC_H
#define MEASURE_METRIC_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/route/route.h"
#include "base/registry.h"
#include "formats/table.h"
#include "model/topo.h"
#include "model/traffic_table.h"

/* What a metric must have; without it, it is left out of the default and refused when asked for. */
enum metric_needs {
	METRIC_TOPOLOGY = 1,
	METRIC_ROUTES = 2,
	METRIC_TRAFFIC = 4,
	METRIC_LOADS = 8, /* a communication graph, and what it puts on the links */
	METRIC_NAMED =
		16, /* the topology, where something says which it is: the metric does without. The
		     * nodes of a row are read for it if the metric is given a window. */
};

struct metric_context {
	const struct table_in *in; /* its columns: table_find(in, "start_s") */
	const struct table_kind *kind;
	struct topo *topo;             /* NULL unless needed */
	struct routing *routing;       /* NULL unless needed */
	const struct traffic *traffic; /* NULL unless needed */
};

/* One row of the stream. */
struct metric_item {
	const struct row *row;
	const char *run; /* NULL: none */
	/* A component of a heterogeneous job of which one came before: the job was counted. */
	bool is_counted;
	/* Of a placed job, if the metric needs the topology and reads jobs; else none. */
	const struct node_ranges *ranges;   /* in the order of picking */
	const struct node_ranges *by_label; /* those that touch joined */
	int nnodes;                         /* 0: not placed */
	bool has_list;                      /* it has a node list, if only of unknown nodes */
	int_vec *listed;                    /* for metric_item_nodes */
};

/* The nodes [nnodes] one by one, in the order of picking; valid until the next item. What can be
 * counted by ranges or domains is: a job may have a hundred thousand nodes. */
const int *metric_item_nodes(const struct metric_item *item);

/*
 * Takes a value: of the item when called from row() or mapping(), of the run from end(). NAN
 * is missing. name and unit live as long as the metric; note (may be NULL) is copied.
 */
struct metric_sink;
void metric_put(struct metric_sink *sink, const char *name, const char *unit, double value,
		const char *note);

/* What the item of row() is called in the output; NULL: it has no name. Valid until row() ends. */
const char *metric_item_id(const struct metric_sink *sink);
/* From end(): a value of an item of the run, which metrics know only when all rows were read. */
void metric_put_item(struct metric_sink *sink, const char *id, const char *name, const char *unit,
		     double value, const char *note);

/* A value that a metric gives. */
struct metric_output {
	const char *name, *unit, *meaning;
};

/*
 * A metric sees the rows of a stream one after the other. Of one that is per_run there is a state
 * for each run and policy (each distinct combination of the columns run, policy and those of --by):
 * makespan. Others share one state, for what can be used again. A mapping is measured when all its
 * rows were read.
 */
struct link_loads; /* measure/metric/link_loads.h */
struct metric {
	struct entry entry;
	const struct table_kind *const *kinds; /* streams it measures; ends in NULL; NULL: any */
	const char *const *columns; /* that the stream must have; ends in NULL; NULL: none */
	/* The column whose values it compares with one of them, that of its parameter baseline;
	 * NULL: none. --baseline COLUMN=VALUE sets the parameter. */
	const char *compares;
	unsigned needs; /* of enum metric_needs */
	bool per_run, only_when_asked;
	const struct metric_output *outputs; /* for the manual; ends in name NULL */
	/* Any of these may be NULL; without open there is no state. */
	int (*open)(void **state, const struct pick *pick, const struct metric_context *context,
		    struct err *err);
	int (*row)(void *state, const struct metric_item *item, struct metric_sink *sink,
		   struct err *err);
	/* Of each mapping (run, policy, job); for those that need METRIC_LOADS. */
	int (*mapping)(void *state, const struct link_loads *loads, struct metric_sink *sink,
		       struct err *err);
	/* After the last row of the run. */
	int (*end)(void *state, struct metric_sink *sink, struct err *err);
	void (*close)(void *state);
};

extern const struct registry metrics; /* "metrics" */

static inline const struct metric *metric_of(const struct entry *entry)
{
	return (const struct metric *)entry;
}

#endif
