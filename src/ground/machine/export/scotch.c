/* scotch.c - a machine as a target architecture of Scotch, which gmap maps graphs to */
#include <stdlib.h>

#include "machine/route/route.h"
#include "machine/export/exporter.h"
#include "model/topo_type.h"

/*
 * Processors are nodes (or cores) by their numbers. Where Scotch has the network, its own
 * architecture is written: tleaf for trees and fat trees, whose nodes are as far apart as the tier
 * that they share says; mesh2D, mesh3D, torusXD, cmplt and hcub where each router has one node. All
 * else is deco 0: processors as the leaves of a bisection that follows the tiers, and the distances
 * of all pairs (Scotch and libScotch User's Guide, target architecture files).
 */
enum { DECO_MOST = 8192, DECO_DEEPEST = 30 };

struct target {
	struct topo *topo;
	int ncores; /* processors of each node */
	struct out *out;
};

/* ---- decomposition ---- */

/* Where the processors first … end - 1 part: at the border of the widest tier that has one among
 * them, of those the one nearest to the middle. */
static int find_middle(const struct target *target, int first, int end)
{
	const struct topo *topo = target->topo;
	int n = target->ncores, middle = first + (end - first) / 2;

	for (int tier = topo->ntiers - 1; tier >= -1; tier--) {
		for (int off = 0; middle - off > first || middle + off < end; off++)
			for (int side = -1; side <= 1; side += 2) {
				int at = middle + side * off;

				if (at <= first || at >= end || at % n != 0)
					continue;
				if (tier < 0 || topo_domain(topo, at / n, tier) !=
							topo_domain(topo, at / n - 1, tier))
					return at;
			}
	}
	return middle; /* cores of one node */
}

/* Numbers the leaves as Scotch does: the whole is 1, the parts of i are 2i and 2i + 1. number
 * [processors]; false: it is too deep. */
static bool number_leaves(const struct target *target, int first, int end, int64_t number,
			  int64_t *numbers)
{
	int middle;

	if (number >= (int64_t)1 << DECO_DEEPEST)
		return false;
	if (end - first == 1) {
		numbers[first] = number;
		return true;
	}
	middle = find_middle(target, first, end);
	return number_leaves(target, first, middle, 2 * number, numbers) &&
	       number_leaves(target, middle, end, 2 * number + 1, numbers);
}

/* Of two processors: 1 in one node, else links between the nodes, the mean of both directions. */
static int find_distance(const struct target *target, struct routing *routing, int a, int b,
			 struct err *err)
{
	char from[TOPO_NAME], to[TOPO_NAME];
	int there, back;

	a /= target->ncores;
	b /= target->ncores;
	if (a == b)
		return 1;
	there = route_hops(routing, a, b);
	back = route_hops(routing, b, a);
	if (there < 0 || back < 0)
		return err_set(err, "scotch: there is no route from %s to %s",
			       topo_node_name(target->topo, there < 0 ? a : b, from),
			       topo_node_name(target->topo, there < 0 ? b : a, to));
	return (there + back + 1) / 2;
}

static int write_distances(const struct target *target, int n, struct err *err)
{
	struct routing *routing;
	int status = 0;

	if (routing_open(&routing, target->topo, NULL, err) != 0)
		return -1;
	for (int a = 1; a < n && status == 0; a++)
		for (int b = 0; b < a; b++) {
			int distance = find_distance(target, routing, a, b, err);

			if (distance < 0) {
				status = -1;
				break;
			}
			out_printf(target->out, "%d%c", distance, b < a - 1 ? ' ' : '\n');
		}
	routing_close(routing);
	return status;
}

static int write_deco(const struct target *target, struct err *err)
{
	int64_t n = (int64_t)target->topo->nnodes * target->ncores, most = 0, *numbers;
	int status = 0;

	if (n > DECO_MOST)
		return err_set(
			err,
			"scotch: this network is described by the distances of all pairs, of at "
			"most %d processors; it has %lld",
			DECO_MOST, (long long)n);
	numbers = xmalloc((size_t)n * sizeof(*numbers));
	if (!number_leaves(target, 0, (int)n, 1, numbers)) {
		status = err_set(err, "scotch: the tiers nest too unevenly to be bisected");
	} else {
		for (int i = 0; i < n; i++)
			most = numbers[i] > most ? numbers[i] : most;
		out_printf(target->out, "deco\n0\n%lld %lld\n", (long long)n, (long long)most);
		for (int i = 0; i < n; i++)
			out_printf(target->out, "%d 1 %lld\n", i, (long long)numbers[i]);
		status = write_distances(target, (int)n, err);
	}
	free(numbers);
	return status;
}

static int write(struct topo *topo, struct out *out, const struct topo_export *how, struct err *err)
{
	bool has_cores = pick_bool(how->pick, "cores");
	struct target target = {topo, has_cores ? topo->cores : 1, out};

	if (has_cores && topo->cores_of != NULL)
		return err_set(err, "scotch: the nodes have different numbers of cores: without "
				    "cores= each node is one processor");
	if (topo->type->write_scotch != NULL && topo->type->write_scotch(topo, target.ncores, out))
		return 0;
	return write_deco(&target, err);
}

static const struct param params[] = {
	{.key = "cores",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "the cores of the nodes are the processors"},
	{.key = NULL},
};

const struct topo_exporter topo_exporter_scotch = {
	.entry =
		{
			.name = "scotch",
			.summary = "a target architecture for Scotch's gmap: a tree, a mesh, or "
				   "the distances of all pairs",
			.example = "scotch",
			.params = params,
		},
	.write = write,
};
