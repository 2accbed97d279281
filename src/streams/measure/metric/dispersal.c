/* dispersal.c - how far a job's nodes are apart (Defs 7 and 8 of Bleuse et al.) */
#include <math.h>
#include <stdlib.h>

#include "machine/route/routing.h"
#include "measure/metric/job_routers.h"
#include "measure/metric/regions.h"
#include "model/domain_runs.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"dispersal", "1",
	 "mean distance of two of its nodes: levels where nodes are joined through switches only "
	 "(1: a common leaf switch), else links between their routers"},
	{"dispersal-sum", "1", "sum of the distances over all pairs"},
	{"dispersal-max", "1", "the largest distance"},
	{0}};

struct dispersal {
	struct regions regions;
	struct domain_runs runs[TOPO_LEVELS];
	int *count_of[TOPO_LEVELS]; /* [domains of the tier], zero between items */
	int_vec domains;
	bool is_closed;             /* of networks that are direct */
	struct job_routers routers; /* of them */
};

static int dispersal_open(void **state, const struct pick *pick,
			  const struct metric_context *context, struct err *err)
{
	struct dispersal *dispersal = xcalloc(1, sizeof(*dispersal));
	const struct topo *topo = context->topo;

	(void)pick;
	*state = dispersal;
	for (int t = 0; t < topo->ntiers; t++) {
		domain_runs_make(&dispersal->runs[t], topo, t);
		dispersal->count_of[t] =
			xcalloc((size_t)topo->tiers[t].n, sizeof(*dispersal->count_of[t]));
	}
	if (regions_open(&dispersal->regions, context, err) != 0)
		return -1;
	job_routers_open(&dispersal->routers, context->topo);
	dispersal->is_closed = dispersal->routers.is_of_routers && topo->type != NULL &&
			       topo->type->distance != NULL &&
			       routing_is_closed(dispersal->regions.geometry.shortest);
	return 0;
}

static void close(void *state)
{
	struct dispersal *dispersal = state;

	for (int t = 0; t < TOPO_LEVELS; t++) {
		domain_runs_free(&dispersal->runs[t]);
		free(dispersal->count_of[t]);
	}
	vec_free(&dispersal->domains);
	job_routers_close(&dispersal->routers);
	regions_close(&dispersal->regions);
	free(dispersal);
}

/* Pairs of nodes in one domain of a tier. */
static int64_t count_pairs(struct dispersal *dispersal, const struct node_ranges *ranges, int tier)
{
	const struct domain_runs *runs = &dispersal->runs[tier];
	int *count_of = dispersal->count_of[tier];
	int64_t npairs = 0;

	dispersal->domains.n = 0;
	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first, last = ranges->of.at[i].last, to;
		     node <= last; node = to + 1) {
			to = runs->to[node] < last ? runs->to[node] : last;
			if (runs->of[node] < 0)
				continue; /* in no domain: apart from all */
			if (count_of[runs->of[node]] == 0)
				vec_push(&dispersal->domains, runs->of[node]);
			count_of[runs->of[node]] += to - node + 1;
		}
	for (size_t i = 0; i < dispersal->domains.n; i++) {
		int64_t n = count_of[dispersal->domains.at[i]];

		npairs += n * (n - 1) / 2;
		count_of[dispersal->domains.at[i]] = 0;
	}
	return npairs;
}

/* Of all pairs of the job's nodes. */
struct found {
	int64_t sum;
	int most;
};

/* Levels: a pair climbs one for each tier in which the two are in different domains. */
static void add_levels(struct dispersal *dispersal, const struct metric_item *item, int64_t npairs,
		       struct found *found)
{
	const struct topo *topo = dispersal->regions.geometry.topo;

	*found = (struct found){npairs, 1};
	for (int t = 0; t < topo->ntiers; t++) {
		int64_t napart = npairs - count_pairs(dispersal, item->by_label, t);

		found->sum += napart;
		found->most += napart > 0;
	}
}

static void add_links(struct dispersal *dispersal, const struct metric_item *item,
		      struct found *found)
{
	const int *nodes;
	struct router_counts counts;
	struct pair_links links;

	if (dispersal->is_closed) {
		counts = job_routers_of(&dispersal->routers, item->by_label);
		topo_pairs(dispersal->regions.geometry.topo, &counts, &links);
		*found = (struct found){(int64_t)(links.sum / 2), links.longest};
		return;
	}
	nodes = metric_item_nodes(item);
	for (int i = 0; i < item->nnodes; i++)
		for (int k = 0; k < i; k++) {
			int distance =
				geometry_distance(&dispersal->regions.geometry, nodes[k], nodes[i]);

			found->sum += distance;
			found->most = distance > found->most ? distance : found->most;
		}
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct dispersal *dispersal = state;
	const char *note = item->nnodes == 0   ? "not placed"
			   : item->nnodes == 1 ? "a single node"
					       : NULL;
	int64_t npairs = (int64_t)item->nnodes * (item->nnodes - 1) / 2;
	struct found found = {0};

	(void)err;
	if (npairs > 0 && !dispersal->regions.geometry.is_direct)
		add_levels(dispersal, item, npairs, &found);
	else if (npairs > 0)
		add_links(dispersal, item, &found);
	metric_put(sink, outputs[0].name, "1",
		   npairs > 0 ? (double)found.sum / (double)npairs : NAN, note);
	metric_put(sink, outputs[1].name, "1", npairs > 0 ? (double)found.sum : NAN, note);
	metric_put(sink, outputs[2].name, "1", npairs > 0 ? found.most : NAN, note);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_dispersal = {
	.entry = {.name = "dispersal",
		  .example = "dispersal",
		  .summary = "how far apart the job's nodes are, in levels or links",
		  .paper = "Bleuse et al., Defs 1, 7 and 8"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.only_when_asked = true,
	.outputs = outputs,
	.open = dispersal_open,
	.row = row,
	.close = close,
};
