/* places.c - the slots of an allocation as a grid, or as domains within domains of equal sizes */
#include "map/grid/places.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/topo_type.h"

static void add_dim(struct places *places, int size, enum place_kind kind)
{
	if (size > 1 || places->ndims == 0)
		places->dims[places->ndims++] = (struct place_dim){size, kind};
}

/* Ranks of each node; 0: they do not all take as many. */
static int ranks_per_node(const struct map_input *in)
{
	int each = in->comm->nranks / in->nnodes;

	if (each * in->nnodes != in->comm->nranks)
		return 0;
	for (int v = 0; v < in->nnodes; v++)
		if (in->room[v] < each)
			return 0;
	return each;
}

/* ---- grids ---- */

struct box {
	const int *sizes;
	int ndims, least[PLACE_DIMS], most[PLACE_DIMS];
};

static void find_box(struct box *box, const struct map_input *in)
{
	for (int v = 0; v < in->nnodes; v++) {
		int left = in->topo->router_of[in->nodes[v]];

		for (int d = 0; d < box->ndims; d++) {
			int at = left % box->sizes[d];

			left /= box->sizes[d];
			box->least[d] = v == 0 || at < box->least[d] ? at : box->least[d];
			box->most[d] = v == 0 || at > box->most[d] ? at : box->most[d];
		}
	}
}

/* Which place of the box a router is. */
static int place_in(const struct box *box, int router)
{
	int place = 0, stride = 1;

	for (int d = 0; d < box->ndims; d++) {
		place += stride * (router % box->sizes[d] - box->least[d]);
		router /= box->sizes[d];
		stride *= box->most[d] - box->least[d] + 1;
	}
	return place;
}

/* Nodes of each router of the box; 0: not all have as many. Fills node_at. */
static int fill_box(struct places *places, const struct box *box, const struct map_input *in,
		    int nrouters)
{
	int per = in->nnodes / nrouters, *nheld = xcalloc((size_t)nrouters, sizeof(*nheld));

	for (int v = 0; v < in->nnodes && per > 0; v++) {
		int place = place_in(box, in->topo->router_of[in->nodes[v]]);

		if (nheld[place] == per)
			per = 0;
		else
			places->node_at[place * per + nheld[place]++] = v;
	}
	free(nheld);
	return per;
}

static bool find_grid(struct places *places, const struct map_input *in)
{
	const struct topo_type *type = in->topo->type;
	struct box box = {0};
	int64_t nrouters = 1;
	bool is_ring;
	int per;

	if (type->dims == NULL)
		return false;
	box.ndims = type->dims(in->topo, &box.sizes, &is_ring);
	if (box.ndims < 1 || box.ndims > PLACE_DIMS - 2)
		return false;
	find_box(&box, in);
	for (int d = 0; d < box.ndims; d++)
		nrouters *= box.most[d] - box.least[d] + 1;
	if (nrouters > in->nnodes || in->nnodes % nrouters != 0)
		return false;
	per = fill_box(places, &box, in, (int)nrouters);
	if (per == 0)
		return false;
	add_dim(places, per, PLACE_ANY);
	for (int d = 0; d < box.ndims; d++) {
		int size = box.most[d] - box.least[d] + 1;

		add_dim(places, size, is_ring && size == box.sizes[d] ? PLACE_RING : PLACE_LINE);
	}
	return true;
}

/* ---- domains ---- */

struct sorted {
	const struct topo *topo;
	int node, index; /* of the machine, of the allocation */
};

static int domain(const struct sorted *a, int tier)
{
	return tier < 0 ? a->node : topo_domain(a->topo, a->node, tier);
}

static int by_domains(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	for (int tier = x->topo->ntiers - 1; tier >= -1; tier--)
		if (domain(x, tier) != domain(y, tier))
			return domain(x, tier) < domain(y, tier) ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* How many nodes of the sorted list [n] each domain of a tier has; 0: not all have as many. */
static int nodes_per_domain(const struct sorted *sorted, int n, int tier)
{
	int each = 1;

	while (each < n && domain(&sorted[each], tier) == domain(&sorted[0], tier))
		each++;
	if (n % each != 0)
		return 0;
	for (int i = 0; i < n; i++)
		if ((domain(&sorted[i], tier) == domain(&sorted[i / each * each], tier)) != true ||
		    (i % each == 0 && i > 0 &&
		     domain(&sorted[i], tier) == domain(&sorted[i - 1], tier)))
			return 0;
	return each;
}

static bool find_domains(struct places *places, const struct map_input *in)
{
	struct sorted *sorted = xmalloc((size_t)in->nnodes * sizeof(*sorted));
	int below = 1;

	for (int v = 0; v < in->nnodes; v++)
		sorted[v] = (struct sorted){in->topo, in->nodes[v], v};
	qsort(sorted, (size_t)in->nnodes, sizeof(*sorted), by_domains);
	for (int tier = 0; tier < in->topo->ntiers && below > 0; tier++) {
		int each = nodes_per_domain(sorted, in->nnodes, tier);

		if (each == 0 || each % below != 0) {
			below = 0;
			break;
		}
		add_dim(places, each / below, PLACE_ANY);
		below = each;
	}
	if (below > 0)
		add_dim(places, in->nnodes / below, PLACE_ANY);
	for (int v = 0; v < in->nnodes; v++)
		places->node_at[v] = sorted[v].index;
	free(sorted);
	return below > 0;
}

bool places_find(struct places *places, const struct map_input *in)
{
	int each = ranks_per_node(in);

	*places = (struct places){0};
	if (each == 0)
		return false;
	places->node_at = xmalloc((size_t)in->nnodes * sizeof(*places->node_at));
	add_dim(places, each, PLACE_ANY);
	if (find_grid(places, in))
		return true;
	places->ndims = 1;
	if (find_domains(places, in))
		return true;
	places_free(places);
	return false;
}

void places_free(struct places *places)
{
	free(places->node_at);
	*places = (struct places){0};
}
