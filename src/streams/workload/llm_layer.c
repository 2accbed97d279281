/* llm_layer.c - one layer of a training, forward and backward */
#include "workload/llm_program.h"

/* ---- between the GPUs of tp ---- */

/* Activations come together before what tp shares, and are added up behind it. */
static void enter(struct llm_writing *writing, const char *name)
{
	if (writing->llm->is_sequence_parallel)
		llm_together(writing, COLLECTIVE_ALLGATHER, "tp", llm_activation(writing->llm),
			     name);
}

static void leave(struct llm_writing *writing, const char *name)
{
	if (writing->llm->tp > 1)
		llm_together(writing,
			     writing->llm->is_sequence_parallel ? COLLECTIVE_REDUCE_SCATTER
								: COLLECTIVE_ALLREDUCE,
			     "tp", llm_activation(writing->llm), name);
}

/* ---- between the GPUs of cp ---- */

/* Keys and values go round while what has come is worked on; way: of their gradients back. */
static void go_round(struct llm_writing *writing, double flops, double bytes)
{
	const struct llm *llm = writing->llm;
	int32_t came = -1;

	for (int i = 0; i < llm->cp; i++) {
		int32_t before = writing->last, next = -1;

		if (i < llm->cp - 1) {
			llm_wait_for(writing, came >= 0 ? came : before, false);
			llm_message(writing, true, 1, "cp", "cp", bytes, 0);
			llm_wait_for(writing, came >= 0 ? came : before, false);
			next = llm_message(writing, false, -1, "cp", "cp", bytes, 0);
		}
		llm_wait_for(writing, came, false);
		llm_compute(writing, flops / llm->cp, "scores");
		came = next;
	}
}

/* Scores, and what comes before them: times 1 forward, 2 or 3 backward. */
static void attend(struct llm_writing *writing, double times, double core_times, bool is_backward)
{
	const struct llm *llm = writing->llm;
	double projections = times * llm_attention_flops(llm);
	double core = core_times * llm_core_flops(llm), all = llm_keys_and_values(llm) * llm->cp;

	if (llm->cp > 1 && llm->rings) {
		llm_compute(writing, projections, "attention");
		go_round(writing, core, llm_keys_and_values(llm) * (is_backward ? 2 : 1));
		return;
	}
	if (llm->cp > 1 && !is_backward)
		llm_together(writing, COLLECTIVE_ALLGATHER, "cp", all, "keys and values");
	llm_compute(writing, projections + core, "attention");
	if (llm->cp > 1 && is_backward)
		llm_together(writing, COLLECTIVE_REDUCE_SCATTER, "cp", all,
			     "gradients of keys and values");
}

/* ---- experts ---- */

static void feed(struct llm_writing *writing, double times)
{
	const struct llm *llm = writing->llm;

	if (llm->ep > 1)
		llm_together(writing, COLLECTIVE_ALLTOALL, "ep", llm_dispatch(llm), "dispatch");
	llm_compute(writing, times * llm_ffn_flops(llm), llm->experts > 0 ? "experts" : "mlp");
	if (llm->ep > 1)
		llm_together(writing, COLLECTIVE_ALLTOALL, "ep", llm_dispatch(llm), "combine");
}

/* ---- layers ---- */

void llm_forward(struct llm_writing *writing)
{
	enter(writing, "attention");
	attend(writing, 1, 1, false);
	leave(writing, "attention");
	enter(writing, "mlp");
	feed(writing, 1);
	leave(writing, "mlp");
}

/* Gradients come in as activations go out; with sequence parallelism inputs come together once
 * more, for the gradients of weights. */
void llm_backward(struct llm_writing *writing)
{
	enum llm_recompute recompute = writing->llm->recompute;

	if (recompute == RECOMPUTE_FULL)
		llm_forward(writing);
	enter(writing, "mlp back");
	enter(writing, "mlp input");
	feed(writing, 2);
	leave(writing, "mlp back");
	enter(writing, "attention back");
	enter(writing, "attention input");
	attend(writing, 2, recompute == RECOMPUTE_SELECTIVE ? 3 : 2, true);
	leave(writing, "attention back");
}
