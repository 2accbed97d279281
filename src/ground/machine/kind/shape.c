/* shape.c - a machine from a pick: what every kind of network has */
#include "machine/kind/shape.h"

#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"
#include "model/topo_hash.h"
#include "model/topo_names.h"

enum { VERTICES_MOST = 1 << 26, LINKS_MOST = 1 << 29 };

int topo_set_size(struct topo *topo, int64_t nnodes, int64_t nrouters, int64_t nlinks,
		  struct err *err)
{
	if (nnodes > VERTICES_MOST)
		return err_set(err, "%lld nodes are more than %d", (long long)nnodes,
			       VERTICES_MOST);
	if (nrouters > VERTICES_MOST)
		return err_set(err, "%lld routers are more than %d", (long long)nrouters,
			       VERTICES_MOST);
	if (nlinks > LINKS_MOST)
		return err_set(err, "%lld links are more than %d", (long long)nlinks, LINKS_MOST);
	topo->nnodes = (int)nnodes;
	topo->nrouters = (int)nrouters;
	return 0;
}

void topo_set_routers(struct topo *topo, int per)
{
	int *of = xmalloc((size_t)topo->nnodes * sizeof(*of));
	int node = 0;

	for (int router = 0; node < topo->nnodes; router++)
		for (int i = 0; i < per; i++)
			of[node++] = router;
	topo_tier_add(topo, "router", topo->nrouters, of);
	topo->router_of = of;
}

void topo_add_terminals(const struct topo *topo, topo_link_fn *add, void *context)
{
	for (int node = 0; node < topo->nnodes; node++)
		add(context, node, topo->nnodes + topo->router_of[node], LINK_TERMINAL);
}

void topo_count_pairs(const struct router_counts *counts, uint64_t *all, uint64_t *same)
{
	uint64_t nnodes = 0, squares = 0;

	for (int i = 0; i < counts->n; i++) {
		uint64_t n = (uint64_t)counts->count_of[counts->routers[i]];

		nnodes += n;
		squares += n * n;
	}
	*all = nnodes * nnodes;
	*same = squares;
}

void topo_counts_start(struct distance_counts *counts, int longest)
{
	*counts = (struct distance_counts){
		.pairs = xcalloc((size_t)longest + 1, sizeof(*counts->pairs)),
		.longest = longest,
	};
}

struct list_names {
	struct arena *arena;
	char **names;
	struct map *ids;
	int n, most;
};

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct list_names *list = context;

	if (list->n == list->most)
		return err_set(err, "it holds more than the %d names that are needed", list->most);
	if (!name_is_good(name, n))
		return err_set(err, "'%.*s' cannot be a name", n < 80 ? (int)n : 80, name);
	if (map_add(list->ids, name, n, list->n) != list->n)
		return err_set(err, "the name '%.*s' is there twice", (int)n, name);
	list->names[list->n++] = arena_strndup(list->arena, name, n);
	return 0;
}

int topo_set_names(struct topo *topo, const char *text, bool is_router, struct err *err)
{
	struct list_names list = {
		.arena = &topo->arena,
		.ids = is_router ? &topo->router_ids : &topo->node_ids,
		.most = is_router ? topo->nrouters : topo->nnodes,
	};
	const char *key = is_router ? "router-names" : "names";

	if (strchr(text, '%') != NULL) {
		char *copy = arena_strndup(&topo->arena, text, strlen(text));

		*(is_router ? &topo->router_pattern : &topo->node_pattern) = copy;
		return name_pattern_check(text, err) == 0 ? 0 : err_prefix(err, "%s: ", key);
	}
	list.names = xcalloc((size_t)list.most + 1, sizeof(*list.names));
	*(is_router ? &topo->router_names : &topo->node_names) = list.names;
	if (hostlist_walk(text, add_name, &list, err) != 0)
		return err_prefix(err, "%s: ", key);
	if (list.n < list.most)
		return err_set(err, "%s: there are %d names for %d", key, list.n, list.most);
	if (!is_router)
		topo_names_count(topo);
	return 0;
}

/* A name must not be that of a node and of a router, which are next to each other in lists of
 * links. Patterns that begin differently need no closer look. */
