/* ib_machine.c - an InfiniBand fabric becomes a machine */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/import/classes.h"
#include "machine/import/hwloc_read.h"
#include "machine/import/ib_plan.h"
#include "machine/import/importer.h"
#include "base/die.h"

static bool is_adapter(const struct ibnet *net, int device)
{
	return net->devices.at[device].kind == IBNET_CA;
}

static void class_of(const struct ib_plan *plan, const struct ibnet_cable *cable,
		     struct link_class *class)
{
	bool has_node = is_adapter(plan->net, cable->a) || is_adapter(plan->net, cable->b);

	class_set(class, has_node ? -1 : plan->rank[cable->a], plan->rank[cable->b], cable->rate,
		  cable->bandwidth);
}

/* ---- vertices and links ---- */

static int refuse(const char *file, long line, const struct err *why, struct err *err)
{
	return err_set(err, "%s:%ld: %.900s", file, line, why->msg);
}

static int build_vertices(struct ib_plan *plan, struct topo_build *build, struct err *err)
{
	for (int i = 0; i < plan->nrouters + plan->nnodes; i++) {
		bool is_router = i < plan->nrouters;
		int device = is_router ? plan->routers[i] : plan->nodes[i - plan->nrouters];
		const char *name = plan->names[device];
		struct err why;

		plan->handles[device] = is_router
						? topo_build_router(build, name, strlen(name), &why)
						: topo_build_node(build, name, strlen(name), &why);
		if (plan->handles[device] < 0)
			return refuse(plan->net->devices.at[device].file,
				      plan->net->devices.at[device].line, &why, err);
	}
	for (size_t i = 0; i < plan->net->devices.n; i++)
		plan->handles[i] = plan->handles[plan->host_of[i]];
	return 0;
}

/* The cores of the hosts whose XML is there; the others keep what cores= says. */
static int build_cores(const struct ib_plan *plan, struct topo_build *build, const char *folder,
		       struct err *err)
{
	int nabsent = 0;

	for (int i = 0; i < plan->nnodes; i++) {
		int handle = plan->handles[plan->nodes[i]], ncores, has;
		struct topo_inside inside;

		has = hwloc_cores(folder, plan->names[plan->nodes[i]], &ncores, &inside, err);
		if (has < 0)
			return -1;
		if (has == 1)
			topo_build_node_cores(build, handle, ncores);
		if (has == 1 && inside.nlevels > 0)
			topo_build_node_nest(build, handle, &inside);
		nabsent += has == 0;
	}
	if (nabsent == plan->nnodes)
		return err_set(err, "hwloc=%s: it has the XML of no node", folder);
	if (nabsent > 0)
		say("hwloc=%s: it has no XML of %d nodes", folder, nabsent);
	return 0;
}

/* A cable as it is added: by its lower end, then the other one, then the port. */
struct planned {
	int a, b, port; /* handles */
	const struct ibnet_cable *cable;
};

static int by_ends(const void *va, const void *vb)
{
	const struct planned *x = va, *y = vb;

	if (topo_build_is_node(x->a) != topo_build_is_node(y->a))
		return topo_build_is_node(x->a) ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	return x->port != y->port ? (x->port < y->port ? -1 : 1) : 0;
}

/* Nodes come first, then routers by their number. */
static struct planned plan_cable(const struct ib_plan *plan, const struct ibnet_cable *cable)
{
	int a = plan->handles[cable->a], b = plan->handles[cable->b];
	bool is_swapped =
		topo_build_is_node(a) == topo_build_is_node(b) ? a > b : topo_build_is_node(b);

	return (struct planned){is_swapped ? b : a, is_swapped ? a : b,
				is_swapped ? cable->port_b : cable->port_a, cable};
}

