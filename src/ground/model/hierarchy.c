/* hierarchy.c - hierarchies of named domains beside the network: their levels by name */
#include "model/hierarchy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_hint.h"

static bool is_name(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && memcmp(name, text, n) == 0;
}

static bool find_in(struct level_ref *ref, const struct hierarchy *hierarchy, const char *name,
		    size_t n)
{
	for (int l = 0; l < hierarchy->nlevels; l++)
		if (is_name(hierarchy->levels[l].name, name, n)) {
			ref->hierarchy = hierarchy;
			ref->level = l;
			return true;
		}
	return false;
}

static int refuse_name(const struct topo *topo, const char *name, size_t n, struct err *err)
{
	struct near_name near;
	char *word = xstrndup(name, n);

	near_begin(&near, word);
	for (int h = 0; h < topo->nhierarchies; h++)
		for (int l = 0; l < topo->hierarchies[h].nlevels; l++)
			near_try(&near, topo->hierarchies[h].levels[l].name,
				 strlen(topo->hierarchies[h].levels[l].name));
	for (int t = 0; t < topo->ntiers; t++)
		near_try(&near, topo->tiers[t].name, strlen(topo->tiers[t].name));
	near_try(&near, "node", strlen("node"));
	err_set(err, "no level of domains is named '%.80s'%s", word, near_hint(&near));
	free(word);
	return -1;
}

int level_find(struct level_ref *ref, const struct topo *topo, const char *name, size_t n,
	       struct err *err)
{
	*ref = (struct level_ref){.topo = topo, .level = -1};
	if (is_name("node", name, n))
		return 0;
	for (int t = 0; t < topo->ntiers; t++)
		if (is_name(topo->tiers[t].name, name, n)) {
			ref->level = t;
			return 0;
		}
	for (int h = 0; h < topo->nhierarchies; h++)
		if (find_in(ref, &topo->hierarchies[h], name, n))
			return 0;
	return refuse_name(topo, name, n, err);
}

const char *level_name(const struct level_ref *ref)
{
	if (ref->hierarchy != NULL)
		return ref->hierarchy->levels[ref->level].name;
	return ref->level >= 0 ? ref->topo->tiers[ref->level].name : "node";
}

int level_count(const struct level_ref *ref)
{
	if (ref->hierarchy != NULL)
		return ref->hierarchy->levels[ref->level].n;
	return ref->level >= 0 ? ref->topo->tiers[ref->level].n : ref->topo->nnodes;
}

int level_domain(const struct level_ref *ref, int node)
{
	int domain;

	if (ref->hierarchy == NULL)
		return ref->level >= 0 ? topo_domain(ref->topo, node, ref->level) : node;
	domain = ref->hierarchy->of[node];
	for (int l = ref->hierarchy->nlevels - 1; l > ref->level && domain >= 0; l--)
		domain = ref->hierarchy->levels[l].above[domain];
	return domain;
}

int *level_domains(const struct level_ref *ref)
{
	int *of = xmalloc(((size_t)ref->topo->nnodes + 1) * sizeof(*of));

	for (int node = 0; node < ref->topo->nnodes; node++)
		of[node] = level_domain(ref, node);
	return of;
}

void domain_members(const int *of, int nnodes, int n, int **first, int **member)
{
	int *at = xcalloc((size_t)n + 2, sizeof(*at));
	int *nodes = xmalloc(((size_t)nnodes + 1) * sizeof(*nodes));

	for (int node = 0; node < nnodes; node++)
		if (of[node] >= 0)
			at[of[node] + 2]++;
	for (int d = 0; d < n; d++)
		at[d + 2] += at[d + 1];
	for (int node = 0; node < nnodes; node++)
		if (of[node] >= 0)
			nodes[at[of[node] + 1]++] = node;
	*first = at;
	*member = nodes;
}

const char *level_domain_name(const struct level_ref *ref, int domain, char text[TOPO_NAME])
{
	if (ref->hierarchy != NULL)
		return ref->hierarchy->levels[ref->level].names[domain];
	if (ref->level < 0)
		return topo_node_name(ref->topo, domain, text);
	if (ref->level == 0)
		return topo_router_name(ref->topo, domain, text);
	snprintf(text, TOPO_NAME, "%d", domain);
	return text;
}

int level_depth(const struct level_ref *ref)
{
	return ref->hierarchy != NULL ? ref->hierarchy->nlevels - 1 - ref->level : ref->level + 1;
}

bool level_with_size_next(struct level_ref *ref, const struct topo *topo, int *next)
{
	while (*next < topo->nhierarchies) {
		const struct hierarchy *at = &topo->hierarchies[(*next)++];

		for (int l = at->nlevels - 1; l >= 0; l--)
			if (at->levels[l].size > 0) {
				*ref = (struct level_ref){topo, at, l};
				return true;
			}
	}
	return false;
}

bool level_with_size(struct level_ref *ref, const struct topo *topo)
{
	int next = 0;

	return level_with_size_next(ref, topo, &next);
}
