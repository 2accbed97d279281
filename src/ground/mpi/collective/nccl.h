/* nccl.h - what NCCL chooses, and what its protocols cost */
#ifndef MPI_COLLECTIVE_NCCL_H
#define MPI_COLLECTIVE_NCCL_H

#include "mpi/collective/rank_places.h"

const struct collective_algorithm *nccl_choose(const struct collective *call);

/* Of an allreduce whose places are known: what was asked for, or what is expected to take least. */
enum nccl_algorithm nccl_allreduce(const struct collective *call);

/* What the protocol of a call puts on the wire for so many bytes of data: flags beside them. */
int64_t nccl_wire_bytes(const struct collective *call, int64_t bytes);

/* What the kernels take before the messages of a step go, beside the links' own latency: of the
 * algorithms that the files of this folder have for NCCL. */
int64_t nccl_ring_delay_ps(const struct collective *call, int step);
int64_t nccl_tree_delay_ps(const struct collective *call, int step);
int64_t nccl_nvls_delay_ps(const struct collective *call, int step);
int64_t nccl_pxn_delay_ps(const struct collective *call, int step);

/* How many rings a call has. */
int nccl_channels(const struct collective *call);

/*
 * The two binary trees over n domains: in each the leaves are the inner nodes of the other, so that
 * all carry the same (Sanders, Speck, Träff 2009). In the first one, d's parent clears its lowest
 * bit and sets the next one, or only clears it where that is beyond n; its root is 0.
 */
enum { TREE_CHILDREN = 2 };
int nccl_tree_parent(int n, int tree, int d); /* -1: none */
int nccl_tree_depth(int n, int tree, int d);
/* How many; children [TREE_CHILDREN]. */
int nccl_tree_children(int n, int tree, int d, int *children);

/* What the busiest NIC of n domains carries of the vector's share, in the two trees, each way. */
double nccl_tree_load(int n);

/*
 * What a port of a switch that adds up carries of the vector, as time at its rate: NCCL counts 6/5
 * for the (n + 1) / n that there are, at 0.85 of the rate. 0.9 of that where other domains take
 * part is from one report: 430 GB/s on two hosts (NVIDIA/nccl issue 1221).
 */
double nccl_nvls_load(const struct collective *call);

/* ---- the messages of a step, added up by peer ---- */

struct step_messages {
	const struct collective *call;
	int n;
	struct {
		bool is_send;
		int peer;
		int64_t bytes;
	} at[24];
};

/* index: of the peer, one of a few: neighbours in rings and trees. */
void step_add(struct step_messages *messages, bool is_send, int index, int64_t bytes);
/* Hands out those of one kind, with what the protocol puts on the wire beside the data. */
void step_emit(const struct step_messages *messages, bool is_send, collective_message_fn *message,
	       void *context);

#endif
