/* near_exact.c - nodes near each other, none missed: domains, squares, arcs, cliques */
#include <stdlib.h>

#include "place/constraint/near.h"

static int visit(struct near_query *query)
{
	return query->visit(query->context, query->nodes.at, (int)query->nodes.n) ? SEARCH_STOP
										  : SEARCH_ALL;
}

/* ---- domains of a tier ---- */

/* The most that two nodes of a domain are apart, by its routers; hierarchies: the level. */
static int width_of(const struct near_query *query, const int *nodes, int n, int tier)
{
	const struct space *space = query->pool->space;
	const struct topo *topo = space->topo;
	int most = 0;

	if (!space->is_direct)
		return tier + 1;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++) {
			int a = topo->router_of[nodes[i]], b = topo->router_of[nodes[k]];
			int distance;

			/* the first node of each router represents it */
			if ((i > 0 && topo->router_of[nodes[i - 1]] == a) ||
			    (k > 0 && topo->router_of[nodes[k - 1]] == b))
				continue;
			distance = distances_between(query->pool->distances, nodes[i], nodes[k]);
			if (distance > most)
				most = distance;
			if (most > query->distance)
				return most;
		}
	return most;
}

/* Of the domains of a tier the nodes of the pool, each domain's behind those of the one before;
 * first [n + 1], zero. false: none has as many as wanted. */
static bool list_domains(const struct pool *pool, int tier, int wanted, int *first, int *nodes)
{
	const struct topo *topo = pool->space->topo;
	int most = 0, n = topo->tiers[tier].n;

	for (int node = 0; node < topo->nnodes; node++)
		if (pool->has[node])
			first[topo_domain(topo, node, tier) + 1]++;
	for (int d = 0; d < n; d++)
		most = first[d + 1] > most ? first[d + 1] : most;
	if (most < wanted)
		return false;
	for (int d = 0; d < n; d++)
		first[d + 1] += first[d];
	for (int node = topo->nnodes; node-- > 0;)
		if (pool->has[node])
			nodes[--first[topo_domain(topo, node, tier) + 1]] = node;
	/* each has become the beginning of its own domain */
	for (int d = 0; d < n; d++)
		first[d] = first[d + 1];
	first[n] = pool->n;
	return true;
}

int near_domains(struct near_query *query)
{
	const struct pool *pool = query->pool;
	const struct topo *topo = pool->space->topo;
	int tier = pool->space->is_direct ? topo->ntiers - 1 : query->distance - 1;
	int end = SEARCH_ALL, n, *first, *nodes;

	if (tier < 0)
		return SEARCH_ALL;
	n = topo->tiers[tier].n;
	first = xcalloc((size_t)n + 1, sizeof(*first));
	nodes = xmalloc(((size_t)pool->n + 1) * sizeof(*nodes));
	if (!list_domains(pool, tier, query->wanted, first, nodes))
		n = 0;
	for (int d = 0; d < n && end == SEARCH_ALL; d++) {
		const int *of = &nodes[first[d]];
		int nhas = first[d + 1] - first[d];

		if (nhas >= query->wanted && width_of(query, of, nhas, tier) <= query->distance &&
		    query->visit(query->context, of, nhas) != 0)
			end = SEARCH_STOP;
	}
	free(first);
	free(nodes);
	return end;
}

/* ---- squares ---- */

/*
 * On a mesh |Δx| + |Δy| = max(|Δ(x + y)|, |Δ(x − y)|): nodes are within a distance iff they are in
 * a square of it in the rotated coordinates u = x + y, v = x − y + height − 1.
 */
struct squares {
	struct near_query *query;
	int width, height, n; /* u and v are below n */
	int *sum;             /* [(n + 1)²]: weights with lower u and v */
};

