/* topo.c - a machine: its end, its names, how its nodes nest */
#include "model/topo.h"

#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"
#include "model/topo_names.h"
#include "model/topo_routes.h"
#include "model/topo_type.h"

static void free_graph(struct topo_graph *graph)
{
	if (graph == NULL)
		return;
	free(graph->links);
	free(graph->first);
	free(graph->peer);
	free(graph->channel);
	free(graph);
}

void topo_free(struct topo *topo)
{
	if (topo == NULL)
		return;
	if (topo->type != NULL && topo->type->free_shape != NULL)
		topo->type->free_shape(topo);
	pick_free(&topo->pick);
	free_graph(topo->graph);
	topo_routes_free(topo->routes);
	for (int i = 0; i < topo->ntiers; i++)
		free(topo->tiers[i].of);
	for (int i = 0; i < topo->nio; i++)
		free(topo->io[i].nodes);
	free(topo->io);
	free(topo->cores_of);
	free(topo->inside_of);
	free(topo->node_names);
	free(topo->router_names);
	map_free(&topo->node_ids);
	map_free(&topo->router_ids);
	free(topo->name);
	free(topo->source);
	arena_free(&topo->arena);
	free(topo);
}

const struct topo_inside *topo_inside(const struct topo *topo, int node)
{
	if (topo->inside_of != NULL)
		return topo->inside_of[node];
	return topo->inside.nlevels > 0 ? &topo->inside : NULL;
}

int topo_nvertices(const struct topo *topo)
{
	return topo->nnodes + topo->nrouters;
}

const char *topo_node_name(const struct topo *topo, int node, char text[TOPO_NAME])
{
	if (topo->node_names != NULL)
		return topo->node_names[node];
	name_pattern_print(topo->node_pattern, node, text);
	return text;
}

const char *topo_router_name(const struct topo *topo, int router, char text[TOPO_NAME])
{
	if (topo->router_names != NULL)
		return topo->router_names[router];
	name_pattern_print(topo->router_pattern, router, text);
	return text;
}

int topo_node_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->node_names != NULL)
		return (int)map_get(&topo->node_ids, name, n);
	return name_pattern_find(topo->node_pattern, topo->nnodes, name, n);
}

int topo_router_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->router_names != NULL)
		return (int)map_get(&topo->router_ids, name, n);
	return name_pattern_find(topo->router_pattern, topo->nrouters, name, n);
}

struct list_reading {
	const struct topo *topo;
	int_vec *nodes;
	size_t before; /* in nodes */
};

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct list_reading *reading = context;
	int node = topo_node_find(reading->topo, name, n);

	if (node < 0)
		return err_set(err, "there is no node '%.*s' on this machine",
			       n < 200 ? (int)n : 200, name);
	/* a short list may name a node a million times */
	if (reading->nodes->n - reading->before == (size_t)reading->topo->nnodes)
		return err_set(err,
			       "more names than the machine has nodes: one of them is there twice");
	vec_push(reading->nodes, node);
	return 0;
}

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* The first node that is there twice, or -1. Most lists ascend, which needs no sorting. */
static int find_twice(const int *nodes, size_t n)
{
	int *sorted, twice = -1;
	size_t i = 1;

	while (i < n && nodes[i - 1] < nodes[i])
		i++;
	if (i >= n)
		return -1;
	sorted = xmalloc(n * sizeof(*sorted));
	memcpy(sorted, nodes, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_ints);
	for (i = 1; i < n && twice < 0; i++)
		if (sorted[i - 1] == sorted[i])
			twice = sorted[i];
	free(sorted);
	return twice;
}

int topo_nodelist_read(const struct topo *topo, const char *text, int_vec *nodes, struct err *err)
{
	size_t before = nodes->n;
	struct list_reading reading = {topo, nodes, before};
	char name[TOPO_NAME];
	int twice;

	if (hostlist_walk(text, add_name, &reading, err) != 0)
		return -1;
	twice = find_twice(nodes->at + before, nodes->n - before);
	if (twice >= 0)
		return err_set(err, "the node '%s' is there twice in one list",
			       topo_node_name(topo, twice, name));
	return 0;
}

/* Names are a text that ends in no digit, and the node's number. */
static bool are_numbered(const char *pattern)
{
	const char *percent = pattern != NULL ? strchr(pattern, '%') : NULL;

	return percent != NULL && str_ends(pattern, "d") && strchr(percent, 'd')[1] == '\0' &&
	       (percent == pattern || percent[-1] < '0' || percent[-1] > '9');
}

void topo_nodelist_add(const struct topo *topo, const int *nodes, size_t n, struct buf *out)
{
	bool numbered = topo->node_names == NULL && are_numbered(topo->node_pattern);
	struct hostlist list = {0};
	char text[TOPO_NAME];

	for (size_t i = 0; i < n;) {
		const char *name = topo_node_name(topo, nodes[i], text);
		size_t first = i++;

		hostlist_add(&list, name, strlen(name));
		while (numbered && i < n && nodes[i] == nodes[i - 1] + 1)
			i++;
		hostlist_extend(&list, (int64_t)(i - first - 1));
	}
	buf_str(out, hostlist_text(&list));
	hostlist_free(&list);
}

int topo_tier_find(const struct topo *topo, const char *name)
{
	for (int i = 0; i < topo->ntiers; i++)
		if (str_eq(topo->tiers[i].name, name))
			return i;
	return -1;
}

int topo_domain(const struct topo *topo, int node, int tier)
{
	int domain = topo->router_of[node];

	for (int i = 1; i <= tier && domain >= 0; i++)
		domain = topo->tiers[i].of[domain];
	return domain;
}
