/* link_form_tree.c - links in use of trees and fat trees with D-mod-k routes, one cable per pair */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/pgft.h"
#include "place/constraint/link_forms.h"

/*
 * Units are nodes; a leaf switch has nwords words. On the way to node b a route climbs from level k
 * by the switch and the cable that b modulo tops[k + 1] is the number of, and comes down to level k
 * by the one of that number above b's own subtree. So a subtree of level k has tops[k + 1] links
 * upwards, and those in use are a bit for each.
 *
 * windows: what is not in use above a subtree, for each node of a leaf; it depends on the number of
 * the leaf's first node modulo tops[k + 1].
 */
struct state {
	const struct pgft *tree;
	int nleaves, nwords;
	struct level {
		int nsubtrees, nleaves; /* of it; leaf switches of each */
		int period;             /* tops[k + 1] */
		int first, nset;        /* words of links: where they begin, and of a subtree */
		int nwindows;           /* that differ */
		uint64_t *window;       /* [nsubtrees · nwindows · nwords] */
		uint64_t *is_joined;    /* [nleaves of the machine · nwords] nodes below no link in
					 * use up to here, by their own numbers */
		uint64_t *was;     /* [nsubtrees · nset] the links in use that windows are of */
		bool *has_changed; /* [nsubtrees] */
		int *window_of;    /* [nleaves of the machine] */
		int *first_of;     /* [nleaves of the machine] the words of its subtree's links */
	} levels[PGFT_LEVELS + 1]; /* 1 … nlevels − 1 */
};

static int gcd(int a, int b)
{
	return b == 0 ? a : gcd(b, a % b);
}

static void open_level(struct links *links, struct state *state, int k)
{
	const struct pgft *tree = state->tree;
	struct level *level = &state->levels[k];
	int nnodes = links->space->topo->nnodes;
	size_t nwords = (size_t)state->nwords;

	level->nsubtrees = nnodes / tree->nodes_below[k];
	level->nleaves = state->nleaves / level->nsubtrees;
	level->period = tree->tops[k + 1];
	level->first = links->nwords;
	level->nset = (level->period + 63) / 64;
	links->nwords += level->nsubtrees * level->nset;
	level->nwindows = level->period / gcd(level->period, tree->m[1]);
	if (level->nwindows > state->nleaves)
		level->nwindows = state->nleaves;
	level->window = xcalloc((size_t)level->nsubtrees * (size_t)level->nwindows * nwords,
				sizeof(uint64_t));
	level->is_joined = xcalloc((size_t)state->nleaves * nwords, sizeof(uint64_t));
	level->was = xmalloc((size_t)level->nsubtrees * (size_t)level->nset * sizeof(uint64_t));
	memset(level->was, 0xff, (size_t)level->nsubtrees * (size_t)level->nset * sizeof(uint64_t));
	level->has_changed = xcalloc((size_t)level->nsubtrees, sizeof(bool));
	level->window_of = xmalloc((size_t)state->nleaves * sizeof(int));
	level->first_of = xmalloc((size_t)state->nleaves * sizeof(int));
	for (int leaf = 0; leaf < state->nleaves; leaf++) {
		level->window_of[leaf] = leaf % level->nwindows;
		level->first_of[leaf] = level->first + leaf / level->nleaves * level->nset;
	}
}

static bool form_open(struct links *links)
{
	const struct topo *topo = links->space->topo;
	const struct pgft *tree = topo_as_tree(topo);
	struct state *state;

	if (tree == NULL || !links_are_single(links->space))
		return false;
	links->state = state = xcalloc(1, sizeof(*state));
	state->tree = tree;
	state->nleaves = topo->nnodes / tree->m[1];
	state->nwords = (tree->m[1] + 63) / 64;
	links->nunit_words = state->nleaves * state->nwords;
	for (int node = 0; node < topo->nnodes; node++)
		links->unit_of[node] = node / tree->m[1] * state->nwords * 64 + node % tree->m[1];
	for (int k = 1; k < tree->nlevels; k++)
		open_level(links, state, k);
	links->mark_steps = 30 * (int64_t)links->nwords;
	links_add_hosts(links);
	return true;
}

