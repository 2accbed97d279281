/* topo_tables.c - forwarding tables, set from the routes of other routings, and their faults */
#include <stdlib.h>
#include <string.h>

#include "machine/route/route.h"
#include "machine/load.h"
#include "check.h"
#include "model/topo_routes.h"

/* Tables made of the routes that a routing takes from each router's first node: they give the same
 * routes, if the routing looks at the destination only. */
static void set_tables(struct topo *topo, const char *routing_text)
{
	const struct topo_graph *graph = topo_graph(topo);
	struct routing *routing;
	int_vec path = {0};
	struct err err;

	CHECK_INT(topo_routes_new(topo, &err), 0);
	CHECK_INT(routing_open(&routing, topo, routing_text, &err), 0);
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++) {
			path.n = 0;
			CHECK(route_path(routing, a, b, &path) >= 0);
			for (size_t i = 1; i < path.n; i++) {
				const struct topo_link *link = &graph->links[path.at[i] / 2];

				topo_routes_set(topo,
						(path.at[i] % 2 ? link->b : link->a) - topo->nnodes,
						graph->first[b], path.at[i]);
			}
		}
	routing_close(routing);
	free(path.at);
}

static void check_tables(const char *spec, int width)
{
	struct routing *minimal, *table;
	struct topo_routes_faults faults;
	int_vec a_path = {0}, b_path = {0};
	struct topo *topo;
	struct err err;

	CHECK_INT(topo_load(&topo, spec, &err), 0);
	CHECK_INT(routing_open(&table, topo, "table", &err), -1);
	set_tables(topo, "minimal");
	CHECK_INT(topo->routes->width, width);
	CHECK_INT(routing_open(&table, topo, "table", &err), 0);
	CHECK_INT(routing_open(&minimal, topo, "minimal", &err), 0);
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++) {
			a_path.n = b_path.n = 0;
			CHECK_INT(route_hops(table, a, b), route_hops(minimal, a, b));
			CHECK_INT(route_path(table, a, b, &a_path),
				  route_path(minimal, a, b, &b_path));
			CHECK(a_path.n == 0 ||
			      memcmp(a_path.at, b_path.at, a_path.n * sizeof(*a_path.at)) == 0);
		}
	topo_routes_check(topo, &faults);
	CHECK_INT(faults.none + faults.loop, 0);
	CHECK_INT(faults.ntold, 0);
	routing_close(table);
	routing_close(minimal);
	free(a_path.at);
	free(b_path.at);
	topo_free(topo);
}

/* A ring of 4 whose last node is reached by going up only: without r1's entry n0 and n1 have no way
 * to it; when r1 sends it back they go round. */
static void check_faults(void)
{
	struct topo_routes_faults faults;
	struct buf text = {0};
	struct topo *topo;
	struct err err;

	CHECK_INT(topo_load(&topo, "line:nodes=4", &err), 0);
	set_tables(topo, "minimal");
	topo_routes_set(topo, 1, 3, -1);
	topo_routes_check(topo, &faults);
	CHECK_INT(faults.none, 2);
	CHECK_INT(faults.loop, 0);
	CHECK_INT(faults.ntold, 2);
	CHECK_INT(faults.told[0].from, 0);
	CHECK_INT(faults.told[0].to, 3);
	CHECK_INT(faults.told[0].router, 1);
	CHECK_INT(topo_routes_hops(topo, 0, 3), ROUTES_NONE);
	topo_routes_set(topo, 1, 3, topo_routes_next(topo, 1, 0)); /* as what is for n0 */
	topo_routes_check(topo, &faults);
	CHECK_INT(faults.none, 0);
	CHECK_INT(faults.loop, 2);
	CHECK_INT(topo_routes_hops(topo, 0, 3), ROUTES_LOOP);
	topo_routes_faults_text(topo, &faults, &text);
	CHECK_TEXT(buf_text(&text), "2 of 12 pairs of nodes have no route (2 of them in a "
				    "cycle): from n0 to n3 router r1 is on a cycle");
	buf_free(&text);
	topo_free(topo);
}

int main(void)
{
	check_tables("torus:dims=3x4", 1);
	check_tables("fattree:down=4x3x2,up=1x2x3,cables=1x2x1", 1);
	check_tables("complete:nodes=12,per-router=4", 1);
	check_tables("tree:arity=300x2", 2);
	check_faults();
	return check_done();
}
