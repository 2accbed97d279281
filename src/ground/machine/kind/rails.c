/* rails.c - GPUs as nodes: NVLink domains, a leaf switch for each GPU of a domain, units, spines */
#include <stdio.h>
#include <stdlib.h>

#include "machine/kind/shape.h"
#include "model/topo_names.h"

/*
 * Node d · gpus + g is GPU g of domain d. It has a cable to the switch of its domain and one to a
 * leaf of its unit; GPUs do not pass packets on. Each leaf has the same cables to every spine.
 * Routers: the domains' switches, the leaves unit by unit, the spines.
 */
enum { LEVEL_NVLINK = LINK_TERMINAL + 1, LEVEL_RAIL, LEVEL_SPINE };

struct rails {
	int domains, gpus, hosts, units, rails, spines, cables;
	bool leaf_by_host; /* all GPUs of a host at one leaf */
};

static int leaf_of(const struct rails *rails, int node)
{
	int domain = node / rails->gpus, gpu = node % rails->gpus;
	int per_unit = rails->domains / rails->units, hosts = per_unit * rails->hosts;
	int host = domain % per_unit * rails->hosts + gpu / (rails->gpus / rails->hosts);
	int leaf = rails->leaf_by_host ? (int)((int64_t)host * rails->rails / hosts)
				       : gpu % rails->rails;

	return rails->domains + domain / per_unit * rails->rails + leaf;
}

static int refuse_division(struct err *err, const char *what, int n, const char *by, int parts)
{
	return err_set(err, "%s: %d cannot be divided by %d %s", what, n, parts, by);
}

static int read_rails(struct rails *rails, const struct pick *pick, struct err *err)
{
	int64_t below;

	*rails = (struct rails){
		.domains = (int)pick_int(pick, "domains"),
		.gpus = (int)pick_int(pick, "gpus"),
		.hosts = (int)pick_int(pick, "hosts"),
		.units = (int)pick_int(pick, "units"),
		.cables = (int)pick_int(pick, "cables"),
		.leaf_by_host = pick_is(pick, "leaf", "host"),
	};
	if (rails->domains % rails->units != 0)
		return refuse_division(err, "domains", rails->domains, "units", rails->units);
	if (rails->gpus % rails->hosts != 0)
		return refuse_division(err, "gpus", rails->gpus, "hosts", rails->hosts);
	rails->rails =
		pick_has(pick, "rails") ? (int)pick_int(pick, "rails") : rails->gpus / rails->hosts;
	below = (int64_t)rails->domains / rails->units * rails->gpus;
	if (rails->rails > below)
		return err_set(err, "rails: a unit has %d leaves for %lld GPUs", rails->rails,
			       (long long)below);
	below = (below + rails->rails - 1) / rails->rails;
	rails->spines = pick_has(pick, "spines")
				? (int)pick_int(pick, "spines")
				: (int)((below + rails->cables - 1) / rails->cables);
	return 0;
}

/* GPUs are called by their hosts: h3g5. */
static void name_nodes(struct topo *topo, const struct rails *rails)
{
	int per_host = rails->gpus / rails->hosts;

	topo->node_names = xcalloc((size_t)topo->nnodes + 1, sizeof(*topo->node_names));
	for (int node = 0; node < topo->nnodes; node++) {
		char name[48];
		int n = snprintf(name, sizeof(name), "h%dg%d", node / per_host, node % per_host);

		topo->node_names[node] = arena_strndup(&topo->arena, name, (size_t)n);
		map_set(&topo->node_ids, name, (size_t)n, node);
	}
	topo_names_count(topo);
}

static void name_routers(struct topo *topo, const struct rails *rails)
{
	int nleaves = rails->units * rails->rails;

	topo->router_names = xcalloc((size_t)topo->nrouters + 1, sizeof(*topo->router_names));
	for (int router = 0; router < topo->nrouters; router++) {
		int leaf = router - rails->domains;
		char name[48];
		int n = leaf < 0         ? snprintf(name, sizeof(name), "nvswitch%d", router)
			: leaf < nleaves ? snprintf(name, sizeof(name), "u%dleaf%d",
						    leaf / rails->rails, leaf % rails->rails)
					 : snprintf(name, sizeof(name), "spine%d", leaf - nleaves);

		topo->router_names[router] = arena_strndup(&topo->arena, name, (size_t)n);
		map_set(&topo->router_ids, name, (size_t)n, router);
	}
}

/* What is said of no level is that of an H100 with InfiniBand NDR. No link is of the level
 * "terminal", which is what loads are compared with: a NIC. */
