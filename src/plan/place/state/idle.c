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
	machine->router_to = xmalloc((size_t)machine->nnodes * sizeof(int));
	for (int node = machine->nnodes - 1; node >= 0; node--)
		machine->router_to[node] =
			node + 1 < machine->nnodes &&
					topo->router_of[node + 1] == topo->router_of[node]
				? machine->router_to[node + 1]
				: node;
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
	free(machine->router_to);
	*machine = (struct machine){0};
}

/* Routers from … to had n idle nodes each and have change more (or fewer). */
struct router_change {
	int from, to, n, change;
};

static void move_routers(struct machine *machine, const struct router_change *at)
{
	bitset_remove_range(&machine->with[at->n], at->from, at->to);
	bitset_add_range(routers_with(machine, at->n + at->change), at->from, at->to);
}

/* What changed in a domain of the tier above the router's, and in those above it. */
struct domain_change {
	int domain, change; /* -1: none */
};

static void count_above(struct machine *machine, const struct domain_change *at)
{
	for (int t = 1, d = at->domain; t < machine->ntiers && d >= 0; t++) {
		machine->nidle_of[t][d] += at->change;
		d = t + 1 < machine->ntiers ? machine->domain_of[t + 1][d] : -1;
	}
}

static void note(struct machine *machine, int first, int last, bool is_taken)
{
	if (!machine->is_undoing)
		vec_push(&machine->journal, (struct machine_change){first, last, is_taken});
}

/* Router by router; those in a row that change alike change their sets together. */
static void count_range(struct machine *machine, int first, int last, int sign)
{
	struct router_change alike = {0, -1, 0, 0};
	struct domain_change above = {-1, 0};

	machine->nidle += sign * (last - first + 1);
	for (int node = first, to; node <= last; node = to + 1) {
		int router = machine->domain_of[0][node], change, n;

		to = machine->router_to[node] < last ? machine->router_to[node] : last;
		change = sign * (to - node + 1);
		n = machine->nidle_of[0][router];
		machine->nidle_of[0][router] += change;
		if (machine->ntiers > 1 && machine->domain_of[1][router] != above.domain) {
			count_above(machine, &above);
			above = (struct domain_change){machine->domain_of[1][router], 0};
		}
		above.change += change;
		if (router == alike.to + 1 && n == alike.n && change == alike.change) {
			alike.to = router;
			continue;
		}
		if (alike.to >= alike.from)
			move_routers(machine, &alike);
		alike = (struct router_change){router, router, n, change};
	}
	move_routers(machine, &alike);
	count_above(machine, &above);
}

void machine_take_range(struct machine *machine, int first, int last)
{
	bitset_remove_range(&machine->idle, first, last);
	for (size_t i = 0; i < machine->orders.n; i++)
		idle_order_take_range(machine->orders.at[i], first, last);
	count_range(machine, first, last, -1);
	note(machine, first, last, true);
}

void machine_release_range(struct machine *machine, int first, int last)
{
	bitset_add_range(&machine->idle, first, last);
	for (size_t i = 0; i < machine->orders.n; i++)
		idle_order_release_range(machine->orders.at[i], first, last);
	count_range(machine, first, last, 1);
	note(machine, first, last, false);
}

void machine_take(struct machine *machine, int node)
{
	machine_take_range(machine, node, node);
}

void machine_release(struct machine *machine, int node)
{
	machine_release_range(machine, node, node);
}

static void change_all(struct machine *machine, const int *nodes, size_t n,
		       void (*change)(struct machine *machine, int first, int last))
{
	for (size_t i = 0, first; i < n;) {
		first = i;
		i = node_run_end(nodes, first, n);
		change(machine, nodes[first], nodes[i - 1]);
	}
}

void machine_take_all(struct machine *machine, const int *nodes, size_t n)
{
	change_all(machine, nodes, n, machine_take_range);
}

void machine_release_all(struct machine *machine, const int *nodes, size_t n)
{
	change_all(machine, nodes, n, machine_release_range);
}

size_t machine_mark(const struct machine *machine)
{
	return machine->journal.n;
}

void machine_undo(struct machine *machine, size_t mark)
{
	machine->is_undoing = true;
	while (machine->journal.n > mark) {
		struct machine_change change = machine->journal.at[--machine->journal.n];

		if (change.was_taken)
			machine_release_range(machine, change.first, change.last);
		else
			machine_take_range(machine, change.first, change.last);
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
