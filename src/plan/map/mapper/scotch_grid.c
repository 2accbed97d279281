/* scotch_grid.c - libscotch maps the graph onto the mesh, torus or hypercube of the nodes */
#include "map/mapper/scotch_grid.h"

#ifdef HAVE_SCOTCH
#include <stdlib.h>

#include "base/mem.h"
#include "map/grid/places.h"
#include "map/partition/graph_cut.h"
#include "map/partition/libscotch.h"
#include "model/topo_type.h"

/* Dimensions of one kind, which libscotch has an architecture for. Of dimensions of 2 any number.
 */
enum { GRID_MOST = 5 };

static const double imbalance = 0.001;

/* The first dimension is that of a node's ranks. */
static bool is_cube(const struct places *places)
{
	for (int d = 1; d < places->ndims; d++)
		if (places->dims[d].size != 2 || places->dims[d].kind == PLACE_ANY)
			return false;
	return places->ndims > 1;
}

static bool is_grid(const struct places *places)
{
	for (int d = 1; d < places->ndims; d++)
		if (places->dims[d].kind == PLACE_ANY ||
		    places->dims[d].kind != places->dims[1].kind)
			return false;
	return places->ndims > 1 && places->ndims <= GRID_MOST + 1;
}

static int make_grid(SCOTCH_Arch *arch, const struct places *places)
{
	SCOTCH_Num sizes[PLACE_DIMS];
	int ndims = places->ndims - 1;

	for (int d = 0; d < ndims; d++)
		sizes[d] = places->dims[d + 1].size;
	if (is_cube(places))
		return SCOTCH_archHcub(arch, ndims);
	return places->dims[1].kind == PLACE_RING ? SCOTCH_archTorusX(arch, ndims, sizes)
						  : SCOTCH_archMeshX(arch, ndims, sizes);
}

static bool map_onto(const struct map_input *in, const SCOTCH_Arch *arch, int *node_of)
{
	return libscotch_map(in->symmetric, arch, in->nnodes, imbalance, 1, node_of) == 0;
}

/* Nodes that fill a box. */
static bool map_box(const struct map_input *in, int *node_of)
{
	struct places places;
	SCOTCH_Arch arch;
	bool is_mapped = false;

	if (!places_find(&places, in))
		return false;
	if (is_cube(&places) || is_grid(&places)) {
		SCOTCH_archInit(&arch);
		is_mapped = make_grid(&arch, &places) == 0 && map_onto(in, &arch, node_of);
		SCOTCH_archExit(&arch);
	}
	for (int r = 0; r < in->comm->nranks && is_mapped; r++)
		node_of[r] = places.node_at[node_of[r]];
	places_free(&places);
	return is_mapped;
}

/* The whole machine's dimensions, without nodes. Returns whether libscotch has such a grid. */
static bool find_sides(const struct map_input *in, struct places *sides)
{
	const struct topo_type *type = in->topo->type;
	const int *sizes;
	bool is_ring;
	int ndims;

	*sides = (struct places){.ndims = 1};
	ndims = type->dims != NULL ? type->dims(in->topo, &sizes, &is_ring) : 0;
	if (ndims > PLACE_DIMS - 1)
		return false;
	for (int d = 0; d < ndims; d++)
		sides->dims[sides->ndims++] =
			(struct place_dim){sizes[d], is_ring ? PLACE_RING : PLACE_LINE};
	return is_cube(sides) || is_grid(sides);
}

/* Each node's router, at [nnodes]. Returns whether it has that for itself, and nodes take equally
 * many ranks. */
static bool find_routers(const struct map_input *in, SCOTCH_Num *at)
{
	bool *is_taken = xcalloc((size_t)in->topo->nrouters + 1, sizeof(*is_taken));
	int each = in->comm->nranks / in->nnodes;
	bool is_so = each * in->nnodes == in->comm->nranks;

	for (int v = 0; v < in->nnodes && is_so; v++) {
		at[v] = in->topo->router_of[in->nodes[v]];
		is_so = in->room[v] >= each && !is_taken[at[v]];
		is_taken[at[v]] = true;
	}
	free(is_taken);
	return is_so;
}

/* Nodes here and there in a grid. */
static bool map_part(const struct map_input *in, int *node_of)
{
	SCOTCH_Num *at = xmalloc(((size_t)in->nnodes + 1) * sizeof(*at));
	SCOTCH_Arch whole, part;
	struct places sides;
	bool is_mapped = false;

	if (find_sides(in, &sides) && find_routers(in, at)) {
		SCOTCH_archInit(&whole);
		SCOTCH_archInit(&part);
		is_mapped = make_grid(&whole, &sides) == 0 &&
			    SCOTCH_archSub(&part, &whole, in->nnodes, at) == 0 &&
			    map_onto(in, &part, node_of);
		SCOTCH_archExit(&part);
		SCOTCH_archExit(&whole);
	}
	free(at);
	return is_mapped;
}

bool scotch_grid(const struct map_input *in, int *node_of)
{
	if (!map_box(in, node_of) && !map_part(in, node_of))
		return false;
	/* libscotch may miss sizes by a little */
	partition_fit(in->symmetric, in->nnodes, in->room, node_of);
	return true;
}
#else
bool scotch_grid(const struct map_input *in, int *node_of)
{
	(void)in, (void)node_of;
	return false;
}
#endif