static void close(struct links *links)
{
	struct state *state = links->state;

	for (int k = 1; k < state->tree->nlevels; k++) {
		free(state->levels[k].window);
		free(state->levels[k].is_joined);
		free(state->levels[k].was);
		free(state->levels[k].has_changed);
		free(state->levels[k].window_of);
		free(state->levels[k].first_of);
	}
	free(state);
}

/* ---- the links of a job ---- */

/* A subtree that has some of the nodes but not all: its links to the numbers of all. */
static void mark(struct links *links, const int *nodes, int n, uint64_t *marked)
{
	const struct state *state = links->state;

	if (n < 2)
		return;
	for (int k = 1; k < state->tree->nlevels; k++) {
		const struct level *level = &state->levels[k];
		int below = state->tree->nodes_below[k];
		uint64_t *numbers;
		bool is_one = true;

		for (int i = 1; i < n && is_one; i++)
			is_one = nodes[i] / below == nodes[0] / below;
		if (is_one)
			break;
		numbers = xcalloc((size_t)level->nset, sizeof(*numbers));
		for (int i = 0; i < n; i++)
			bits_add(numbers, nodes[i] % level->period);
		for (int i = 0; i < n; i++) {
			uint64_t *set = &marked[level->first + nodes[i] / below * level->nset];

			/* nodes often follow each other */
			if (i > 0 && nodes[i] / below == nodes[i - 1] / below)
				continue;
			for (int w = 0; w < level->nset; w++)
				set[w] |= numbers[w];
		}
		free(numbers);
	}
	links_mark_hosts(links, nodes, n, marked);
}

/* ---- what is in use ---- */

static const uint64_t *window_at(const struct state *state, const struct level *level, int subtree,
				 int leaf)
{
	return &level->window[((int64_t)subtree * level->nwindows + level->window_of[leaf]) *
			      state->nwords];
}

/* The windows of a subtree whose links in use are others than before. */
static void fill_windows(const struct links *links, struct level *level, int subtree)
{
	const struct state *state = links->state;
	const uint64_t *used = &links->used[level->first + (int64_t)subtree * level->nset];
	int m = state->tree->m[1];

	memcpy(&level->was[(int64_t)subtree * level->nset], used,
	       (size_t)level->nset * sizeof(uint64_t));
	for (int i = 0; i < level->nwindows; i++) {
		uint64_t *window =
			&level->window[((int64_t)subtree * level->nwindows + i) * state->nwords];
		int number = (int)((int64_t)i * m % level->period);

		memset(window, 0, (size_t)state->nwords * sizeof(uint64_t));
		for (int node = 0; node < m; node++) {
			if (!bits_has(used, number))
				bits_add(window, node);
			number = number + 1 == level->period ? 0 : number + 1;
		}
	}
}

static void prepare(struct links *links)
{
	struct state *state = links->state;
	size_t nwords = (size_t)state->nwords;

	for (int k = 1; k < state->tree->nlevels; k++) {
		struct level *level = &state->levels[k];

		for (int s = 0; s < level->nsubtrees; s++) {
			level->has_changed[s] =
				memcmp(&links->used[level->first + (int64_t)s * level->nset],
				       &level->was[(int64_t)s * level->nset],
				       (size_t)level->nset * sizeof(uint64_t)) != 0;
			if (level->has_changed[s])
				fill_windows(links, level, s);
		}
		for (int leaf = 0; leaf < state->nleaves; leaf++) {
			const uint64_t *window =
				window_at(state, level, leaf / level->nleaves, leaf);

			for (size_t w = 0; w < nwords; w++)
				level->is_joined[(size_t)leaf * nwords + w] =
					window[w] &
					(k > 1 ? state->levels[k - 1]
							 .is_joined[(size_t)leaf * nwords + w]
					       : ~0ULL);
		}
	}
}

