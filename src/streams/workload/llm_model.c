/* llm_model.c - a training of a large language model: its numbers, what they make of each GPU */
#include "workload/llm_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/name_hint.h"
#include "base/str.h"

static const struct known_model {
	const char *name;
	int64_t layers, hidden, heads, kv_heads, ffn, seq, vocab, experts, topk;
	bool is_gated, is_tied;
} models[] = {
	/* Brown et al. 2020; Narayanan et al. 2021, table 1; Korthikanti et al. 2022, table 3 */
	{"gpt-1.7b", 24, 2304, 24, 24, 9216, 2048, 51200, 0, 0, false, true},
	{"gpt-3.6b", 30, 3072, 32, 32, 12288, 2048, 51200, 0, 0, false, true},
	{"gpt-7.5b", 36, 4096, 32, 32, 16384, 2048, 51200, 0, 0, false, true},
	{"gpt-13b", 40, 5120, 40, 40, 20480, 2048, 51200, 0, 0, false, true},
	{"gpt-18.4b", 40, 6144, 48, 48, 24576, 2048, 51200, 0, 0, false, true},
	{"gpt-39.1b", 48, 8192, 64, 64, 32768, 2048, 51200, 0, 0, false, true},
	{"gpt-76.1b", 60, 10240, 80, 80, 40960, 2048, 51200, 0, 0, false, true},
	{"gpt-145.6b", 80, 12288, 96, 96, 49152, 2048, 51200, 0, 0, false, true},
	{"gpt-175b", 96, 12288, 96, 96, 49152, 2048, 51200, 0, 0, false, true},
	{"gpt-530b", 105, 20480, 128, 128, 81920, 2048, 51200, 0, 0, false, true},
	/* Grattafiori et al. 2024, table 3 */
	{"llama3-8b", 32, 4096, 32, 8, 14336, 8192, 128256, 0, 0, true, false},
	{"llama3-70b", 80, 8192, 64, 8, 28672, 8192, 128256, 0, 0, true, false},
	{"llama3-405b", 126, 16384, 128, 8, 53248, 8192, 128256, 0, 0, true, false},
	/* Jiang et al. 2024, table 1 */
	{"mixtral-8x7b", 32, 4096, 32, 8, 14336, 4096, 32000, 8, 2, true, false},
};

#define NUMBER(name, least, most, default, text)                                                   \
	{                                                                                          \
		.key = name, .type = PARAM_INT, .min = least, .max = most, .def = default,         \
		.meaning = text                                                                    \
	}
#define GIVEN(name, text)                                                                          \
	{                                                                                          \
		.key = name, .type = PARAM_INT, .min = 1, .max = 1 << 24, .optional = true,        \
		.meaning = text                                                                    \
	}

