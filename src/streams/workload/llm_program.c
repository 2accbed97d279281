/* llm_program.c - what the ranks of a stage of a training do: its rows in a graph */
#include "workload/llm_program.h"

#include <stdio.h>

/* ---- the order of passes: Narayanan 2021, §2.2 ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Forward passes before the first backward one. */
static int64_t warm_up(const struct llm *llm, int stage)
{
	int64_t units = llm->nmicro * llm->chunks, below = llm->pp - stage - 1;

	if (llm->chunks == 1)
		return least(units, below);
	if (llm->nmicro == llm->pp)
		return units;
	return least(units, 2 * below + (llm->chunks - 1) * (int64_t)llm->pp);
}

/* Chunks take turns with as many micro-batches as there are stages. */
static struct llm_pass unit(const struct llm *llm, int64_t k, bool is_backward)
{
	int64_t turn = llm->chunks == 1 ? 1 : llm->pp, round = turn * llm->chunks;
	int chunk = (int)(k % round / turn);

	return (struct llm_pass){.is_backward = is_backward,
				 .micro = k / round * turn + k % turn,
				 .chunk = is_backward ? llm->chunks - 1 - chunk : chunk};
}

struct llm_pass llm_pass(const struct llm *llm, int stage, int64_t i)
{
	int64_t units = llm->nmicro * llm->chunks, warm = warm_up(llm, stage);
	int64_t steady = 2 * (units - warm);

	if (i < warm)
		return unit(llm, i, false);
	i -= warm;
	if (i < steady)
		return unit(llm, i % 2 == 0 ? warm + i / 2 : i / 2, i % 2 == 1);
	return unit(llm, units - warm + i - steady, true);
}

/* ---- gradients and weights of dp ---- */

static bool has_copies(const struct llm *llm)
{
	return (int64_t)llm->dp * llm->cp > 1;
}

/* Of so many layers, dense or experts: in a group that has more than one GPU. */
static int32_t shared(struct llm_writing *writing, enum collective_op op, double dense,
		      double experts, double bytes, const char *name)
{
	const struct llm *llm = writing->llm;
	size_t nwaits = writing->waits.n;
	struct task_after waits[8];
	int32_t id;

	for (size_t i = 0; i < nwaits; i++)
		waits[i] = writing->waits.at[i];
	id = llm_aside(writing, op, "dp", dense * bytes, name);
	if (experts <= 0 || (int64_t)llm->dp * llm->cp <= llm->ep)
		return id;
	for (size_t i = 0; i < nwaits; i++)
		llm_wait_for(writing, waits[i].id, waits[i].is_begin);
	llm_wait_for(writing, id, false);
	return llm_aside(writing, op, "edp", experts * bytes, name);
}

static double layer_weights(const struct llm *llm)
{
	return llm_attention_weights(llm) + llm_dense_weights(llm);
}

static int64_t layers_before(const struct llm_writing *writing, int chunk)
{
	int64_t n = 0;

	for (int i = 0; i < chunk; i++)
		n += llm_layers(writing->llm, writing->stage, i);
	return n;
}

static int64_t layers_of(const struct llm_writing *writing)
{
	return layers_before(writing, writing->llm->chunks);
}

static int bucket_of(const struct llm_writing *writing, int64_t layer)
{
	return (int)(layer * writing->nbuckets / layers_of(writing));
}

/* The embedding goes with the first bucket of the first stage, the head with the last one. */
static void bucket_weights(const struct llm_writing *writing, int bucket, double *dense,
			   double *experts)
{
	const struct llm *llm = writing->llm;
	double all, layers = 0;

	for (int64_t layer = 0; layer < layers_of(writing); layer++)
		layers += bucket_of(writing, layer) == bucket;
	llm_stage_weights(llm, writing->stage, &all, experts);
	*dense = layers * layer_weights(llm);
	*experts = layers * llm_expert_weights(llm);
	if (bucket == (writing->stage == 0 ? 0 : writing->nbuckets - 1))
		*dense += all - (double)layers_of(writing) * layer_weights(llm);
}

/* Weights that were shared come bucket by bucket. */
static void gather_weights(struct llm_writing *writing)
{
	double dense, experts;
	int32_t id = -1;

	for (int bucket = 0; bucket < writing->nbuckets; bucket++) {
		bucket_weights(writing, bucket, &dense, &experts);
		llm_wait_for(writing, id, false);
		id = shared(writing, COLLECTIVE_ALLGATHER, dense, experts,
			    (double)writing->llm->dtype, "weights");
		vec_push(&writing->gathers, id);
	}
}