static int check_apart(const struct topo *topo, struct err *err)
{
	char text[TOPO_NAME];

	if (topo->node_names == NULL && topo->router_names == NULL &&
	    topo->node_pattern[0] != topo->router_pattern[0] && topo->node_pattern[0] != '%' &&
	    topo->router_pattern[0] != '%')
		return 0;
	for (int router = 0; router < topo->nrouters; router++) {
		const char *name = topo_router_name(topo, router, text);

		if (topo_node_find(topo, name, strlen(name)) >= 0)
			return err_set(err, "the name '%s' is that of a node and of a router",
				       name);
	}
	return 0;
}

/* "local-bandwidth" is of the level "local"; plain "bandwidth" of all between vertices. */
static int apply_links(struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct param *params = pick->entry->params;

	for (int pass = 0; pass < 2; pass++) /* those of one level beat those of all */
		for (int i = 0; params[i].key != NULL; i++) {
			const char *key = params[i].key, *dash = strrchr(key, '-');
			const char *what = dash != NULL ? dash + 1 : key;
			bool is_bandwidth = str_eq(what, "bandwidth");
			int first = LINK_TERMINAL, last = topo->nlevels - 1;

			if (!pick->values[i].is_given || (dash != NULL) != pass ||
			    (!is_bandwidth && !str_eq(what, "latency")))
				continue;
			if (dash != NULL)
				first = last = topo_level_find(topo, key, (size_t)(dash - key));
			if (first < 0)
				return err_set(err, "%s: this network has no such links", key);
			for (int level = first; level <= last; level++)
				if (is_bandwidth) {
					topo->levels[level].bandwidth = pick->values[i].real;
					topo->levels[level].is_bandwidth_written = true;
				} else {
					topo->levels[level].latency = pick->values[i].real;
					topo->levels[level].is_latency_written = true;
				}
		}
	return 0;
}

/* cores= and inside= beat what the kind of network brings; one may say the other. */
static int apply_cores(struct topo *topo, const struct pick *pick, struct err *err)
{
	const char *inside = pick_has(pick, "inside") ? pick_word(pick, "inside") : NULL;

	if (inside != NULL && topo_inside_parse(&topo->inside, inside, strlen(inside), err) != 0)
		return err_prefix(err, "inside: ");
	if (inside != NULL)
		topo->cores = topo_inside_ncores(&topo->inside);
	if (!pick_has(pick, "cores"))
		return 0;
	if (inside != NULL && pick_int(pick, "cores") != topo->cores)
		return err_set(err, "inside: '%s' is %d cores, but cores: says %lld", inside,
			       topo->cores, (long long)pick_int(pick, "cores"));
	if (topo->cores != pick_int(pick, "cores"))
		topo->inside.nlevels = 0;
	topo->cores = (int)pick_int(pick, "cores");
	return 0;
}

static int apply_common(struct topo *topo, const struct pick *pick, struct err *err)
{
	if (apply_cores(topo, pick, err) != 0)
		return -1;
	if (pick_has(pick, "names") &&
	    topo_set_names(topo, pick_word(pick, "names"), false, err) != 0)
		return -1;
	if (pick_has(pick, "router-names") &&
	    topo_set_names(topo, pick_word(pick, "router-names"), true, err) != 0)
		return -1;
	if ((pick_has(pick, "names") || pick_has(pick, "router-names")) &&
	    check_apart(topo, err) != 0)
		return -1;
	return apply_links(topo, pick, err);
}

int topo_from_pick(struct topo **result, struct pick *pick, struct err *err)
{
	struct topo *topo = xcalloc(1, sizeof(*topo));

	*result = NULL;
	topo->type = (const struct topo_type *)pick->entry;
	topo->pick = *pick;
	*pick = (struct pick){0};
	topo->cores = 1;
	topo->node_pattern = "n%d";
	topo->router_pattern = "r%d";
	topo_level_start(topo);
	if (topo->type->shape(topo, &topo->pick, err) != 0 ||
	    apply_common(topo, &topo->pick, err) != 0) {
		err_prefix(err, "%s: ", topo->type->entry.name);
		topo_free(topo);
		return -1;
	}
	topo->name = xasprintf("%s-%d", topo->type->entry.name, topo->nnodes);
	topo->hash = topo_hash(topo);
	*result = topo;
	return 0;
}
