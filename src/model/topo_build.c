/* topo_build.c - making a machine that has no structure, piece by piece */
#include "model/topo_build.h"

#include <stdlib.h>
#include <string.h>

#include "model/topo_hash.h"
#include "model/topo_level.h"
#include "model/topo_names.h"
#include "model/topo_type.h"

/* Most of each kind; vertices and channels are numbered by 32 bits. */
enum { VERTICES_MOST = 1 << 26, LINKS_MOST = 1 << 29 };

struct explicit_links {
	struct topo_link *at;
	size_t n;
};

struct build_vertex {
	char *name; /* in the machine's arena */
	int ncables;
	int first_router; /* of a node: at the other end of its first cable; -1: none yet */
	int cores;        /* of a node; 0: as all */
};

struct build_tier {
	struct map names; /* of its domains */
	int_vec of;       /* [routers, as far as any was said]: domain or -1 */
};

/* A handle is twice the number of a node, or that of a router and 1 more. */
struct topo_build {
	struct topo *topo;
	struct map handles;
	VEC(struct build_vertex) nodes, routers;
	VEC(struct topo_link) links; /* handles at both ends */
	struct build_tier tiers[TOPO_LEVELS];
};

struct topo_build *topo_build_new(const char *name)
{
	struct topo_build *build = xcalloc(1, sizeof(*build));

	build->topo = xcalloc(1, sizeof(*build->topo));
	build->topo->type = &topo_type_explicit;
	build->topo->name = xstrdup(name);
	build->topo->cores = 1;
	topo_level_start(build->topo);
	topo_tier_add(build->topo, "router", 0, NULL);
	return build;
}

void topo_build_free(struct topo_build *build)
{
	if (build == NULL)
		return;
	topo_free(build->topo);
	map_free(&build->handles);
	free(build->nodes.at);
	free(build->routers.at);
	free(build->links.at);
	for (int i = 0; i < TOPO_LEVELS; i++) {
		map_free(&build->tiers[i].names);
		free(build->tiers[i].of.at);
	}
	free(build);
}

size_t topo_clean_name(const char *text, size_t n, char name[TOPO_NAME])
{
	size_t length = 0;

	for (; n > 0 && (*text == ' ' || *text == '\t'); text++)
		n--;
	for (size_t i = 0; i < n && text[i] != ' ' && text[i] != '\t' && length < TOPO_NAME - 1;
	     i++)
		name[length++] = name_is_good(&text[i], 1) || text[i] == '.' ? text[i] : '_';
	name[length] = '\0';
	return length;
}

static struct build_vertex *vertex_at(const struct topo_build *build, int handle)
{
	return handle % 2 == 0 ? &build->nodes.at[handle / 2] : &build->routers.at[handle / 2];
}

bool topo_build_is_node(int handle)
{
	return handle % 2 == 0;
}

const char *topo_build_name(const struct topo_build *build, int handle)
{
	return vertex_at(build, handle)->name;
}

int topo_build_ncables(const struct topo_build *build, int handle)
{
	return vertex_at(build, handle)->ncables;
}

/* A copy of the name in the machine's arena, or NULL. */
static char *take_name(struct topo_build *build, const char *name, size_t n, int handle,
		       struct err *err)
{
	int64_t old;

	if (!name_is_good(name, n)) {
		err_set(err,
			"'%.*s' cannot be a name: it needs 1 to %d characters, without blank "
			"# , [ ]",
			n < 80 ? (int)n : 80, name, TOPO_NAME - 1);
		return NULL;
	}
	old = map_add(&build->handles, name, n, handle);
	if (old != handle) {
		err_set(err, "the name '%.*s' is taken by another %s", (int)n, name,
			topo_build_is_node((int)old) ? "node" : "router");
		return NULL;
	}
	return arena_strndup(&build->topo->arena, name, n);
}

int topo_build_node(struct topo_build *build, const char *name, size_t n, struct err *err)
{
	int handle = (int)build->nodes.n * 2;
	char *copy;

	if (build->nodes.n >= VERTICES_MOST)
		return err_set(err, "more than %d nodes", VERTICES_MOST);
	copy = take_name(build, name, n, handle, err);
	if (copy == NULL)
		return -1;
	vec_push(&build->nodes, (struct build_vertex){.name = copy, .first_router = -1});
	return handle;
}