/* A layer's gradients are all there. */
static void layer_done(struct llm_writing *writing, int64_t layer)
{
	const struct llm *llm = writing->llm;
	int bucket = bucket_of(writing, layer);
	double dense, experts;

	if (--writing->left.at[bucket] > 0)
		return;
	bucket_weights(writing, bucket, &dense, &experts);
	llm_wait_for(writing, writing->last, false);
	vec_push(&writing->synced,
		 shared(writing,
			llm->shard == SHARD_NONE ? COLLECTIVE_ALLREDUCE : COLLECTIVE_REDUCE_SCATTER,
			dense, experts, (double)llm->grad, "gradients"));
}

/* ---- passes ---- */

/* A stage or, from the last one, a chunk further: what is sent, and how it is told apart. */
static int64_t tag_of(const struct llm *llm, const struct llm_pass *pass, int chunk)
{
	return (pass->micro * llm->chunks + chunk) * 2 + pass->is_backward;
}

/* tp shares what is sent, and gathers it where sequence parallelism does not want it shared. */
static void take_in(struct llm_writing *writing, const struct llm_pass *pass)
{
	const struct llm *llm = writing->llm;
	int way = pass->is_backward ? 1 : -1;

	llm_wait_for(writing, writing->last, true);
	llm_wait_for(writing,
		     llm_message(writing, false, way, "pp",
				 pass->is_backward ? "backward" : "forward", 0,
				 tag_of(llm, pass, pass->chunk)),
		     false);
	if (llm->tp > 1 && !llm->is_sequence_parallel)
		llm_together(writing, COLLECTIVE_ALLGATHER, "tp", llm_activation(llm), "input");
}

static void hand_on(struct llm_writing *writing, const struct llm_pass *pass)
{
	const struct llm *llm = writing->llm;
	int end = pass->is_backward ? 0 : llm->pp - 1, step = pass->is_backward ? -1 : 1;
	int chunk = pass->chunk + (writing->stage == end ? step : 0);

	llm_wait_for(writing, writing->last, false);
	llm_message(writing, true, step, "pp", pass->is_backward ? "backward" : "forward",
		    llm_activation(llm) / llm->tp, tag_of(llm, pass, chunk));
}

/* FSDP: a layer's weights come while the one before is worked on. */
static void gather_layer(struct llm_writing *writing)
{
	const struct llm *llm = writing->llm;

	if (llm->shard != SHARD_PARAMETERS || !has_copies(llm))
		return;
	llm_wait_for(writing, writing->last, true);
	llm_wait_for(writing,
		     shared(writing, COLLECTIVE_ALLGATHER, layer_weights(llm),
			    llm_expert_weights(llm), (double)llm->dtype, "weights"),
		     false);
}

static void scatter_gradients(struct llm_writing *writing, double layers)
{
	const struct llm *llm = writing->llm;

	llm_wait_for(writing, writing->last, false);
	vec_push(&writing->synced,
		 shared(writing, COLLECTIVE_REDUCE_SCATTER, layers * layer_weights(llm),
			layers * llm_expert_weights(llm), (double)llm->grad, "gradients"));
}

/* Logits and the loss over the vocabulary, which tp shares. */
static void head(struct llm_writing *writing, bool is_backward)
{
	const struct llm *llm = writing->llm;

	llm_compute(writing, (is_backward ? 2 : 1) * llm_head_flops(llm), "head");
	for (int i = 0; i < 3 && llm->tp > 1 && !is_backward; i++)
		llm_together(writing, COLLECTIVE_ALLREDUCE, "tp",
			     4 * (double)llm->micro * (double)(llm->seq / llm->cp), "loss");
}

static void forward(struct llm_writing *writing, const struct llm_pass *pass)
{
	const struct llm *llm = writing->llm;
	int64_t n = llm_layers(llm, writing->stage, pass->chunk);
	int64_t first = layers_before(writing, pass->chunk);

	if (!llm_is_first(llm, writing->stage, pass->chunk))
		take_in(writing, pass);
	for (int64_t i = 0; i < n; i++) {
		gather_layer(writing);
		if (pass->micro == 0 && writing->gathers.n > 0)
			llm_wait_for(writing, writing->gathers.at[bucket_of(writing, first + i)],
				     false);
		llm_forward(writing);
	}
	if (llm_is_last(llm, writing->stage, pass->chunk))
		head(writing, false);
	else
		hand_on(writing, pass);
}

