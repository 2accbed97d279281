/* llm_groups.c - which ranks of a training share what, as lines of a graph */
#include <stdio.h>
#include <stdlib.h>

#include "model/mpitrace.h"
#include "workload/llm_program.h"

/* Where a rank is, by enum llm_dim. */
static int32_t rank_at(const struct llm *llm, int tp, int64_t copy, int pp)
{
	/* copies are numbered over cp, then dp */
	return (int32_t)(tp * llm->strides[DIM_TP] + copy % llm->cp * llm->strides[DIM_CP] +
			 copy / llm->cp * llm->strides[DIM_DP] + pp * llm->strides[DIM_PP]);
}

/* The rank that is member i of part k of a group; false: there is none. */
typedef bool member_fn(const struct llm *llm, int64_t k, int64_t i, int32_t *rank);

static bool tp_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	int64_t copies = (int64_t)llm->cp * llm->dp;

	*rank = rank_at(llm, (int)i, k % copies, (int)(k / copies));
	return i < llm->tp && k < copies * llm->pp;
}

static bool cp_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	int64_t dp = k / llm->tp % llm->dp, pp = k / llm->tp / llm->dp;

	*rank = rank_at(llm, (int)(k % llm->tp), dp * llm->cp + i, (int)pp);
	return i < llm->cp && pp < llm->pp;
}

static bool dp_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	*rank = rank_at(llm, (int)(k % llm->tp), i, (int)(k / llm->tp));
	return i < (int64_t)llm->cp * llm->dp && k < (int64_t)llm->tp * llm->pp;
}

static bool ep_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	int64_t parts = (int64_t)llm->cp * llm->dp / llm->ep, pp = k / llm->tp / parts;

	*rank = rank_at(llm, (int)(k % llm->tp), k / llm->tp % parts * llm->ep + i, (int)pp);
	return i < llm->ep && pp < llm->pp;
}

static bool edp_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	int64_t pp = k / llm->tp / llm->ep;

	*rank = rank_at(llm, (int)(k % llm->tp), i * llm->ep + k / llm->tp % llm->ep, (int)pp);
	return i < (int64_t)llm->cp * llm->dp / llm->ep && pp < llm->pp;
}

static bool pp_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	*rank = rank_at(llm, (int)(k % llm->tp), k / llm->tp, (int)i);
	return i < llm->pp && k < (int64_t)llm->tp * llm->cp * llm->dp;
}

/* The first and the last stage. */
static bool embed_member(const struct llm *llm, int64_t k, int64_t i, int32_t *rank)
{
	*rank = rank_at(llm, (int)(k % llm->tp), k / llm->tp, i == 0 ? 0 : llm->pp - 1);
	return i < 2 && k < (int64_t)llm->tp * llm->cp * llm->dp;
}

static void group_line(const struct llm *llm, struct flow *flow, const char *name,
		       member_fn *member)
{
	struct buf text = {0};
	VEC(int32_t) ranks = {0};
	int32_t rank;

	buf_str(&text, name);
	for (int64_t k = 0; member(llm, k, 0, &rank); k++) {
		ranks.n = 0;
		for (int64_t i = 0; member(llm, k, i, &rank); i++)
			vec_push(&ranks, rank);
		buf_char(&text, k == 0 ? ':' : '|');
		trace_ranks_print(ranks.at, (int)ranks.n, &text);
	}
	flow_meta(flow, "group", buf_text(&text));
	vec_free(&ranks);
	buf_free(&text);
}

static int compare(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void program_line(const struct llm *llm, struct flow *flow, int stage)
{
	struct buf text = {0};
	VEC(int32_t) ranks = {0};
	char name[LLM_PROGRAM_TEXT];

	snprintf(name, sizeof(name), "stage%d:", stage);
	buf_str(&text, name);
	for (int64_t copy = 0; copy < (int64_t)llm->cp * llm->dp; copy++)
		for (int tp = 0; tp < llm->tp; tp++)
			vec_push(&ranks, rank_at(llm, tp, copy, stage));
	qsort(ranks.at, ranks.n, sizeof(*ranks.at), compare);
	trace_ranks_print(ranks.at, (int)ranks.n, &text);
	flow_meta(flow, "program", buf_text(&text));
	vec_free(&ranks);
	buf_free(&text);
}

void llm_write_groups(const struct llm *llm, struct flow *flow)
{
	const struct {
		const char *name;
		bool is_there;
		member_fn *member;
	} groups[] = {{"tp", llm->tp > 1, tp_member},
		      {"cp", llm->cp > 1, cp_member},
		      {"dp", llm->cp * llm->dp > 1, dp_member},
		      {"ep", llm->ep > 1, ep_member},
		      {"edp", llm->experts > 0 && llm->cp * llm->dp > llm->ep, edp_member},
		      {"pp", llm->pp > 1, pp_member},
		      {"embed", llm->pp > 1 && llm->is_tied, embed_member}};

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (groups[i].is_there)
			group_line(llm, flow, groups[i].name, groups[i].member);
	for (int stage = 0; stage < llm->pp; stage++)
		program_line(llm, flow, stage);
}