const struct param llm_params[] = {
	{.key = "model",
	 .type = PARAM_TEXT,
	 .def = "own",
	 .meaning = "a published one, whose numbers the next parameters may replace: gpt-1.7b, "
		    "gpt-3.6b, gpt-7.5b, gpt-13b, gpt-18.4b, gpt-39.1b, gpt-76.1b, gpt-145.6b, "
		    "gpt-175b, gpt-530b, llama3-8b, llama3-70b, llama3-405b, mixtral-8x7b; own: "
		    "they say it"},
	GIVEN("layers", "l; needed without a model"),
	GIVEN("hidden", "h, size of a hidden state; needed without a model"),
	GIVEN("heads", "a; needed without a model"),
	GIVEN("kv-heads", "k, heads of keys and values; else as many as heads"),
	GIVEN("ffn", "f, inner size of the feed-forward part; else 4 h"),
	GIVEN("seq", "s, tokens of a sequence; else 2048"),
	GIVEN("vocab", "V; else 51200"),
	GIVEN("experts", "E, feed-forward parts of a layer; none: it is dense"),
	GIVEN("topk", "K, experts that a token goes to; else 2"),
	{.key = "gated",
	 .type = PARAM_BOOL,
	 .optional = true,
	 .meaning = "three matrices in the feed-forward part (SwiGLU) for two"},
	{.key = "tied",
	 .type = PARAM_BOOL,
	 .optional = true,
	 .meaning = "the first stage's embedding is the last one's, too"},
	{.key = "causal",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "attention's kernels leave out the half that is masked"},
	NUMBER("tp", 1, 1 << 12, "1", "t, GPUs that share each layer (tensor parallel)"),
	NUMBER("cp", 1, 1 << 12, "1", "c, GPUs that share each sequence (context parallel)"),
	NUMBER("ep", 1, 1 << 16, "1", "e, GPUs of dp and cp that share experts"),
	NUMBER("pp", 1, 1 << 12, "1", "p, stages of the pipeline"),
	NUMBER("dp", 1, 1 << 20, "1", "d, copies of all that (data parallel)"),
	NUMBER("virtual", 1, 1 << 8, "1",
	       "v, chunks of layers of each stage, interleaved; 1: 1F1B"),
	NUMBER("micro", 1, 1 << 20, "1", "b, sequences of a micro-batch"),
	NUMBER("batch", 1, 1 << 24, "1", "B, sequences of a step; B / (d b) micro-batches"),
	{.key = "order",
	 .type = PARAM_TEXT,
	 .def = "tp-cp-ep-dp-pp",
	 .meaning = "which ranks are neighbours, the first ones nearest; ep before dp"},
	{.key = "shard",
	 .type = PARAM_WORD,
	 .choices = "none|optimizer|gradients|parameters",
	 .def = "none",
	 .meaning = "what dp and cp share instead of having a copy each: ZeRO's stages 1, 2, 3 "
		    "(FSDP)"},
	{.key = "sequence-parallel",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "tp shares activations between its layers, too"},
	{.key = "recompute",
	 .type = PARAM_WORD,
	 .choices = "none|selective|full",
	 .def = "none",
	 .meaning = "what backward passes compute again: nothing, attention's scores, all"},
	{.key = "overlap",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "gradients leave in buckets during the last backward pass, and weights come "
		    "during the first forward pass"},
	NUMBER("buckets", 1, 1 << 16, "8", "with overlap: of a stage, at most its layers"),
	{.key = "cp-type",
	 .type = PARAM_WORD,
	 .choices = "gather|ring",
	 .def = "gather",
	 .meaning = "keys and values are gathered (Llama 3) or go round (ring attention)"},
	{.key = "skew",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1000,
	 .def = "0",
	 .meaning = "the fullest expert has this part more tokens than the mean, and all wait for "
		    "it"},
	NUMBER("dtype", 1, 8, "2", "bytes of a weight and an activation"),
	NUMBER("grad", 1, 8, "4", "bytes of a gradient"),
	{.key = "flops",
	 .type = PARAM_REAL,
	 .min = 1,
	 .max = 1e20,
	 .def = "6e14",
	 .meaning = "operations a second that kernels reach on a GPU"},
	{.key = "memory",
	 .type = PARAM_BYTES,
	 .def = "80GB",
	 .meaning = "of a GPU: what needs more is reported"},
	{0}};

/* ---- reading ---- */

static int refuse(struct err *err, const char *what, int64_t n, const char *by, int64_t parts)
{
	return err_set(err, "llm: %s: %lld cannot be divided by %lld %s", what, (long long)n,
		       (long long)parts, by);
}

static int64_t number(const struct pick *pick, const char *key, int64_t other)
{
	return pick_has(pick, key) ? pick_int(pick, key) : other;
}

/* known stays as it is for a model of the user's own. */
static int find_model(const char *name, struct known_model *known, struct err *err)
{
	struct near_name near;

	near_begin(&near, name);
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		near_try(&near, models[i].name, strlen(models[i].name));
		if (str_eq(models[i].name, name)) {
			*known = models[i];
			return 0;
		}
	}
	return str_eq(name, "own") ? 0
				   : err_set(err, "llm: model: '%s' is not a published one%s", name,
					     near_hint(&near));
}

