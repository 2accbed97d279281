/* open_pattern.c - where nodes that send whatever comes back send to */
#include "sim/open_pattern.h"

#include <stdlib.h>

#include "base/mem.h"

#define OPEN_LOOP_PARAMS                                                                           \
	{.key = "load",                                                                            \
	 .type = PARAM_TEXT,                                                                       \
	 .def = "0.1:0.9:0.1",                                                                     \
	 .meaning = "offered load as a fraction of the rate of a node's link, or "                 \
		    "FROM:TO:STEP"},                                                               \
		{.key = "bytes",                                                                   \
		 .type = PARAM_BYTES,                                                              \
		 .optional = true,                                                                 \
		 .unit = "B",                                                                      \
		 .meaning = "of a message; default: one packet"},                                  \
		{.key = "warmup",                                                                  \
		 .type = PARAM_INT,                                                                \
		 .min = 0,                                                                         \
		 .max = 1000000000,                                                                \
		 .def = "2000",                                                                    \
		 .meaning = "length of the warm-up, in times of a message on a node's "            \
			    "link"},                                                               \
		{.key = "measure",                                                                 \
		 .type = PARAM_INT,                                                                \
		 .min = 1,                                                                         \
		 .max = 1000000000,                                                                \
		 .def = "1500",                                                                    \
		 .meaning = "length of the measurement, in the same unit"},                        \
	{                                                                                          \
		.key = "drain", .type = PARAM_INT, .min = 1, .max = 1000000, .def = "10",          \
		.meaning = "how many times as long measured messages may take to arrive; "         \
			   "otherwise the load is beyond saturation and has no latency"            \
	}

/* ---- uniform ---- */

static int open_uniform(struct open_destinations *to, const struct topo *topo,
			const struct pick *pick, uint64_t seed, struct err *err)
{
	(void)pick;
	(void)seed;
	to->topo = topo;
	return topo->nnodes > 1 ? 0 : err_set(err, "a single node has no node to send to");
}

static int uniform(const struct open_destinations *to, struct rng *rng, int node)
{
	int other = (int)rng_below(rng, (uint64_t)to->topo->nnodes - 1);

	return other + (other >= node);
}

/* ---- adversarial ---- */

/* Nodes by domain: node[0 … n] where the domains begin, then the nodes. */
static int open_adversarial(struct open_destinations *to, const struct topo *topo,
			    const struct pick *pick, uint64_t seed, struct err *err)
{
	int tier = topo_tier_find(topo, "group"), *place;

	(void)seed;
	if (pick_has(pick, "tier")) {
		tier = topo_tier_find(topo, pick_word(pick, "tier"));
		if (tier < 0)
			return err_set(err, "adversarial: tier=%s: the machine has no groups",
				       pick_word(pick, "tier"));
	}
	to->topo = topo;
	to->tier = tier >= 0 ? tier : 0;
	to->n = topo->tiers[to->tier].n;
	if (to->n < 2)
		return err_set(err, "adversarial: the machine has only one %s",
			       topo->tiers[to->tier].name);
	to->node = xcalloc((size_t)to->n + 2 + (size_t)topo->nnodes, sizeof(*to->node));
	place = to->node + 1;
	for (int node = 0; node < topo->nnodes; node++)
		place[topo_domain(topo, node, to->tier) + 1]++;
	for (int d = 0; d < to->n; d++)
		place[d + 1] += place[d];
	for (int node = 0; node < topo->nnodes; node++)
		to->node[to->n + 2 + place[topo_domain(topo, node, to->tier)]++] = node;
	return 0;
}

/* A random node of the next domain that has nodes. */
static int adversarial(const struct open_destinations *to, struct rng *rng, int node)
{
	int domain = topo_domain(to->topo, node, to->tier), first, n;

	do {
		domain = domain + 1 < to->n ? domain + 1 : 0;
		first = to->node[domain];
		n = to->node[domain + 1] - first;
	} while (n == 0);
	return to->node[to->n + 2 + first + (int)rng_below(rng, (uint64_t)n)];
}

/* ---- permutation ---- */

