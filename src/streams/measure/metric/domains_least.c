/* domains_least.c - the fewest domains of a level that a request fits, and the least left in them
 */
#include "measure/metric/domains_least.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Domains, then idle units in them. */
typedef uint64_t cost;
enum { IDLE_BITS = 36 };
#define COST_NONE UINT64_MAX

void domains_at_open(struct domains_at *at, const struct level_ref *level)
{
	at->level = *level;
	at->n = level_count(level);
	at->of = level_domains(level);
	at->sample = xmalloc(((size_t)at->n + 1) * sizeof(*at->sample));
	for (int d = 0; d < at->n; d++)
		at->sample[d] = -1;
	for (int node = level->topo->nnodes - 1; node >= 0; node--)
		if (at->of[node] >= 0)
			at->sample[at->of[node]] = node;
}

void domains_at_close(struct domains_at *at)
{
	free(at->of);
	free(at->sample);
}

/* ---- what is asked of a level ---- */

/* A level with a slice or a limit. */
struct bound {
	struct level_ref level;
	int depth;
	int64_t slice, most;
};

struct bounds {
	struct bound of[2 * DOMAIN_LEVELS_MOST]; /* innermost first */
	int n;
};

/* How far outside: 0 is a node, which is in every hierarchy. */
static int depth_of(const struct level_ref *level)
{
	return level_depth(level) + (level->hierarchy != NULL);
}

static void add(struct bounds *bounds, const struct domains_at *at, const struct domain_ask *ask,
		bool is_slice)
{
	int depth = depth_of(&ask->level), i = bounds->n;

	if (depth > 0 && depth_of(&at->level) > 0 && ask->level.hierarchy != at->level.hierarchy)
		return;
	for (int k = 0; k < bounds->n; k++)
		if (bounds->of[k].depth == depth)
			i = k;
	if (i == bounds->n) {
		while (i > 0 && bounds->of[i - 1].depth > depth) {
			bounds->of[i] = bounds->of[i - 1];
			i--;
		}
		bounds->of[i] = (struct bound){ask->level, depth, 1, INT64_MAX};
		bounds->n++;
	}
	if (is_slice)
		bounds->of[i].slice = ask->size;
	else
		bounds->of[i].most = ask->size;
}

static void find_bounds(struct bounds *bounds, const struct domains_at *at,
			const struct domain_asks *asks)
{
	bounds->n = 0;
	for (int i = 0; i < asks->nslices; i++)
		add(bounds, at, &asks->slices[i], true);
	for (int i = 0; i < asks->nspread; i++)
		add(bounds, at, &asks->spread[i], false);
}

static int64_t reduced(const struct bound *bound, int64_t units)
{
	int64_t most = units < bound->most ? units : bound->most;

	return most - most % bound->slice;
}

/* ---- tables: [n + 1] the least cost of each number of units ---- */

static cost *table_new(int64_t n)
{
	cost *table = xmalloc(((size_t)n + 1) * sizeof(*table));

	table[0] = 0;
	for (int64_t x = 1; x <= n; x++)
		table[x] = COST_NONE;
	return table;
}

/* One more choice: up to `units` at that cost. */
static void table_cover(cost *table, int64_t n, int64_t units, cost price)
{
	for (int64_t x = n; x > 0; x--) {
		cost rest = table[x > units ? x - units : 0];

		if (rest != COST_NONE && rest + price < table[x])
			table[x] = rest + price;
	}
}

/* As many as there are of it, doubled, since what is equal can be taken together. */
static void table_cover_all(cost *table, int64_t n, int64_t units, cost price, int64_t copies)
{
	int64_t useful = (n + units - 1) / units;

	if (copies > useful)
		copies = useful;
	for (int64_t together = 1; copies > 0; together *= 2) {
		int64_t taken = together < copies ? together : copies;

		table_cover(table, n, units * taken, price * (cost)taken);
		copies -= taken;
	}
}

/* What both give together; of inner only multiples of step, at most `most`. */
static void table_join(cost *table, const cost *inner, int64_t n, int64_t step, int64_t most)
{
	for (int64_t x = n; x > 0; x--)
		for (int64_t y = step; y <= x && y <= most; y += step)
			if (inner[y] != COST_NONE && table[x - y] != COST_NONE &&
			    inner[y] + table[x - y] < table[x])
				table[x] = inner[y] + table[x - y];
}

/* ---- domains ---- */

/* capacity [n] of what the levels inside and the level itself allow. */
static void find_capacities(const struct domains_at *at, const struct bounds *bounds,
			    const int *nfree, const int64_t *idle, int64_t *capacity)
{
	int depth = depth_of(&at->level), nnodes = at->level.topo->nnodes, ninner = 0;

	memcpy(capacity, idle, (size_t)at->n * sizeof(*capacity));
	while (ninner < bounds->n && bounds->of[ninner].depth < depth)
		ninner++;
	if (ninner > 0) {
		/* the units of a domain stand at its first node */
		int64_t *units = xmalloc(((size_t)nnodes + 1) * sizeof(*units));

		for (int node = 0; node < nnodes; node++)
			units[node] = nfree[node];
		for (int i = 0; i < ninner; i++) {
			struct domains_at inner;

			domains_at_open(&inner, &bounds->of[i].level);
			for (int node = 0; node < nnodes; node++) {
				int first = inner.of[node] >= 0 ? inner.sample[inner.of[node]] : -1;

				if (first >= 0 && first != node)
					units[first] += units[node];
				if (first != node)
					units[node] = 0;
			}
			for (int d = 0; d < inner.n; d++)
				if (inner.sample[d] >= 0)
					units[inner.sample[d]] =
						reduced(&bounds->of[i], units[inner.sample[d]]);
			domains_at_close(&inner);
		}
		memset(capacity, 0, (size_t)at->n * sizeof(*capacity));
		for (int node = 0; node < nnodes; node++)
			if (at->of[node] >= 0)
				capacity[at->of[node]] += units[node];
		free(units);
	}
	if (ninner < bounds->n && bounds->of[ninner].depth == depth)
		for (int d = 0; d < at->n; d++)
			capacity[d] = reduced(&bounds->of[ninner], capacity[d]);
}

