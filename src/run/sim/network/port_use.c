/* port_use.c - whether the destinations of a run spread over ports that are equally good */
#include "sim/network/port_use.h"

#include <stdlib.h>
#include <string.h>

#include "sim/network/table_ways.h"

/* Fewer destinations may meet by chance. */
enum { DESTINATIONS_LEAST = 8 };
enum { USE_BITS = 1 << 28 };

struct port_use *port_use_new(const struct net *net)
{
	const struct routing *routing = net->forward.routing;
	const struct topo *topo = net->plan.topo;
	int64_t nwords = (topo->nnodes + 63) / 64;
	struct port_use *use;

	if (!routing_is_closed(routing) || routing->type->minimal != MINIMAL_SHORTEST ||
	    routing->type->is_by_pair || routing_ties(routing) != TIES_SPREAD ||
	    topo->type->tie != NULL || routing->weights != NULL ||
	    (topo->type->distance != NULL && topo->type->next != NULL) ||
	    topo->nrouters * nwords > USE_BITS / 64 || tables_bytes(topo->nrouters) > USE_BITS)
		return NULL;
	use = xcalloc(1, sizeof(*use) + (size_t)(topo->nrouters * nwords) * sizeof(*use->sent));
	use->nwords = nwords;
	return use;
}

void port_use_clear(const struct net *net)
{
	struct port_use *use = net->counts.use;

	if (use != NULL)
		memset(use->sent, 0,
		       (size_t)(net->plan.topo->nrouters * use->nwords) * sizeof(*use->sent));
}

struct following {
	const struct topo *topo;
	const struct tables *tables;
	struct port_use *passed; /* the same of what came by */
	int32_t *ndestinations;  /* [sets] */
	bool *is_used;           /* [channels of the sets] */
};

/* The router by which a message that is sent at one reaches a node: as walk.h has it. */
static int reached_by(const struct following *f, int router, int node)
{
	const struct topo_graph *graph = f->topo->graph;
	int64_t first = graph->first[node], end = graph->first[node + 1];
	int nearest = NO_WAY, n = 0;

	for (int pass = 0; pass < 2; pass++) {
		int chosen = pass == 1 && n > 0 ? node % n : -1;

		for (int64_t i = first; i < end; i++) {
			int by = graph->peer[i] - f->topo->nnodes;
			int hops = f->tables->hops_of[tables_pair(f->tables, router, by)];

			if (pass == 0) {
				n = hops < nearest ? 1 : n + (hops == nearest);
				nearest = hops < nearest ? hops : nearest;
			} else if (hops == nearest && chosen-- == 0) {
				return by;
			}
		}
	}
	return router;
}

static void follow(const struct following *f, int router, int node)
{
	int to = reached_by(f, router, node), rest = node;

	while (router != to) {
		const struct channel_set *set = tables_set(f->tables, router, to);
		uint64_t *word = &f->passed->sent[router * f->passed->nwords + node / 64];
		uint64_t bit = 1ULL << (node % 64);
		int32_t at = set->first + rest % set->n, channel = f->tables->channels.at[at];
		const struct topo_link *link = &f->topo->graph->links[channel / 2];

		if (!(*word & bit))
			f->ndestinations[set - f->tables->sets.at]++;
		*word |= bit;
		f->is_used[at] = true;
		rest /= set->n;
		router = (channel % 2 == 0 ? link->b : link->a) - f->topo->nnodes;
	}
}

static void follow_all(const struct following *f, const struct port_use *use)
{
	for (int router = 0; router < f->topo->nrouters; router++)
		for (int64_t w = 0; w < use->nwords; w++)
			for (uint64_t bits = use->sent[router * use->nwords + w]; bits;
			     bits &= bits - 1)
				follow(f, router, (int)(w * 64 + __builtin_ctzll(bits)));
}

/* The sets of a router to which several destinations came. */
static struct net_idle_ports look_at(const struct following *f, int router)
{
	const struct tables *tables = f->tables;
	size_t end = router + 1 < f->topo->nrouters ? (size_t)tables->first_set[router + 1]
						    : tables->sets.n;
	struct net_idle_ports there = {.nrouters = 1, .router = router};

	for (size_t i = (size_t)tables->first_set[router]; i < end; i++) {
		const struct channel_set *set = &tables->sets.at[i];

		if (set->n < 2 || f->ndestinations[i] < 2)
			continue;
		there.nports_there += set->n;
		there.nuseful += set->n < f->ndestinations[i] ? set->n : f->ndestinations[i];
		there.ndestinations_there += f->ndestinations[i];
		for (int32_t k = 0; k < set->n; k++)
			there.nused_there += f->is_used[set->first + k];
	}
	there.nports = there.nports_there;
	there.nused = there.nused_there;
	return there;
}

/* Routers at which at most half of what could be used is. */
static void add_up(const struct following *f, struct net_idle_ports *idle)
{
	for (int router = 0; router < f->topo->nrouters; router++) {
		struct net_idle_ports there = look_at(f, router);

		if (there.ndestinations_there < DESTINATIONS_LEAST ||
		    2 * there.nused > there.nuseful)
			continue;
		if (idle->nports == 0) {
			*idle = there;
			continue;
		}
		idle->nports += there.nports;
		idle->nused += there.nused;
		idle->nrouters++;
	}
}

struct net_idle_ports net_idle_ports(struct net *net)
{
	struct tables tables = {.nrouters = net->plan.topo->nrouters};
	struct following f = {.topo = net->plan.topo, .tables = &tables};
	struct net_idle_ports idle = {0};
	struct err ignored;
	int longest;

	if (net->counts.use == NULL)
		return idle;
	if (tables_fill(&tables, f.topo, &longest, &ignored) == 0) {
		f.passed = port_use_new(net);
		f.ndestinations = xcalloc(tables.sets.n + 1, sizeof(*f.ndestinations));
		f.is_used = xcalloc(tables.channels.n + 1, sizeof(*f.is_used));
		follow_all(&f, net->counts.use);
		add_up(&f, &idle);
		free(f.passed);
		free(f.ndestinations);
		free(f.is_used);
	}
	tables_free(&tables);
	return idle;
}