static int read_model(struct llm *llm, const struct pick *pick, struct err *err)
{
	static const char *const needed[] = {"layers", "hidden", "heads"};
	struct known_model known = {.seq = 2048, .vocab = 51200, .is_tied = true};

	llm->name = pick_word(pick, "model");
	if (find_model(llm->name, &known, err) != 0)
		return -1;
	for (size_t i = 0; i < 3 && known.name == NULL; i++)
		if (!pick_has(pick, needed[i]))
			return err_set(err, "llm: a model of your own needs %s=", needed[i]);
	llm->layers = number(pick, "layers", known.layers);
	llm->hidden = number(pick, "hidden", known.hidden);
	llm->heads = number(pick, "heads", known.heads);
	llm->kv_heads = number(pick, "kv-heads",
			       pick_has(pick, "heads") || known.kv_heads == 0 ? llm->heads
									      : known.kv_heads);
	llm->ffn = number(pick, "ffn",
			  pick_has(pick, "hidden") || known.ffn == 0 ? 4 * llm->hidden : known.ffn);
	llm->seq = number(pick, "seq", known.seq);
	llm->vocab = number(pick, "vocab", known.vocab);
	llm->experts = number(pick, "experts", known.experts);
	llm->topk = number(pick, "topk", known.topk > 0 ? known.topk : 2);
	llm->is_gated = pick_has(pick, "gated") ? pick_bool(pick, "gated") : known.is_gated;
	llm->is_tied = pick_has(pick, "tied") ? pick_bool(pick, "tied") : known.is_tied;
	llm->is_causal = pick_bool(pick, "causal");
	if (llm->experts == 0)
		llm->topk = 1;
	return llm->topk > llm->experts && llm->experts > 0
		       ? err_set(err, "llm: a token goes to %lld of %lld experts",
				 (long long)llm->topk, (long long)llm->experts)
		       : 0;
}

/* tp-cp-ep-dp-pp: the first has stride 1. */
static int read_order(struct llm *llm, const char *text, struct err *err)
{
	static const char *const names[] = {"tp", "cp", "dp", "pp"};
	const int sizes[] = {llm->tp, llm->cp, llm->dp, llm->pp};
	int64_t stride = 1;
	int nread = 0;

	for (const char *at = text;; at += 3) {
		int dim = 0;

		while (dim < 4 && strncmp(at, names[dim], 2) != 0)
			dim++;
		if (dim < 4 && llm->strides[dim] == 0) {
			llm->strides[dim] = (int)stride;
			stride *= sizes[dim];
			nread++;
		} else if (strncmp(at, "ep-dp", 5) != 0) {
			break;
		}
		if (at[2] == '\0' && nread == 4)
			return 0;
		if (at[2] != '-')
			break;
	}
	return err_set(err,
		       "llm: order: '%s' is not tp, cp, dp and pp in some order, as in "
		       "tp-cp-ep-dp-pp",
		       text);
}

static int check_divisions(struct llm *llm, struct err *err)
{
	int64_t shared = (int64_t)llm->dp * llm->cp, parts = (int64_t)llm->pp * llm->chunks;

	if (llm_nranks(llm) > 1 << 20)
		return err_set(err, "llm: %lld GPUs are more than %d", (long long)llm_nranks(llm),
			       1 << 20);
	if (llm->heads % llm->tp != 0)
		return refuse(err, "heads", llm->heads, "GPUs of tp", llm->tp);
	if (llm->kv_heads % llm->tp != 0 && llm->tp % llm->kv_heads != 0)
		return refuse(err, "kv-heads", llm->kv_heads, "GPUs of tp", llm->tp);
	if (llm->hidden % llm->heads != 0)
		return refuse(err, "hidden", llm->hidden, "heads", llm->heads);
	if (llm->heads % llm->kv_heads != 0)
		return refuse(err, "heads", llm->heads, "kv-heads", llm->kv_heads);
	if (llm->seq % llm->cp != 0)
		return refuse(err, "seq", llm->seq, "GPUs of cp", llm->cp);
	if (llm->is_sequence_parallel && llm->seq / llm->cp % llm->tp != 0)
		return refuse(err, "seq of a GPU of cp", llm->seq / llm->cp, "GPUs of tp", llm->tp);
	if (llm->layers % parts != 0 &&
	    ((llm->layers + 2) % parts != 0 || (llm->layers + 2) / parts < 2))
		return refuse(err, "layers", llm->layers, "chunks of all stages", parts);
	if (shared % llm->ep != 0)
		return refuse(err, "dp x cp", shared, "GPUs of ep", llm->ep);
	if (llm->experts % llm->ep != 0)
		return refuse(err, "experts", llm->experts, "GPUs of ep", llm->ep);
	if (llm->batch % (llm->dp * llm->micro) != 0)
		return refuse(err, "batch", llm->batch, "dp x micro", llm->dp * llm->micro);
	llm->nmicro = llm->batch / (llm->dp * llm->micro);
	if (llm->chunks > 1 && llm->pp < 2)
		return err_set(err, "llm: virtual=%d needs pp=2 or more stages", llm->chunks);
	if (llm->chunks > 1 && llm->nmicro % llm->pp != 0)
		return refuse(err, "micro-batches", llm->nmicro, "stages, as interleaving needs it",
			      llm->pp);
	if (llm->ep > 1 && llm->experts == 0)
		return err_set(err, "llm: ep=%d needs experts=", llm->ep);
	if (llm->nmicro * llm->chunks * llm->layers > 1 << 24)
		return err_set(err, "llm: %lld micro-batches of %lld layers are too many",
			       (long long)llm->nmicro, (long long)llm->layers);
	return 0;
}

