/* orders.c - node orders: every node once, steps between neighbours, the curves against their
 * definitions */
#include "machine/order/order.h"

#include <stdlib.h>

#include "check.h"
#include "machine.h"
#include "model/topo_type.h"

/* The order as a list of nodes; label order too. */
static int *make(const struct topo *topo, const char *text, struct err *err)
{
	struct pick pick;
	int *nodes = NULL, status;

	if (pick_parse(&pick, &orders, text, err) != 0)
		return NULL;
	status = order_make(&nodes, topo, &pick, err);
	if (status == 0 && nodes == NULL) {
		nodes = xmalloc((size_t)topo->nnodes * sizeof(*nodes));
		for (int i = 0; i < topo->nnodes; i++)
			nodes[i] = i;
	}
	pick_free(&pick);
	return nodes;
}

/* order_make has refused what lacks a node. The longest step, in links between routers; how many
 * steps are longer than one. */
static void check_steps(const char *spec, const char *order, int longest, int nlong)
{
	struct topo *topo = machine(spec);
	struct err err = {{0}};
	int *nodes = make(topo, order, &err), far = 0, n = 0;

	if (nodes == NULL) {
		printf("%s on %s: %s\n", order, spec, err.msg);
		check_nfailed++;
	}
	for (int i = 1; nodes != NULL && i < topo->nnodes; i++) {
		int hops = topo->type->distance(topo, topo->router_of[nodes[i - 1]],
						topo->router_of[nodes[i]]);

		far = hops > far ? hops : far;
		n += hops > 1;
	}
	CHECK(far <= longest);
	CHECK(n <= nlong);
	if (far > longest || n > nlong)
		printf("%s on %s: steps up to %d, %d longer than 1\n", order, spec, far, n);
	free(nodes);
	topo_free(topo);
}

static void check_order(const char *spec, const char *order, const char *wanted)
{
	struct topo *topo = machine(spec);
	struct buf text = {0};
	struct err err = {{0}};
	int *nodes = make(topo, order, &err);

	for (int i = 0; nodes != NULL && i < topo->nnodes; i++)
		buf_printf(&text, "%s%d", i > 0 ? " " : "", nodes[i]);
	CHECK_TEXT(nodes != NULL ? buf_text(&text) : err.msg, wanted);
	buf_free(&text);
	free(nodes);
	topo_free(topo);
}

/* Morton's code, written from its definition. */
static uint64_t morton(const struct topo *topo, int router)
{
	uint64_t code = 0;
	const int *sizes;
	bool is_ring;
	int ndims = topo->type->dims(topo, &sizes, &is_ring), at[32];

	for (int d = 0; d < ndims; d++) {
		at[d] = router % sizes[d];
		router /= sizes[d];
	}
	for (int bit = 7; bit >= 0; bit--)
		for (int d = ndims - 1; d >= 0; d--)
			code = code << 1 | (uint64_t)(at[d] >> bit & 1);
	return code;
}

static void check_zorder(const char *spec)
{
	struct topo *topo = machine(spec);
	struct err err;
	int *nodes = make(topo, "zorder", &err);

	for (int i = 1; i < topo->nnodes; i++)
		CHECK(morton(topo, nodes[i - 1]) < morton(topo, nodes[i]));
	free(nodes);
	topo_free(topo);
}

/* Hilbert's curve keeps aligned squares together: each quarter of a quarter … is one run. */
static void check_quarters(int side)
{
	char spec[64];
	struct topo *topo;
	struct err err;
	int *nodes;

	snprintf(spec, sizeof(spec), "mesh:dims=%dx%d", side, side);
	topo = machine(spec);
	nodes = make(topo, "hilbert", &err);
	for (int part = side; part > 1; part /= 2)
		for (int i = 0; i < topo->nnodes; i++) {
			int first = nodes[i / (part * part) * part * part];

			CHECK(nodes[i] % side / part == first % side / part);
			CHECK(nodes[i] / side / part == first / side / part);
		}
	free(nodes);
	topo_free(topo);
}

static void check_refusals(void)
{
	static const char *const machines[] = {"dragonfly:groups=3,routers=2,nodes=4",
					       "fattree:k=2,levels=3", "complete:nodes=4"};
	static const char *const curves[] = {"snake", "zorder", "hilbert", "albing"};

	for (size_t m = 0; m < 3; m++)
		for (size_t i = 0; i < 4; i++) {
			struct topo *topo = machine(machines[m]);
			struct err err = {{0}};

			CHECK(make(topo, curves[i], &err) == NULL);
			CHECK(strstr(err.msg, "has no dimensions") != NULL);
			topo_free(topo);
		}
}

int main(void)
{
	static const char *const machines[] = {
		"mesh:dims=8x8",        "torus:dims=5x7",   "mesh:dims=16x3",   "mesh:dims=1x9",
		"torus:dims=4x4x4",     "mesh:dims=5x6x7",  "mesh:dims=2x3x11", "torus:dims=8x1x8",
		"ring:nodes=7",         "line:nodes=12",    "hypercube:dims=6", "mesh:dims=3x4x5x2",
		"torus:dims=4x4x4x4x2", "mesh:dims=30x1x1", "mesh:dims=2x2",
	};

	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		check_steps(machines[m], "snake", 1, 0);
		check_steps(machines[m], "label", 100, 1000);
		check_steps(machines[m], "zorder", 100, 1000);
		check_steps(machines[m], "hilbert", 100, 1000);
		check_steps(machines[m], "albing", 100, 1000);
		check_steps(machines[m], "albing:block=3", 100, 1000);
		check_zorder(machines[m]);
	}
	/* even sizes: no jump at all; odd ones: a diagonal step here and there */
	for (int w = 2; w <= 20; w++)
		for (int h = 2; h <= 20; h++) {
			char spec[64];

			snprintf(spec, sizeof(spec), "mesh:dims=%dx%d", w, h);
			check_steps(spec, "hilbert", 2, (w > h ? w : h) % 2);
		}
	check_steps("mesh:dims=8x8x8", "hilbert", 1, 0);
	check_steps("mesh:dims=6x10x4", "hilbert", 1, 0);
	check_steps("mesh:dims=24x24x24", "hilbert", 1, 0);
	check_steps("hypercube:dims=8", "hilbert", 1, 0);
	check_steps("mesh:dims=4x4x4x4", "hilbert", 1, 0);
	check_steps("torus:dims=4x4,per-router=3", "hilbert", 1, 0);
	for (int side = 2; side <= 32; side *= 2)
		check_quarters(side);
	check_order("mesh:dims=3x3", "snake", "0 1 2 5 4 3 6 7 8");
	check_order("mesh:dims=4x4", "zorder", "0 1 4 5 2 3 6 7 8 9 12 13 10 11 14 15");
	check_order("mesh:dims=3x3", "zorder", "0 1 3 4 2 5 6 7 8");
	check_order("mesh:dims=4x4", "hilbert", "0 1 5 4 8 12 13 9 10 14 15 11 7 6 2 3");
	check_order("mesh:dims=5x2", "albing", "0 5 6 1 2 7 8 3 4 9");
	check_order("mesh:dims=2x2,per-router=2", "snake", "0 1 2 3 6 7 4 5");
	check_order("ring:nodes=4", "hilbert", "0 1 2 3");
	check_refusals();
	return check_done();
}