struct item {
	int group; /* domain of the next level outside that has a bound; 0: there is none */
	int64_t capacity, idle;
};

static int by_group(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->capacity != y->capacity)
		return x->capacity > y->capacity ? -1 : 1;
	return (x->idle > y->idle) - (x->idle < y->idle);
}

/* tables [ngroups] of [n + 1], in slices of the level; NULL: nothing there. */
static void fill_tables(cost **tables, struct item *items, size_t nitems, int64_t n, int64_t slice)
{
	for (size_t i = 0, end; i < nitems; i = end) {
		struct item *item = &items[i];

		for (end = i; end < nitems && by_group(item, &items[end]) == 0;)
			end++;
		if (tables[item->group] == NULL)
			tables[item->group] = table_new(n);
		table_cover_all(tables[item->group], n, item->capacity / slice,
				((cost)1 << IDLE_BITS) + (cost)item->idle, (int64_t)(end - i));
	}
}

/* Domains with room, the equal ones of a group together. */
static size_t list_items(const struct domains_at *at, const int64_t *capacity, const int64_t *idle,
			 const struct level_ref *outside, struct item *items)
{
	size_t n = 0;

	for (int d = 0; d < at->n; d++) {
		int group = outside == NULL      ? 0
			    : at->sample[d] >= 0 ? level_domain(outside, at->sample[d])
						 : -1;

		if (capacity[d] > 0 && group >= 0)
			items[n++] = (struct item){group, capacity[d], idle[d]};
	}
	if (n > 1)
		qsort(items, n, sizeof(*items), by_group);
	return n;
}

/* From the bounds [i] outwards: the table of the whole machine. Takes tables over. */
static cost *join_outwards(const struct bounds *bounds, int i, cost **tables, int64_t n,
			   int64_t slice)
{
	cost *whole;

	for (; i < bounds->n; i++) {
		const struct bound *bound = &bounds->of[i];
		bool is_last = i + 1 == bounds->n;
		int nouter = is_last ? 1 : level_count(&bounds->of[i + 1].level);
		cost **outer = xcalloc((size_t)nouter + 1, sizeof(*outer));
		struct domains_at at;

		domains_at_open(&at, &bound->level);
		for (int d = 0; d < at.n; d++) {
			int to = is_last ? 0
				 : at.sample[d] >= 0
					 ? level_domain(&bounds->of[i + 1].level, at.sample[d])
					 : -1;

			if (tables[d] != NULL && to >= 0) {
				if (outer[to] == NULL)
					outer[to] = table_new(n);
				table_join(outer[to], tables[d], n,
					   bound->slice > slice ? bound->slice / slice : 1,
					   bound->most / slice);
			}
			free(tables[d]);
		}
		domains_at_close(&at);
		free(tables);
		tables = outer;
	}
	whole = tables[0];
	free(tables);
	return whole;
}

bool domains_least(const struct domains_at *at, const struct domain_asks *asks, const int *nfree,
		   const int64_t *idle, int64_t units, struct domains_least *least)
{
	int64_t *capacity = xmalloc(((size_t)at->n + 1) * sizeof(*capacity)), slice = 1;
	struct item *items = xmalloc(((size_t)at->n + 1) * sizeof(*items));
	const struct level_ref *outside = NULL;
	struct bounds bounds;
	int first = 0;
	cost **tables, *whole, best = COST_NONE;

	find_bounds(&bounds, at, asks);
	find_capacities(at, &bounds, nfree, idle, capacity);
	while (first < bounds.n && bounds.of[first].depth <= depth_of(&at->level)) {
		if (bounds.of[first].slice > slice)
			slice = bounds.of[first].slice;
		first++;
	}
	if (first < bounds.n)
		outside = &bounds.of[first].level;
	/* units are counted in slices of the innermost size that all domains have multiples of */
	tables = xcalloc((size_t)(outside != NULL ? level_count(outside) : 1) + 1, sizeof(*tables));
	if (units % slice == 0) {
		fill_tables(tables, items, list_items(at, capacity, idle, outside, items),
			    units / slice, slice);
		whole = join_outwards(&bounds, first, tables, units / slice, slice);
		best = whole != NULL ? whole[units / slice] : COST_NONE;
		free(whole);
	} else {
		free(tables);
	}
	free(items);
	free(capacity);
	if (best == COST_NONE)
		return false;
	least->domains = (int64_t)(best >> IDLE_BITS);
	least->idle_left = (int64_t)(best & (((cost)1 << IDLE_BITS) - 1)) - units;
	return true;
}