int topo_build_router(struct topo_build *build, const char *name, size_t n, struct err *err)
{
	int handle = (int)build->routers.n * 2 + 1;
	char *copy;

	if (build->routers.n >= VERTICES_MOST)
		return err_set(err, "more than %d routers", VERTICES_MOST);
	copy = take_name(build, name, n, handle, err);
	if (copy == NULL)
		return -1;
	vec_push(&build->routers, (struct build_vertex){.name = copy});
	return handle;
}

int topo_build_find(const struct topo_build *build, const char *name, size_t n)
{
	return (int)map_get(&build->handles, name, n);
}

void topo_build_cores(struct topo_build *build, int cores)
{
	build->topo->cores = cores;
}

void topo_build_node_cores(struct topo_build *build, int node, int cores)
{
	vertex_at(build, node)->cores = cores;
}

/* Names of levels and tiers are short words, which also stand as keys in YAML. */
static int check_word(const char *name, size_t n, const char *what, struct err *err)
{
	if (n >= sizeof(((struct link_level *)NULL)->name) || !name_is_good(name, n) ||
	    memchr(name, ':', n) != NULL || memchr(name, '"', n) != NULL ||
	    memchr(name, '%', n) != NULL || memchr(name, '=', n) != NULL)
		return err_set(err, "'%.*s' cannot be the name of a %s", n < 80 ? (int)n : 80, name,
			       what);
	return 0;
}

int topo_build_level(struct topo_build *build, const char *name, size_t n, struct err *err)
{
	struct topo *topo = build->topo;
	int level = topo_level_find(topo, name, n);
	char *copy;

	if (level >= 0)
		return level;
	if (check_word(name, n, "link level", err) != 0)
		return -1;
	if (topo->nlevels == TOPO_LEVELS)
		return err_set(err, "'%.*s' would be link level %d; there can be %d", (int)n, name,
			       TOPO_LEVELS + 1, TOPO_LEVELS);
	copy = xstrndup(name, n);
	level = topo_level_add(topo, copy);
	free(copy);
	return level;
}

void topo_build_bandwidth(struct topo_build *build, int level, double bytes_per_s)
{
	build->topo->levels[level].bandwidth = bytes_per_s;
	build->topo->levels[level].is_bandwidth_written = true;
}

void topo_build_latency(struct topo_build *build, int level, double seconds)
{
	build->topo->levels[level].latency = seconds;
	build->topo->levels[level].is_latency_written = true;
}

int topo_build_link(struct topo_build *build, int a, int b, int level, struct err *err)
{
	if (a == b)
		return err_set(err, "'%s' has a cable to itself", topo_build_name(build, a));
	if (topo_build_is_node(a) && topo_build_is_node(b))
		return err_set(err,
			       "a cable joins two nodes, '%s' and '%s'; one end must be a router",
			       topo_build_name(build, a), topo_build_name(build, b));
	if (level == LINK_NODE)
		return err_set(err,
			       "a cable cannot be of the level 'node', which is inside a node");
	if (build->links.n >= LINKS_MOST)
		return err_set(err, "more than %d cables", LINKS_MOST);
	for (int end = 0; end < 2; end++) {
		struct build_vertex *vertex = vertex_at(build, end ? b : a);

		vertex->ncables++;
		if (vertex->ncables == 1)
			vertex->first_router = (end ? a : b) / 2;
	}
	vec_push(&build->links, (struct topo_link){a, b, level});
	return 0;
}

int topo_build_tier(struct topo_build *build, const char *name, size_t n, struct err *err)
{
	struct topo *topo = build->topo;
	char word[sizeof(topo->tiers[0].name)];

	if (check_word(name, n, "tier", err) != 0)
		return -1;
	memcpy(word, name, n);
	word[n] = '\0';
	if (topo_tier_find(topo, word) >= 0)
		return err_set(err, "the tier '%s' is there twice", word);
	if (topo->ntiers == TOPO_LEVELS)
		return err_set(err, "'%s' would be tier %d; there can be %d", word, TOPO_LEVELS + 1,
			       TOPO_LEVELS);
	topo_tier_add(topo, word, 0, NULL);
	return topo->ntiers - 1;
}

