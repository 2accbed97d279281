/* idle.c - the state of a machine: which nodes are idle, counted at every tier, undoable */
#include "place/state/idle.h"

#include <stdlib.h>

#include "place/state/idle_order.h"

/* Lists the members of every domain of a tier, in label order. nbelow: how many there are below. */
static void list_members(struct machine *machine, int tier, int nbelow)
{
	int n = machine->ndomains[tier];
	int *first = xcalloc((size_t)n + 2, sizeof(*first));
	int *member = xmalloc((size_t)nbelow * sizeof(*member));

	/* first[d + 1] runs from the beginning of domain d to its end while it is filled */
	for (int i = 0; i < nbelow; i++)
		if (machine->domain_of[tier][i] >= 0)
			first[machine->domain_of[tier][i] + 2]++;
	for (int d = 0; d <= n; d++)
		first[d + 1] += first[d];
	for (int i = 0; i < nbelow; i++)
		if (machine->domain_of[tier][i] >= 0)
			member[first[machine->domain_of[tier][i] + 1]++] = i;
	machine->first[tier] = first;
	machine->member[tier] = member;
}

static struct bitset *routers_with(struct machine *machine, int n)
{
	if (machine->with[n].nlevels == 0)
		bitset_init(&machine->with[n], machine->ndomains[0]);
	return &machine->with[n];
}

static void count_all(struct machine *machine)
{
	for (int node = 0; node < machine->nnodes; node++) {
		bitset_add(&machine->idle, node);
		machine->nidle_of[0][machine->domain_of[0][node]]++;
	}
	for (int t = 1; t < machine->ntiers; t++)
		for (int d = 0; d < machine->ndomains[t - 1]; d++)
			if (machine->domain_of[t][d] >= 0)
				machine->nidle_of[t][machine->domain_of[t][d]] +=
					machine->nidle_of[t - 1][d];
	machine->nidle = machine->nnodes;
	for (int r = 0; r < machine->ndomains[0]; r++)
		if (machine->nidle_of[0][r] > machine->most)
			machine->most = machine->nidle_of[0][r];
	machine->with = xcalloc((size_t)machine->most + 1, sizeof(*machine->with));
	for (int r = 0; r < machine->ndomains[0]; r++)
		bitset_add(routers_with(machine, machine->nidle_of[0][r]), r);
}

void machine_init(struct machine *machine, const struct topo *topo)
{
	*machine = (struct machine){.topo = topo, .nnodes = topo->nnodes, .ntiers = topo->ntiers};
	bitset_init_counted(&machine->idle, topo->nnodes);
	for (int t = 0; t < topo->ntiers; t++) {
		machine->domain_of[t] = topo->tiers[t].of;
		machine->ndomains[t] = topo->tiers[t].n;
		machine->nidle_of[t] = xcalloc((size_t)topo->tiers[t].n, sizeof(int));
		list_members(machine, t, t == 0 ? topo->nnodes : topo->tiers[t - 1].n);
	}
	count_all(machine);
}

void machine_free(struct machine *machine)
{
	bitset_free(&machine->idle);
	while (machine->orders.n > 0)
		idle_order_stop(machine->orders.at[0]);
	vec_free(&machine->orders);
	for (int t = 0; t < machine->ntiers; t++) {
		free(machine->nidle_of[t]);
		free(machine->first[t]);
		free(machine->member[t]);
	}
	for (int n = 0; machine->with != NULL && n <= machine->most; n++)
		bitset_free(&machine->with[n]);
	free(machine->with);
	free(machine->journal.at);
	*machine = (struct machine){0};
}

/* So many nodes of a router more (or less) at every tier. */
static void count(struct machine *machine, int router, int change)
{
	int d = router, n = machine->nidle_of[0][d];

	bitset_remove(&machine->with[n], d);
	bitset_add(routers_with(machine, n + change), d);
	machine->nidle += change;
	machine->nidle_of[0][d] += change;
	for (int t = 1; t < machine->ntiers; t++) {
		d = machine->domain_of[t][d];
		if (d < 0)
			break;
		machine->nidle_of[t][d] += change;
	}
}

static void take(struct machine *machine, int node)
{
	bitset_remove(&machine->idle, node);
	for (size_t i = 0; i < machine->orders.n; i++)
		idle_order_take(machine->orders.at[i], node);
	if (!machine->is_undoing)
		vec_push(&machine->journal, node);
}

static void release(struct machine *machine, int node)
{
	bitset_add(&machine->idle, node);
	for (size_t i = 0; i < machine->orders.n; i++)
		idle_order_release(machine->orders.at[i], node);
	if (!machine->is_undoing)
		vec_push(&machine->journal, ~node);
}

void machine_take(struct machine *machine, int node)
{
	take(machine, node);
	count(machine, machine->domain_of[0][node], -1);
}

void machine_release(struct machine *machine, int node)
{
	release(machine, node);
	count(machine, machine->domain_of[0][node], 1);
}

/* Each run of nodes below one router is counted at once. */
static void change_all(struct machine *machine, const int *nodes, size_t n,
		       void (*change)(struct machine *machine, int node), int sign)
{
	for (size_t i = 0; i < n;) {
		int router = machine->domain_of[0][nodes[i]], nsame = 0;

		for (; i < n && machine->domain_of[0][nodes[i]] == router; i++, nsame++)
			change(machine, nodes[i]);
		count(machine, router, sign * nsame);
	}
}

void machine_take_all(struct machine *machine, const int *nodes, size_t n)
{
	change_all(machine, nodes, n, take, -1);
}

void machine_release_all(struct machine *machine, const int *nodes, size_t n)
{
	change_all(machine, nodes, n, release, 1);
}

size_t machine_mark(const struct machine *machine)
{
	return machine->journal.n;
}

void machine_undo(struct machine *machine, size_t mark)
{
	int *at = machine->journal.at;

	machine->is_undoing = true;
	while (machine->journal.n > mark) {
		size_t end = machine->journal.n, first = end - 1;
		bool was_taken = at[first] >= 0;

		/* a run of nodes that were all taken, or all given back: no node is in it twice */
		while (first > mark && (at[first - 1] >= 0) == was_taken)
			first--;
		for (size_t i = first; i < end && !was_taken; i++)
			at[i] = ~at[i];
		if (was_taken)
			machine_release_all(machine, at + first, end - first);
		else
			machine_take_all(machine, at + first, end - first);
		machine->journal.n = first;
	}
	machine->is_undoing = false;
}

void machine_forget(struct machine *machine)
{
	machine->journal.n = 0;
}

int machine_kth_idle(const struct machine *machine, int k)
{
	return bitset_kth(&machine->idle, k);
}

int machine_idle_of_router(const struct machine *machine, int router, int n, int_vec *nodes)
{
	int found = 0;

	for (int i = machine->first[0][router]; i < machine->first[0][router + 1] && found < n; i++)
		if (machine_is_idle(machine, machine->member[0][i])) {
			vec_push(nodes, machine->member[0][i]);
			found++;
		}
	return found;
}

int machine_router_with(const struct machine *machine, int n, int from)
{
	if (n > machine->most || machine->with[n].nlevels == 0)
		return -1;
	return bitset_next(&machine->with[n], from);
}

int machine_router_before(const struct machine *machine, int n, int from)
{
	if (n > machine->most || machine->with[n].nlevels == 0 || from < 0)
		return -1;
	return bitset_prev(&machine->with[n], from);
}
