/* goal_out_binary.c - GOAL schedules as LogGOPSim's txt2bin writes them: reader/goal_binary.c has
 * the format */
#include <endian.h>
#include <stdlib.h>

#include "convert/writer/goal_out.h"

enum { NODE = 39 };

static void put32(struct out *out, uint32_t value)
{
	value = htole32(value);
	out_write(out, (const char *)&value, sizeof(value));
}

static void put64(struct out *out, uint64_t value)
{
	value = htole64(value);
	out_write(out, (const char *)&value, sizeof(value));
}

static int by_on(const void *a, const void *b)
{
	const struct goal_need *x = a, *y = b;

	if (x->on != y->on)
		return (x->on > y->on) - (x->on < y->on);
	if (x->is_start != y->is_start)
		return x->is_start - y->is_start;
	return (x->node > y->node) - (x->node < y->node);
}

static uint64_t rank_bytes(const struct goal_rank *goal, const uint32_t *unmet)
{
	uint64_t nroots = 0;

	for (size_t i = 0; i < goal->nodes.n; i++)
		nroots += unmet[i] == 0;
	return 8 + 4 * nroots + NODE * goal->nodes.n + 4 * goal->needs.n;
}

static uint32_t *count_unmet(const struct goal_rank *goal)
{
	uint32_t *unmet = xcalloc(goal->nodes.n + 1, sizeof(*unmet));

	for (size_t i = 0; i < goal->needs.n; i++)
		unmet[goal->needs.at[i].node]++;
	return unmet;
}

static void write_node(struct out *out, const struct goal_rank *goal, int32_t index, uint32_t unmet,
		       uint32_t *at)
{
	const struct goal_node *node = &goal->nodes.at[index];

	put32(out, unmet);
	out_char(out, (char)node->op);
	put32(out, node->peer);
	put64(out, node->size);
	put32(out, node->tag);
	out_char(out, (char)node->cpu);
	out_char(out, (char)node->nic);
	for (int is_start = 0; is_start < 2; is_start++) {
		uint32_t first = *at;

		while (*at < goal->needs.n && goal->needs.at[*at].on == index &&
		       goal->needs.at[*at].is_start == (is_start != 0))
			++*at;
		put32(out, *at - first);
		put32(out, first);
	}
}

static void write_rank(struct out *out, struct goal_rank *goal)
{
	uint32_t *unmet = count_unmet(goal), nroots = 0, at = 0;

	if (goal->needs.n > 0)
		qsort(goal->needs.at, goal->needs.n, sizeof(*goal->needs.at), by_on);
	for (size_t i = 0; i < goal->nodes.n; i++)
		nroots += unmet[i] == 0;
	put32(out, (uint32_t)goal->nodes.n);
	put32(out, nroots);
	for (size_t i = 0; i < goal->nodes.n; i++)
		if (unmet[i] == 0)
			put32(out, (uint32_t)i);
	for (size_t i = 0; i < goal->nodes.n; i++)
		write_node(out, goal, (int32_t)i, unmet[i], &at);
	for (size_t i = 0; i < goal->needs.n; i++)
		put32(out, (uint32_t)goal->needs.at[i].node);
	free(unmet);
}

void goal_write_binary(struct out *out, struct goal_rank *ranks, size_t n)
{
	uint64_t at = 6 + 16 * (uint64_t)n;
	int most_cpu = 0, most_nic = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < ranks[i].nodes.n; k++) {
			const struct goal_node *node = &ranks[i].nodes.at[k];

			most_cpu = node->cpu > most_cpu ? node->cpu : most_cpu;
			most_nic = node->nic > most_nic ? node->nic : most_nic;
		}
	put64(out, GOAL_MAGIC);
	put32(out, (uint32_t)n);
	out_char(out, (char)most_cpu);
	out_char(out, (char)most_nic);
	for (size_t i = 0; i < n; i++) {
		uint32_t *unmet = count_unmet(&ranks[i]);

		put64(out, at);
		at += rank_bytes(&ranks[i], unmet);
		put64(out, at);
		free(unmet);
	}
	for (size_t i = 0; i < n; i++)
		write_rank(out, &ranks[i]);
}
