/* comm_sum.h - messages add up to a communication graph */
#ifndef MODEL_COMM_SUM_H
#define MODEL_COMM_SUM_H

#include "base/mem.h"
#include "model/flow.h"

/* What one rank sends: an open hash table of destinations. */
struct comm_source {
	int32_t src;
	int32_t n, nslots; /* nslots is a power of two */
	struct comm_slot *slots;
};

/* Zeroed is empty. Memory grows with the pairs of ranks, not with the messages. */
struct comm_sum {
	VEC(struct comm_source) sources; /* in order of appearance */
	int32_t *index;                  /* [nindex]: hash of src → number in sources, or -1 */
	size_t nindex;
	size_t last_source; /* used last */
};

/* src, dst ≥ 0 */
void comm_sum_add(struct comm_sum *sum, int32_t src, int32_t dst, double bytes, double messages);
/* Rows of kind comm: src, dst, bytes, messages, sorted by src, then dst. Declares the columns. */
int comm_sum_emit(struct comm_sum *sum, struct flow *flow, struct err *err);
void comm_sum_free(struct comm_sum *sum);

#endif
