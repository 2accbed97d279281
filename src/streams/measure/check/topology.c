/* topology.c - what must hold of a machine */
#include <stdio.h>
#include <stdlib.h>

#include "measure/check/check.h"
#include "base/die.h"
#include "model/topo_routes.h"

static void tell_vertex(const struct topo *topo, struct findings *findings, int v, const char *what)
{
	char name[TOPO_NAME], text[TOPO_NAME + 200];
	bool is_node = v < topo->nnodes;

	snprintf(text, sizeof(text), "%s: %s %s %s", topo->name, is_node ? "node" : "router",
		 is_node ? topo_node_name(topo, v, name)
			 : topo_router_name(topo, v - topo->nnodes, name),
		 what);
	found(findings, text);
}

/* Every node has a cable to its router. */
static void check_terminals(const struct topo *topo, const struct topo_graph *graph,
			    struct findings *findings)
{
	for (int node = 0; node < topo->nnodes; node++) {
		int64_t i = graph->first[node], end = graph->first[node + 1];

		while (i < end && graph->peer[i] != topo->nnodes + topo->router_of[node])
			i++;
		if (i == end)
			tell_vertex(topo, findings, node, "has no link to its router");
	}
}

/* Marks what can be reached from a vertex; stack [nvertices]. */
static void reach(const struct topo_graph *graph, int from, bool *reached, int *stack)
{
	int n = 0;

	reached[from] = true;
	stack[n++] = from;
	while (n > 0) {
		int v = stack[--n];

		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
			if (!reached[graph->peer[i]]) {
				reached[graph->peer[i]] = true;
				stack[n++] = graph->peer[i];
			}
	}
}

/* Every pair of nodes has a route by the machine's own routes; those that have none are one
 * finding, as one missing table makes thousands of them. */
static void check_routes(struct topo *topo, struct findings *findings)
{
	struct topo_routes_faults faults;
	struct buf text = {0};

	topo_routes_check(topo, &faults);
	if (faults.ntold > 0) {
		buf_printf(&text, "%s: routes: ", topo->name);
		topo_routes_faults_text(topo, &faults, &text);
		found(findings, buf_text(&text));
	}
	for (int i = 1; i < faults.ntold; i++) {
		buf_clear(&text);
		topo_routes_fault_text(topo, &faults.told[i], &text);
		say("%s: routes: %s", topo->name, buf_text(&text));
	}
	buf_free(&text);
}

void check_machine(struct topo *topo, bool must_be_whole, struct findings *findings)
{
	const struct topo_graph *graph = topo_graph(topo);
	size_t nvertices = (size_t)topo_nvertices(topo);
	bool *reached = xcalloc(nvertices, sizeof(*reached));
	int *stack = xcalloc(nvertices, sizeof(*stack));

	check_terminals(topo, graph, findings);
	/* a disconnected part is reported once, by its first node */
	if (topo->nnodes > 0)
		reach(graph, 0, reached, stack);
	for (int node = 1; node < topo->nnodes && must_be_whole; node++) {
		if (reached[node])
			continue;
		tell_vertex(topo, findings, node, "cannot be reached from the first node");
		reach(graph, node, reached, stack);
	}
	if (topo->routes != NULL)
		check_routes(topo, findings);
	free(reached);
	free(stack);
}
