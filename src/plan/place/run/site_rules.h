/* site_rules.h - what a scheduler's partitions and reservations allow, and when */
#ifndef PLACE_RUN_SITE_RULES_H
#define PLACE_RUN_SITE_RULES_H

#include "base/names.h"
#include "base/str.h"
#include "model/job.h"

/* No limit: 0, of times JOB_NO_TIME. */
struct site_partition {
	const char *name;
	const char *closed; /* its state, if no job starts in it; NULL: jobs do */
	int64_t nodes_min, nodes_max, walltime_max_ns, walltime_default_ns;
	const char *shares; /* how its jobs share nodes: sharings_add's word; NULL: not said */
};

/* Nodes [a bit for each] that are for the jobs of a reservation alone, from start to end. */
struct site_hold {
	const char *name;
	uint64_t *words;
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
};

/* Zeroed is empty. */
struct site_rules {
	VEC(struct site_partition) partitions;
	struct map partition_ids;
	const char *partition; /* of jobs that name none; NULL: all may have any node */
	VEC(struct site_hold) holds;
	int64_t now_ns; /* when a job starts that is chosen now */
	struct arena arena;
};

void site_rules_free(struct site_rules *rules);
void site_rules_add(struct site_rules *rules, struct site_partition partition);
bool site_rules_reserve(const struct site_rules *rules, const char *reservation);

/* Whether a reservation has the node, at whatever time. */
bool site_rules_hold(const struct site_rules *rules, int node);

/* A job that came without its nodes gets what its partition says: the default one, its
 * time limit. */
void site_rules_complete(const struct site_rules *rules, struct job *job);

/* Whether a job may start in a partition; else reason says why not. */
bool site_rules_take(const struct site_rules *rules, const char *partition, size_t n,
		     const struct job *job, struct buf *reason);

/*
 * Takes away from allowed [nwords] what reservations keep from a job that starts at now_ns and
 * is planned for length_ns: it must have ended before they begin. A job in a reservation has the
 * nodes of this one while it lasts. now_ns JOB_NO_TIME: each reservation holds; INT64_MAX: all
 * waits are over, and only those without an end hold that do so from a job which starts at
 * rules->now_ns.
 */
void site_rules_reduce(const struct site_rules *rules, const struct job *job, int64_t length_ns,
		       int64_t now_ns, uint64_t *allowed, int nwords);
/* Whether there is one without an end; whether one will hold its nodes that a job which starts at
 * rules->now_ns may still have. */
bool site_rules_have_endless(const struct site_rules *rules);
bool site_rules_will_narrow(const struct site_rules *rules, int64_t length_ns);

/* The first time after after_ns at which reservations may allow a job more, or never again what it
 * asks for. JOB_NO_TIME: never. */
int64_t site_rules_relax_at(const struct site_rules *rules, const struct job *job,
			    int64_t after_ns);
/* The first time after after_ns from which on a job that starts may get less, since it would still
 * run when a reservation begins, or when its own one ends. JOB_NO_TIME: never. */
int64_t site_rules_narrow_at(const struct site_rules *rules, const struct job *job,
			     int64_t length_ns, int64_t after_ns);

/* The reservation that a job, or a component of it, is to run in and that has ended; NULL: none. */
const char *site_rules_are_over(const struct site_rules *rules, const struct job *job,
				int64_t now_ns);

#endif
