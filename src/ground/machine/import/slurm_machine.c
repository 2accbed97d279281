/* slurm_machine.c - a machine from a network as Slurm knows it */
#include "machine/import/slurm_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "machine/import/classes.h"
#include "machine/import/slurm_blocks.h"
#include "model/topo_build.h"

struct making {
	const struct slurm_topology *slurm;
	struct topo_build *build;
	int uplinks;  /* cables from a switch to each one above it */
	double speed; /* bytes/s of LinkSpeed=1; 0: not used */
	bool is_even; /* no switch has a LinkSpeed: all are of 1 */
	int top;      /* the highest level */
	int *order;   /* [switches] as they are numbered */
	int *first;   /* [switches] of its routers: one, or one for each node of a ring or torus */
	int *routers; /* handles */
	int *nodes;   /* [nodes] handles; -1: not added yet */
	class_vec classes;
	struct arena arena; /* of rates */
};

static int refuse(const struct slurm_switch *sw, const struct err *why, struct err *err)
{
	return err_set(err, "%s:%ld: %.900s", sw->file, sw->line, why->msg);
}

/* Of the kth node of a ring or torus; of a switch. */
static int router_of(const struct making *making, int number, int k)
{
	bool is_grid = making->slurm->switches.at[number].dims[0] > 0;

	return making->routers[making->first[number] + (is_grid ? k : 0)];
}

/* Level by level; a level in the order of the file. */
static void find_order(struct making *making)
{
	size_t n = 0;

	for (size_t i = 0; i < making->slurm->switches.n; i++)
		if (making->slurm->switches.at[i].level > making->top)
			making->top = making->slurm->switches.at[i].level;
	for (int level = 0; level <= making->top; level++)
		for (size_t i = 0; i < making->slurm->switches.n; i++)
			if (making->slurm->switches.at[i].level == level)
				making->order[n++] = (int)i;
}

static int count_routers(struct making *making)
{
	int n = 0;

	for (size_t i = 0; i < making->slurm->switches.n; i++) {
		const struct slurm_switch *sw = &making->slurm->switches.at[i];

		making->first[i] = n;
		n += sw->dims[0] > 0 ? (int)sw->nodes.n : 1;
	}
	return n;
}

/* A ring or torus has a router for each node, NAME-0 and so on. */
static int add_grid(struct making *making, int number, struct err *err)
{
	const struct slurm_switch *sw = &making->slurm->switches.at[number];

	for (size_t i = 0; i < sw->nodes.n; i++) {
		char name[TOPO_NAME];
		int n = snprintf(name, sizeof(name), "%s-%zu", sw->name, i), router;
		struct err why;

		router = topo_build_router(making->build, name, (size_t)n, &why);
		if (router < 0)
			return refuse(sw, &why, err);
		making->routers[making->first[number] + (int)i] = router;
	}
	return 0;
}

static int add_routers(struct making *making, struct err *err)
{
	for (size_t i = 0; i < making->slurm->switches.n; i++) {
		const struct slurm_switch *sw = &making->slurm->switches.at[making->order[i]];
		struct err why;
		int router;

		if (sw->dims[0] > 0) {
			if (add_grid(making, making->order[i], err) != 0)
				return -1;
			continue;
		}
		router = topo_build_router(making->build, sw->name, strlen(sw->name), &why);
		if (router < 0)
			return refuse(sw, &why, err);
		making->routers[making->first[making->order[i]]] = router;
	}
	return 0;
}

/* In the order of the routers: the label order. */
static int add_nodes(struct making *making, struct err *err)
{
	for (size_t i = 0; i < making->slurm->switches.n; i++) {
		const struct slurm_switch *sw = &making->slurm->switches.at[making->order[i]];

		for (size_t k = 0; k < sw->nodes.n; k++) {
			const char *name = making->slurm->nodes.at[sw->nodes.at[k]];
			int *node = &making->nodes[sw->nodes.at[k]];
			struct err why;

			if (*node >= 0)
				continue;
			*node = topo_build_node(making->build, name, strlen(name), &why);
			if (*node < 0)
				return refuse(sw, &why, err);
		}
	}
	return 0;
}

/* ---- links ---- */

/* The class of the links from a switch down to a child, or (NULL) to its nodes. */
static void class_below(struct making *making, const struct slurm_switch *sw,
			const struct slurm_switch *child, struct link_class *class)
{
	char rate[24];
	int n;

	if (making->speed <= 0 || sw->speed == 0) {
		class_set(class, child != NULL ? child->level : -1, sw->level, "",
			  making->is_even ? making->speed : 0);
		return;
	}
	n = snprintf(rate, sizeof(rate), "x%d", sw->speed);
	class_set(class, child != NULL ? child->level : -1, sw->level,
		  arena_strndup(&making->arena, rate, (size_t)n), sw->speed * making->speed);
}

