/* ib_routes.c - the forwarding tables of a fabric's switches become the routes of the machine */
#include <stdlib.h>
#include <string.h>

#include "machine/lft/lft.h"
#include "machine/route/route.h"
#include "machine/import/ib_plan.h"
#include "base/die.h"
#include "model/topo_routes.h"

enum { PORTS = 256 };

struct applying {
	struct topo *topo;
	const struct ib_plan *plan;
	const struct lft *lft;
	int *cable_at;    /* [devices · PORTS] or -1 */
	long *told_at;    /* [devices]: the line of the first table; 0: there is none */
	uint8_t *is_told; /* [nrouters · nends] bits: an entry was there */
	int nunknown;     /* tables of switches that are not in the fabric */
	int64_t nstale;   /* entries for LIDs that are not in the fabric */
	int64_t ntwice;   /* that contain a LID again, with another port */
	const struct lft_entry *twice; /* the first of them */
	int64_t nwrong;                /* entries that lead to another adapter, or to no cable */
};

static void find_ports(struct applying *applying)
{
	const struct ibnet *net = applying->plan->net;
	size_t n = net->devices.n * PORTS;

	applying->cable_at = xmalloc((n + 1) * sizeof(*applying->cable_at));
	applying->told_at = xcalloc(net->devices.n + 1, sizeof(*applying->told_at));
	for (size_t i = 0; i < n; i++)
		applying->cable_at[i] = -1;
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (applying->plan->links[i] < 0)
			continue;
		applying->cable_at[cable->a * PORTS + cable->port_a] = (int)i;
		applying->cable_at[cable->b * PORTS + cable->port_b] = (int)i;
	}
}

/* The switch of a table, or -1. */
static int find_switch(const struct ibnet *net, const struct lft_switch *sw)
{
	int device = sw->guid != 0 ? ibnet_find_guid(net, sw->guid) : -1;

	for (int subnet = 0; subnet < net->nsubnets && device < 0; subnet++) {
		device = ibnet_find_lid(net, subnet, sw->lid);
		if (device >= 0 && sw->guid != 0 && net->devices.at[device].guid != 0 &&
		    net->devices.at[device].guid != sw->guid)
			device = -1;
	}
	return device >= 0 && net->devices.at[device].kind == IBNET_SWITCH ? device : -1;
}

static int vertex_of(const struct applying *applying, int device)
{
	int handle = applying->plan->handles[device];

	return handle / 2 + (topo_build_is_node(handle) ? 0 : applying->topo->nnodes);
}

/* The end of the machine that is this cable of an adapter. */
static int64_t find_end(const struct applying *applying, int cable)
{
	const struct ibnet *net = applying->plan->net;
	const struct ibnet_cable *c = &net->cables.at[cable];
	int adapter = net->devices.at[c->a].kind == IBNET_CA ? c->a : c->b;
	const struct topo_graph *graph = applying->topo->graph;
	int node = vertex_of(applying, adapter);
	int64_t end = graph->first[node];

	while (graph->channel[end] / 2 != applying->plan->links[cable])
		end++;
	return end;
}

/* The channel that leaves a switch by a port to another router; -1: there is none. */
static int32_t find_channel(const struct applying *applying, int device, int port)
{
	const struct ibnet *net = applying->plan->net;
	int cable = applying->cable_at[device * PORTS + port];
	int32_t link;

	if (cable < 0 || net->devices.at[net->cables.at[cable].a].kind == IBNET_CA ||
	    net->devices.at[net->cables.at[cable].b].kind == IBNET_CA)
		return -1;
	link = applying->plan->links[cable];
	return link * 2 + (applying->topo->graph->links[link].a != vertex_of(applying, device));
}

/* Entries are taken as they come: the first one for a LID counts. */
static void apply_entry(struct applying *applying, int device, const struct lft_entry *entry)
{
	const struct ibnet *net = applying->plan->net;
	const struct ibnet_device *d = &net->devices.at[device];
	int to = ibnet_find_lid(net, d->subnet, entry->lid);
	int cable = ibnet_find_cable(net, d->subnet, entry->lid);
	int router = vertex_of(applying, device) - applying->topo->nnodes;
	int32_t channel = -1;
	int64_t end, told;

	applying->nstale += to < 0 && entry->port != LFT_NONE;
	if (to < 0 || cable < 0 || net->devices.at[to].kind != IBNET_CA ||
	    applying->plan->links[cable] < 0)
		return;
	end = find_end(applying, cable);
	if (applying->cable_at[device * PORTS + entry->port] == cable)
		channel = topo_end_channel(applying->topo, end);
	else if (entry->port != LFT_NONE)
		channel = find_channel(applying, device, entry->port);
	told = router * applying->topo->routes->nends + end;
	if (applying->is_told[told / 8] >> told % 8 & 1) {
		if (topo_routes_next(applying->topo, router, end) != channel &&
		    applying->ntwice++ == 0)
			applying->twice = entry;
		return;
	}
	applying->is_told[told / 8] |= (uint8_t)(1 << told % 8);
	applying->nwrong += channel < 0 && entry->port != LFT_NONE;
	topo_routes_set(applying->topo, router, end, channel);
}