int topo_build_domain(struct topo_build *build, int router, int tier, const char *name, size_t n,
		      struct err *err)
{
	struct build_tier *at = &build->tiers[tier];

	if (!name_is_good(name, n))
		return err_set(err, "'%.*s' cannot be the name of a %s", n < 80 ? (int)n : 80, name,
			       build->topo->tiers[tier].name);
	while (at->of.n <= (size_t)router / 2)
		vec_push(&at->of, -1);
	at->of.at[router / 2] = (int)map_add(&at->names, name, n, (int64_t)at->names.n);
	return 0;
}

/* ---- finishing ---- */

static int vertex_of(const struct topo_build *build, int handle)
{
	return topo_build_is_node(handle) ? handle / 2 : build->topo->nnodes + handle / 2;
}

void topo_build_sort_nodes(struct topo_build *build)
{
	size_t n = build->nodes.n, nrouters = build->routers.n;
	int64_t *place = xcalloc(nrouters + 2, sizeof(*place));
	int *node_at = xmalloc((n + 1) * sizeof(*node_at));
	struct build_vertex *sorted = xmalloc((n + 1) * sizeof(*sorted));

	/* A node without a cable counts as router 0's; finish refuses it anyway. */
	for (size_t i = 0; i < n; i++)
		place[1 + (build->nodes.at[i].first_router < 0
				   ? 0
				   : build->nodes.at[i].first_router)]++;
	for (size_t r = 0; r < nrouters; r++)
		place[r + 1] += place[r];
	for (size_t i = 0; i < n; i++) {
		int router = build->nodes.at[i].first_router;

		node_at[i] = (int)place[router < 0 ? 0 : router]++;
		sorted[node_at[i]] = build->nodes.at[i];
		map_set(&build->handles, sorted[node_at[i]].name, strlen(sorted[node_at[i]].name),
			node_at[i] * 2);
	}
	for (size_t i = 0; i < build->links.n; i++) {
		struct topo_link *link = &build->links.at[i];

		if (topo_build_is_node(link->a))
			link->a = node_at[link->a / 2] * 2;
		if (topo_build_is_node(link->b))
			link->b = node_at[link->b / 2] * 2;
	}
	if (n > 0)
		memcpy(build->nodes.at, sorted, n * sizeof(*sorted));
	free(sorted);
	free(node_at);
	free(place);
}

static int finish_nodes(struct topo_build *build, struct err *err)
{
	struct topo *topo = build->topo;
	bool has_cores = false;

	topo->nnodes = (int)build->nodes.n;
	if (topo->nnodes == 0)
		return err_set(err, "there is no node");
	topo->node_names = xcalloc(build->nodes.n, sizeof(*topo->node_names));
	topo->router_of = xcalloc(build->nodes.n, sizeof(*topo->router_of));
	topo->tiers[0].of = topo->router_of;
	for (int i = 0; i < topo->nnodes; i++) {
		const struct build_vertex *node = &build->nodes.at[i];

		if (node->first_router < 0)
			return err_set(err, "the node '%s' has no cable", node->name);
		topo->node_names[i] = node->name;
		topo->router_of[i] = node->first_router;
		has_cores = has_cores || node->cores != 0;
		map_set(&topo->node_ids, node->name, strlen(node->name), i);
	}
	if (!has_cores)
		return 0;
	topo->cores_of = xcalloc(build->nodes.n, sizeof(*topo->cores_of));
	for (int i = 0; i < topo->nnodes; i++)
		topo->cores_of[i] =
			build->nodes.at[i].cores ? build->nodes.at[i].cores : topo->cores;
	return 0;
}