static void add_up(struct squares *squares)
{
	const struct pool *pool = squares->query->pool;
	int n = squares->n;

	squares->sum = xcalloc((size_t)(n + 1) * (size_t)(n + 1), sizeof(int));
	for (int r = 0; r < squares->width * squares->height; r++) {
		int x = r % squares->width, y = r / squares->width;

		squares->sum[(int64_t)(x + y + 1) * (n + 1) + x - y + squares->height] +=
			pool->weight[r];
	}
	for (int u = 1; u <= n; u++)
		for (int v = 1; v <= n; v++)
			squares->sum[(int64_t)u * (n + 1) + v] +=
				squares->sum[(int64_t)(u - 1) * (n + 1) + v] +
				squares->sum[(int64_t)u * (n + 1) + v - 1] -
				squares->sum[(int64_t)(u - 1) * (n + 1) + v - 1];
}

static int weight_of(const struct squares *squares, int u, int v, int side)
{
	int64_t row = squares->n + 1;
	int to_u = u + side < squares->n ? u + side : squares->n;
	int to_v = v + side < squares->n ? v + side : squares->n;

	return squares->sum[to_u * row + to_v] - squares->sum[u * row + to_v] -
	       squares->sum[to_u * row + v] + squares->sum[u * row + v];
}

static int visit_square(struct squares *squares, int from_u, int from_v)
{
	struct near_query *query = squares->query;
	int side = query->distance + 1;

	query->nodes.n = 0;
	for (int u = from_u; u < from_u + side && u < squares->n; u++)
		for (int v = from_v; v < from_v + side && v < squares->n; v++) {
			int twice_x = u + v - squares->height + 1, y;

			if (twice_x < 0 || twice_x % 2 != 0 || twice_x / 2 >= squares->width)
				continue;
			y = u - twice_x / 2;
			if (y >= 0 && y < squares->height)
				pool_add(query->pool, twice_x / 2 + y * squares->width,
					 &query->nodes);
		}
	return visit(query);
}

int near_squares(struct near_query *query)
{
	const struct space *space = query->pool->space;
	struct squares squares = {.query = query, .width = space->sizes[0], .height = 1};
	int side = query->distance + 1, end = SEARCH_ALL;

	if (space->ndims == 2)
		squares.height = space->sizes[1];
	squares.n = squares.width + squares.height - 1;
	add_up(&squares);
	for (int u = 0; u < squares.n && end == SEARCH_ALL; u++)
		for (int v = 0; v < squares.n && end == SEARCH_ALL; v++) {
			if (weight_of(&squares, u, v, side) < query->wanted)
				continue;
			query->steps -= (int64_t)side * side + query->wanted;
			end = query->steps < 0 ? SEARCH_BOUND : visit_square(&squares, u, v);
		}
	free(squares.sum);
	return end;
}

/* ---- arcs of a ring ---- */

/* Nodes within less than a third of the way round are in an arc of that length. */
int near_arcs(struct near_query *query)
{
	const struct pool *pool = query->pool;
	int n = pool->space->topo->nrouters, weight = 0, end = SEARCH_ALL;

	for (int r = 0; r < query->distance; r++)
		weight += pool->weight[r];
	for (int r = 0; r < n && end == SEARCH_ALL; r++) {
		int last = (r + query->distance) % n;

		weight += pool->weight[last];
		if (weight >= query->wanted) {
			query->steps -= query->distance + query->wanted;
			query->nodes.n = 0;
			for (int i = 0; i <= query->distance; i++)
				pool_add(pool, (r + i) % n, &query->nodes);
			end = query->steps < 0 ? SEARCH_BOUND : visit(query);
		}
		weight -= pool->weight[r];
	}
	return end;
}

/* ---- cliques ---- */

/* Routers, joined where they are near: Bron and Kerbosch's maximal cliques, cut by weight. */
struct cliques {
	struct near_query *query;
	int n;
	int *router;   /* [n] those that have nodes */
	bool *is_near; /* [n · n] */
	int_vec clique;
	int weight;
};

static bool near(const struct cliques *cliques, int a, int b)
{
	return cliques->is_near[(int64_t)a * cliques->n + b];
}

