/* hops.c - how far apart a job's nodes are */
#include <math.h>
#include <stdlib.h>

#include "machine/route/routing.h"
#include "machine/stats/pairs.h"
#include "measure/metric/metric.h"
#include "model/domain_runs.h"
#include "model/kinds.h"
#include "model/topo_type.h"

static const struct metric_output outputs[] = {
	{"hops-mean", "1",
	 "mean over all pairs of its nodes, there and back; both host links count"},
	{"hops-max", "1", "the most of a pair"},
	{0}};

/*
 * Where a route is a shortest way whose length is known in closed form, pairs are counted by
 * router: c·d pairs of nodes on two routers have the same distance; and where the kind of machine
 * knows how, by domains or dimensions: topo_pairs.
 */
struct hops {
	const struct metric_context *context;
	bool is_closed;
	bool is_by_router;       /* the router of a node says how long its routes are */
	struct domain_runs runs; /* of the routers */
	int *count_of;           /* [nrouters], zero between items */
	int_vec routers, nodes;  /* of the job, and a node of each */
};

struct hops_found {
	double sum; /* of whole numbers below 2^53: exact */
	int64_t npairs;
	int most;
	int from, to; /* a pair without a way, if npairs is -1 */
};

/* With several links to the network a node's first router does not tell its distances. */
static bool has_one_terminal_link(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false;
	return true;
}

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	struct hops *hops = xcalloc(1, sizeof(*hops));

	(void)pick;
	(void)err;
	hops->context = context;
	hops->is_by_router =
		routing_lengths_by_router(context->routing) && has_one_terminal_link(context->topo);
	hops->is_closed = routing_is_closed(context->routing) && context->topo->type != NULL &&
			  context->topo->type->distance != NULL &&
			  has_one_terminal_link(context->topo);
	hops->count_of = xcalloc((size_t)context->topo->nrouters, sizeof(*hops->count_of));
	domain_runs_make(&hops->runs, context->topo, 0);
	*state = hops;
	return 0;
}

static void add_pairs(struct hops_found *found, int64_t npairs, int length)
{
	if (npairs == 0)
		return;
	found->npairs += npairs;
	found->sum += (double)npairs * length;
	found->most = length > found->most ? length : found->most;
}

/* The routers of the job's nodes, ascending where routers are numbered as their nodes are, and how
 * many nodes each has. */
static struct router_counts count_routers(struct hops *hops, const struct metric_item *item)
{
	hops->routers.n = hops->nodes.n = 0;
	for (size_t i = 0; i < item->by_label->of.n; i++) {
		struct node_range range = item->by_label->of.at[i];

		for (int node = range.first, to; node <= range.last; node = to + 1) {
			int router = hops->runs.of[node];

			to = hops->runs.to[node] < range.last ? hops->runs.to[node] : range.last;
			if (hops->count_of[router] == 0) {
				vec_push(&hops->routers, router);
				vec_push(&hops->nodes, node);
			}
			hops->count_of[router] += to - node + 1;
		}
	}
	return (struct router_counts){hops->routers.at, (int)hops->routers.n, hops->count_of};
}

static void add_closed(const struct hops *hops, const struct router_counts *counts,
		       struct hops_found *found)
{
	struct pair_links links;

	topo_pairs(hops->context->topo, counts, &links);
	if (links.npairs == 0)
		return;
	found->npairs += (int64_t)links.npairs;
	found->sum += (double)links.sum + 2 * (double)links.npairs;
	found->most = 2 + links.longest;
}

/* Destination by destination: a search finds the ways to one. Returns -1 where there is none. */
static int add_searched(const struct hops *hops, struct hops_found *found)
{
	const int *routers = hops->routers.at, *nodes = hops->nodes.at;

	for (size_t k = 0; k < hops->routers.n; k++)
		for (size_t i = 0; i < hops->routers.n; i++) {
			int length =
				i == k ? 0 : route_hops(hops->context->routing, nodes[i], nodes[k]);

			if (length < 0)
				return -1;
			if (i != k)
				add_pairs(found,
					  (int64_t)hops->count_of[routers[i]] *
						  hops->count_of[routers[k]],
					  length);
		}
	return 0;
}

static int count_by_router(struct hops *hops, const struct metric_item *item,
			   struct hops_found *found)
{
	struct router_counts counts = count_routers(hops, item);
	int status = 0;

	for (int i = 0; i < counts.n; i++) {
		int64_t n = hops->count_of[counts.routers[i]];

		add_pairs(found, n * (n - 1), 2);
	}
	if (hops->is_closed)
		add_closed(hops, &counts, found);
	else
		status = add_searched(hops, found);
	for (size_t i = 0; i < hops->routers.n; i++)
		hops->count_of[hops->routers.at[i]] = 0;
	return status;
}

static void count_by_route(const struct hops *hops, const struct metric_item *item,
			   struct hops_found *found)
{
	const int *nodes = metric_item_nodes(item);

	for (int k = 0; k < item->nnodes; k++)
		for (int i = 0; i < item->nnodes; i++) {
			int length;

			if (i == k)
				continue;
			length = route_hops(hops->context->routing, nodes[i], nodes[k]);
			if (length < 0) {
				*found = (struct hops_found){
					.npairs = -1, .from = nodes[i], .to = nodes[k]};
				return;
			}
			add_pairs(found, 1, length);
		}
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct hops *hops = state;
	struct hops_found found = {0};
	const char *note = NULL;
	char from[TOPO_NAME], to[TOPO_NAME];

	if (!(hops->is_closed || hops->is_by_router) || count_by_router(hops, item, &found) != 0) {
		found = (struct hops_found){0};
		count_by_route(hops, item, &found);
	}
	if (found.npairs < 0)
		return row_error(item->row, err, "there is no route from %s to %s",
				 topo_node_name(hops->context->topo, found.from, from),
				 topo_node_name(hops->context->topo, found.to, to));
	if (found.npairs == 0)
		note = item->nnodes == 0 ? "not placed" : "a single node";
	metric_put(sink, outputs[0].name, "1",
		   found.npairs > 0 ? found.sum / (double)found.npairs : NAN, note);
	metric_put(sink, outputs[1].name, "1", found.npairs > 0 ? found.most : NAN, note);
	return 0;
}

static void close(void *state)
{
	struct hops *hops = state;

	free(hops->count_of);
	domain_runs_free(&hops->runs);
	vec_free(&hops->routers);
	vec_free(&hops->nodes);
	free(hops);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_hops = {
	.entry = {.name = "hops",
		  .example = "hops",
		  .summary = "links on the routes between the job's nodes"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.outputs = outputs,
	.open = open,
	.row = row,
	.close = close,
};
