/* machine_state.c - the state of a machine after every random change, beside one made anew */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/state/idle.h"
#include "place/state/idle_order.h"

struct trial {
	struct topo *topo;
	struct machine machine;
	struct idle_order order;
	int *node_at; /* [nnodes] of the order */
	bool *idle;   /* [nnodes] what must be */
	struct rng rng;
};

static void check_sets(const struct trial *trial, const struct machine *anew)
{
	const struct machine *machine = &trial->machine;

	for (int n = 0; n <= machine->most; n++)
		for (int r = 0; r < machine->ndomains[0]; r++)
			CHECK_INT(machine_router_with(machine, n, r) == r,
				  machine_router_with(anew, n, r) == r);
	for (int i = 0; i < trial->topo->nnodes; i++)
		CHECK_INT(bitset_has(&trial->order.idle, i), trial->idle[trial->node_at[i]]);
	for (int k = 0; k < machine->nidle; k++)
		CHECK_INT(machine_kth_idle(machine, k), machine_kth_idle(anew, k));
}

static void compare(const struct trial *trial)
{
	const struct machine *machine = &trial->machine;
	struct machine anew;

	machine_init(&anew, trial->topo);
	for (int node = 0; node < trial->topo->nnodes; node++)
		if (!trial->idle[node])
			machine_take(&anew, node);
	CHECK_INT(machine->nidle, anew.nidle);
	for (int node = 0; node < trial->topo->nnodes; node++)
		CHECK_INT(machine_is_idle(machine, node), trial->idle[node]);
	for (int t = 0; t < machine->ntiers; t++)
		for (int d = 0; d < machine->ndomains[t]; d++)
			CHECK_INT(machine->nidle_of[t][d], anew.nidle_of[t][d]);
	for (int k = 1; k < machine->idle.nlevels; k++)
		for (int w = 0; w < machine->idle.nwords[k]; w++)
			CHECK(machine->idle.level[k][w] == anew.idle.level[k][w]);
	check_sets(trial, &anew);
	machine_free(&anew);
}

/* The nodes from a random one on that are as it is, some of them at most; changed one by one, as a
 * list or as a range. */
static void change(struct trial *trial)
{
	int n = trial->topo->nnodes, first = (int)rng_below(&trial->rng, (uint64_t)n), last = first;
	int most = 1 + (int)rng_below(&trial->rng, 150), how = (int)rng_below(&trial->rng, 2);
	bool takes = trial->idle[first];
	int_vec nodes = {0};

	while (last + 1 < n && trial->idle[last + 1] == takes && last - first + 1 < most)
		last++;
	for (int node = first; node <= last; node++) {
		trial->idle[node] = !takes;
		vec_push(&nodes, node);
	}
	if (how == 0)
		rng_shuffle(&trial->rng, nodes.at, nodes.n);
	if (how == 1)
		(takes ? machine_take_range : machine_release_range)(&trial->machine, first, last);
	else
		(takes ? machine_take_all : machine_release_all)(&trial->machine, nodes.at,
								 nodes.n);
	free(nodes.at);
}

static void check_machine(const char *spec, uint64_t seed)
{
	struct trial trial = {.topo = machine(spec)};
	int n = trial.topo->nnodes;
	bool *before = xcalloc((size_t)n, sizeof(*before));

	trial.rng = rng_make(seed, "states", NULL, NULL);
	trial.idle = xcalloc((size_t)n, sizeof(*trial.idle));
	trial.node_at = xcalloc((size_t)n, sizeof(*trial.node_at));
	for (int i = 0; i < n; i++) {
		trial.idle[i] = true;
		trial.node_at[i] = i;
	}
	rng_shuffle(&trial.rng, trial.node_at, (size_t)n);
	machine_init(&trial.machine, trial.topo);
	idle_order_keep(&trial.order, &trial.machine, trial.node_at);
	for (int i = 0; i < 60; i++) {
		size_t mark;

		change(&trial);
		compare(&trial);
		mark = machine_mark(&trial.machine);
		memcpy(before, trial.idle, (size_t)n * sizeof(*before));
		for (int k = 0; k < 5; k++)
			change(&trial);
		machine_undo(&trial.machine, mark);
		memcpy(trial.idle, before, (size_t)n * sizeof(*before));
		compare(&trial);
		if (i % 7 == 0)
			machine_forget(&trial.machine);
	}
	machine_free(&trial.machine);
	free(before);
	free(trial.idle);
	free(trial.node_at);
	topo_free(trial.topo);
}

int main(void)
{
	static const char *const machines[] = {
		"dragonfly:groups=9,routers=4,nodes=2",
		"torus:dims=5x4x3",
		"ring:nodes=1",
		"fattree:down=4x4x5,up=1x4x4",
		"tree:arity=7x13x3",
		"gpc",
		"ring:nodes=4100",
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i], i);
	return check_done();
}
