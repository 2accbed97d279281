/* engine.h - jobs that share the devices of one node, simulated */
#ifndef COSCHED_ENGINE_H
#define COSCHED_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cosched/policy/node_policy.h"
#include "model/devices.h"
#include "model/kernels.h"

/*
 * The state machine of Khetawat, §§4.3.2, 4.3.3, to the slice, in whole nanoseconds; cosched(1)
 * says it in full. At one instant all ends of slices, releases, completions and arrivals come
 * first, then one decision if there was any of the last three, then jobs see it. A release that
 * follows at the same instant makes another round.
 */

struct engine_job {
	int64_t id; /* ascending; ties go to the lower */
	int64_t arrival_ns, init_ns, launches;
	int32_t priority;
	const struct kernel *kernel; /* can run on one device at least */
};

struct engine_result {
	int64_t id, start_ns, end_ns; /* from the first device that it took to its completion */
	int64_t nswitches;            /* sets that it left for another */
	uint32_t devices;             /* that it had at some time */
};

/* What a device does for a job. */
enum engine_span {
	SPAN_INIT,     /* held while the host part is initialised */
	SPAN_OPEN,     /* set up, or cleaned up */
	SPAN_COPY,     /* input in, output out */
	SPAN_RUN,      /* slices, from the first to the last one */
	SPAN_DRAIN,    /* the rest of a slice after the job has seen that it has to leave */
	SPAN_HELD,     /* held without work: others of the set still work */
	SPAN_RESERVED, /* held by no job, assigned to this one */
};
const char *engine_span_name(enum engine_span span);

/* Who hears what happens; span and slice may be NULL. */
struct engine_sink {
	void *context;
	void (*done)(void *context, const struct engine_result *result);
	void (*span)(void *context, int64_t id, int device, enum engine_span span, int64_t start_ns,
		     int64_t end_ns);
	void (*slice)(void *context, int64_t id, int device, int64_t slice, int64_t start_ns,
		      int64_t end_ns);
};

struct engine;

/* devices and sink outlive it. rules: of the policy. */
struct engine *engine_new(const struct devices *devices, const struct node_rules *rules,
			  const struct engine_sink *sink);
void engine_free(struct engine *engine);
/* From now on, without jobs, another sink hears it. */
void engine_listen(struct engine *engine, const struct engine_sink *sink);
/* A job comes; none came later. All that happens before it is simulated. -1: the policy broke an
 * invariant. */
int engine_push(struct engine *engine, const struct engine_job *job, struct err *err);
/* No more jobs come: simulates the rest, and is as new. -1: also when the policy leaves jobs
 * waiting forever. */
int engine_finish(struct engine *engine, struct err *err);

/* What a job of a kernel sends to the scheduler. */
void engine_profile(struct node_profile *profile, const struct kernel *kernel, int64_t launches);

#endif
