/* greedy.c - the mapper greedy against a slow one: Algorithm 1 of Hoefler and Snir, by scanning
 * everything */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/rng.h"
#include "check.h"
#include "machine.h"

extern const struct map_policy map_policy_greedy;

enum { PARTS_MOST = 12, NODES_MOST = 40, VERTICES_MOST = 200, LINKS_MOST = 800, EDGES_MOST = 60 };

/* A mapping in the making, by definition. */
struct slow {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct topo_graph *graph;
	const struct comm *both;
	int node_of[PARTS_MOST];     /* −1: not mapped */
	int place_of[VERTICES_MOST]; /* vertex → its free place in the allocation, or −1 */
	double load[LINKS_MOST], per_byte[TOPO_LEVELS];
};

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* Whether the parts that are not mapped, but for one, have a node each without this place. */
static bool rest_fits(const struct slow *s, int part, int place)
{
	int size[PARTS_MOST], room[NODES_MOST], nsizes = 0, nrooms = 0;

	for (int p = 0; p < s->parts->nparts; p++)
		if (p != part && s->node_of[p] < 0)
			size[nsizes++] = s->parts->size[p];
	for (int i = 0; i < s->in->nnodes; i++)
		if (i != place && s->place_of[s->in->nodes[i]] == i)
			room[nrooms++] = s->in->room[i];
	qsort(size, (size_t)nsizes, sizeof(int), descending);
	qsort(room, (size_t)nrooms, sizeof(int), descending);
	if (nrooms < nsizes)
		return false;
	for (int i = 0; i < nsizes; i++)
		if (room[i] < size[i])
			return false;
	return true;
}

static bool takes(const struct slow *s, int part, int vertex)
{
	int place = vertex < s->in->topo->nnodes ? s->place_of[vertex] : -1;

	return place >= 0 && s->in->room[place] >= s->parts->size[part] &&
	       rest_fits(s, part, place);
}

/* The way from a vertex to a target, or (−1) to the nearest node for the part; by [vertices] is the
 * channel to each vertex. Returns the end, or −1. */
static int nearest(const struct slow *s, int from, int target, int part, double bytes, int32_t *by)
{
	int nvertices = topo_nvertices(s->in->topo), nnodes = s->in->topo->nnodes;
	double distance[VERTICES_MOST];
	bool is_done[VERTICES_MOST] = {false};

	for (int v = 0; v < nvertices; v++)
		distance[v] = -1;
	distance[from] = 0;
	for (;;) {
		int v = -1;

		for (int u = 0; u < nvertices; u++)
			if (!is_done[u] && distance[u] >= 0 && (v < 0 || distance[u] < distance[v]))
				v = u;
		if (v < 0)
			return -1;
		if (target >= 0 ? v == target : takes(s, part, v))
			return v;
		is_done[v] = true;
		if (v < nnodes && v != from)
			continue;
		for (int64_t i = s->graph->first[v]; i < s->graph->first[v + 1]; i++) {
			int64_t link = s->graph->channel[i] / 2;
			int peer = s->graph->peer[i];
			double way = distance[v] + s->load[link] +
				     bytes * s->per_byte[s->graph->links[link].level];

			if (peer < nnodes && peer != target && s->place_of[peer] < 0)
				continue;
			if (distance[peer] >= 0 && distance[peer] <= way)
				continue;
			distance[peer] = way;
			by[peer] = s->graph->channel[i];
		}
	}
}

static void put(struct slow *s, int part, int vertex)
{
	int32_t by[VERTICES_MOST];

	s->node_of[part] = s->place_of[vertex];
	s->place_of[vertex] = -1;
	for (int64_t e = s->both->first[part]; e < s->both->first[part + 1]; e++) {
		int peer = s->both->peer[e], from;

		if (s->node_of[peer] < 0)
			continue;
		from = s->in->nodes[s->node_of[peer]];
		if (nearest(s, from, vertex, part, s->both->bytes[e], by) < 0)
			continue;
		for (int v = vertex; v != from;) {
			const struct topo_link *link = &s->graph->links[by[v] / 2];

			s->load[by[v] / 2] += s->both->bytes[e] * s->per_byte[link->level];
			v = by[v] % 2 == 0 ? link->a : link->b;
		}
	}
}

static int first_place(const struct slow *s, int part)
{
	for (int i = 0; i < s->in->nnodes; i++)
		if (takes(s, part, s->in->nodes[i]))
			return s->in->nodes[i];
	return -1;
}

/* The heaviest edge from a mapped part to one that is not; of equals the least end, then the least
 * beginning. */
