/* link_loads.c - what the messages of a mapped job put on the links of the machine */
#include "measure/metric/link_loads.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

double link_capacity(const struct topo *topo, int64_t channel)
{
	return topo->levels[topo->graph->links[channel / 2].level].bandwidth /
	       topo->levels[LINK_TERMINAL].bandwidth;
}

/* What counts. */
struct counting {
	struct link_loads *loads;
	struct topo *topo;
	struct routing *routing;
	struct expected *expected; /* NULL: one path */
	int_vec path;
	channel_shares shares;
};

/* The channels from node a to node b, into shares. */
static int find_route(struct counting *counting, int a, int b)
{
	if (counting->expected != NULL)
		return expected_shares(counting->expected, a, b, &counting->shares);
	counting->path.n = counting->shares.n = 0;
	if (route_path(counting->routing, a, b, &counting->path) < 0)
		return -1;
	for (size_t i = 0; i < counting->path.n; i++)
		vec_push(&counting->shares, (struct channel_share){counting->path.at[i], 1});
	return 0;
}

static int add_route(struct counting *counting, int a, int b, double bytes, double messages,
		     struct err *err)
{
	struct link_loads *loads = counting->loads;
	char from[TOPO_NAME], to[TOPO_NAME];
	double links = 0;

	if (find_route(counting, a, b) < 0)
		return err_set(err, "there is no route from %s to %s",
			       topo_node_name(counting->topo, a, from),
			       topo_node_name(counting->topo, b, to));
	for (size_t i = 0; i < counting->shares.n; i++) {
		const struct channel_share *part = &counting->shares.at[i];

		loads->bytes[part->channel] += bytes * part->share;
		loads->messages[part->channel] += messages * part->share;
		links += part->share;
	}
	loads->hop_bytes += bytes * links;
	loads->dilation += messages * links;
	loads->network_bytes += bytes;
	return 0;
}

/* Nodes in use get numbers from 0; node_at [*nnodes], group_of [nranks]. */
static void number_nodes(const struct topo *topo, const struct mapping *mapping, int *group_of,
			 int_vec *node_at)
{
	int *number_of = xmalloc((size_t)topo->nnodes * sizeof(*number_of));

	for (int v = 0; v < topo->nnodes; v++)
		number_of[v] = -1;
	for (int r = 0; r < mapping->nranks; r++) {
		int node = mapping->node_of[r];

		if (number_of[node] < 0) {
			number_of[node] = (int)node_at->n;
			vec_push(node_at, node);
		}
		group_of[r] = number_of[node];
	}
	free(number_of);
}

int link_loads_count(struct link_loads *loads, struct topo *topo, struct routing *routing,
		     struct expected *expected, const struct comm *comm,
		     const struct mapping *mapping, struct err *err)
{
	int64_t nchannels = topo_graph(topo)->nlinks * 2;
	struct counting counting = {loads, topo, routing, expected, {0}, {0}};
	int_vec node_at = {0};
	struct comm *between;
	int *group_of, status = 0;

	*loads = (struct link_loads){
		.topo = topo, .comm = comm, .mapping = mapping, .nchannels = nchannels};
	if (comm->nranks > mapping->nranks)
		return err_set(err, "the graph has %d ranks, the mapping %d", comm->nranks,
			       mapping->nranks);
	loads->bytes = xcalloc((size_t)nchannels, sizeof(*loads->bytes));
	loads->messages = xcalloc((size_t)nchannels, sizeof(*loads->messages));
	for (int64_t e = 0; e < comm->nedges; e++)
		loads->all_messages += comm->messages[e];
	group_of = xmalloc((size_t)mapping->nranks * sizeof(*group_of));
	number_nodes(topo, mapping, group_of, &node_at);
	between = comm_quotient(comm, group_of, (int)node_at.n);
	for (int a = 0; a < between->nranks && status == 0; a++)
		for (int64_t e = between->first[a]; e < between->first[a + 1] && status == 0; e++)
			status = add_route(&counting, node_at.at[a], node_at.at[between->peer[e]],
					   between->bytes[e], between->messages[e], err);
	comm_free(between);
	free(group_of);
	vec_free(&node_at);
	vec_free(&counting.path);
	vec_free(&counting.shares);
	return status;
}

void link_loads_free(struct link_loads *loads)
{
	free(loads->bytes);
	free(loads->messages);
	*loads = (struct link_loads){0};
}

/* A sum whose rounding errors are kept beside it (Neumaier), so that it is right to the last bit or
 * nearly so. */
struct sum {
	double value, lost;
};

static void sum_add(struct sum *sum, double x)
{
	double next = sum->value + x;

	sum->lost += fabs(sum->value) >= fabs(x) ? sum->value - next + x : x - next + sum->value;
	sum->value = next;
}

/* Loads that differ by less are one load: three thirds of a message, added up, are not quite it. */
#define ALIKE 1e-12

struct congestion congestion_of(const struct link_loads *loads)
{
	struct congestion found = {0};
	struct sum sum = {0}, squares = {0};

	for (int64_t c = 0; c < loads->nchannels; c++) {
		double congestion;

		found.max_messages = fmax(found.max_messages, loads->messages[c]);
		if (loads->bytes[c] <= 0)
			continue;
		congestion = loads->bytes[c] / link_capacity(loads->topo, c);
		found.nused++;
		sum_add(&sum, congestion);
		found.max = fmax(found.max, congestion);
	}
	if (found.nused == 0)
		return found;
	found.mean = (sum.value + sum.lost) / (double)found.nused;
	for (int64_t c = 0; c < loads->nchannels; c++) {
		double congestion = loads->bytes[c] / link_capacity(loads->topo, c);
		double apart = congestion - found.mean;

		if (loads->bytes[c] <= 0)
			continue;
		found.nmax += congestion >= found.max * (1 - ALIKE);
		if (fabs(apart) > found.mean * ALIKE)
			sum_add(&squares, apart * apart);
	}
	found.variance = (squares.value + squares.lost) / (double)found.nused;
	return found;
}
