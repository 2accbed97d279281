/* slurm_tree.c - a machine as the tree of switches that Slurm wants */
#include "machine/export/slurm_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"

enum { SWITCH_NAME_MOST = 64 }; /* Slurm's limit */

static int add_switch(struct slurm_tree *tree, const char *name, struct err *err)
{
	int number = (int)tree->switches.n;

	if (strlen(name) > SWITCH_NAME_MOST)
		return err_set(err,
			       "the switch '%.80s' has a name of more than %d "
			       "letters, which Slurm does not take",
			       name, SWITCH_NAME_MOST);
	if (map_add(&tree->names, name, strlen(name), number) != number)
		return err_set(err, "two switches would be named '%.80s'", name);
	vec_push(&tree->switches, (struct slurm_out){.name = xstrdup(name)});
	return number;
}

/* ---- the machine's own switches ---- */

/*
 * The parent of each router is the neighbour above it: routers are numbered from the leaves
 * upwards where there is an up and down. Returns false when one has several, or when nodes are
 * elsewhere than at the leaves. parent [nrouters]: -1 is a root.
 */
static bool find_parents(struct topo *topo, int *parent)
{
	const struct topo_graph *graph = topo_graph(topo);
	bool *has_nodes = xcalloc((size_t)topo->nrouters, sizeof(*has_nodes));
	bool *has_children = xcalloc((size_t)topo->nrouters, sizeof(*has_children));
	bool is_tree = true;

	for (int r = 0; r < topo->nrouters; r++) {
		int v = topo->nnodes + r;

		parent[r] = -1;
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0)
				has_nodes[r] = true;
			if (peer <= r)
				continue;
			is_tree = is_tree && (parent[r] < 0 || parent[r] == peer);
			parent[r] = peer;
			has_children[peer] = true;
		}
	}
	for (int r = 0; r < topo->nrouters; r++)
		is_tree = is_tree && !(has_nodes[r] && has_children[r]);
	free(has_nodes);
	free(has_children);
	return is_tree;
}

static int make_own(struct slurm_tree *tree, const struct topo *topo, const int *parent,
		    struct err *err)
{
	char text[TOPO_NAME];

	for (int r = 0; r < topo->nrouters; r++)
		if (add_switch(tree, topo_router_name(topo, r, text), err) < 0)
			return -1;
	for (int r = 0; r < topo->nrouters; r++)
		if (parent[r] >= 0)
			vec_push(&tree->switches.at[parent[r]].children, r);
	for (int i = 0; i < topo->nnodes; i++)
		vec_push(&tree->switches.at[topo->router_of[i]].nodes, i);
	return 0;
}

/* ---- the nesting ---- */

/* A leaf for each router that has nodes. switch_of [nrouters] becomes its number, or -1. */
static int make_leaves(struct slurm_tree *tree, const struct topo *topo, int *switch_of,
		       struct err *err)
{
	char text[TOPO_NAME];

	for (int r = 0; r < topo->nrouters; r++)
		switch_of[r] = -1;
	for (int i = 0; i < topo->nnodes; i++)
		switch_of[topo->router_of[i]] = 0;
	for (int r = 0; r < topo->nrouters; r++) {
		if (switch_of[r] < 0)
			continue;
		switch_of[r] = add_switch(tree, topo_router_name(topo, r, text), err);
		if (switch_of[r] < 0)
			return -1;
	}
	for (int i = 0; i < topo->nnodes; i++)
		vec_push(&tree->switches.at[switch_of[topo->router_of[i]]].nodes, i);
	return 0;
}

/* One switch per domain that has any below; below [n of the tier below] are switches or -1, and
 * become those of the tier. */
static int make_tier(struct slurm_tree *tree, const struct topo *topo, int tier, int *below,
		     struct err *err)
{
	const struct tier *at = &topo->tiers[tier];
	int nbelow = topo->tiers[tier - 1].n, status = 0;
	int *above = xmalloc(((size_t)at->n + 1) * sizeof(*above));

	for (int d = 0; d < at->n; d++)
		above[d] = -1;
	for (int i = 0; i < nbelow && status == 0; i++) {
		int domain = at->of[i];
		char name[64];

		if (below[i] < 0 || domain < 0)
			continue;
		snprintf(name, sizeof(name), "%s%d", at->name, domain);
		if (above[domain] < 0)
			above[domain] = add_switch(tree, name, err);
		if (above[domain] < 0)
			status = -1;
		else
			vec_push(&tree->switches.at[above[domain]].children, below[i]);
	}
	memcpy(below, above, (size_t)at->n * sizeof(*below));
	free(above);
	return status;
}

static int make_nesting(struct slurm_tree *tree, const struct topo *topo, struct err *err)
{
	const struct tier *last = &topo->tiers[topo->ntiers - 1];
	int most = topo->nrouters, top, status;
	int *at;

	for (int tier = 1; tier < topo->ntiers; tier++)
		most = topo->tiers[tier].n > most ? topo->tiers[tier].n : most;
	at = xmalloc(((size_t)most + 1) * sizeof(*at));
	status = make_leaves(tree, topo, at, err);
	for (int tier = 1; tier < topo->ntiers && status == 0; tier++)
		status = make_tier(tree, topo, tier, at, err);
	if (status == 0 && (top = add_switch(tree, "top", err)) >= 0)
		for (int d = 0; d < last->n; d++) {
			if (at[d] >= 0)
				vec_push(&tree->switches.at[top].children, at[d]);
		}
	else
		status = -1;
	free(at);
	return status;
}

/* Whether there are nodes below a switch; children without any go: Slurm takes no such switch. */
static bool prune(struct slurm_tree *tree, int number)
{
	struct slurm_out *sw = &tree->switches.at[number];
	size_t n = 0;

	for (size_t i = 0; i < sw->children.n; i++)
		if (prune(tree, sw->children.at[i]))
			sw->children.at[n++] = sw->children.at[i];
	sw->children.n = n;
	return sw->nodes.n > 0 || n > 0;
}

int slurm_tree_make(struct slurm_tree *tree, struct topo *topo, struct err *err)
{
	int *parent = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*parent));
	bool is_tree = find_parents(topo, parent);
	int status = is_tree ? make_own(tree, topo, parent, err) : make_nesting(tree, topo, err);

	free(parent);
	for (int i = 0; i < (int)tree->switches.n && status == 0; i++)
		prune(tree, i);
	return status;
}

void slurm_tree_free(struct slurm_tree *tree)
{
	for (size_t i = 0; i < tree->switches.n; i++) {
		free(tree->switches.at[i].name);
		vec_free(&tree->switches.at[i].children);
		vec_free(&tree->switches.at[i].nodes);
	}
	vec_free(&tree->switches);
	map_free(&tree->names);
}

void slurm_tree_children(const struct slurm_tree *tree, int number, struct buf *list)
{
	const struct slurm_out *sw = &tree->switches.at[number];
	struct hostlist folded = {0};

	for (size_t i = 0; i < sw->children.n; i++) {
		const char *name = tree->switches.at[sw->children.at[i]].name;

		hostlist_add(&folded, name, strlen(name));
	}
	buf_str(list, hostlist_text(&folded));
	hostlist_free(&folded);
}