static void finish_routers(struct topo_build *build)
{
	struct topo *topo = build->topo;

	topo->nrouters = (int)build->routers.n;
	topo->tiers[0].n = topo->nrouters;
	topo->router_names = xcalloc(build->routers.n, sizeof(*topo->router_names));
	for (int r = 0; r < topo->nrouters; r++) {
		topo->router_names[r] = build->routers.at[r].name;
		map_set(&topo->router_ids, topo->router_names[r], strlen(topo->router_names[r]), r);
	}
}

/* The domain of a router as the tables said it, or -1. */
static int said_domain(const struct topo_build *build, int router, int tier)
{
	const int_vec *of = &build->tiers[tier].of;

	return (size_t)router < of->n ? of->at[router] : -1;
}

/* of [domains of the tier below]: found through the routers, which must agree. */
static int finish_tier(struct topo_build *build, int tier, struct err *err)
{
	struct topo *topo = build->topo;
	int nbelow = topo->tiers[tier - 1].n;
	int *of = xmalloc(((size_t)nbelow + 1) * sizeof(*of));

	topo->tiers[tier].of = of;
	topo->tiers[tier].n = (int)build->tiers[tier].names.n;
	for (int i = 0; i < nbelow; i++)
		of[i] = -1;
	for (int r = 0; r < topo->nrouters; r++) {
		int below = tier == 1 ? r : said_domain(build, r, tier - 1);
		int above = said_domain(build, r, tier);

		if (above < 0)
			continue;
		if (below < 0)
			return err_set(err, "the router '%s' has a %s but no %s",
				       topo->router_names[r], topo->tiers[tier].name,
				       topo->tiers[tier - 1].name);
		if (of[below] >= 0 && of[below] != above)
			return err_set(
				err, "the %s of the router '%s' lies in two domains of the tier %s",
				topo->tiers[tier - 1].name, topo->router_names[r],
				topo->tiers[tier].name);
		of[below] = above;
	}
	return 0;
}

static int check_nesting(const struct topo *topo, struct err *err)
{
	for (int i = 0; i < topo->nnodes; i++)
		for (int tier = 1; tier < topo->ntiers; tier++)
			if (topo_domain(topo, i, tier) < 0)
				return err_set(err, "the router '%s' has nodes but no %s",
					       topo->router_names[topo->router_of[i]],
					       topo->tiers[tier].name);
	return 0;
}

static void finish_links(struct topo_build *build)
{
	struct explicit_links *links = xcalloc(1, sizeof(*links));

	for (size_t i = 0; i < build->links.n; i++) {
		struct topo_link *link = &build->links.at[i];

		link->a = vertex_of(build, link->a);
		link->b = vertex_of(build, link->b);
	}
	links->at = build->links.at;
	links->n = build->links.n;
	build->links.at = NULL;
	build->topo->shape = links;
}

static int finish(struct topo_build *build, struct err *err)
{
	finish_routers(build);
	if (finish_nodes(build, err) != 0)
		return -1;
	for (int tier = 1; tier < build->topo->ntiers; tier++)
		if (finish_tier(build, tier, err) != 0)
			return -1;
	if (check_nesting(build->topo, err) != 0)
		return -1;
	finish_links(build);
	build->topo->hash = topo_hash(build->topo);
	return 0;
}

int topo_build_finish(struct topo **topo, struct topo_build *build, struct err *err)
{
	int status = finish(build, err);

	if (status == 0) {
		*topo = build->topo;
		build->topo = NULL;
	}
	topo_build_free(build);
	return status;
}

/* ---- the type ---- */

static void explicit_links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct explicit_links *links = topo->shape;

	for (size_t i = 0; i < links->n; i++)
		add(context, links->at[i].a, links->at[i].b, links->at[i].level);
}

static void explicit_free(struct topo *topo)
{
	struct explicit_links *links = topo->shape;

	if (links != NULL)
		free(links->at);
	free(links);
}

/* Has no parameters: it comes from tables and importers only, and is in no registry. */
const struct topo_type topo_type_explicit = {
	.entry =
		{
			.name = "explicit",
			.summary = "routers, nodes and links one by one",
		},
	.links = explicit_links,
	.free_shape = explicit_free,
};
