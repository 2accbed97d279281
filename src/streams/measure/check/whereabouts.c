/* whereabouts.c - whether a job's nodes are where it may be */
#include "measure/check/whereabouts.h"

#include <stdlib.h>
#include <string.h>

#include "measure/check/segments.h"
#include "base/num.h"
#include "base/str.h"
#include "model/job.h"

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
	if (nislands > 1)
		whereabouts->island_of = island;
	else
		free(island);
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

/* The wanted nodes of counted features, each of which has to be another one. */
struct wanted {
	VEC(const char *) terms; /* as often as they are counted */
	VEC(bool) goes;          /* [terms × n] whether a node has the term */
	int *term_of;            /* [n] -1: none yet */
	bool *was_tried;         /* [n] */
};

static bool finds_node(struct wanted *wanted, size_t term, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!wanted->goes.at[term * n + i] || wanted->was_tried[i])
			continue;
		wanted->was_tried[i] = true;
		if (wanted->term_of[i] < 0 || finds_node(wanted, (size_t)wanted->term_of[i], n)) {
			wanted->term_of[i] = (int)term;
			return true;
		}
	}
	return false;
}

/* The first that finds no node of its own; NULL: all do. */
static const char *first_without(struct wanted *wanted, size_t n)
{
	const char *without = NULL;

	wanted->term_of = xmalloc((n + 1) * sizeof(*wanted->term_of));
	wanted->was_tried = xmalloc(n + 1);
	for (size_t i = 0; i < n; i++)
		wanted->term_of[i] = -1;
	for (size_t term = 0; term < wanted->terms.n && without == NULL; term++) {
		memset(wanted->was_tried, 0, n);
		if (!finds_node(wanted, term, n))
			without = wanted->terms.at[term];
	}
	free(wanted->term_of);
	free(wanted->was_tried);
	return without;
}

/* "[a*2&b*4]": that many nodes have each, and no node counts for two; a term without a number holds
 * for all. */
static void check_counts(struct checking *checking, const struct row *row, const char *features,
			 const char *const *names, size_t n)
{
	char *copy = xstrdup(features + (features[0] == '[')), *next;
	struct wanted wanted = {0};
	size_t length = strlen(copy);
	bool is_short = false;

	if (length > 0 && copy[length - 1] == ']')
		copy[length - 1] = '\0';
	for (char *term = copy; term != NULL; term = next) {
		char *star;
		int64_t count = (int64_t)n, had = 0;

		next = strchr(term, '&');
		if (next != NULL)
			*next++ = '\0';
		star = strchr(term, '*');
		if (star != NULL) {
			*star = '\0';
			if (num_int(star + 1, 1, INT32_MAX, &count) != 0)
				count = 0;
		}
		for (size_t k = 0; star != NULL && k < (size_t)count && k < n; k++)
			vec_push(&wanted.terms, term);
		for (size_t i = 0; i < n; i++) {
			const char *text = term;

			had += fits(&text, node_states_of(checking->states, names[i]).features);
		}
		is_short |= had < count;
		if (had < count)
			found_at(checking, row,
				 "nodelist: %lld of its nodes have the features %s, expected %lld",
				 (long long)had, term, (long long)count);
	}
	for (size_t k = 0; k < wanted.terms.n && !is_short; k++)
		for (size_t i = 0; i < n; i++) {
			const char *text = wanted.terms.at[k];

			vec_push(&wanted.goes, false);
			wanted.goes.at[wanted.goes.n - 1] =
				fits(&text, node_states_of(checking->states, names[i]).features);
		}
	if (!is_short && first_without(&wanted, n) != NULL)
		found_at(checking, row, "nodelist: a node counts for two of the features %s",
			 features);
	vec_free(&wanted.terms);
	vec_free(&wanted.goes);
	free(copy);
}

static void check_features(struct checking *checking, const struct row *row, const char *features,
			   const char *const *names, size_t n)
{
	char *alternatives, *part, *bar;
	size_t unfit = n, length = strlen(features);

	if (strchr(features, '*') != NULL) {
		check_counts(checking, row, features, names, n);
		return;
	}
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

/* A node that a reservation holds is for its jobs, and those have no others. */
static void check_reservation(struct checking *checking, const struct row *row,
			      const char *reservation, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *holds = node_states_of(checking->states, names[i]).reservation;

		if (holds != NULL && (reservation == NULL || !str_eq(holds, reservation))) {
			found_at(checking, row, "nodelist: %s is reserved for %s", names[i], holds);
			return;
		}
		if (holds == NULL && reservation != NULL && checking->states->has_reservations &&
		    !site_holds(&checking->states->site, reservation)) {
			found_at(checking, row, "nodelist: %s is not of the reservation %s",
				 names[i], reservation);
			return;
		}
	}
}

