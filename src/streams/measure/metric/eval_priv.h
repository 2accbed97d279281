/* eval_priv.h - what the parts of an evaluation share */
#ifndef MEASURE_METRIC_EVAL_PRIV_H
#define MEASURE_METRIC_EVAL_PRIV_H

#include "measure/metric/eval.h"
#include "base/names.h"
#include "base/mem.h"
#include "model/mapping.h"
#include "model/metrics.h"
#include "model/metrics_pairs.h"

enum { EVAL_COLUMNS = 32 };

/* All values of one name. */
struct eval_series {
	const char *name, *unit;
	const char *scopes; /* what has the values: "jobs", "mappings", "runs" */
	int64_t nmissing;
	VEC(double) values;
};

/* Rows that agree in the columns of --by. */
struct eval_group {
	const char **by;             /* [ncolumns]; beyond nby: "." */
	struct eval_serieses *found; /* [nmetrics] */
};

struct eval_serieses {
	VEC(struct eval_series) of;
};

/* Rows that agree in run and policy, and in the columns of --by: one machine alone. */
struct eval_run {
	const char **cells; /* [ncolumns] */
	struct eval_group *group;
	void **states; /* [nmetrics] of metrics that are per run */
	VEC(struct eval_mapping) mappings;
};

/* The rows of one mapping: of a job in a run. */
struct eval_mapping {
	const char *job; /* NULL: not said */
	struct mapping_rows rows;
};

struct eval_metric {
	const struct metric *metric;
	struct pick pick;
	void *state; /* unless it is per run */
};

struct eval {
	const struct run_context *run;
	const struct eval_options *options;
	struct table_in *in;
	const struct table_kind *kind;
	struct eval_metric *metrics; /* [nmetrics] */
	int nmetrics;
	bool has_summaries, has_items;
	bool has_own_baseline; /* --baseline is a parameter of the metrics */

	/* The columns of --by, then run and policy unless they are there. */
	const char *columns[EVAL_COLUMNS];
	int column_at[EVAL_COLUMNS]; /* place in the stream */
	int nby, ncolumns;

	struct metric_context context;
	struct traffic traffic;
	bool has_traffic, has_loads;
	struct eval_loads *loads; /* NULL unless has_loads */
	int nodelist_column, run_column, het_column;
	struct map het_ids;                /* run, policy and het_job of components that came */
	int key_columns[8], nkeys;         /* what names an item, less run and policy */
	struct node_ranges ranges, sorted; /* of the row */
	int_vec nodes;                     /* the same one by one, if a metric asks */

	struct map group_ids, run_ids;
	VEC(struct eval_group *) groups;
	VEC(struct eval_run *) runs;
	struct metrics_out *out;
	struct metrics_pairs *pairs; /* NULL: not --paired */
	char item_scope[32], items_scope[32];
	struct arena arena;
	struct buf key, id;
};

/* Where a metric's values go. */
struct metric_sink {
	struct eval *eval;
	struct eval_run *run;
	int metric;
	const char *scope, *scopes; /* "job", "jobs" */
	const char *id;             /* NULL: none */
};

/* Chooses the metrics, opens what they need. */
int eval_prepare(struct eval *eval, struct err *err);
void eval_free(struct eval *eval);
/* The run a row belongs to; made when it is new. NULL: error. */
struct eval_run *eval_run_of(struct eval *eval, const struct row *row, struct err *err);
/* Whether a row is a component of a heterogeneous job of which one came before, in the same run. */
bool eval_counts_component(struct eval *eval, const struct row *row);
/* ---- mappings (eval_loads.c) ---- */

/* Reads the graph, opens the table of links. */
int eval_loads_open(struct eval *eval, struct err *err);
int eval_loads_row(struct eval *eval, struct eval_run *run, const struct row *row, struct err *err);
/* Measures the mappings of a run. */
int eval_loads_end(struct eval *eval, struct eval_run *run, struct err *err);
/* whole: the table of links gets its ##end. Frees. */
int eval_loads_close(struct eval *eval, bool whole, struct err *err);
bool eval_loads_are_whole(const struct eval *eval);

/* One row for each group and series. */
void eval_write_summaries(struct eval *eval);

#endif