int llm_read(struct llm *llm, const struct pick *pick, struct err *err)
{
	*llm = (struct llm){
		.tp = (int)pick_int(pick, "tp"),
		.cp = (int)pick_int(pick, "cp"),
		.ep = (int)pick_int(pick, "ep"),
		.pp = (int)pick_int(pick, "pp"),
		.dp = (int)pick_int(pick, "dp"),
		.chunks = (int)pick_int(pick, "virtual"),
		.micro = pick_int(pick, "micro"),
		.batch = pick_int(pick, "batch"),
		.shard = pick_is(pick, "shard", "none")        ? SHARD_NONE
			 : pick_is(pick, "shard", "optimizer") ? SHARD_OPTIMIZER
			 : pick_is(pick, "shard", "gradients") ? SHARD_GRADIENTS
							       : SHARD_PARAMETERS,
		.recompute = pick_is(pick, "recompute", "none")   ? RECOMPUTE_NONE
			     : pick_is(pick, "recompute", "full") ? RECOMPUTE_FULL
								  : RECOMPUTE_SELECTIVE,
		.is_sequence_parallel =
			pick_bool(pick, "sequence-parallel") && pick_int(pick, "tp") > 1,
		.overlaps = pick_bool(pick, "overlap"),
		.rings = pick_is(pick, "cp-type", "ring"),
		.buckets = pick_int(pick, "buckets"),
		.skew = pick_real(pick, "skew"),
		.dtype = pick_int(pick, "dtype"),
		.grad = pick_int(pick, "grad"),
		.flops = pick_real(pick, "flops"),
		.memory = pick_real(pick, "memory"),
	};
	if (read_model(llm, pick, err) != 0 || check_divisions(llm, err) != 0)
		return -1;
	return read_order(llm, pick_word(pick, "order"), err);
}

/* ---- layers ---- */

bool llm_is_first(const struct llm *llm, int stage, int chunk)
{
	(void)llm;
	return stage == 0 && chunk == 0;
}

bool llm_is_last(const struct llm *llm, int stage, int chunk)
{
	return stage == llm->pp - 1 && chunk == llm->chunks - 1;
}

/* Where the layers do not divide, embedding and head count as one each: Grattafiori 2024, §3.3.2.
 */
int64_t llm_layers(const struct llm *llm, int stage, int chunk)
{
	int64_t parts = (int64_t)llm->pp * llm->chunks;

	if (llm->layers % parts == 0)
		return llm->layers / parts;
	return (llm->layers + 2) / parts - llm_is_first(llm, stage, chunk) -
	       llm_is_last(llm, stage, chunk);
}

/* ---- bytes: Shoeybi 2019, Narayanan 2021, Korthikanti 2022 ---- */

static double tokens(const struct llm *llm)
{
	return (double)llm->micro * (double)(llm->seq / llm->cp);
}

/* A = b (s / c) h x */
double llm_activation(const struct llm *llm)
{
	return tokens(llm) * (double)llm->hidden * (double)llm->dtype;
}

static double kv_share(const struct llm *llm)
{
	/* fewer than GPUs: copied */
	double heads = (double)(llm->kv_heads < llm->tp ? llm->tp : llm->kv_heads);

	return heads / (double)llm->heads;
}

static double square(double x)
{
	return x * x;
}

double llm_attention_weights(const struct llm *llm)
{
	return 2 * square((double)llm->hidden) * (1 + kv_share(llm)) / llm->tp;
}

static double ffn_weights(const struct llm *llm)
{
	return (llm->is_gated ? 3 : 2) * (double)llm->hidden * (double)llm->ffn / llm->tp;
}

double llm_dense_weights(const struct llm *llm)
{
	return llm->experts > 0 ? (double)llm->hidden * (double)llm->experts : ffn_weights(llm);
}

double llm_expert_weights(const struct llm *llm)
{
	return llm->experts > 0 ? ffn_weights(llm) * (double)(llm->experts / llm->ep) : 0;
}

double llm_embedding_weights(const struct llm *llm)
{
	return (double)llm->vocab * (double)llm->hidden / llm->tp;
}