typedef int below_fn(struct making *making, const struct slurm_switch *sw, int a, int b,
		     struct link_class *class, struct err *err);

/*
 * From each router of a ring or torus to the next one of each dimension, x varying fastest, as
 * Slurm numbers them; two in a dimension have one cable.
 */
static int for_each_step(struct making *making, int number, below_fn *each, struct err *err)
{
	const struct slurm_switch *sw = &making->slurm->switches.at[number];
	const int *dims = sw->dims, stride[3] = {1, dims[0], dims[0] * dims[1]};
	int first = making->first[number];
	struct link_class class;

	class_below(making, sw, sw, &class);
	for (int at = 0; at < (int)sw->nodes.n; at++)
		for (int d = 0; d < 3; d++) {
			int place = at / stride[d] % dims[d];
			int next = at + ((place + 1) % dims[d] - place) * stride[d];

			if (dims[d] == 1 || (dims[d] == 2 && place == 1))
				continue;
			if (each(making, sw, making->routers[first + at],
				 making->routers[first + next], &class, err) != 0)
				return -1;
		}
	return 0;
}

/* Calls each for the cables of nodes, in the order of nodes' first switches, then for
 * the others. */
static int for_each_cable(struct making *making, below_fn *each, struct err *err)
{
	const struct slurm_topology *slurm = making->slurm;
	struct link_class class;

	for (size_t i = 0; i < slurm->switches.n; i++) {
		const struct slurm_switch *sw = &slurm->switches.at[making->order[i]];

		class_below(making, sw, NULL, &class);
		for (size_t k = 0; k < sw->nodes.n; k++)
			if (each(making, sw, making->nodes[sw->nodes.at[k]],
				 router_of(making, making->order[i], (int)k), &class, err) != 0)
				return -1;
	}
	for (size_t i = 0; i < slurm->switches.n; i++) {
		const struct slurm_switch *sw = &slurm->switches.at[making->order[i]];

		if (sw->dims[0] > 0 && for_each_step(making, making->order[i], each, err) != 0)
			return -1;
		for (size_t k = 0; k < sw->children.n; k++) {
			const struct slurm_switch *child = &slurm->switches.at[sw->children.at[k]];

			class_below(making, sw, child, &class);
			for (int cable = 0; cable < making->uplinks; cable++)
				if (each(making, sw, router_of(making, sw->children.at[k], 0),
					 router_of(making, making->order[i], 0), &class, err) != 0)
					return -1;
		}
	}
	return 0;
}

static int count_cable(struct making *making, const struct slurm_switch *sw, int a, int b,
		       struct link_class *class, struct err *err)
{
	(void)sw;
	(void)a;
	(void)b;
	(void)err;
	class_count(&making->classes, class);
	return 0;
}

static int add_cable(struct making *making, const struct slurm_switch *sw, int a, int b,
		     struct link_class *class, struct err *err)
{
	struct err why;

	if (topo_build_link(making->build, a, b, class_level(&making->classes, class), &why) != 0)
		return refuse(sw, &why, err);
	return 0;
}

static bool has_speeds(const struct slurm_topology *slurm)
{
	for (size_t i = 0; i < slurm->switches.n; i++)
		if (slurm->switches.at[i].speed != 0)
			return true;
	return false;
}

/* ---- nesting ---- */

/* The lowest switch at or above this one that has the level, via first parents; the topmost
 * one, if none has. */
static int ancestor(const struct slurm_topology *slurm, int number, int level)
{
	while (slurm->switches.at[number].level < level && slurm->switches.at[number].parents.n > 0)
		number = slurm->switches.at[number].parents.at[0];
	return number;
}

/* Whether all nodes are beneath one switch of that level: then the tier says nothing. */
static bool is_whole(const struct making *making, int level)
{
	int one = -1;

	for (size_t i = 0; i < making->slurm->switches.n; i++) {
		int at;

		if (making->slurm->switches.at[i].nodes.n == 0)
			continue;
		at = ancestor(making->slurm, (int)i, level);
		if (one >= 0 && at != one)
			return false;
		one = at;
	}
	return true;
}

