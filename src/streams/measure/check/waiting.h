/* waiting.h - whether jobs wait though domains have room for them */
#ifndef MEASURE_CHECK_WAITING_H
#define MEASURE_CHECK_WAITING_H

#include "measure/check/check.h"
#include "model/domain_asks.h"

struct waiting_job;
struct waiting_holder;

/* Zeroed is empty. */
struct waiting {
	VEC(struct waiting_job) jobs;       /* without nodes */
	VEC(struct waiting_holder) holders; /* with nodes */
	VEC(int) nodes;                     /* of the holders, one after the other */
	VEC(int64_t) units;                 /* of these: GPUs; 0: the whole node */
	int64_t now_ns; /* the latest time that a job came or started: when the stream was written
			 */
	struct arena arena;
};

/* A row that has nodes [n], or (n 0) waits. */
void waiting_add(struct waiting *waiting, struct checking *checking, const struct row *row,
		 const int *nodes, size_t n);
/* Finds jobs that wait though nodes which nobody has would do, as they ask for them. Jobs that may
 * wait for something else are passed over. */
void waiting_end(struct waiting *waiting, struct checking *checking);

#endif
