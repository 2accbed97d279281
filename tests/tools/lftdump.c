/* lftdump.c - a structured machine as a plain list of vertices and directed links, and its
 * forwarding tables: lftdump links|tables SPEC */
#include <stdio.h>
#include <string.h>

#include "machine/route/walk.h"
#include "machine/load.h"

static void print_links(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	char text[TOPO_NAME];

	for (int node = 0; node < topo->nnodes; node++)
		printf("host %d %s\n", node, topo_node_name(topo, node, text));
	for (int router = 0; router < topo->nrouters; router++)
		printf("switch %d %s\n", topo->nnodes + router,
		       topo_router_name(topo, router, text));
	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = graph->links[i].a, b = graph->links[i].b;

		printf("link %lld %d %d 1\n", (long long)(2 * i), a, b);
		printf("link %lld %d %d 1\n", (long long)(2 * i + 1), b, a);
	}
}

/* The channel by which a router sends to a node. */
static int forward(struct topo *topo, int router, int node)
{
	int vertex = topo->nnodes + router, to = topo->router_of[node], cable = 0, n, next;

	next = router == to ? node
			    : topo->nnodes + topo->type->next(topo, router, to, node, &cable);
	return topo_graph(topo)->channel[walk_cables(topo_graph(topo), vertex, next, &n) + cable];
}

static void print_tables(struct topo *topo)
{
	for (int node = 0; node < topo->nnodes; node++)
		printf("%d * %d\n", node, topo_graph(topo)->channel[topo_graph(topo)->first[node]]);
	for (int router = 0; router < topo->nrouters; router++)
		for (int node = 0; node < topo->nnodes; node++)
			printf("%d %d %d\n", topo->nnodes + router, node,
			       forward(topo, router, node));
}

int main(int argc, char **argv)
{
	struct topo *topo;
	struct err err;

	if (argc != 3 || topo_load(&topo, argv[2], &err) != 0)
		return 2;
	if (strcmp(argv[1], "links") == 0)
		print_links(topo);
	else
		print_tables(topo);
	topo_free(topo);
	return 0;
}
