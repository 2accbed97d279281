/* comm_sum.c - messages add up to a communication graph */
#include "model/comm_sum.h"

#include <stdlib.h>

#include "base/str.h"

struct comm_slot {
	int32_t dst; /* -1: free */
	double bytes, messages;
};

enum { FIRST_SLOTS = 16, FIRST_INDEX = 64 };

static struct comm_slot *free_slots(int32_t n)
{
	struct comm_slot *slots = xcalloc((size_t)n, sizeof(*slots));

	for (int32_t i = 0; i < n; i++)
		slots[i].dst = -1;
	return slots;
}

static struct comm_slot *find_slot(const struct comm_source *source, int32_t dst)
{
	uint32_t mask = (uint32_t)source->nslots - 1, i = (uint32_t)dst * 2654435769u >> 7;

	for (;; i++) {
		struct comm_slot *slot = &source->slots[i & mask];

		if (slot->dst == dst || slot->dst == -1)
			return slot;
	}
}

static void grow_source(struct comm_source *source)
{
	struct comm_source old = *source;

	source->nslots *= 2;
	source->slots = free_slots(source->nslots);
	for (int32_t i = 0; i < old.nslots; i++)
		if (old.slots[i].dst >= 0)
			*find_slot(source, old.slots[i].dst) = old.slots[i];
	free(old.slots);
}

static int32_t *find_index(const struct comm_sum *sum, int32_t src)
{
	size_t i = (size_t)u64_mix((uint64_t)src);

	for (;; i++) {
		int32_t *at = &sum->index[i & (sum->nindex - 1)];

		if (*at < 0 || sum->sources.at[*at].src == src)
			return at;
	}
}

static void grow_index(struct comm_sum *sum)
{
	sum->nindex = sum->nindex ? sum->nindex * 2 : FIRST_INDEX;
	sum->index = xrealloc(sum->index, sum->nindex, sizeof(*sum->index));
	for (size_t i = 0; i < sum->nindex; i++)
		sum->index[i] = -1;
	for (size_t i = 0; i < sum->sources.n; i++)
		*find_index(sum, sum->sources.at[i].src) = (int32_t)i;
}

static struct comm_source *find_source(struct comm_sum *sum, int32_t src)
{
	int32_t *at;

	if (sum->sources.n > 0 && sum->sources.at[sum->last_source].src == src)
		return &sum->sources.at[sum->last_source];
	if (2 * (sum->sources.n + 1) > sum->nindex)
		grow_index(sum);
	at = find_index(sum, src);
	if (*at < 0) {
		struct comm_source source = {src, 0, FIRST_SLOTS, free_slots(FIRST_SLOTS)};

		*at = (int32_t)sum->sources.n;
		vec_push(&sum->sources, source);
	}
	sum->last_source = (size_t)*at;
	return &sum->sources.at[*at];
}

void comm_sum_add(struct comm_sum *sum, int32_t src, int32_t dst, double bytes, double messages)
{
	struct comm_source *source = find_source(sum, src);
	struct comm_slot *slot = find_slot(source, dst);

	if (slot->dst < 0) {
		if (3 * (source->n + 1) > 2 * source->nslots) {
			grow_source(source);
			slot = find_slot(source, dst);
		}
		slot->dst = dst;
		source->n++;
	}
	slot->bytes += bytes;
	slot->messages += messages;
}

static int by_src(const void *a, const void *b)
{
	const struct comm_source *x = a, *y = b;

	return (x->src > y->src) - (x->src < y->src);
}

/* Free slots last. */
static int by_dst(const void *a, const void *b)
{
	const struct comm_slot *x = a, *y = b;
	uint32_t i = (uint32_t)x->dst, j = (uint32_t)y->dst;

	return (i > j) - (i < j);
}

int comm_sum_emit(struct comm_sum *sum, struct flow *flow, struct err *err)
{
	int src = flow_column(flow, "src"), dst = flow_column(flow, "dst");
	int bytes = flow_column(flow, "bytes"), messages = flow_column(flow, "messages");

	if (sum->sources.n > 0)
		qsort(sum->sources.at, sum->sources.n, sizeof(*sum->sources.at), by_src);
	for (size_t i = 0; i < sum->sources.n; i++) {
		struct comm_source *source = &sum->sources.at[i];

		qsort(source->slots, (size_t)source->nslots, sizeof(*source->slots), by_dst);
		for (int32_t j = 0; j < source->n; j++) {
			flow_int(flow, src, source->src);
			flow_int(flow, dst, source->slots[j].dst);
			flow_real(flow, bytes, source->slots[j].bytes);
			flow_real(flow, messages, source->slots[j].messages);
			if (flow_emit(flow, err) != 0)
				return -1;
		}
		free(source->slots);
		source->slots = NULL;
	}
	return 0;
}

void comm_sum_free(struct comm_sum *sum)
{
	for (size_t i = 0; i < sum->sources.n; i++)
		free(sum->sources.at[i].slots);
	vec_free(&sum->sources);
	free(sum->index);
	*sum = (struct comm_sum){0};
}
