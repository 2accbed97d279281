/* slimfly.c - Slim Fly: the graphs of McKay, Miller and Siran, of diameter two */
#include <stdlib.h>

#include "machine/kind/galois.h"
#include "machine/kind/shape.h"

enum { LEVEL_LOCAL = LINK_TERMINAL + 1, LEVEL_GLOBAL };
enum { Q_MOST = 2048 };

/*
 * Routers are (s, x, y) with s = 0, 1 and x, y in the field of q = 4w + delta elements, delta = -1,
 * 0, 1 (Besta and Hoefler, SC 2014, section II-B):
 *
 *   (0, x, y) - (0, x, y')  where y - y' is in generators[0]
 *   (1, m, c) - (1, m, c')  where c - c' is in generators[1]
 *   (0, x, y) - (1, m, c)   where y = m x + c
 *
 * Router 2 q x + s q + y is (s, x, y): the rack (group) x holds both rows x, as their section VI
 * lays them out.
 */
struct slimfly {
	struct galois field;
	int q, delta, nodes;
	int ngenerators;       /* of each of the two sets: (q - delta) / 2 */
	int *generators[2];    /* ascending */
	bool *is_generator[2]; /* [q] */
	/* What to add to y for a router between y and y + d of a row, ascending, from
	 * between[first[d]] on */
	int *first[2], *between[2]; /* first [q + 1] */
	uint16_t *rank[2]; /* [y · q + y'] which of the routers of its row that y is joined to */
	struct place *places; /* [nrouters] a table, since divisions are slow */
};

struct place {
	uint16_t s, x, y;
};

static struct place place_of(const struct slimfly *sf, int router)
{
	return sf->places[router];
}

static int router_at(const struct slimfly *sf, int s, int x, int y)
{
	return (2 * x + s) * sf->q + y;
}

/* ---- shape ---- */

/*
 * The exponents of the primitive element in set s. delta = 1: the even ones, and the odd ones.
 * delta = -1: 0, 2, …, 2w - 2 and 2w - 1, 2w + 1, …, 4w - 3, and one more each. delta = 0: the even
 * ones up to q - 2, and the odd ones up to q - 1.
 */
static int exponent(const struct slimfly *sf, int s, int i)
{
	int w = (sf->q + 1) / 4;

	if (sf->delta != -1 || i < w)
		return 2 * i + s;
	return 2 * (i - w) + 2 * w - 1 + s;
}

