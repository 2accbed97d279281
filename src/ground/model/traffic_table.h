/* traffic_table.h - network traffic intensity per router, node, link or region and window */
#ifndef MODEL_TRAFFIC_TABLE_H
#define MODEL_TRAFFIC_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/table.h"
#include "model/topo.h"

enum traffic_per { TRAFFIC_ROUTER, TRAFFIC_NODE, TRAFFIC_LINK, TRAFFIC_REGION };
enum traffic_unit { TRAFFIC_FLITS_PER_S, TRAFFIC_BPS };

/* One row of a traffic table. Texts belong to the reader and live until the next row. */
struct traffic_row {
	const char *run; /* NULL: none */
	int64_t end_ns;  /* time_s: the end of the window */
	int64_t window_ns;
	const char *name; /* of the router, node or link; the region's number */
	double traffic;   /* flits/s or B/s; NAN: no valid interval */
	double stall;     /* counts/s; NAN: not measured */
	int64_t samples;  /* intervals that the mean is over, all NICs together; 0: not said */
	int64_t resets;
	bool incomplete;
};

/* ---- one row after the other ---- */

struct traffic_in {
	struct table_in *table; /* not owned */
	enum traffic_per per;   /* the first of router, node, link, region that is a column */
	enum traffic_unit unit; /* flits when both are there */
	int run, time, window, name, traffic, stall, samples, resets, incomplete; /* columns */
};

/* Of a table of kind_traffic that is open. */
void traffic_in_bind(struct traffic_in *in, struct table_in *table);
/* 1: a row; 0: the end; -1: error. row may be NULL. */
int traffic_in_next(struct traffic_in *in, struct traffic_row *traffic, struct row *row,
		    struct err *err);

/* A table of kind_traffic with all columns of struct traffic_row (run only when has_run). */
struct traffic_out;
struct traffic_out *traffic_out_new(struct out *out, enum traffic_per per, enum traffic_unit unit,
				    bool has_run);
/* For ##lines and further columns, which are set before traffic_out_row of each row. */
struct table_out *traffic_out_table(struct traffic_out *traffic);
void traffic_out_row(struct traffic_out *traffic, const struct traffic_row *row);
void traffic_out_end(struct traffic_out *traffic, bool whole);

/* ---- a whole table, by router: what decisions are made from ---- */

/* What is known of every router of a machine in one window. */
struct traffic_window {
	char *run; /* NULL: of every run */
	int64_t end_ns, window_ns;
	double *traffic;   /* [nrouters], in the unit of the table; NAN: no sample at all */
	double *stall;     /* [nrouters], counts/s; NAN likewise */
	bool *is_complete; /* [nrouters]: every NIC of the router was seen */
};

struct traffic {
	enum traffic_unit unit;
	int nrouters;
	struct traffic_window *windows; /* [nwindows], by (run, end); of every run first */
	int nwindows;
	bool is_whole; /* false: the input was truncated */
	struct arena arena;
};

/*
 * Reads tables per router or per node (a router's traffic is then the sum over its nodes, and it is
 * complete when all of them are). Refuses routers and nodes that the machine has not, windows of
 * one run that end together but differ in length, and tables per link or region. paths ends in
 * NULL; empty: standard input.
 */
int traffic_read(struct traffic *traffic, const struct topo *topo, char *const *paths,
		 bool accepts_partial, struct err *err);
void traffic_free(struct traffic *traffic);

/*
 * The newest window of a run that ended by time_ns, or NULL. Jobs that are decided on together
 * share it. A table without a column run holds for every run; run NULL finds only its windows, or
 * those of the only run that there is. INT64_MAX: the newest of all.
 */
const struct traffic_window *traffic_at(const struct traffic *traffic, const char *run,
					int64_t time_ns);

/* "traffic_flits_per_s", "router", … : the names of columns. */
const char *traffic_unit_column(enum traffic_unit unit);
const char *traffic_per_column(enum traffic_per per);

#endif