static bool heaviest_edge(const struct slow *s, int *from, int *to, double *bytes)
{
	bool is_there = false;

	for (int b = 0; b < s->parts->nparts; b++)
		for (int a = 0; a < s->parts->nparts; a++)
			for (int64_t e = s->both->first[a]; e < s->both->first[a + 1]; e++)
				if (s->both->peer[e] == b && s->node_of[a] >= 0 &&
				    s->node_of[b] < 0 &&
				    (!is_there || s->both->bytes[e] > *bytes)) {
					is_there = true;
					*from = a;
					*to = b;
					*bytes = s->both->bytes[e];
				}
	return is_there;
}

static int heaviest_part(const struct slow *s)
{
	double most = -1;
	int best = -1;

	for (int p = 0; p < s->parts->nparts; p++) {
		double sum = 0;

		for (int64_t e = s->both->first[p]; e < s->both->first[p + 1]; e++)
			sum += s->both->bytes[e];
		if (s->node_of[p] < 0 && sum > most) {
			most = sum;
			best = p;
		}
	}
	return best;
}

static void map_slowly(struct slow *s)
{
	int32_t by[VERTICES_MOST];
	int from, to;
	double bytes;

	for (int part; (part = heaviest_part(s)) >= 0;) {
		put(s, part, first_place(s, part));
		while (heaviest_edge(s, &from, &to, &bytes)) {
			int v = nearest(s, s->in->nodes[s->node_of[from]], -1, to, bytes, by);

			put(s, to, v >= 0 ? v : first_place(s, to));
		}
	}
}

static void compare(const struct map_input *in, const struct map_parts *parts)
{
	struct slow s = {.in = in, .parts = parts, .graph = topo_graph(in->topo)};
	struct comm *both = comm_symmetric(parts->comm);
	int node_of[PARTS_MOST];
	struct err err;

	s.both = both;
	for (int v = 0; v < topo_nvertices(in->topo); v++)
		s.place_of[v] = -1;
	for (int i = 0; i < in->nnodes; i++)
		s.place_of[in->nodes[i]] = i;
	for (int level = 0; level < in->topo->nlevels; level++)
		s.per_byte[level] = in->topo->levels[LINK_TERMINAL].bandwidth /
				    in->topo->levels[level].bandwidth;
	for (int p = 0; p < parts->nparts; p++)
		s.node_of[p] = -1;
	map_slowly(&s);
	CHECK_INT(map_policy_greedy.run(in, parts, NULL, node_of, &err), 0);
	for (int p = 0; p < parts->nparts; p++)
		CHECK_INT(node_of[p], s.node_of[p]);
	comm_free(both);
}

/* Parts of 1 to 3 ranks on some nodes of the machine with as much room, or one more, or none to
 * spare. */
static void draw(struct topo *topo, struct rng *rng)
{
	int nodes[VERTICES_MOST], room[NODES_MOST], size[PARTS_MOST], edges = 0, nparts, nnodes;
	int32_t src[EDGES_MOST], dst[EDGES_MOST];
	double bytes[EDGES_MOST];
	struct map_input in = {.topo = topo, .nodes = nodes, .room = room};
	struct map_parts parts = {.size = size};

	nparts = parts.nparts = 2 + (int)rng_below(rng, PARTS_MOST - 1);
	nnodes = in.nnodes = nparts + (int)rng_below(rng, 6);
	for (int v = 0; v < topo->nnodes; v++)
		nodes[v] = v;
	rng_shuffle(rng, nodes, (size_t)topo->nnodes);
	for (int p = 0; p < nparts; p++)
		room[p] = (size[p] = 1 + (int)rng_below(rng, 3)) + (int)rng_below(rng, 2);
	for (int i = nparts; i < nnodes; i++)
		room[i] = (int)rng_below(rng, 5);
	rng_shuffle(rng, room, (size_t)nnodes);
	for (; edges < (int)(rng_below(rng, 5) * (unsigned)nparts) && edges < EDGES_MOST; edges++) {
		src[edges] = (int32_t)rng_below(rng, (uint64_t)nparts);
		dst[edges] = (int32_t)rng_below(rng, (uint64_t)nparts);
		bytes[edges] = 1 + (double)rng_below(rng, 8);
	}
	parts.comm = comm_make(nparts, edges, src, dst, bytes, NULL);
	compare(&in, &parts);
	comm_free(parts.comm);
}

int main(void)
{
	static const char *const specs[] = {"torus:dims=4x5", "line:nodes=18", "hypercube:dims=5",
					    "dragonfly:groups=5,routers=4,nodes=2,"
					    "global-bandwidth=4GB/s",
					    "fattree:down=3x3x3,up=1x2x2"};
	struct rng rng = rng_make(1, "greedy", NULL, NULL);

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct topo *topo = machine(specs[i]);

		for (int k = 0; k < 400; k++)
			draw(topo, &rng);
		topo_free(topo);
	}
	return check_done();
}
