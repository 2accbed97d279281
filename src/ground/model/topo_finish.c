/* topo_finish.c - a machine that was made piece by piece becomes one that others use */
#include <string.h>

#include "model/topo_build_priv.h"
#include "model/topo_hash.h"
#include "model/topo_names.h"
#include "model/topo_type.h"

static int vertex_of(const struct topo_build *build, int handle)
{
	return topo_build_is_node(handle) ? handle / 2 : build->topo->nnodes + handle / 2;
}

/* The values for all nodes; cores and how they nest may each follow from the other. */
static int finish_cores(struct topo *topo, struct err *err)
{
	int ncores = topo_inside_ncores(&topo->inside);

	if (topo->inside.nlevels > 0 && topo->cores > 0 && topo->cores != ncores)
		return err_set(err, "nodes have %d cores, but inside them nest %d", topo->cores,
			       ncores);
	if (topo->cores == 0)
		topo->cores = ncores;
	return 0;
}

/* Cores of the nodes one by one, where they are not all alike. */
static void finish_cores_of(struct topo_build *build)
{
	struct topo *topo = build->topo;
	bool is_own = false;

	for (int i = 0; i < topo->nnodes; i++)
		is_own = is_own || build->nodes.at[i].cores != 0 ||
			 build->nodes.at[i].inside != NULL;
	if (!is_own)
		return;
	topo->cores_of = xcalloc(build->nodes.n, sizeof(*topo->cores_of));
	for (int i = 0; i < topo->nnodes; i++) {
		const struct build_vertex *node = &build->nodes.at[i];

		topo->cores_of[i] = node->cores != 0       ? node->cores
				    : node->inside != NULL ? topo_inside_ncores(node->inside)
							   : topo->cores;
	}
}

/* How they nest in each node; the common value applies to those with that number of cores. */
static int finish_inside(struct topo_build *build, struct err *err)
{
	struct topo *topo = build->topo;
	const struct topo_inside *usual = topo->inside.nlevels > 0 ? &topo->inside : NULL;

	if (topo->cores_of == NULL || (usual == NULL && build->insides.n == 0))
		return 0;
	topo->inside_of = xcalloc(build->nodes.n, sizeof(const struct topo_inside *));
	for (int i = 0; i < topo->nnodes; i++) {
		const struct build_vertex *node = &build->nodes.at[i];
		const struct topo_inside *inside = node->inside != NULL ? node->inside : usual;
		bool fits = inside == NULL || topo_inside_ncores(inside) == topo->cores_of[i];

		if (!fits && node->inside != NULL)
			return err_set(err, "the node '%s' has %d cores, but inside it nest %d",
				       node->name, topo->cores_of[i], topo_inside_ncores(inside));
		topo->inside_of[i] = fits ? inside : NULL;
	}
	return 0;
}

static int finish_nodes(struct topo_build *build, struct err *err)
{
	struct topo *topo = build->topo;

	topo->nnodes = (int)build->nodes.n;
	if (topo->nnodes == 0)
		return err_set(err, "there is no node");
	topo->node_names = xcalloc(build->nodes.n, sizeof(*topo->node_names));
	topo->router_of = xcalloc(build->nodes.n, sizeof(*topo->router_of));
	topo->tiers[0].of = topo->router_of;
	for (int i = 0; i < topo->nnodes; i++) {
		const struct build_vertex *node = &build->nodes.at[i];

		if (node->first_router < 0)
			return err_set(err, "the node '%s' has no cable", node->name);
		topo->node_names[i] = node->name;
		topo->router_of[i] = node->first_router;
		map_set(&topo->node_ids, node->name, strlen(node->name), i);
	}
	topo_names_count(topo);
	if (finish_cores(topo, err) != 0)
		return -1;
	finish_cores_of(build);
	return finish_inside(build, err);
}

static void finish_routers(struct topo_build *build)
{
	struct topo *topo = build->topo;

	topo->nrouters = (int)build->routers.n;
	topo->tiers[0].n = topo->nrouters;
	topo->router_names = xcalloc(build->routers.n, sizeof(*topo->router_names));
	for (int r = 0; r < topo->nrouters; r++) {
		topo->router_names[r] = build->routers.at[r].name;
		map_set(&topo->router_ids, topo->router_names[r], strlen(topo->router_names[r]), r);
	}
}

/* The domain of a router as the tables said it, or -1. */
static int said_domain(const struct topo_build *build, int router, int tier)
{
	const int_vec *of = &build->tiers[tier].of;

	return (size_t)router < of->n ? of->at[router] : -1;
}

/* of [domains of the tier below]: found through the routers, which must agree. */
static int finish_tier(struct topo_build *build, int tier, struct err *err)
{
	struct topo *topo = build->topo;
	int nbelow = topo->tiers[tier - 1].n;
	int *of = xmalloc(((size_t)nbelow + 1) * sizeof(*of));

	topo->tiers[tier].of = of;
	topo->tiers[tier].n = (int)build->tiers[tier].names.n;
	for (int i = 0; i < nbelow; i++)
		of[i] = -1;
	for (int r = 0; r < topo->nrouters; r++) {
		int below = tier == 1 ? r : said_domain(build, r, tier - 1);
		int above = said_domain(build, r, tier);

		if (above < 0)
			continue;
		if (below < 0)
			return err_set(err, "the router '%s' has a %s but no %s",
				       topo->router_names[r], topo->tiers[tier].name,
				       topo->tiers[tier - 1].name);
		if (of[below] >= 0 && of[below] != above)
			return err_set(err,
				       "the %s of the router '%s' is in two domains of the tier %s",
				       topo->tiers[tier - 1].name, topo->router_names[r],
				       topo->tiers[tier].name);
		of[below] = above;
	}
	return 0;
}

static int check_nesting(const struct topo *topo, struct err *err)
{
	for (int i = 0; i < topo->nnodes; i++)
		for (int tier = 1; tier < topo->ntiers; tier++)
			if (topo_domain(topo, i, tier) < 0)
				return err_set(err, "the router '%s' has nodes but no %s",
					       topo->router_names[topo->router_of[i]],
					       topo->tiers[tier].name);
	return 0;
}

static void finish_links(struct topo_build *build)
{
	struct explicit_links *links = xcalloc(1, sizeof(*links));

	for (size_t i = 0; i < build->links.n; i++) {
		struct topo_link *link = &build->links.at[i];

		link->a = vertex_of(build, link->a);
		link->b = vertex_of(build, link->b);
	}
	links->at = build->links.at;
	links->n = build->links.n;
	build->links.at = NULL;
	build->topo->shape = links;
}

static int finish(struct topo_build *build, struct err *err)
{
	finish_routers(build);
	if (finish_nodes(build, err) != 0)
		return -1;
	for (int tier = 1; tier < build->topo->ntiers; tier++)
		if (finish_tier(build, tier, err) != 0)
			return -1;
	if (check_nesting(build->topo, err) != 0)
		return -1;
	finish_links(build);
	build->topo->hash = topo_hash(build->topo);
	return 0;
}

int topo_build_finish(struct topo **topo, struct topo_build *build, struct err *err)
{
	int status = finish(build, err);

	*topo = NULL;
	if (status == 0) {
		*topo = build->topo;
		build->topo = NULL;
	}
	topo_build_free(build);
	return status;
}