static void fill_between(struct slimfly *sf, int s)
{
	const struct galois *field = &sf->field;
	size_t n = 0, most = (size_t)sf->ngenerators * (size_t)sf->ngenerators;

	sf->first[s] = xcalloc((size_t)sf->q + 1, sizeof(int));
	sf->between[s] = xcalloc(most + 1, sizeof(int));
	for (int d = 0; d < sf->q; d++) {
		sf->first[s][d] = (int)n;
		for (int i = 0; i < sf->ngenerators; i++) {
			int step = sf->generators[s][i];

			if (sf->is_generator[s][galois_sub(field, d, step)])
				sf->between[s][n++] = step;
		}
	}
	sf->first[s][sf->q] = (int)n;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The routers of its row that y is joined to, ascending. */
static void find_mates(const struct slimfly *sf, int s, int y, int *mates /* [ngenerators] */)
{
	for (int i = 0; i < sf->ngenerators; i++)
		mates[i] = galois_add(&sf->field, y, sf->generators[s][i]);
	qsort(mates, (size_t)sf->ngenerators, sizeof(*mates), compare_ints);
}

static void fill_ranks(struct slimfly *sf, int s)
{
	size_t q = (size_t)sf->q;
	int *mates = xmalloc((size_t)sf->ngenerators * sizeof(*mates));

	sf->rank[s] = xcalloc(q * q, sizeof(*sf->rank[s]));
	for (int y = 0; y < sf->q; y++) {
		find_mates(sf, s, y, mates);
		for (int i = 0; i < sf->ngenerators; i++)
			sf->rank[s][(size_t)y * q + (size_t)mates[i]] = (uint16_t)i;
	}
	free(mates);
}

static void fill_generators(struct slimfly *sf)
{
	for (int s = 0; s < 2; s++) {
		int n = 0;

		sf->generators[s] = xcalloc((size_t)sf->ngenerators, sizeof(int));
		sf->is_generator[s] = xcalloc((size_t)sf->q, sizeof(bool));
		for (int i = 0; i < sf->ngenerators; i++)
			sf->is_generator[s][sf->field.power[exponent(sf, s, i) % (sf->q - 1)]] =
				true;
		for (int a = 0; a < sf->q; a++)
			if (sf->is_generator[s][a])
				sf->generators[s][n++] = a;
		fill_between(sf, s);
		fill_ranks(sf, s);
	}
}

static void fill_places(struct slimfly *sf, int nrouters)
{
	sf->places = xmalloc((size_t)nrouters * sizeof(*sf->places));
	for (int router = 0; router < nrouters; router++)
		sf->places[router] = (struct place){(uint16_t)(router / sf->q % 2),
						    (uint16_t)(router / (2 * sf->q)),
						    (uint16_t)(router % sf->q)};
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct slimfly *sf = xcalloc(1, sizeof(*sf));
	int64_t q = pick_int(pick, "q"), nrouters = 2 * q * q, degree;
	int *group_of;

	topo->shape = sf;
	sf->q = (int)q;
	if (galois_open(&sf->field, sf->q, err) != 0)
		return err_prefix(err, "q: ");
	sf->delta = q % 4 == 3 ? -1 : (int)(q % 4);
	sf->ngenerators = (sf->q - sf->delta) / 2;
	fill_generators(sf);
	fill_places(sf, (int)nrouters);
	degree = q + sf->ngenerators;
	sf->nodes = (int)(pick_has(pick, "nodes") ? pick_int(pick, "nodes") : (degree + 1) / 2);
	if (topo_set_size(topo, nrouters * sf->nodes, nrouters,
			  nrouters * sf->nodes + nrouters / 2 * degree, err) != 0)
		return -1;
	topo_set_routers(topo, sf->nodes);
	group_of = xmalloc((size_t)nrouters * sizeof(*group_of));
	for (int router = 0; router < nrouters; router++)
		group_of[router] = router / (2 * sf->q);
	topo_tier_add(topo, "group", sf->q, group_of);
	topo_level_add(topo, "local");
	topo_level_add(topo, "global");
	return 0;
}

/* ---- links ---- */

/* The number of the router of the other half that is joined to router, in rack x. */
static int across(const struct slimfly *sf, struct place at, int x)
{
	int product = galois_mul(&sf->field, at.x, x);

	return router_at(sf, !at.s, x,
			 at.s == 0 ? galois_sub(&sf->field, at.y, product)
				   : galois_add(&sf->field, at.y, product));
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct slimfly *sf = topo->shape;
	int *mates = xmalloc((size_t)sf->ngenerators * sizeof(*mates));

	topo_add_terminals(topo, add, context);
	for (int router = 0; router < topo->nrouters; router++) {
		struct place at = place_of(sf, router);

		find_mates(sf, at.s, at.y, mates);
		for (int i = 0; i < sf->ngenerators; i++)
			if (mates[i] > at.y)
				add(context, topo->nnodes + router,
				    topo->nnodes + router - at.y + mates[i], LEVEL_LOCAL);
		for (int x = at.x + at.s; x < sf->q; x++)
			add(context, topo->nnodes + router, topo->nnodes + across(sf, at, x),
			    x == at.x ? LEVEL_LOCAL : LEVEL_GLOBAL);
	}
	free(mates);
}

/* ---- routes ---- */

static bool is_joined(const struct slimfly *sf, struct place a, struct place b)
{
	if (a.s != b.s)
		return across(sf, a, b.x) == router_at(sf, b.s, b.x, b.y);
	return a.x == b.x && sf->is_generator[a.s][galois_sub(&sf->field, a.y, b.y)];
}

static int distance(const struct topo *topo, int router_a, int router_b)
{
	const struct slimfly *sf = topo->shape;

	if (router_a == router_b)
		return 0;
	return is_joined(sf, place_of(sf, router_a), place_of(sf, router_b)) ? 1 : 2;
}

/* Routers of one half and different rows: the one router of the other half that is joined to both.
 * (y - y') / (x - x') for s = 0, (c' - c) / (m - m') for s = 1. */
static int crossing(const struct slimfly *sf, struct place a, struct place b)
{
	int rise = a.s == 0 ? galois_sub(&sf->field, a.y, b.y) : galois_sub(&sf->field, b.y, a.y);

	return across(sf, a, galois_div(&sf->field, rise, galois_sub(&sf->field, a.x, b.x)));
}

/* Of the routers joined to a and b, which are two links apart, the one that node_b picks. */
static int middle(const struct slimfly *sf, struct place a, struct place b, int node_b)
{
	int found[2], n = 0;

	if (a.s == b.s && a.x != b.x)
		return crossing(sf, a, b);
	if (a.s == b.s) {
		int d = galois_sub(&sf->field, b.y, a.y), first = sf->first[a.s][d];
		int step = sf->between[a.s][first + node_b % (sf->first[a.s][d + 1] - first)];

		return router_at(sf, a.s, a.x, galois_add(&sf->field, a.y, step));
	}
	found[n] = across(sf, b, a.x); /* in a's row */
	n += is_joined(sf, place_of(sf, found[n]), a);
	found[n] = across(sf, a, b.x); /* in b's row */
	n += is_joined(sf, place_of(sf, found[n]), b);
	return found[node_b % n];
}

/* As many as middle() may pick. */
static int choices(const struct topo *topo, int router_a, int router_b)
{
	const struct slimfly *sf = topo->shape;
	struct place a = place_of(sf, router_a), b = place_of(sf, router_b);
	int d;

	if (is_joined(sf, a, b) || (a.s == b.s && a.x != b.x))
		return 1;
	if (a.s != b.s)
		return is_joined(sf, place_of(sf, across(sf, b, a.x)), a) +
		       is_joined(sf, place_of(sf, across(sf, a, b.x)), b);
	d = galois_sub(&sf->field, b.y, a.y);
	return sf->first[a.s][d + 1] - sf->first[a.s][d];
}

static int next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable)
{
	const struct slimfly *sf = topo->shape;
	struct place a = place_of(sf, router_a), b = place_of(sf, router_b);

	*cable = 0;
	return is_joined(sf, a, b) ? router_b : middle(sf, a, b, node_b);
}