/* Everything is as the tables say, and so also the path down to a switch's own adapters. */
static void forget_all(struct topo *topo)
{
	for (int64_t end = 0; end < topo->routes->nends; end++)
		topo_routes_set(topo, topo_end_router(topo, end), end, -1);
}

static void apply(struct applying *applying)
{
	const struct lft *lft = applying->lft;
	int *devices = xmalloc((lft->switches.n + 1) * sizeof(*devices));

	forget_all(applying->topo);
	for (size_t i = 0; i < lft->switches.n; i++) {
		const struct lft_switch *sw = &lft->switches.at[i];

		devices[i] = find_switch(applying->plan->net, sw);
		if (devices[i] >= 0 && sw->nentries > 0)
			applying->told_at[devices[i]] = sw->line;
		if (devices[i] < 0 && applying->nunknown++ == 0)
			warn("%s:%ld: the switch of this table (GUID "
			     "0x%016llx) is not in the fabric",
			     sw->file, sw->line, (unsigned long long)sw->guid);
	}
	for (size_t i = 0; i < lft->entries.n; i++)
		if (devices[lft->entries.at[i].sw] >= 0)
			apply_entry(applying, devices[lft->entries.at[i].sw], &lft->entries.at[i]);
	free(devices);
}

/* ---- what is missing ---- */

static void tell_tables(const struct applying *applying)
{
	const struct ib_plan *plan = applying->plan;
	int nmissing = 0, first = -1;

	for (int i = 0; i < plan->nrouters; i++) {
		int device = plan->routers[i];

		if (plan->net->devices.at[device].kind != IBNET_SWITCH ||
		    applying->told_at[device] != 0)
			continue;
		first = first < 0 ? device : first;
		nmissing++;
	}
	if (nmissing > 0)
		warn("routes: no table of the switch %s (%d such)", plan->names[first], nmissing);
	if (applying->ntwice > 0)
		warn("%s:%ld: LID %d occurred before with another port, which counts (%lld such)",
		     applying->lft->switches.at[applying->twice->sw].file, applying->twice->line,
		     applying->twice->lid, (long long)applying->ntwice);
	if (applying->nwrong > 0)
		warn("routes: entries that lead to no cable between switches: %lld",
		     (long long)applying->nwrong);
	if (applying->nstale > 0)
		say("routes: %lld entries are for LIDs that are not in the fabric",
		    (long long)applying->nstale);
}

static void tell_faults(struct topo *topo)
{
	struct topo_routes_faults faults;
	struct buf text = {0};

	topo_routes_check(topo, &faults);
	if (faults.ntold == 0)
		return;
	topo_routes_faults_text(topo, &faults, &text);
	warn("routes: %s", buf_text(&text));
	for (int i = 1; i < faults.ntold; i++) {
		buf_clear(&text);
		topo_routes_fault_text(topo, &faults.told[i], &text);
		say("routes: %s", buf_text(&text));
	}
	buf_free(&text);
}

int ib_set_routes(struct topo *topo, const struct ib_plan *plan, const struct lft *lft,
		  struct err *err)
{
	struct applying applying = {.topo = topo, .plan = plan, .lft = lft};

	if (plan->net->nlids == 0)
		return err_set(err, "--routes: the fabric has no LIDs, which tables refer to: "
				    "ibnetdiscover does, ibsim's net files do not");
	if (topo_routes_new(topo, err) != 0)
		return -1;
	find_ports(&applying);
	applying.is_told = xcalloc((size_t)(topo->nrouters * topo->routes->nends) / 8 + 1, 1);
	apply(&applying);
	tell_tables(&applying);
	tell_faults(topo);
	topo->routing = arena_strndup(&topo->arena, routing_of_tables->name,
				      strlen(routing_of_tables->name));
	free(applying.cable_at);
	free(applying.told_at);
	free(applying.is_told);
	return 0;
}
