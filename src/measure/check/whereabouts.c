/* whereabouts.c - whether a job's nodes are where it may be */
#include "measure/check/whereabouts.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* Numbers the pieces of the network, by walking from each node that has none yet. */
void whereabouts_open(struct whereabouts *whereabouts, const struct topo *topo)
{
	const struct topo_graph *graph;
	int nvertices, *island, *stack, nislands = 0;

	*whereabouts = (struct whereabouts){NULL};
	if (topo == NULL)
		return;
	graph = topo_graph((struct topo *)topo);
	nvertices = topo->nnodes + topo->nrouters;
	island = xmalloc((size_t)nvertices * sizeof(*island) + 1);
	stack = xmalloc((size_t)nvertices * sizeof(*stack) + 1);
	for (int v = 0; v < nvertices; v++)
		island[v] = -1;
	for (int node = 0; node < topo->nnodes; node++) {
		int n = 0;

		if (island[node] >= 0)
			continue;
		island[node] = nislands++;
		stack[n++] = node;
		while (n > 0) {
			int v = stack[--n];

			for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
				if (island[graph->peer[i]] < 0) {
					island[graph->peer[i]] = island[v];
					stack[n++] = graph->peer[i];
				}
		}
	}
	free(stack);
	whereabouts->island_of = island;
}

void whereabouts_close(struct whereabouts *whereabouts)
{
	free(whereabouts->island_of);
}

/* ---- lists and expressions ---- */

static bool is_listed(const char *list, const char *name, size_t n)
{
	while (list != NULL && *list != '\0') {
		size_t length = strcspn(list, ",");

		if (length == n && strncmp(list, name, n) == 0)
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

/* Whether a node with these features fits a&b|(c), read from left to right; *text moves. */
static bool fits(const char **text, const char *features)
{
	bool value = false;
	char op = '|';

	for (;;) {
		bool one;

		if (**text == '(') {
			++*text;
			one = fits(text, features);
			*text += **text == ')';
		} else {
			size_t n = strcspn(*text, "&|()");

			one = is_listed(features, *text, n);
			*text += n;
		}
		value = op == '|' ? value || one : value && one;
		if (**text != '&' && **text != '|')
			return value;
		op = *(*text)++;
	}
}

/* The first node that an alternative does not fit; n: none. */
static size_t first_unfit(const struct node_states *states, const char *alternative,
			  const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = alternative;

		if (!fits(&text, node_states_of(states, names[i]).features))
			return i;
	}
	return n;
}

static void check_features(struct checking *checking, const struct row *row, const char *features,
			   const char *const *names, size_t n)
{
	char *alternatives, *part, *bar;
	size_t unfit = n, length = strlen(features);

	if (strchr(features, '*') != NULL) /* counts of features are not looked at */
		return;
	if (features[0] != '[' || features[length - 1] != ']') {
		unfit = first_unfit(checking->states, features, names, n);
	} else {
		alternatives = xstrndup(features + 1, length - 2);
		for (part = alternatives; part != NULL; part = bar) {
			bar = strchr(part, '|');
			if (bar != NULL)
				*bar++ = '\0';
			unfit = first_unfit(checking->states, part, names, n);
			if (unfit == n)
				break;
		}
		free(alternatives);
	}
	if (unfit < n)
		found_at(checking, row, "nodelist: %s has not the features %s", names[unfit],
			 features);
}

/* One of the job's partitions has all of its nodes. */
static void check_partition(struct checking *checking, const struct row *row,
			    const char *partitions, const char *const *names, size_t n)
{
	size_t outside = 0;

	for (const char *at = partitions; *at != '\0'; at += *at == ',') {
		size_t length = strcspn(at, ",");

		for (outside = 0; outside < n; outside++)
			if (!is_listed(node_states_of(checking->states, names[outside]).partitions,
				       at, length))
				break;
		if (outside == n)
			return;
		at += length;
	}
	found_at(checking, row, "nodelist: %s is not in the partition %s", names[outside],
		 partitions);
}

void whereabouts_check(const struct whereabouts *whereabouts, struct checking *checking,
		       const struct row *row, const char *const *names, size_t n)
{
	const struct node_states *states = checking->states;
	const char *partition = row_text(row, table_find(checking->in, "partition"));
	const char *features = row_text(row, table_find(checking->in, "features"));
	int first = -1;

	if (states != NULL && states->has_partitions && partition != NULL && n > 0)
		check_partition(checking, row, partition, names, n);
	if (states != NULL && states->has_features && features != NULL)
		check_features(checking, row, features, names, n);
	for (size_t i = 0; i < n && whereabouts->island_of != NULL; i++) {
		int node = topo_node_find(checking->topo, names[i], strlen(names[i]));

		if (node < 0)
			continue;
		if (first >= 0 && whereabouts->island_of[node] != whereabouts->island_of[first]) {
			found_at(checking, row, "nodelist: no route joins %s and %s", names[0],
				 names[i]);
			return;
		}
		first = first < 0 ? node : first;
	}
}