static int build_links(const struct ib_plan *plan, struct topo_build *build, class_vec *classes,
		       struct err *err)
{
	const struct ibnet *net = plan->net;
	struct planned *cables = xmalloc((net->cables.n + 1) * sizeof(*cables));
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (cable->a == cable->b)
			warn("%s:%ld: a cable from port %d to port %d of %s is left out",
			     cable->file, cable->line, cable->port_a, cable->port_b,
			     net->devices.at[cable->a].id);
		else
			cables[n++] = plan_cable(plan, cable);
	}
	qsort(cables, n, sizeof(*cables), by_ends);
	for (size_t i = 0; i < n && status == 0; i++) {
		struct link_class class;
		struct err why;

		class_of(plan, cables[i].cable, &class);
		plan->links[cables[i].cable - net->cables.at] = (int)i;
		if (topo_build_link(build, cables[i].a, cables[i].b, class_level(classes, &class),
				    &why) != 0)
			status = refuse(cables[i].cable->file, cables[i].cable->line, &why, err);
	}
	free(cables);
	return status;
}

/* ---- tiers ---- */

/* Chassis, where ibnetdiscover -g printed them: a switch without one is a separate one. */
static int build_chassis(const struct ib_plan *plan, struct topo_build *build, struct err *err)
{
	bool has_chassis = false;
	int tier;

	for (int i = 0; i < plan->nrouters; i++)
		has_chassis = has_chassis || plan->net->devices.at[plan->routers[i]].chassis;
	if (!has_chassis)
		return 0;
	tier = topo_build_tier(build, "chassis", strlen("chassis"), err);
	if (tier < 0)
		return -1;
	for (int i = 0; i < plan->nrouters; i++) {
		const struct ibnet_device *d = &plan->net->devices.at[plan->routers[i]];
		char text[TOPO_NAME], name[TOPO_NAME];
		size_t n;

		if (d->chassis != NULL)
			snprintf(text, sizeof(text), "%d/%.200s", d->subnet, d->chassis);
		else
			snprintf(text, sizeof(text), "%s", plan->names[plan->routers[i]]);
		n = topo_clean_name(text, strlen(text), name);
		if (topo_build_domain(build, plan->handles[plan->routers[i]], tier, name, n, err) !=
		    0)
			return -1;
	}
	return 0;
}

static int root_of(int *root, int device)
{
	while (root[device] != device)
		device = root[device] = root[root[device]];
	return device;
}

/* Pods: what is joined below the core, in fabrics of three ranks and more. */
static int build_pods(const struct ib_plan *plan, struct topo_build *build, struct err *err)
{
	const struct ibnet *net = plan->net;
	int *root = xmalloc((net->devices.n + 1) * sizeof(*root)), tier, status = 0;

	for (size_t i = 0; i < net->devices.n; i++)
		root[i] = (int)i;
	for (size_t i = 0; i < net->cables.n; i++) {
		int a = net->cables.at[i].a, b = net->cables.at[i].b;

		if (plan->rank[a] >= 0 && plan->rank[b] >= 0 && plan->rank[a] < 2 &&
		    plan->rank[b] < 2)
			root[root_of(root, a)] = root_of(root, b);
	}
	tier = topo_build_tier(build, "pod", strlen("pod"), err);
	for (int i = 0; i < plan->nrouters && tier >= 0 && status == 0; i++) {
		int device = plan->routers[i];
		const char *name = plan->names[root_of(root, device)];

		/* a core switch with nodes is alone in its pod */
		if (plan->rank[device] < 2 || plan->nadapters[device] > 0)
			status = topo_build_domain(build, plan->handles[device], tier, name,
						   strlen(name), err);
	}
	free(root);
	return tier < 0 ? -1 : status;
}

static int build_tiers(const struct ib_plan *plan, struct topo_build *build, struct err *err)
{
	for (int i = 0; i < plan->nrouters; i++)
		if (plan->net->devices.at[plan->routers[i]].chassis != NULL)
			return build_chassis(plan, build, err);
	return plan->max_rank >= 2 ? build_pods(plan, build, err) : 0;
}

/* ---- the whole ---- */

