/* link_form_dragonfly.c - links in use of a dragonfly whose groups are complete, one cable per pair
 */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly.h"
#include "place/constraint/link_forms.h"

enum { MOST_GROUPS = 2048 };

/*
 * Units are routers; a group has nwords words. Links in use: for each router [nwords] those of its
 * group that it is joined with by one in use, then for each group [ngroup_words] the other groups
 * that it is. A route is router a, the gate of its group to the other, the gate there, router b.
 */
struct state {
	const struct dragonfly *df;
	int nwords, ngroup_words;
	int *gate;         /* [groups²] of group g to group h, as a number within g */
	uint64_t *members; /* [groups · nwords] of the job that is marked; zero between calls */
	uint64_t *gates;   /* [nwords] */
};

static bool form_open(struct links *links)
{
	const struct topo *topo = links->space->topo;
	const struct dragonfly *df = topo_as_dragonfly(topo);
	struct state *state;

	if (df == NULL || df->rows != 1 || df->links != 1 || df->groups > MOST_GROUPS ||
	    !links_are_single(links->space))
		return false;
	links->state = state = xcalloc(1, sizeof(*state));
	state->df = df;
	state->nwords = (df->routers + 63) / 64;
	state->ngroup_words = (df->groups + 63) / 64;
	state->gate = xcalloc((size_t)df->groups * (size_t)df->groups, sizeof(int));
	for (int g = 0; g < df->groups; g++)
		for (int h = 0; h < df->groups; h++)
			if (g != h)
				state->gate[g * df->groups + h] = dragonfly_gate(df, g, h, 0);
	links->nunit_words = df->groups * state->nwords;
	state->members = xcalloc((size_t)links->nunit_words, sizeof(uint64_t));
	state->gates = xcalloc((size_t)state->nwords, sizeof(uint64_t));
	for (int node = 0; node < topo->nnodes; node++) {
		int router = topo->router_of[node];

		links->unit_of[node] =
			router / df->routers * state->nwords * 64 + router % df->routers;
	}
	links->nwords = topo->nrouters * state->nwords + df->groups * state->ngroup_words;
	links->mark_steps = 30 * (int64_t)links->nwords;
	links_add_hosts(links);
	return true;
}

static void close(struct links *links)
{
	struct state *state = links->state;

	free(state->gate);
	free(state->members);
	free(state->gates);
	free(state);
}

/* Those of a router's group that it is joined with: [nwords]. */
static int64_t locals_of(const struct state *state, int group, int router)
{
	return ((int64_t)group * state->df->routers + router) * state->nwords;
}

static int64_t globals_of(const struct state *state, int group)
{
	return locals_of(state, state->df->groups, 0) + (int64_t)group * state->ngroup_words;
}

static int next_in(const uint64_t *set, int nwords, int from)
{
	for (int w = from >> 6; w < nwords; w++) {
		uint64_t word = set[w] & (w == from >> 6 ? ~0ULL << (from & 63) : ~0ULL);

		if (word != 0)
			return w * 64 + __builtin_ctzll(word);
	}
	return -1;
}

/* All of one set with all of another, within a group. */
static void join(const struct state *state, int group, const uint64_t *from, const uint64_t *to,
		 uint64_t *marked)
{
	for (int i = -1; (i = next_in(from, state->nwords, i + 1)) >= 0;) {
		uint64_t *row = &marked[locals_of(state, group, i)];

		for (int w = 0; w < state->nwords; w++)
			row[w] |= to[w];
		row[i >> 6] &= ~(1ULL << (i & 63)); /* not with itself */
	}
}

static void mark_group(const struct state *state, int group, const uint64_t *groups,
		       uint64_t *marked)
{
	const struct dragonfly *df = state->df;
	const uint64_t *members = &state->members[(int64_t)group * state->nwords];

	memset(state->gates, 0, (size_t)state->nwords * sizeof(uint64_t));
	for (int h = -1; (h = next_in(groups, state->ngroup_words, h + 1)) >= 0;) {
		if (h == group)
			continue;
		bits_add(&marked[globals_of(state, group)], h);
		bits_add(state->gates, state->gate[group * df->groups + h]);
	}
	join(state, group, members, members, marked);
	join(state, group, members, state->gates, marked);
	join(state, group, state->gates, members, marked);
}

static void mark(struct links *links, const int *nodes, int n, uint64_t *marked)
{
	struct state *state = links->state;
	int nwords = state->nwords;
	uint64_t *groups;

	if (n < 2)
		return;
	groups = xcalloc((size_t)state->ngroup_words, sizeof(*groups));
	for (int i = 0; i < n; i++) {
		int unit = links->unit_of[nodes[i]];

		bits_add(state->members, unit);
		bits_add(groups, unit / (64 * nwords));
	}
	for (int g = -1; (g = next_in(groups, state->ngroup_words, g + 1)) >= 0;)
		mark_group(state, g, groups, marked);
	for (int g = -1; (g = next_in(groups, state->ngroup_words, g + 1)) >= 0;)
		memset(&state->members[(int64_t)g * nwords], 0, (size_t)nwords * sizeof(uint64_t));
	links_mark_hosts(links, nodes, n, marked);
	free(groups);
}

/* The units of another group. */
static void narrow_group(const struct links *links, int group, int router, int other,
			 uint64_t *units)
{
	const struct state *state = links->state;
	const struct dragonfly *df = state->df;
	const uint64_t *used = links->used;
	int gate = state->gate[group * df->groups + other];
	const uint64_t *row =
		&used[locals_of(state, other, state->gate[other * df->groups + group])];
	bool is_cut = bits_has(&used[globals_of(state, group)], other) ||
		      bits_has(&used[locals_of(state, group, router)], gate);

	for (int w = 0; w < state->nwords; w++)
		units[w] = is_cut ? 0 : units[w] & ~row[w];
}

static int64_t narrow(struct links *links, int unit, uint64_t *units)
{
	const struct state *state = links->state;
	int group = unit / (64 * state->nwords), router = unit % (64 * state->nwords);
	const uint64_t *row = &links->used[locals_of(state, group, router)];

	for (int h = 0; h < state->df->groups; h++) {
		uint64_t *of = &units[(int64_t)h * state->nwords], any = 0;

		for (int w = 0; w < state->nwords; w++)
			any |= of[w];
		if (any == 0)
			continue;
		if (h != group) {
			narrow_group(links, group, router, h, of);
			continue;
		}
		for (int w = 0; w < state->nwords; w++)
			of[w] &= ~row[w];
	}
	return 2 * (int64_t)links->nunit_words;
}

const struct link_form link_form_dragonfly = {
	.open = form_open, .close = close, .mark = mark, .narrow = narrow};
