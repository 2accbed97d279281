/* dragonfly_gates.c - which of several global links between two groups of a dragonfly a packet
 * takes */
#include "sim/network/dragonfly_gates.h"

#include <stdlib.h>

#include "base/mem.h"

enum { HOPS_MOST = 1 << 25 }; /* words of all routers */

/* Hops are counted for eight gates at once, in the bytes of a word. */
#define FAR UINT64_C(0x20) /* more than any, for the bytes behind the last gate */
#define LOW_BITS UINT64_C(0x7f7f7f7f7f7f7f7f)
#define ONES UINT64_C(0x0101010101010101)

/* Word w of the hops from a router within its group to the gates towards another. */
static uint64_t count_word(const struct gates *gates, struct place from, int to, int w)
{
	const struct gate *between = gates_between(gates, from.group, to);
	uint64_t word = 0;

	for (int k = 0; k < 8; k++) {
		int i = 8 * w + k;
		uint64_t hops = FAR;

		if (i < gates->links)
			hops = (uint64_t)gates_local_hops(gates, from.in, between[i].in);
		word |= hops << (8 * k);
	}
	return word;
}

/* ---- choosing ---- */

/* What is known of the hops from a router to the gates of its group towards another. */
struct gate_row {
	struct place from;
	int to;
	const uint64_t *words; /* [nwords]; NULL: they are counted */
};

static inline struct gate_row row_of(const struct gates *gates, struct place from, int to)
{
	size_t router = (size_t)from.group * (size_t)gates->routers + (size_t)from.in;
	struct gate_row row = {from, to, NULL};

	if (gates->hops != NULL)
		row.words = &gates->hops[(router * (size_t)gates->groups + (size_t)to) *
					 (size_t)gates->nwords];
	return row;
}

static inline uint64_t word_of(const struct gates *gates, const struct gate_row *row, int w)
{
	return row->words != NULL ? row->words[w] : count_word(gates, row->from, row->to, w);
}

/* The highest bit of each byte that is hops. No byte is above LOW_BITS, so none carries. */
static inline uint64_t bytes_with(uint64_t word, uint64_t hops)
{
	return ~((word ^ ONES * hops) + LOW_BITS) & ~LOW_BITS;
}

static inline int count_bytes(uint64_t highest_bits)
{
	return (int)((highest_bits >> 7) * ONES >> 56);
}

int gates_choose_among(const struct gates *gates, struct place from, int to, int in_b, int node)
{
	struct gate_row there = row_of(gates, from, to);
	struct gate_row back = row_of(gates, (struct place){to, in_b >= 0 ? in_b : 0}, from.group);
	uint64_t hops = 0, word;
	int n = 0, nbefore, w;

	for (; n == 0; hops++)
		for (w = 0; w < gates->nwords; w++) {
			word = word_of(gates, &there, w);
			word += in_b >= 0 ? word_of(gates, &back, w) : 0;
			n += count_bytes(bytes_with(word, hops));
		}
	hops--;
	nbefore = n > 1 ? node % n : 0;
	for (w = 0;; w++) {
		word = word_of(gates, &there, w);
		word += in_b >= 0 ? word_of(gates, &back, w) : 0;
		word = bytes_with(word, hops);
		if (nbefore < count_bytes(word))
			break;
		nbefore -= count_bytes(word);
	}
	for (; nbefore > 0; nbefore--)
		word &= word - 1;
	return 8 * w + __builtin_ctzll(word) / 8;
}

/* ---- opening ---- */

/* Global links are the last ones, pair by pair of groups. */
static void open_links(struct gates *gates, const struct topo *topo)
{
	size_t g = (size_t)gates->groups, links = (size_t)gates->links;
	int64_t link = topo->graph->nlinks - (int64_t)(g * (g - 1) / 2 * links);

	gates->at = xcalloc(g * g * links + 1, sizeof(*gates->at));
	for (size_t from = 0; from < g; from++)
		for (size_t to = from + 1; to < g; to++)
			for (size_t i = 0; i < links; i++, link++) {
				const struct topo_link *l = &topo->graph->links[link];

				gates->at[(from * g + to) * links + i] =
					(struct gate){(int32_t)(2 * link),
						      (l->a - topo->nnodes) % gates->routers};
				gates->at[(to * g + from) * links + i] =
					(struct gate){(int32_t)(2 * link + 1),
						      (l->b - topo->nnodes) % gates->routers};
			}
}

static void open_hops(struct gates *gates)
{
	int nrouters = gates->groups * gates->routers;
	size_t n = 0, nwords = (size_t)nrouters * (size_t)gates->groups * (size_t)gates->nwords;
	uint64_t *words;

	if (gates->links == 1 || nwords > HOPS_MOST)
		return;
	words = xmalloc(nwords * sizeof(*words));
	for (int r = 0; r < nrouters; r++) {
		struct place from = {r / gates->routers, r % gates->routers};

		for (int to = 0; to < gates->groups; to++)
			for (int w = 0; w < gates->nwords; w++)
				words[n++] = to == from.group ? 0 : count_word(gates, from, to, w);
	}
	gates->hops = words;
}

void gates_open(struct gates *gates, const struct dragonfly *df, const struct topo *topo)
{
	int a = df->routers;

	*gates = (struct gates){.groups = df->groups,
				.routers = a,
				.links = df->links,
				.nwords = (df->links + 7) / 8};
	gates->local_hops = xmalloc((size_t)a * (size_t)a);
	for (int i = 0; i < a; i++)
		for (int j = 0; j < a; j++)
			gates->local_hops[i * a + j] = (uint8_t)dragonfly_local(df, i, j);
	open_links(gates, topo);
	open_hops(gates);
}

void gates_close(struct gates *gates)
{
	free(gates->local_hops);
	free(gates->at);
	free(gates->hops);
}