static int check(const struct ibnet *net, struct err *err)
{
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (!is_adapter(net, cable->a) || !is_adapter(net, cable->b))
			continue;
		return err_set(err,
			       "%s:%ld: %s and %s are cabled to each "
			       "other; a machine needs switches",
			       cable->file, cable->line, net->devices.at[cable->a].id,
			       net->devices.at[cable->b].id);
	}
	return 0;
}

static int build(struct topo **topo, struct ib_plan *plan, const struct topo_import *from,
		 const struct lft *lft, struct err *err)
{
	char name[TOPO_NAME];
	struct topo_build *machine;
	class_vec classes = {0};
	struct link_class class;
	int status;

	topo_import_name(from, name);
	machine = topo_build_new(name);
	topo_build_cores(machine, (int)pick_int(from->pick, "cores"));
	status = build_vertices(plan, machine, err);
	if (status == 0 && pick_has(from->pick, "hwloc"))
		status = build_cores(plan, machine, pick_word(from->pick, "hwloc"), err);
	for (size_t i = 0; i < plan->net->cables.n && status == 0; i++) {
		class_of(plan, &plan->net->cables.at[i], &class);
		class_count(&classes, &class);
	}
	if (status == 0)
		status = class_build(&classes, machine, err);
	if (status == 0)
		status = build_links(plan, machine, &classes, err);
	if (status == 0)
		status = build_tiers(plan, machine, err);
	vec_free(&classes);
	if (status != 0) {
		topo_build_free(machine);
		return -1;
	}
	if (topo_build_finish(topo, machine, err) != 0)
		return -1;
	if (lft == NULL || ib_set_routes(*topo, plan, lft, err) == 0)
		return 0;
	topo_free(*topo);
	*topo = NULL;
	return -1;
}

static void plan_start(struct ib_plan *plan, const struct ibnet *net)
{
	size_t n = net->devices.n + 1;

	*plan = (struct ib_plan){.net = net};
	plan->host_of = xmalloc(n * sizeof(*plan->host_of));
	plan->rank = xmalloc(n * sizeof(*plan->rank));
	plan->nadapters = xcalloc(n, sizeof(*plan->nadapters));
	plan->names = xcalloc(n, sizeof(*plan->names));
	plan->links = xmalloc((net->cables.n + 1) * sizeof(*plan->links));
	for (size_t i = 0; i < net->cables.n; i++)
		plan->links[i] = -1;
	plan->handles = xcalloc(n, sizeof(*plan->handles));
	plan->nodes = xmalloc(n * sizeof(*plan->nodes));
	plan->routers = xmalloc(n * sizeof(*plan->routers));
}

static void plan_free(struct ib_plan *plan)
{
	free(plan->host_of);
	free(plan->rank);
	free(plan->nadapters);
	free(plan->names);
	free(plan->handles);
	free(plan->links);
	free(plan->nodes);
	free(plan->routers);
	arena_free(&plan->arena);
}

static enum ib_words words_of(const struct pick *pick)
{
	if (pick_is(pick, "switch-names", "last"))
		return IB_LAST_WORD;
	return pick_is(pick, "switch-names", "all") ? IB_ALL_WORDS : IB_FIRST_WORD;
}

int ib_machine(struct topo **topo, struct ibnet *net, const struct topo_import *from,
	       const struct lft *lft, struct err *err)
{
	struct ib_plan plan;
	int status = check(net, err);

	*topo = NULL;
	if (status == 0 && from->node_name_map != NULL)
		status = ibnet_map_names(net, from->node_name_map, err);
	if (status == 0)
		status = ib_choose(net, pick_word(from->pick, "adapters"), err);
	if (status != 0)
		return -1;
	plan_start(&plan, net);
	plan.words = words_of(from->pick);
	ib_find_hosts(&plan, pick_is(from->pick, "nodes", "hosts"));
	ib_find_names(&plan);
	ib_find_ranks(&plan);
	ib_find_order(&plan);
	status = build(topo, &plan, from, lft, err);
	plan_free(&plan);
	return status;
}
