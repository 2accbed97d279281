/* routestat.c - what the routes of a machine do: pairs by routers passed, and loads of links */
#include <stdio.h>
#include <stdlib.h>

#include "machine/route/route.h"
#include "machine/load.h"
#include "base/die.h"

enum { LONGEST = 64 };

struct counts {
	long pairs[LONGEST], none;
	long *load; /* [channels] */
};

static void count_pair(struct routing *routing, int a, int b, struct counts *counts)
{
	int_vec path = {0};
	int hops = route_path(routing, a, b, &path);

	if (hops != route_hops(routing, a, b))
		die("hops and path of %d to %d differ", a, b);
	if (hops < 0 || hops >= LONGEST)
		counts->none++;
	else
		counts->pairs[hops - 1]++;
	for (size_t i = 0; i < path.n; i++)
		counts->load[path.at[i]]++;
	vec_free(&path);
}

/* Of the channels between routers. */
static void print_loads(struct topo *topo, const struct counts *counts)
{
	const struct topo_graph *graph = topo_graph(topo);
	long n = 0, most = 0, sum = 0;

	for (int64_t c = 0; c < 2 * graph->nlinks; c++) {
		if (graph->links[c / 2].a < topo->nnodes || graph->links[c / 2].b < topo->nnodes)
			continue;
		n++;
		sum += counts->load[c];
		most = counts->load[c] > most ? counts->load[c] : most;
	}
	printf("channels %ld\nmax_load %ld\nmean_load %.1f\n", n, most,
	       n > 0 ? (double)sum / n : 0);
}

int main(int argc, char **argv)
{
	struct counts counts = {.none = 0};
	struct routing *routing;
	struct topo *topo;
	struct err err;

	die_set_name("routestat");
	if (argc != 2)
		die("wanted: routestat MACHINE");
	if (topo_load(&topo, argv[1], &err) != 0 || routing_open(&routing, topo, NULL, &err) != 0)
		die("%s", err.msg);
	counts.load = xcalloc((size_t)topo_graph(topo)->nlinks * 2 + 1, sizeof(*counts.load));
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++)
			if (a != b)
				count_pair(routing, a, b, &counts);
	for (int i = 0; i < LONGEST; i++)
		if (counts.pairs[i] > 0)
			printf("routers %d: %ld\n", i, counts.pairs[i]);
	printf("none %ld\n", counts.none);
	print_loads(topo, &counts);
	routing_close(routing);
	topo_free(topo);
	free(counts.load);
	return 0;
}