bool whereabouts_matter(const struct whereabouts *whereabouts, const struct checking *checking,
			const struct row *row)
{
	const struct node_states *states = checking->states;

	return whereabouts->island_of != NULL ||
	       (checking->topo != NULL &&
		(row_text(row, table_find(checking->in, "segment")) != NULL ||
		 row_text(row, table_find(checking->in, "leaf_switches")) != NULL)) ||
	       (states != NULL && (states->has_reservations || states->site.partitions.n > 0 ||
				   states->site.reservations.n > 0 ||
				   (states->has_partitions &&
				    row_text(row, table_find(checking->in, "partition")) != NULL) ||
				   (states->has_features &&
				    row_text(row, table_find(checking->in, "features")) != NULL)));
}

static void check_segments(struct checking *checking, const struct row *row,
			   const char *const *names, size_t n)
{
	int *nodes;

	if (checking->topo == NULL || row_text(row, table_find(checking->in, "segment")) == NULL)
		return;
	nodes = xmalloc((n + 1) * sizeof(*nodes));
	for (size_t i = 0; i < n; i++)
		nodes[i] = topo_node_find(checking->topo, names[i], strlen(names[i]));
	segments_check(checking, row, nodes, n);
	free(nodes);
}

/* Whether a job had waited so long that it takes any leaf switches, or may have. */
static bool takes_any(const struct checking *checking, const struct row *row)
{
	const char *policy = row_text(row, table_find(checking->in, "policy"));
	int64_t wait_ns, start_ns, submit_ns, eligible_ns;

	if (!cell_seconds(row, table_find(checking->in, "switch_wait_s"), &wait_ns))
		return false;
	if (wait_ns == 0)
		return true;
	if (!cell_seconds(row, table_find(checking->in, "start_s"), &start_ns) ||
	    !cell_seconds(row, table_find(checking->in, "submit_s"), &submit_ns))
		return policy == NULL || str_eq(policy, JOB_RECORDED);
	if (cell_seconds(row, table_find(checking->in, "eligible_s"), &eligible_ns) &&
	    eligible_ns > submit_ns)
		submit_ns = eligible_ns;
	return start_ns - submit_ns >= wait_ns;
}

static void check_switches(struct checking *checking, const struct row *row,
			   const char *const *names, size_t n)
{
	const struct topo *topo = checking->topo;
	int64_t most, used = 0;
	bool *is_used;

	if (topo == NULL || !cell_int(row, table_find(checking->in, "leaf_switches"), &most) ||
	    most <= 0 || takes_any(checking, row))
		return;
	is_used = xcalloc((size_t)topo->nrouters + 1, sizeof(*is_used));
	for (size_t i = 0; i < n; i++) {
		int node = topo_node_find(topo, names[i], strlen(names[i]));

		used += node >= 0 && !is_used[topo->router_of[node]];
		if (node >= 0)
			is_used[topo->router_of[node]] = true;
	}
	free(is_used);
	if (used > most)
		found_at(checking, row, "nodelist: on %lld leaf switches, expected at most %lld",
			 (long long)used, (long long)most);
}

void whereabouts_check(const struct whereabouts *whereabouts, struct checking *checking,
		       const struct row *row, const char *const *names, size_t n)
{
	const struct node_states *states = checking->states;
	const char *partition = row_text(row, table_find(checking->in, "partition"));
	const char *features = row_text(row, table_find(checking->in, "features"));
	const char *reservation = row_text(row, table_find(checking->in, "reservation"));
	const char *policy = row_text(row, table_find(checking->in, "policy"));
	int first = -1;

	if (states != NULL && states->has_partitions && partition != NULL && n > 0)
		check_partition(checking, row, partition, names, n);
	if (states != NULL && states->has_features && features != NULL)
		check_features(checking, row, features, names, n);
	if (states != NULL && policy != NULL && !str_eq(policy, JOB_RECORDED)) {
		check_reservation(checking, row, reservation, names, n);
		site_check(&states->site, checking, row, names, n);
	}
	check_segments(checking, row, names, n);
	check_switches(checking, row, names, n);
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