/* Behind the nodes come the routers of the other half, one of each rack, and in the own rack those
 * of the own row: before the one of the other half where they are row 0. */
static int port(const struct topo *topo, int router, int peer)
{
	const struct slimfly *sf = topo->shape;
	struct place from = place_of(sf, router), to = place_of(sf, peer);
	int before = to.x > from.x ? sf->ngenerators : 0;

	if (to.s == from.s)
		before = from.s + sf->rank[from.s][from.y * sf->q + to.y];
	else if (to.x == from.x && from.s == 0)
		before = sf->ngenerators;
	return sf->nodes + to.x + before;
}

static void distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct slimfly *sf = topo->shape;
	uint64_t per = (uint64_t)sf->nodes, n = (uint64_t)topo->nnodes;
	uint64_t joined = (uint64_t)(sf->q + sf->ngenerators);

	topo_counts_start(counts, 2);
	counts->pairs[0] = n * (per - 1);
	counts->pairs[1] = n * per * joined;
	counts->pairs[2] = n * per * ((uint64_t)topo->nrouters - 1 - joined);
}

/* ---- drawing ---- */

/* Racks beside each other, each with its two rows as columns. */
static void place(const struct topo *topo, int router, double *x, double *y)
{
	const struct slimfly *sf = topo->shape;
	struct place at = place_of(sf, router);

	*x = at.x * 3. + at.s;
	*y = at.y;
}

static void free_shape(struct topo *topo)
{
	struct slimfly *sf = topo->shape;

	if (sf == NULL)
		return;
	for (int s = 0; s < 2; s++) {
		free(sf->generators[s]);
		free(sf->is_generator[s]);
		free(sf->first[s]);
		free(sf->between[s]);
		free(sf->rank[s]);
	}
	free(sf->places);
	galois_close(&sf->field);
	free(sf);
}

static const struct param params[] = {
	{.key = "q",
	 .type = PARAM_INT,
	 .min = 3,
	 .max = Q_MOST,
	 .meaning = "a power of a prime, but not 2: 2 q^2 routers of degree "
		    "(3 q - delta) / 2, where q = 4 w + delta"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .optional = true,
	 .meaning = "nodes of a router (p); half its degree, rounded up, where it is absent"},
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	TOPO_LEVEL_PARAMS("global"),
	{.key = NULL},
};

const struct topo_type topo_type_slimfly = {
	.entry =
		{
			.name = "slimfly",
			.summary = "Slim Fly: any two routers are at most two links apart",
			.paper = "Besta, Hoefler: Slim Fly: a cost effective "
				 "low-diameter network topology, SC 2014",
			.example = "slimfly:q=5",
			.params = params,
		},
	.family = "slimfly",
	.shape = shape,
	.links = links,
	.distance = distance,
	.next = next,
	.port = port,
	.choices = choices,
	.distances = distances,
	.place = place,
	.free_shape = free_shape,
};
