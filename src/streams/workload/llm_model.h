/* llm_model.h - a training of a large language model: its numbers, what they make of each GPU */
#ifndef WORKLOAD_LLM_MODEL_H
#define WORKLOAD_LLM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"

enum llm_shard { SHARD_NONE, SHARD_OPTIMIZER, SHARD_GRADIENTS, SHARD_PARAMETERS };
enum llm_recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };

struct llm {
	/* the model */
	const char *name; /* or "own" */
	int64_t layers, hidden, heads, kv_heads, ffn, seq, vocab, experts, topk;
	bool is_gated, is_tied, is_causal;
	/* how it is split: GPUs of each kind of group */
	int tp, cp, ep, pp, dp, chunks; /* chunks: of a stage, interleaved */
	int64_t micro, batch, nmicro;   /* sequences of a micro-batch, of a step; micro-batches */
	enum llm_shard shard;
	enum llm_recompute recompute;
	bool is_sequence_parallel, overlaps, rings; /* rings: keys and values go round cp */
	int64_t buckets;
	double skew;
	int64_t dtype, grad;  /* bytes of a weight, an activation; of a gradient */
	double flops, memory; /* of a GPU: operations a second, bytes */
	int strides[4];       /* of the ranks, by enum llm_dim */
};

enum llm_dim { DIM_TP, DIM_CP, DIM_DP, DIM_PP };

extern const struct param llm_params[];

int llm_read(struct llm *llm, const struct pick *pick, struct err *err);

static inline int64_t llm_nranks(const struct llm *llm)
{
	return (int64_t)llm->tp * llm->cp * llm->dp * llm->pp;
}

/* Layers of a chunk of a stage, of which the first and the last may have one less. */
int64_t llm_layers(const struct llm *llm, int stage, int chunk);
bool llm_is_first(const struct llm *llm, int stage, int chunk);
bool llm_is_last(const struct llm *llm, int stage, int chunk);

/* ---- bytes, of one GPU ---- */
double llm_activation(const struct llm *llm); /* that a layer hands to the next, unsplit by tp */
double llm_attention_weights(const struct llm *llm); /* numbers, of a layer */
double llm_dense_weights(const struct llm *llm);     /* of its feed-forward part, or router */
double llm_expert_weights(const struct llm *llm);
double llm_embedding_weights(const struct llm *llm);
/* Of a stage: those that all of dp and cp have, and those of experts. */
void llm_stage_weights(const struct llm *llm, int stage, double *dense, double *experts);
double llm_keys_and_values(const struct llm *llm);
double llm_dispatch(const struct llm *llm);

/* ---- operations of one GPU for a micro-batch, forward ---- */
double llm_attention_flops(const struct llm *llm); /* projections */
double llm_core_flops(const struct llm *llm);      /* scores and their sums */
double llm_ffn_flops(const struct llm *llm);
double llm_head_flops(const struct llm *llm);
/* Of the model for a step on all GPUs, without what is computed again. */
double llm_step_flops(const struct llm *llm);

/* Weights, gradients, optimizer and activations of a GPU of a stage. */
double llm_memory(const struct llm *llm, int stage);

#endif