void llm_stage_weights(const struct llm *llm, int stage, double *dense, double *experts)
{
	int64_t layers = 0;

	for (int chunk = 0; chunk < llm->chunks; chunk++)
		layers += llm_layers(llm, stage, chunk);
	*dense = (double)layers * (llm_attention_weights(llm) + llm_dense_weights(llm));
	*experts = (double)layers * llm_expert_weights(llm);
	if (stage == 0)
		*dense += llm_embedding_weights(llm);
	if (stage == llm->pp - 1 && (llm->pp > 1 || !llm->is_tied))
		*dense += llm_embedding_weights(llm);
}

/* Of one GPU's part of the sequence, both. */
double llm_keys_and_values(const struct llm *llm)
{
	return 2 * llm_activation(llm) * kv_share(llm) / llm->tp;
}

/* What a GPU sends to all of ep. */
double llm_dispatch(const struct llm *llm)
{
	return llm_activation(llm) * (double)llm->topk * (1 + llm->skew) /
	       (llm->is_sequence_parallel ? llm->tp : 1);
}

/* ---- operations: Narayanan 2021, eq. 3 ---- */

double llm_attention_flops(const struct llm *llm)
{
	return 2 * tokens(llm) * llm_attention_weights(llm);
}

double llm_core_flops(const struct llm *llm)
{
	return (llm->is_causal ? 2 : 4) * tokens(llm) * (double)llm->seq * (double)llm->hidden /
	       llm->tp;
}

double llm_ffn_flops(const struct llm *llm)
{
	return 2 * tokens(llm) * ffn_weights(llm) * (double)llm->topk * (1 + llm->skew);
}

double llm_head_flops(const struct llm *llm)
{
	return 2 * tokens(llm) * llm_embedding_weights(llm);
}

double llm_step_flops(const struct llm *llm)
{
	double layer = llm_attention_flops(llm) + llm_core_flops(llm) +
		       llm_ffn_flops(llm) / (1 + llm->skew);

	return 3 * ((double)llm->layers * layer + llm_head_flops(llm)) * (double)llm->nmicro *
	       llm->tp * llm->cp * llm->dp;
}

/* ---- memory ---- */

/* Bytes of a layer for a micro-batch: Korthikanti 2022, table 2, for two bytes a number. */
static double layer_activations(const struct llm *llm)
{
	double sbh = tokens(llm) * (double)llm->hidden * (double)llm->dtype / 2, t = llm->tp;
	double scores = 5 * (double)llm->heads * (double)llm->seq / ((double)llm->hidden * t);

	if (llm->recompute == RECOMPUTE_FULL)
		return 2 * sbh / (llm->is_sequence_parallel ? t : 1);
	if (llm->recompute == RECOMPUTE_SELECTIVE)
		scores = 0;
	return sbh * ((llm->is_sequence_parallel ? 10 / t : 10) + 24 / t + scores);
}

/* Of micro-batches that have not come back: as many as stages are to come, at most all. */
static double held(const struct llm *llm, int stage)
{
	double units = (double)llm->nmicro * llm->chunks;
	double most = llm->chunks == 1
			      ? llm->pp - stage
			      : 2. * (llm->pp - stage - 1) + (llm->chunks - 1) * llm->pp + 1;

	return (most < units ? most : units) / llm->chunks;
}

/* Adam keeps three numbers of four bytes for a weight: Rajbhandari 2020, §3.1. */
double llm_memory(const struct llm *llm, int stage)
{
	double dense, experts, layers = 0, bytes = 0;
	double copies[2] = {(double)llm->dp * llm->cp, (double)llm->dp * llm->cp / llm->ep};

	llm_stage_weights(llm, stage, &dense, &experts);
	for (int i = 0; i < 2; i++) {
		double weights = i == 0 ? dense : experts;

		bytes += weights * (double)llm->dtype /
				 (llm->shard >= SHARD_PARAMETERS ? copies[i] : 1) +
			 weights * (double)llm->grad /
				 (llm->shard >= SHARD_GRADIENTS ? copies[i] : 1) +
			 weights * 12 / (llm->shard >= SHARD_OPTIMIZER ? copies[i] : 1);
	}
	for (int chunk = 0; chunk < llm->chunks; chunk++)
		layers += (double)llm_layers(llm, stage, chunk);
	return bytes + layers * layer_activations(llm) * held(llm, stage);
}
