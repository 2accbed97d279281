/* least_search.c - bounds from balls around each node, then branch and bound */
#include <stdlib.h>
#include <string.h>

#include "measure/checker/least_priv.h"
#include "model/topo_type.h"

enum { STEPS = 1 << 22, PAIRS_MOST = 1 << 28, PROFILES_BACK = 8 };

struct searching {
	struct least *least;
	struct bounds *bounds;
	int n, nserving;
	int *chosen; /* [n] */
	int64_t steps;
};

static int distance(const struct searching *s, int i, int k)
{
	return least_distance(s->least, s->least->serving.at[i], s->least->serving.at[k]);
}

/* ---- from below ---- */

static bool is_profile(const int *a, const int *b)
{
	while (*a == *b && *a >= 0)
		a++, b++;
	return *a == *b;
}

/* Where all nodes serve and the network looks the same from each, one centre is enough. */
static bool all_alike(const struct least *least)
{
	const struct topo *topo = least->geometry->topo;
	const int *sizes;
	bool is_ring, is_cube = true;
	int ndims = topo->type->dims != NULL ? topo->type->dims(topo, &sizes, &is_ring) : 0;

	for (int d = 0; d < ndims; d++)
		is_cube = is_cube && sizes[d] == 2;
	return ndims > 0 && (is_ring || is_cube) && least->serving.n == (size_t)topo->nnodes;
}

/* Keeps how many nodes are at each distance from a centre, unless the last few centres had the
 * same. */
static void add_profile(struct least *least, const struct place *places, size_t nplaces,
			size_t centre, int *count /* [DISTANCE_MOST + 2], zero between calls */)
{
	int most = 0;
	size_t bytes, i = least->profiles.n;

	for (size_t k = 0; k < nplaces; k++) {
		int far = k == centre ? 0
				      : least_distance(least, places[centre].node, places[k].node);

		count[far] += places[k].count;
		most = far > most ? far : most;
	}
	count[most + 1] = -1;
	bytes = ((size_t)most + 2) * sizeof(int);
	while (i > 0 && least->profiles.n - i < PROFILES_BACK &&
	       !is_profile(least->profiles.at[i - 1], count))
		i--;
	if (i == 0 || least->profiles.n - i == PROFILES_BACK) {
		vec_push(&least->profiles, xmalloc(bytes));
		memcpy(least->profiles.at[least->profiles.n - 1], count, bytes);
	}
	memset(count, 0, bytes);
}

/* False: there are too many pairs. */
static bool make_profiles(struct least *least)
{
	const struct topo *topo = least->geometry->topo;
	VEC(struct place) places = {0};
	size_t ncentres;
	int *count;

	if (least->profiles.n > 0)
		return true;
	for (size_t i = 0, last = SIZE_MAX; i < least->serving.n; i++) {
		int node = least->serving.at[i];

		/* nodes of a router mostly follow each other; if not, it is there twice */
		if (last != (size_t)topo->router_of[node])
			vec_push(&places, (struct place){node, 0});
		places.at[places.n - 1].count++;
		last = (size_t)topo->router_of[node];
	}
	ncentres = all_alike(least) ? 1 : places.n;
	if (ncentres > PAIRS_MOST / places.n)
		ncentres = 0;
	count = xcalloc(DISTANCE_MOST + 2, sizeof(*count));
	for (size_t centre = 0; centre < ncentres; centre++)
		add_profile(least, places.at, places.n, centre, count);
	free(places.at);
	free(count);
	return ncentres > 0;
}

/*
 * The n nodes nearest to a centre: a set that has the centre has a diameter of at least the
 * distance of the last of them, and the centre's part of the sum is at least the sum of theirs. The
 * least over all centres.
 */
static int64_t nearest(const struct least *least, const int *count, int n)
{
	int64_t value = 0;
	int left = n;

	for (int far = 0; left > 0 && count[far] >= 0; far++) {
		int taken = count[far] < left ? count[far] : left;

		if (taken > 0)
			value = least->measure == LEAST_SUM ? value + (int64_t)far * taken : far;
		left -= taken;
	}
	return value;
}

static int64_t bound_below(struct least *least, int n)
{
	int64_t lower = make_profiles(least) ? INT64_MAX : 0;

	for (size_t i = 0; i < least->profiles.n && lower > 0; i++) {
		int64_t value = nearest(least, least->profiles.at[i], n);

		lower = value < lower ? value : lower;
	}
	/* each pair is in two centres' parts of the sum */
	return least->measure == LEAST_SUM ? (n * lower + 1) / 2 : lower;
}

/* ---- from above ---- */

struct near {
	int distance, node;
};

static int by_distance(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* The nodes in service by their distance from one of them, which is first. */
static const int *by_nearness(const struct searching *s, int c, int centre)
{
	struct near *near;
	int **nodes = &s->least->nearest[c];

	if (*nodes != NULL)
		return *nodes;
	near = xmalloc((size_t)s->nserving * sizeof(*near));
	*nodes = xmalloc((size_t)s->nserving * sizeof(**nodes));
	for (int i = 0; i < s->nserving; i++)
		near[i] = (struct near){i == centre ? -1 : distance(s, centre, i),
					s->least->serving.at[i]};
	qsort(near, (size_t)s->nserving, sizeof(*near), by_distance);
	for (int i = 0; i < s->nserving; i++)
		(*nodes)[i] = near[i].node;
	free(near);
	return *nodes;
}

/* The n nodes nearest to some centres are sets themselves. */
static void bound_above(struct searching *s)
{
	int ncentres = s->nserving < LEAST_CENTRES ? s->nserving : LEAST_CENTRES, a, b;

	s->bounds->upper = INT64_MAX;
	for (int c = 0; c < ncentres; c++) {
		int centre = (int)((int64_t)c * s->nserving / ncentres);
		int64_t value;

		/* enough for one set of any size, and for many small ones */
		if (c > 0 && (int64_t)s->n * s->n * c > STEPS)
			break;
		value = least_measure(s->least, by_nearness(s, c, centre), s->n, &a, &b);
		if (value < s->bounds->upper)
			s->bounds->upper = value;
	}
}

/* ---- between them ---- */

/* Chooses the nodes from place on, in label order, and keeps what beats the upper bound. Returns
 * false when the steps are spent. */
static bool branch(struct searching *s, int nchosen, int from, int64_t value)
{
	if (nchosen == s->n) {
		s->bounds->upper = value;
		return true;
	}
	for (int i = from; i <= s->nserving - (s->n - nchosen); i++) {
		int64_t now = value;

		if (s->bounds->upper == s->bounds->lower)
			return true;
		if ((s->steps -= nchosen + 1) < 0)
			return false;
		for (int k = 0; k < nchosen && now < s->bounds->upper; k++) {
			int far = distance(s, s->chosen[k], i);

			now = s->least->measure == LEAST_SUM ? now + far : now > far ? now : far;
		}
		if (now >= s->bounds->upper)
			continue;
		s->chosen[nchosen] = i;
		if (!branch(s, nchosen + 1, i + 1, now))
			return false;
	}
	return true;
}

void least_search(struct least *least, int n, struct bounds *bounds)
{
	struct searching s = {.least = least,
			      .bounds = bounds,
			      .n = n,
			      .nserving = (int)least->serving.n,
			      .steps = STEPS};

	s.chosen = xmalloc((size_t)n * sizeof(*s.chosen));
	bounds->lower = bound_below(least, n);
	bound_above(&s);
	if (bounds->lower < bounds->upper && branch(&s, 0, 0, 0))
		bounds->lower = bounds->upper;
	free(s.chosen);
}