/* ---- who goes together ---- */

/* The node that others are to go together with. */
struct own {
	int node, leaf;
	int number[PGFT_LEVELS + 1];              /* of its links upwards at a level */
	const uint64_t *windows[PGFT_LEVELS + 1]; /* of its subtree of a level */
};

/* The nodes of another leaf below the same subtree of the level after top. */
static void narrow_leaf(const struct links *links, const struct own *own, int top, int other,
			uint64_t *units)
{
	const struct state *state = links->state;
	int64_t nwords = state->nwords;
	const uint64_t *joined = state->levels[top].is_joined + other * nwords;
	bool goes = true;

	/* the last level was looked at for the whole subtree */
	for (int k = 1; k < top && goes; k++)
		goes = !bits_has(&links->used[state->levels[k].first_of[other]], own->number[k]);
	for (int64_t w = 0; w < nwords; w++) {
		uint64_t word = goes ? units[w] & joined[w] : 0;

		for (int k = 1; k <= top; k++)
			word &= own->windows[k][state->levels[k].window_of[other] * nwords + w];
		units[w] = word;
	}
}

/* The leaves of a subtree of level top beside that of the node. */
static void narrow_subtree(const struct links *links, const struct own *own, int top, int subtree,
			   uint64_t *units)
{
	const struct state *state = links->state;
	const struct level *level = &state->levels[top];
	int first = subtree * level->nleaves, nwords = state->nwords;

	if (bits_has(&links->used[level->first_of[first]], own->number[top])) {
		memset(&units[(int64_t)first * nwords], 0,
		       (size_t)level->nleaves * (size_t)nwords * sizeof(uint64_t));
		return;
	}
	for (int other = first; other < first + level->nleaves; other++) {
		uint64_t *of = &units[(int64_t)other * nwords], any = 0;

		for (int w = 0; w < nwords; w++)
			any |= of[w];
		if (any != 0)
			narrow_leaf(links, own, top, other, of);
	}
}

static struct own own_of(const struct state *state, int unit)
{
	int nwords = state->nwords, m = state->tree->m[1];
	struct own own = {.leaf = unit / (64 * nwords)};

	own.node = own.leaf * m + unit % (64 * nwords);
	for (int k = 1; k < state->tree->nlevels; k++) {
		const struct level *level = &state->levels[k];

		own.number[k] = own.node % level->period;
		own.windows[k] = &level->window[(int64_t)(own.leaf / level->nleaves) *
						level->nwindows * nwords];
	}
	return own;
}

static int64_t narrow(struct links *links, int unit, uint64_t *units)
{
	const struct state *state = links->state;
	const struct pgft *tree = state->tree;
	struct own own = own_of(state, unit);

	for (int top = 1; top < tree->nlevels; top++) {
		const struct level *level = &state->levels[top];
		int of = own.node / tree->nodes_below[top], n = tree->m[top + 1],
		    first = of / n * n;
		const uint64_t *joined = level->is_joined + (int64_t)own.leaf * state->nwords;

		for (int subtree = first; subtree < first + n; subtree++) {
			uint64_t *leaves =
				&units[(int64_t)subtree * level->nleaves * state->nwords];

			if (subtree == of)
				continue;
			if (bits_has(joined, own.node % tree->m[1]))
				narrow_subtree(links, &own, top, subtree, units);
			else
				memset(leaves, 0,
				       (size_t)level->nleaves * (size_t)state->nwords *
					       sizeof(uint64_t));
		}
	}
	return 4 * (int64_t)links->nunit_words;
}

const struct link_form link_form_tree = {
	.open = form_open, .close = close, .mark = mark, .prepare = prepare, .narrow = narrow};
