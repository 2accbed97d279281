/* counter_samples.h - counters that flat jobs would have left in the hardware */
#ifndef TRAFFIC_COUNTERS_COUNTER_SAMPLES_H
#define TRAFFIC_COUNTERS_COUNTER_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/route/route.h"
#include "base/mem.h"
#include "formats/out.h"
#include "formats/table.h"
#include "model/topo.h"

/* ---- jobs and the rates they cause (counters_jobs.c, counters_flows.c) ---- */

struct counter_job {
	int first, n; /* its part of counter_jobs.nodes */
	double intensity;
	bool is_broadcast;  /* all others fetch from its first node */
	int64_t start, end; /* ns */
	int run;            /* number of the run; 0 when there are none */
};

struct counter_jobs {
	VEC(struct counter_job) jobs;
	int_vec nodes;
	struct map run_ids;
	VEC(char *) runs;
	int64_t first_start, last_end; /* of those that say it; INT64_MIN: none does */
	struct arena arena;
};

/* Placed jobs of a stream, of one run unless run is NULL; runs that overlap in time are refused,
 * since they were different machines. Jobs without an intensity have the given one. */
int counter_jobs_read(struct counter_jobs *jobs, struct table_in *in, const struct topo *topo,
		      const char *run, double intensity, struct err *err);
void counter_jobs_free(struct counter_jobs *jobs);

/* Rates are whole multiples of 2^-10 per second, so that what a job adds it takes away again. */
enum { RATE_BITS = 10, VCS = 8 };

/* What enters the far end of a directed channel. Requests travel on virtual channels 0 to 3 (their
 * number of network hops so far), responses on 4 to 7. */
struct channel_rate {
	int64_t flits[VCS], packets[VCS];
	int64_t stalls; /* at the input of the tile or port that the channel ends in */
};

struct counter_flows {
	struct topo *topo;
	const struct topo_graph *graph;
	struct routing *routing;
	double stalls_per_flit;
	int most_partners;
	struct channel_rate *rates; /* [2·nlinks] */
	int_vec path;
};

int counter_flows_open(struct counter_flows *flows, struct topo *topo, const char *routing,
		       double stalls_per_flit, int most_partners, struct err *err);
void counter_flows_close(struct counter_flows *flows);
/* Adds a job's rates (sign 1) or takes them away (sign -1). */
int counter_flows_add(struct counter_flows *flows, const struct counter_jobs *jobs,
		      const struct counter_job *job, int sign, struct err *err);

/* ---- layouts: what a monitoring system calls the counters (layout_*.c) ---- */

/* Columns after app_id, and which counter of the row's unit is in each (-1: always 0). */
struct counter_schema {
	struct buf header; /* ",NAME,NAME…" */
	VEC(int) cells;
};

/* Counters that are in one piece of hardware, and go back to 0 together. */
struct counter_unit {
	int64_t first;
	int n;
};

/* Who writes a row each time. */
struct counter_row {
	char *producer, *text; /* text: NULL, or cells between app_id and the counters: ",TEXT…" */
	int64_t component;
	int schema, unit;
};

struct counter_layout {
	VEC(struct counter_schema) schemas;
	VEC(struct counter_unit) units;
	VEC(struct counter_row) rows; /* rows of one schema together */
	int64_t ncounters;
	struct arena arena;
};

struct layout_options {
	bool all_columns;
	int redundancy; /* how many of a router's producers report each counter */
	int slice;      /* only this one of a router's producers; -1: all */
};

struct counter_source {
	const char *name;
	/* Fills the layout. */
	void (*open)(struct counter_layout *layout, const struct counter_flows *flows,
		     const struct layout_options *options);
	/* Fills rates [ncounters] (multiples of 2^-10 per second) from flows->rates. */
	void (*rates)(const struct counter_layout *layout, const struct counter_flows *flows,
		      int64_t *rates);
};

extern const struct counter_source source_aries, source_cray_aries_r, source_infiniband;

/* ---- samples (counters_write.c) ---- */

struct sampling {
	int64_t start, end, interval;       /* ns */
	double jitter_s;                    /* rows are up to so much late */
	double holes, duplicates, disorder; /* parts of the rows */
	int resets;                         /* how often a router's counters go back to 0 */
	bool is_fresh; /* all counters begin at 0, not at what earlier jobs left */
	bool has_header, is_cut;
	uint64_t seed;
};

int counters_write(const struct sampling *sampling, const struct counter_source *source,
		   const struct layout_options *options, struct counter_flows *flows,
		   const struct counter_jobs *jobs, struct out *out, struct err *err);

#endif
