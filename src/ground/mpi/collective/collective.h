/* collective.h - algorithms of collective operations: which rank sends what to whom, in
 * which step */
#ifndef MPI_COLLECTIVE_COLLECTIVE_H
#define MPI_COLLECTIVE_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registry.h"
#include "model/mpi_collective.h"

/*
 * Who takes a rank's messages of a step. A rank begins a step when all its messages of the step
 * before are done, and begins all messages of the step at once. Steps are numbered alike on all
 * ranks: what one sends in step k its peer receives in its step k. peer is a rank of the
 * communicator, never the rank itself. Between two ranks there is at most one message each way in
 * a step.
 */
typedef void collective_message_fn(void *context, bool is_send, int peer, int64_t bytes);

/* What a step is: towards the root of a tree, away from it, or neither. */
enum collective_way { STEP_EXCHANGE, STEP_UP, STEP_DOWN };

struct collective_algorithm {
	struct entry entry;
	unsigned ops; /* 1u << enum collective_op of each operation that it does */
	int (*nsteps)(const struct collective *call);
	/* The messages of rank in step (0 … nsteps - 1), sends first. call->nranks > 1 */
	void (*step)(const struct collective *call, int rank, int step,
		     collective_message_fn *message, void *context);
	/* NULL: STEP_EXCHANGE, always */
	enum collective_way (*way)(const struct collective *call, int step);
	/* Kernels of GPUs send them, always at once: what passes before a step's messages go. NULL:
	 * they are messages as others */
	int64_t (*delay_ps)(const struct collective *call, int step);
};

extern const struct registry collective_algorithms;

static inline const struct collective_algorithm *collective_of(const struct entry *entry)
{
	return (const struct collective_algorithm *)entry;
}

/*
 * Libraries that choose among the algorithms: "mpich", "tracer", "linear", "ring"
 * (collective_choice.c), "mpich-smp" (node_aware.c), "openmpi", "openmpi-4.0" (openmpi.c), "nccl"
 * (nccl.c). Ends in NULL.
 */
extern const char *const collective_libraries[];
#define COLLECTIVE_LIBRARIES "mpich|tracer|linear|ring|openmpi|openmpi-4.0|nccl|mpich-smp"

/* The algorithm that a library takes for a call; NULL: the operation moves no messages (one rank,
 * create, destroy). */
const struct collective_algorithm *collective_choose(const struct collective *call,
						     const char *library);

/* Whether its choices depend on where ranks are: then call->places says it, if somebody knows. */
bool collective_asks_places(const char *library);

/* All messages of a rank in all steps; nothing when collective_choose says so. */
void collective_expand(const struct collective *call, const char *library, int rank,
		       collective_message_fn *message, void *context);

/* ---- what algorithms share ---- */

/* The least k with 2^k ≥ n; the greatest power of two ≤ n. n > 0 */
int collective_log2_up(int n);
int collective_power_below(int n);

#endif
