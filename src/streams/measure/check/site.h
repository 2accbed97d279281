/* site.h - what a scheduler's partitions and reservations allow jobs, as checks need it */
#ifndef MEASURE_CHECK_SITE_H
#define MEASURE_CHECK_SITE_H

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "formats/table.h"

struct checking;

/* No limit: -1. */
struct site_limits {
	const char *partition, *closed; /* its state, if no job starts in it */
	const char *shares;             /* how its jobs share nodes; NULL: not said */
	bool lists_nodes;               /* else the nodes' table does */
	int64_t nodes_min, nodes_max;   /* −1: not said */
	int64_t walltime_max_ns, walltime_default_ns;
	struct map nodes;
};

struct site_booking {
	const char *reservation;
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
	struct map nodes;
};

/* Zeroed is empty. */
struct site {
	VEC(struct site_limits) partitions;
	const char *partition; /* of jobs that name none */
	VEC(struct site_booking) reservations;
	struct arena arena;
};

/* A row of a partitions or reservations table. */
int site_read(struct site *site, struct table_in *in, struct err *err);
void site_free(struct site *site);

/* Whether any partition says how its jobs share nodes; the word of one (NULL: it is not known). */
bool site_says_shares(const struct site *site);
const char *site_shares(const struct site *site, const char *partition, size_t n);
/* Whether a reservation of this name is there; whether any has the node. */
bool site_holds(const struct site *site, const char *reservation);
bool site_has_reserved(const struct site *site, const char *node);
/* The partitions that have a node, into names, by commas. */
void site_partitions(const struct site *site, const char *node, struct buf *names);

/* Finds what is wrong with a job that a policy placed on nodes by these names [n]. */
void site_check(const struct site *site, struct checking *checking, const struct row *row,
		const char *const *names, size_t n);

#endif