static void set_level(struct topo *topo, int index, double bandwidth)
{
	struct link_level *level = &topo->levels[index];

	level->bandwidth = bandwidth;
	level->latency = 500e-9;
	level->is_bandwidth_written = level->is_latency_written = true;
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct rails *rails = xcalloc(1, sizeof(*rails));
	int64_t nnodes, nleaves, nlinks;
	int *unit_of;

	topo->shape = rails;
	if (read_rails(rails, pick, err) != 0)
		return -1;
	nnodes = (int64_t)rails->domains * rails->gpus;
	nleaves = (int64_t)rails->units * rails->rails;
	nlinks = nleaves * rails->spines;
	if (nlinks > 1 << 29)
		return err_set(err, "%lld leaves and %d spines are too many", (long long)nleaves,
			       rails->spines);
	if (topo_set_size(topo, nnodes, rails->domains + nleaves + rails->spines,
			  2 * nnodes + nlinks * rails->cables, err) != 0)
		return -1;
	topo_set_routers(topo, rails->gpus);
	unit_of = xmalloc((size_t)topo->nrouters * sizeof(*unit_of));
	for (int router = 0; router < topo->nrouters; router++) {
		int leaf = router - rails->domains;

		unit_of[router] = leaf < 0         ? router / (rails->domains / rails->units)
				  : leaf < nleaves ? leaf / rails->rails
						   : -1;
	}
	topo_tier_add(topo, "unit", rails->units, unit_of);
	set_level(topo, LINK_TERMINAL, 50e9);
	set_level(topo, topo_level_add(topo, "nvlink"), 450e9);
	set_level(topo, topo_level_add(topo, "rail"), 50e9);
	set_level(topo, topo_level_add(topo, "spine"), 50e9);
	if (!pick_has(pick, "names"))
		name_nodes(topo, rails);
	if (!pick_has(pick, "router-names"))
		name_routers(topo, rails);
	return 0;
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct rails *rails = topo->shape;
	int first = topo->nnodes, nleaves = rails->units * rails->rails;

	for (int node = 0; node < topo->nnodes; node++) {
		add(context, node, first + node / rails->gpus, LEVEL_NVLINK);
		add(context, node, first + leaf_of(rails, node), LEVEL_RAIL);
	}
	for (int leaf = rails->domains; leaf < rails->domains + nleaves; leaf++)
		for (int spine = 0; spine < rails->spines; spine++)
			for (int cable = 0; cable < rails->cables; cable++)
				add(context, first + leaf, first + rails->domains + nleaves + spine,
				    LEVEL_SPINE);
}

/*
 * The GPUs below a leaf take its cables in turn, and come down by the same ones: their place there
 * chooses the spine and the cable. Cables of a spine stand together.
 */
static int tie(const struct topo *topo, int router, int node)
{
	const struct rails *rails = topo->shape;
	int nleaves = rails->units * rails->rails;
	int place = rails->leaf_by_host
			    ? node
			    : node / rails->gpus * ((rails->gpus - 1) / rails->rails + 1) +
				      node % rails->gpus / rails->rails;
	int port = place % (rails->spines * rails->cables);

	return router < rails->domains + nleaves ? port : port % rails->cables;
}

static void free_shape(struct topo *topo)
{
	free(topo->shape);
}

static const struct param params[] = {
	{.key = "domains",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .meaning = "NVLink domains: hosts, or racks such as NVL72"},
	{.key = "gpus",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 12,
	 .def = "8",
	 .meaning = "GPUs of a domain; each is a node"},
	{.key = "hosts",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 12,
	 .def = "1",
	 .meaning = "hosts of a domain, by which its GPUs are named h0g0 …"},
	{.key = "units",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 16,
	 .def = "1",
	 .meaning = "scalable units, each with its own leaves, of as many domains each"},
	{.key = "rails",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 12,
	 .optional = true,
	 .meaning = "leaves of a unit; as many as a host has GPUs where nothing says it"},
	{.key = "leaf",
	 .type = PARAM_WORD,
	 .choices = "rail|host",
	 .def = "rail",
	 .meaning = "rail: GPU g of a domain hangs on leaf g modulo rails. host: all GPUs of "
		    "a host on one"},
	{.key = "spines",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 16,
	 .optional = true,
	 .meaning = "spines above all leaves; as many as give a leaf a cable up for each GPU "
		    "where nothing says it"},
	TOPO_CABLES("cables", "a leaf and a spine"),
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("nvlink"),
	TOPO_LEVEL_PARAMS("rail"),
	TOPO_LEVEL_PARAMS("spine"),
	{.key = NULL},
};

const struct topo_type topo_type_rails = {
	.entry =
		{
			.name = "rails",
			.summary = "GPUs as nodes: NVLink domains, rails, units and spines",
			.paper = "NVIDIA DGX SuperPOD reference architecture, RA-11333-001",
			.example = "rails:domains=4,gpus=2,units=2,spines=2",
			.params = params,
		},
	.is_tree_like = true,
	.weighs_levels = true,
	.shape = shape,
	.links = links,
	.tie = tie,
	.free_shape = free_shape,
};
