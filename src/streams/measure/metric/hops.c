/* hops.c - how far apart a job's nodes are */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "machine/route/routing.h"
#include "measure/metric/job_routers.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"
#include "model/topo_type.h"

static const struct metric_output outputs[] = {
	{"hops-mean", "1",
	 "mean over all pairs of its nodes, there and back; both host links count"},
	{"hops-max", "1", "the most of a pair"},
	{0}};

/*
 * Where a route is a shortest path whose length is known in closed form, pairs are counted by
 * router: c·d pairs of nodes on two routers have the same distance; and where the kind of machine
 * knows how, by domains or dimensions: topo_pairs.
 */
struct hops {
	const struct metric_context *context;
	bool is_closed;
	bool is_by_router; /* the router of a node says how long its routes are */
	struct job_routers routers;
	int64_t nsampled; /* pairs; 0: all */
	int job_column;
	char note[96];
};

struct hops_found {
	double sum; /* of whole numbers below 2^53: exact */
	int64_t npairs;
	int most;
	int from, to; /* a pair without a route, if npairs is -1 */
};

static int hops_open(void **state, const struct pick *pick, const struct metric_context *context,
		     struct err *err)
{
	struct hops *hops = xcalloc(1, sizeof(*hops));
	const struct topo *topo = context->topo;

	(void)err;
	hops->context = context;
	job_routers_open(&hops->routers, context->topo);
	hops->is_by_router =
		routing_lengths_by_router(context->routing) && hops->routers.is_of_routers;
	hops->is_closed = routing_is_closed(context->routing) && topo->type != NULL &&
			  topo->type->distance != NULL && hops->routers.is_of_routers;
	hops->nsampled = pick_has(pick, "sample") ? pick_int(pick, "sample") : 0;
	hops->job_column = table_find(context->in, "job");
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
static int add_searched(const struct hops *hops, const struct router_counts *counts,
			struct hops_found *found)
{
	const int *nodes = hops->routers.nodes.at, *count_of = counts->count_of;

	for (int k = 0; k < counts->n; k++)
		for (int i = 0; i < counts->n; i++) {
			int length;

			if (i == k)
				continue;
			length = route_hops(hops->context->routing, nodes[i], nodes[k]);
			if (length < 0)
				return -1;
			add_pairs(found,
				  (int64_t)count_of[counts->routers[i]] *
					  count_of[counts->routers[k]],
				  length);
		}
	return 0;
}

static int count_by_router(struct hops *hops, const struct metric_item *item,
			   struct hops_found *found)
{
	struct router_counts counts = job_routers_of(&hops->routers, item->by_label);

	for (int i = 0; i < counts.n; i++) {
		int64_t n = counts.count_of[counts.routers[i]];

		add_pairs(found, n * (n - 1), 2);
	}
	if (!hops->is_closed)
		return add_searched(hops, &counts, found);
	add_closed(hops, &counts, found);
	return 0;
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

/* ---- some pairs ---- */

static int length_of(const struct hops *hops, int from, int to)
{
	const struct topo *topo = hops->context->topo;

	if (!hops->is_closed)
		return route_hops(hops->context->routing, from, to);
	return 2 + topo->type->distance(topo, topo->router_of[from], topo->router_of[to]);
}

/* Ordered pairs of different nodes, each as likely as any other, with replacement; the bound of the
 * mean is that of the normal distribution. */
static void sample_pairs(struct hops *hops, const struct metric_item *item,
			 struct hops_found *found)
{
	const int *nodes = metric_item_nodes(item);
	uint64_t n = (uint64_t)item->nnodes;
	struct rng rng = rng_make(0, "hops", item->run, row_text(item->row, hops->job_column));
	double squares = 0, mean, variance;

	for (int64_t i = 0; i < hops->nsampled; i++) {
		uint64_t from = rng_below(&rng, n), to = rng_below(&rng, n - 1);
		int length;

		to += to >= from;
		length = length_of(hops, nodes[from], nodes[to]);
		if (length < 0) {
			*found = (struct hops_found){
				.npairs = -1, .from = nodes[from], .to = nodes[to]};
			return;
		}
		add_pairs(found, 1, length);
		squares += (double)length * length;
	}
	mean = found->sum / (double)found->npairs;
	variance = (squares / (double)found->npairs - mean * mean) * (double)found->npairs /
		   (double)(found->npairs - 1);
	snprintf(hops->note, sizeof(hops->note), "%lld sampled pairs, mean ± %.3g (95 %%)",
		 (long long)hops->nsampled,
		 1.96 * sqrt((variance > 0 ? variance : 0) / (double)found->npairs));
}

static void find(struct hops *hops, const struct metric_item *item, struct hops_found *found)
{
	hops->note[0] = '\0';
	if (hops->nsampled > 0 && (int64_t)item->nnodes * (item->nnodes - 1) > hops->nsampled) {
		sample_pairs(hops, item, found);
		return;
	}
	if ((hops->is_closed || hops->is_by_router) && count_by_router(hops, item, found) == 0)
		return;
	*found = (struct hops_found){0};
	count_by_route(hops, item, found);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct hops *hops = state;
	struct hops_found found = {0};
	const char *note = NULL;
	char from[TOPO_NAME], to[TOPO_NAME];

	find(hops, item, &found);
	if (found.npairs < 0)
		return row_error(item->row, err, "there is no route from %s to %s",
				 topo_node_name(hops->context->topo, found.from, from),
				 topo_node_name(hops->context->topo, found.to, to));
	if (found.npairs == 0)
		note = item->nnodes == 0 ? "not placed" : "a single node";
	else if (hops->note[0] != '\0')
		note = hops->note;
	metric_put(sink, outputs[0].name, "1",
		   found.npairs > 0 ? found.sum / (double)found.npairs : NAN, note);
	metric_put(sink, outputs[1].name, "1", found.npairs > 0 ? found.most : NAN, note);
	return 0;
}

static void close(void *state)
{
	struct hops *hops = state;

	job_routers_close(&hops->routers);
	free(hops);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_hops = {
	.entry = {.name = "hops",
		  .example = "hops",
		  .summary = "links on the routes between the job's nodes",
		  .params =
			  (const struct param[]){{.key = "sample",
						  .type = PARAM_INT,
						  .min = 2,
						  .max = INT32_MAX,
						  .optional = true,
						  .unit = "pairs",
						  .meaning =
							  "of jobs with more pairs, this number at "
							  "random; the note has the error"},
						 {0}}},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.outputs = outputs,
	.open = hops_open,
	.row = row,
	.close = close,
};