static int open_permutation(struct open_destinations *to, const struct topo *topo,
			    const struct pick *pick, uint64_t seed, struct err *err)
{
	struct rng rng = rng_make(seed, "permutation", NULL, NULL);

	(void)pick;
	(void)err;
	to->topo = topo;
	to->node = xmalloc((size_t)topo->nnodes * sizeof(*to->node));
	for (int node = 0; node < topo->nnodes; node++)
		to->node[node] = node;
	rng_shuffle(&rng, to->node, (size_t)topo->nnodes);
	return 0;
}

static int permutation(const struct open_destinations *to, struct rng *rng, int node)
{
	(void)rng;
	return to->node[node] == node ? -1 : to->node[node];
}

/* ---- hotspot ---- */

static int open_hotspot(struct open_destinations *to, const struct topo *topo,
			const struct pick *pick, uint64_t seed, struct err *err)
{
	struct rng rng = rng_make(seed, "hotspot", NULL, NULL);

	if (open_permutation(to, topo, pick, seed, err) != 0)
		return -1;
	rng_shuffle(&rng, to->node, (size_t)topo->nnodes);
	to->n = (int)pick_int(pick, "nodes");
	to->share = pick_real(pick, "share");
	if (to->n >= topo->nnodes)
		return err_set(err, "hotspot: nodes=%d of the machine's %d", to->n, topo->nnodes);
	return 0;
}

static int hotspot(const struct open_destinations *to, struct rng *rng, int node)
{
	int hot;

	if (rng_unit(rng) >= to->share)
		return uniform(to, rng, node);
	hot = to->node[rng_below(rng, (uint64_t)to->n)];
	return hot == node ? uniform(to, rng, node) : hot;
}

/* ---- the registry ---- */

static const struct param params[] = {
	OPEN_LOOP_PARAMS,
	{.key = NULL},
};
static const struct param adversarial_params[] = {
	OPEN_LOOP_PARAMS,
	{.key = "tier",
	 .type = PARAM_WORD,
	 .choices = "group|router",
	 .optional = true,
	 .meaning = "the next what; default: group, on machines without groups router"},
	{.key = NULL},
};
static const struct param hotspot_params[] = {
	OPEN_LOOP_PARAMS,
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .def = "1",
	 .meaning = "number of hot nodes, chosen at random"},
	{.key = "share",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1,
	 .def = "0.1",
	 .meaning = "fraction of messages that go to one of them; the others are uniform"},
	{.key = NULL},
};

static const struct open_pattern pattern_adversarial = {
	.entry = {.name = "adversarial",
		  .summary = "a random node of the next group (without groups: router)",
		  .paper = "Kim, Dally, Scott, Abts, ISCA 2008: worst case of a dragonfly",
		  .example = "adversarial:load=0.02",
		  .params = adversarial_params},
	.open = open_adversarial,
	.destination = adversarial,
};
static const struct open_pattern pattern_hotspot = {
	.entry = {.name = "hotspot",
		  .summary = "some messages to a few nodes, the others to a random one",
		  .example = "hotspot:load=0.1,nodes=2",
		  .params = hotspot_params},
	.open = open_hotspot,
	.destination = hotspot,
};
static const struct open_pattern pattern_permutation = {
	.entry = {.name = "permutation",
		  .summary = "a random permutation: each node sends to one other",
		  .example = "permutation:load=0.2",
		  .params = params},
	.open = open_permutation,
	.destination = permutation,
};
static const struct open_pattern pattern_uniform = {
	.entry = {.name = "uniform",
		  .summary = "each message to a random other node",
		  .example = "uniform:load=0.1:0.5:0.2",
		  .params = params},
	.open = open_uniform,
	.destination = uniform,
};

static const struct entry *const entries[] = {
	&pattern_adversarial.entry,
	&pattern_hotspot.entry,
	&pattern_permutation.entry,
	&pattern_uniform.entry,
};
const struct registry open_patterns = {
	.name = "open-loop-patterns",
	.noun = "open-loop pattern",
	.size = sizeof(struct open_pattern),
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};