static int visit_clique(struct cliques *cliques)
{
	struct near_query *query = cliques->query;

	query->nodes.n = 0;
	for (size_t i = 0; i < cliques->clique.n; i++)
		pool_add(query->pool, cliques->router[cliques->clique.at[i]], &query->nodes);
	return visit(query);
}

/* Of those that may follow or could have, the one that most of the former are near to. */
static int pivot_of(const struct cliques *cliques, const int_vec *may, const int_vec *past)
{
	int best = -1, most = -1;

	for (int half = 0; half < 2; half++) {
		const int_vec *from = half == 0 ? may : past;

		for (size_t i = 0; i < from->n; i++) {
			int n = 0;

			for (size_t k = 0; k < may->n; k++)
				n += near(cliques, from->at[i], may->at[k]);
			if (n > most) {
				most = n;
				best = from->at[i];
			}
		}
	}
	return best;
}

static void keep_near(const struct cliques *cliques, const int_vec *from, int to, int_vec *kept)
{
	for (size_t i = 0; i < from->n; i++)
		if (from->at[i] != to && near(cliques, from->at[i], to))
			vec_push(kept, from->at[i]);
}

/* may: what is near to all of the clique and may follow; past: what was tried with it before. */
static int extend(struct cliques *cliques, int_vec *may, int_vec *past)
{
	struct near_query *query = cliques->query;
	int pivot, possible = cliques->weight, end = SEARCH_ALL;
	int_vec turn = {0};

	for (size_t i = 0; i < may->n; i++)
		possible += query->pool->weight[cliques->router[may->at[i]]];
	if (possible < query->wanted)
		return SEARCH_ALL;
	if (may->n == 0)
		return past->n == 0 ? visit_clique(cliques) : SEARCH_ALL;
	query->steps -= (int64_t)(may->n + past->n) * (int64_t)may->n;
	if (query->steps < 0)
		return SEARCH_BOUND;
	pivot = pivot_of(cliques, may, past);
	for (size_t i = 0; i < may->n; i++)
		if (may->at[i] == pivot || !near(cliques, pivot, may->at[i]))
			vec_push(&turn, may->at[i]);
	for (size_t i = 0; i < turn.n && end == SEARCH_ALL; i++) {
		int next = turn.at[i], weight = query->pool->weight[cliques->router[next]];
		int_vec inner_may = {0}, inner_past = {0};

		keep_near(cliques, may, next, &inner_may);
		keep_near(cliques, past, next, &inner_past);
		vec_push(&cliques->clique, next);
		cliques->weight += weight;
		end = extend(cliques, &inner_may, &inner_past);
		cliques->weight -= weight;
		cliques->clique.n--;
		free(inner_may.at);
		free(inner_past.at);
		for (size_t k = 0; k < may->n; k++)
			if (may->at[k] == next)
				may->at[k--] = may->at[--may->n];
		vec_push(past, next);
	}
	free(turn.at);
	return end;
}

int near_cliques(struct near_query *query)
{
	const struct space *space = query->pool->space;
	int nrouters = space->topo->nrouters, end;
	struct cliques cliques = {.query = query};
	int_vec may = {0}, past = {0};

	cliques.router = xmalloc((size_t)nrouters * sizeof(int));
	for (int r = 0; r < nrouters; r++)
		if (query->pool->weight[r] > 0)
			cliques.router[cliques.n++] = r;
	cliques.is_near = xmalloc((size_t)cliques.n * (size_t)cliques.n);
	for (int i = 0; i < cliques.n; i++) {
		const uint16_t *distance =
			distances_from(query->pool->distances, cliques.router[i]);

		for (int k = 0; k < cliques.n; k++)
			cliques.is_near[(int64_t)i * cliques.n + k] =
				i != k && distance[cliques.router[k]] <= query->distance;
		vec_push(&may, i);
	}
	end = extend(&cliques, &may, &past);
	free(cliques.router);
	free(cliques.is_near);
	free(cliques.clique.at);
	free(may.at);
	free(past.at);
	return end;
}
