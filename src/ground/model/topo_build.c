/* topo_build.c - making a machine that has no structure, piece by piece */
#include "model/topo_build_priv.h"

#include <stdlib.h>
#include <string.h>

#include "model/topo_level.h"
#include "model/topo_names.h"
#include "model/topo_type.h"

/* Most of each kind; vertices and channels are numbered by 32 bits. */
enum { VERTICES_MOST = 1 << 26, LINKS_MOST = 1 << 29 };

struct topo_build *topo_build_new(const char *name)
{
	struct topo_build *build = xcalloc(1, sizeof(*build));

	build->topo = xcalloc(1, sizeof(*build->topo));
	build->topo->type = &topo_type_explicit;
	build->topo->name = xstrdup(name);
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
	map_free(&build->inside_ids);
	free(build->insides.at);
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
	for (size_t i = 0; i < n && text[i] != ' ' && text[i] != '\t';) {
		size_t bytes = (size_t)name_char(&text[i], n - i);

		if (length + (bytes > 0 ? bytes : 1) >= TOPO_NAME)
			break;
		memcpy(name + length, bytes > 0 ? text + i : "_", bytes > 0 ? bytes : 1);
		length += bytes > 0 ? bytes : 1;
		i += bytes > 0 ? bytes : 1;
	}
	if (length == 1 && name[0] == '.')
		name[0] = '_';
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
			"'%.*s' cannot be a name: it needs 1 to %d "
			"characters, without blank # , [ ]",
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

int topo_build_inside(struct topo_build *build, const char *text, size_t n, struct err *err)
{
	return topo_inside_parse(&build->topo->inside, text, n, err);
}

void topo_build_node_nest(struct topo_build *build, int node, const struct topo_inside *inside)
{
	char text[INSIDE_TEXT];
	int64_t next = (int64_t)build->insides.n, at;

	/* each is kept once, since many nodes are alike */
	topo_inside_print(inside, text);
	at = map_add(&build->inside_ids, text, strlen(text), next);
	if (at == next) {
		struct topo_inside *copy = arena_alloc(&build->topo->arena, sizeof(*copy));

		*copy = *inside;
		vec_push(&build->insides, copy);
	}
	vertex_at(build, node)->inside = build->insides.at[at];
}

int topo_build_node_inside(struct topo_build *build, int node, const char *text, size_t n,
			   struct err *err)
{
	struct topo_inside inside;

	if (topo_inside_parse(&inside, text, n, err) != 0)
		return -1;
	topo_build_node_nest(build, node, &inside);
	return 0;
}

/* Names of levels and tiers are short words, which are also keys in YAML. */
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

void topo_build_guess(struct topo_build *build, int level)
{
	build->topo->levels[level].is_bandwidth_guessed = true;
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
