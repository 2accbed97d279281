/* aggregate_priv.h - streams of samples, components, and what ties them together */
#ifndef TRAFFIC_AGGREGATE_PRIV_H
#define TRAFFIC_AGGREGATE_PRIV_H

#include "traffic/aggregate.h"

/* A counter without a value. */
#define NO_COUNT UINT64_MAX

/* What a probe lacks of its stream's intervals in one window. */
struct loss {
	int64_t dt_ns;
	int32_t intervals, resets;
};

/* One of the two open windows, by the parity of its number. */
struct stream_window {
	int64_t dt_ns;     /* all intervals together */
	int32_t intervals; /* 0: nothing below is other than zero */
	bool has_losses;
	double *sum;         /* [nprobes] counts */
	struct loss *losses; /* [nprobes] */
};

/* The rows of one producer (and instance) under headers of one layout. */
struct stream {
	int64_t last_ns, shortest_ns;
	bool has_last;
	int nprobes, ncounters;
	uint64_t *last; /* [ncounters]: counts of the last sample, or NO_COUNT */
	int64_t *stamp; /* [ncounters]: their own times; NULL: the row's */
	struct stream_window windows[2];
	double traffic_scale, stall_unit, tick_s;
	const char *key; /* [key_n] what distinguishes its rows */
	size_t key_n;
	struct stream *next; /* whose row came after this one's the last time; a guess */
	int64_t id;          /* component_id; orders redundant producers, with name */
	const char *name;
};

struct candidate {
	struct stream *stream;
	int probe;
	struct candidate *next; /* in order of (id, name) of the streams */
};

/* A probe of a component, whoever samples it. */
struct slot {
	enum probe_kind kind;
	int owner;
	const char *label;
	struct candidate *first;
};

struct component {
	const char *name;
	int index;
	int nowners;            /* that a complete one has at least */
	VEC(struct slot) slots; /* by kind, owner, label */
};

struct aggregate {
	struct aggregate_options options;
	struct feed_counts *feed_counts;
	window_fn *take;
	void *context;
	struct aggregate_counts counts;
	struct err *err;

	/* By producer, instance and layout; UNKNOWN_STREAM: not of this machine. */
	struct map stream_ids;
	VEC(struct stream *) streams;
	struct stream *last; /* of the row before; NULL */
	struct buf key;

	struct map component_ids;
	VEC(struct component *) components;
	VEC(struct component *)
	ordered;              /* the same, in the order of output, as of the last window */
	int *nodes_of_router; /* [nrouters + 1] first of each router in router_nodes */
	int *router_nodes;    /* [nnodes], by router, in label order */

	/* Windows first and first + 1 are open, once has_windows. */
	bool has_origin, has_windows;
	int64_t origin_ns, newest_ns;
	int64_t first;
	int64_t low2, middle2, high2; /* twice the start of first, its end, the next one's end */
	int64_t nintervals[2];
	char *run;
	struct map runs; /* those that began */
	bool has_samples, names_runs;
	VEC(struct traffic_result) results;

	VEC(uint64_t) values; /* of the row being taken */
	VEC(int64_t) stamps;
	struct arena arena;
};

/* ---- place.c ---- */
/* Ties the probes of a new stream to the components they belong to. 0; 1: the machine does not have
 * its producer; -1: its component is unknown. */
int place_stream(struct aggregate *aggregate, struct stream *stream, const struct sample *sample,
		 struct err *err);
void place_free(struct aggregate *aggregate);

/* ---- values.c ---- */
/* Reads the row's counters into values and stamps. 0, or -1: one is no number. */
int values_read(struct aggregate *aggregate, const struct sample *sample);
/* Takes them into the stream; window 0 or 1, or -1: only as what the next one starts from. */
void values_take(struct aggregate *aggregate, struct stream *stream, const struct sample *sample,
		 int window, int64_t dt_ns);

/* ---- windows.c ---- */
/* The open window (0 or 1) of an interval; -1: none. Closes those that have become too old; -2:
 * error. */
int window_of(struct aggregate *aggregate, int64_t from_ns, int64_t to_ns);
/* Closes what ended long enough before the newest sample. */
int window_expire(struct aggregate *aggregate);
int window_finish(struct aggregate *aggregate);

#endif