static int add_tier(struct making *making, int level, struct err *err)
{
	const struct slurm_topology *slurm = making->slurm;
	char name[24];
	int tier, n;

	n = level == 1 ? snprintf(name, sizeof(name), "pod")
		       : snprintf(name, sizeof(name), "level%d", level + 1);
	tier = topo_build_tier(making->build, name, (size_t)n, err);
	if (tier < 0)
		return -1;
	for (size_t i = 0; i < slurm->switches.n; i++) {
		const struct slurm_switch *sw = &slurm->switches.at[i];
		const char *domain = slurm->switches.at[ancestor(slurm, (int)i, level)].name;

		if (sw->level > 1) /* switches above the pods are in none */
			continue;
		if (topo_build_domain(making->build, router_of(making, (int)i, 0), tier, domain,
				      strlen(domain), err) != 0)
			return -1;
	}
	return 0;
}

/* Rings and tori are domains where there are several. */
static int add_grid_tier(struct making *making, struct err *err)
{
	const struct slurm_topology *slurm = making->slurm;
	int tier;

	if (slurm->switches.n < 2 || slurm->switches.at[0].dims[0] == 0)
		return 0;
	tier = topo_build_tier(making->build, "pod", 3, err);
	if (tier < 0)
		return -1;
	for (size_t i = 0; i < slurm->switches.n; i++) {
		const struct slurm_switch *sw = &slurm->switches.at[i];

		for (int k = 0; k < (int)sw->nodes.n; k++)
			if (topo_build_domain(making->build, router_of(making, (int)i, k), tier,
					      sw->name, strlen(sw->name), err) != 0)
				return -1;
	}
	return 0;
}

static int make(struct making *making, struct err *err)
{
	for (size_t i = 0; i < making->slurm->nodes.n; i++)
		making->nodes[i] = -1;
	find_order(making);
	if (add_routers(making, err) != 0 || add_nodes(making, err) != 0 ||
	    for_each_cable(making, count_cable, err) != 0 ||
	    class_build(&making->classes, making->build, err) != 0 ||
	    for_each_cable(making, add_cable, err) != 0)
		return -1;
	for (int level = 1; level <= making->top && !is_whole(making, level); level++)
		if (add_tier(making, level, err) != 0)
			return -1;
	return add_grid_tier(making, err);
}

int slurm_machine(struct topo **topo, const struct slurm_topology *slurm,
		  const struct topo_import *from, struct err *err)
{
	struct making making = {.slurm = slurm};
	char name[TOPO_NAME];
	int status;

	*topo = NULL;
	topo_import_name(from, name);
	making.build = topo_build_new(name);
	topo_build_cores(making.build, (int)pick_int(from->pick, "cores"));
	making.uplinks = (int)pick_int(from->pick, "uplinks");
	if (pick_has(from->pick, "link-speed"))
		making.speed = pick_real(from->pick, "link-speed");
	making.is_even = !has_speeds(slurm);
	making.order = xmalloc((slurm->switches.n + 1) * sizeof(*making.order));
	making.first = xmalloc((slurm->switches.n + 1) * sizeof(*making.first));
	making.routers = xmalloc((size_t)count_routers(&making) * sizeof(*making.routers));
	making.nodes = xmalloc((slurm->nodes.n + 1) * sizeof(*making.nodes));
	status = make(&making, err);
	if (status == 0 && making.top > 0 && making.uplinks == 1 && making.speed <= 0)
		warn("Slurm says neither how many cables join two switches nor how fast they are: "
		     "one each, as fast as the others, is a guess (uplinks=, link-speed=, --bandwidth)");
	free(making.order);
	free(making.first);
	free(making.routers);
	free(making.nodes);
	vec_free(&making.classes);
	arena_free(&making.arena);
	if (status != 0) {
		topo_build_free(making.build);
		return -1;
	}
	if (topo_build_finish(topo, making.build, err) != 0)
		return -1;
	status = slurm_add_blocks(*topo, slurm, "blocks", err);
	for (size_t i = 0; i < slurm->others.n && status == 0; i++)
		status = slurm_add_blocks(*topo, slurm->others.at[i].topology,
					  slurm->others.at[i].name, err);
	if (status == 0)
		return 0;
	topo_free(*topo);
	*topo = NULL;
	return -1;
}

const struct param slurm_lines_params[] = {
	SLURM_PARAMS,
	{.key = NULL},
};

int slurm_lines_read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct slurm_topology *slurm;
	int status;

	if (slurm_topology_read(&slurm, from->paths, err) != 0)
		return -1;
	status = slurm_machine(topo, slurm, from, err);
	slurm_topology_free(slurm);
	return status;
}