static void backward(struct llm_writing *writing, const struct llm_pass *pass)
{
	const struct llm *llm = writing->llm;
	int64_t n = llm_layers(llm, writing->stage, pass->chunk);
	int64_t first = layers_before(writing, pass->chunk);

	if (llm_is_last(llm, writing->stage, pass->chunk))
		head(writing, true);
	else
		take_in(writing, pass);
	for (int64_t i = n - 1; i >= 0; i--) {
		gather_layer(writing);
		llm_backward(writing);
		if (llm->shard == SHARD_PARAMETERS && has_copies(llm))
			scatter_gradients(writing, 1);
		if (writing->left.n > 0 && pass->micro == llm->nmicro - 1)
			layer_done(writing, first + i);
	}
	if (llm->shard == SHARD_GRADIENTS && has_copies(llm))
		scatter_gradients(writing, (double)n);
	if (!llm_is_first(llm, writing->stage, pass->chunk))
		hand_on(writing, pass);
}

/* ---- a stage ---- */

static void begin(struct llm_writing *writing)
{
	const struct llm *llm = writing->llm;
	bool are_gradients_late = llm->shard == SHARD_NONE || llm->shard == SHARD_OPTIMIZER;

	writing->nbuckets = (int)least(llm->overlaps ? llm->buckets : 1, layers_of(writing));
	if (writing->nbuckets == 0 || !llm->overlaps || !has_copies(llm))
		return;
	if (llm->shard == SHARD_OPTIMIZER || llm->shard == SHARD_GRADIENTS)
		gather_weights(writing);
	for (int i = 0; i < writing->nbuckets && are_gradients_late; i++)
		vec_push(&writing->left, 0);
	for (int64_t layer = 0; layer < layers_of(writing) && are_gradients_late; layer++)
		writing->left.at[bucket_of(writing, layer)]++;
}

/* What is left to bring together when all passes are over. */
static void end(struct llm_writing *writing)
{
	const struct llm *llm = writing->llm;
	bool is_end_stage = writing->stage == 0 || writing->stage == llm->pp - 1;
	bool is_late = llm->shard == SHARD_NONE || llm->shard == SHARD_OPTIMIZER;
	double dense, experts;

	llm_stage_weights(llm, writing->stage, &dense, &experts);
	if (has_copies(llm) && is_late && writing->left.n == 0) {
		llm_wait_for(writing, writing->last, false);
		vec_push(&writing->synced,
			 shared(writing,
				llm->shard == SHARD_NONE ? COLLECTIVE_ALLREDUCE
							 : COLLECTIVE_REDUCE_SCATTER,
				dense, experts, (double)llm->grad, "gradients"));
	}
	for (size_t i = 0; i < writing->synced.n; i++)
		llm_wait_for(writing, writing->synced.at[i], false);
	llm_mark(writing, "gradients");
	if (llm->pp > 1 && llm->is_tied && is_end_stage)
		llm_together(writing, COLLECTIVE_ALLREDUCE, "embed",
			     llm_embedding_weights(llm) * (double)llm->grad, "embedding");
	if (llm_nranks(llm) > 1)
		llm_together(writing, COLLECTIVE_ALLREDUCE, NULL, 8, "norm of gradients");
	if (has_copies(llm) && !llm->overlaps &&
	    (llm->shard == SHARD_OPTIMIZER || llm->shard == SHARD_GRADIENTS)) {
		llm_wait_for(writing, writing->last, false);
		writing->last = shared(writing, COLLECTIVE_ALLGATHER, dense, experts,
				       (double)llm->dtype, "weights");
	}
}

int llm_write_stage(const struct llm *llm, int stage, struct task_out *out, struct err *err)
{
	struct llm_writing writing = {
		.llm = llm, .out = out, .err = err, .stage = stage, .last = -1};

	snprintf(writing.program, sizeof(writing.program), "stage%d", stage);
	begin(&writing);
	for (int64_t i = 0; i < 2 * llm->nmicro * llm->chunks && writing.status == 0; i++) {
		struct llm_pass pass = llm_pass(llm, stage, i);

		if (pass.is_backward)
			backward(&writing, &pass);
		else
			forward(&writing, &pass);
	}
	end(&writing);
	vec_free(&writing.waits);
	vec_free(&writing.gathers);
	vec_free(&writing.left);
	vec_free(&writing.synced);
	return writing.status;
}
