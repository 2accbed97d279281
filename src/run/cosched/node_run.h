/* node_run.h - one run of jobs that share the devices of a node, or of many */
#ifndef COSCHED_NODE_RUN_H
#define COSCHED_NODE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/umap.h"
#include "cosched/bound.h"
#include "cosched/engine.h"
#include "formats/table.h"

/* What all runs of a stream have in common; threads only read it. */
struct node_setup {
	const struct devices *devices;
	const struct node_rules *rules;
	int ncolumns; /* of a row */
	bool keeps_spans, keeps_slices, keeps_bound;
};

/* A row that is not written yet: its jobs, one on each node, have not all completed, or one before
 * it has not. */
struct run_row {
	struct row row; /* its own copy */
	struct engine_job job;
	const char *nodelist; /* in the row; NULL: the only node */
	const char *reason;   /* why no device can run it; NULL: one can */
	struct engine_result result;
	int nrunning; /* nodes it runs on or waits for */
};

/* What a device did: a span of time, or a slice. */
struct run_event {
	int64_t id; /* of the job: base and the place in rows */
	const char *node;
	int device;
	enum engine_span span;
	int64_t slice, start_ns, end_ns;
};

struct run_node {
	struct node_run *run;
	char *name; /* "" where jobs have no nodelist */
	int64_t last_id;
	struct engine *engine;
	engine_jobs jobs; /* of the run, where its bound is asked for */
};

typedef VEC(struct run_event) run_events;
typedef VEC(struct engine *) engine_pool; /* without jobs */

struct node_run {
	const struct node_setup *setup;
	char *name;                /* NULL: no column, or "." */
	VEC(struct run_row) rows;  /* in the order of input; the first nwritten are gone */
	size_t npushed, nwritten;  /* of rows */
	int64_t base;              /* id of the first of rows */
	int64_t first_ns, last_ns; /* submission of the first and the last job */
	VEC(struct run_node *) nodes;
	struct map node_of;
	engine_pool *pool;        /* of whoever simulates it */
	run_events spans, slices; /* in the order in which they ended */
	double bound_s;           /* NAN: not known */
	bool has_too_many;        /* jobs for a bound */
	bool is_cut;              /* the input broke off: the rest is not simulated */
	int status;
	struct err err;
};

void engine_pool_free(engine_pool *pool);

struct node_run *node_run_new(const struct node_setup *setup);
void node_run_free(struct node_run *run); /* NULL is allowed */
/* As new; name may be NULL. */
void node_run_begin(struct node_run *run, const char *name);
/* Takes the row, of which it makes a copy, and what was read of it; job.id is set here. */
struct run_row *node_run_add(struct node_run *run, const struct run_row *row);

/* Simulates as far as the jobs that were added say, with engines of run->pool, which one thread
 * uses at a time. Returns 0 or -1. */
int node_run_go_on(struct node_run *run, struct err *err);
/* All jobs were added: simulates the rest, returns the engines, and finds the bound. */
int node_run_finish(struct node_run *run, struct err *err);
/* Both, or the first where the run is cut; the result is in status and err. */
void node_run_simulate(struct node_run *run, engine_pool *pool);

/* The next row that is complete, in the order of the input; NULL: there is none. It is valid until
 * the run is asked again. */
struct run_row *node_run_next(struct node_run *run);
/* The row of an event. */
const struct run_row *node_run_row(const struct node_run *run, int64_t id);

#endif
