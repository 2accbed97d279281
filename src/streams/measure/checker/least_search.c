/* least_search.c - bounds from balls around each node, then branch and bound */
#include <stdlib.h>
#include <string.h>

#include "measure/checker/least_priv.h"
#include "model/topo_type.h"

enum { STEPS = 1 << 22, PAIRS_MOST = 1 << 28, CENTRES = 64 };

struct searching {
	const struct least *least;
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

/* A router that has nodes in service: one of them, and how many. */
struct place {
	int node, count;
};

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

/*
 * The n nodes nearest to a centre: a set that has the centre has a diameter of at least the
 * distance of the last of them, and the centre's part of the sum is at least the sum of theirs. The
 * least over all centres; count [DISTANCE_MOST + 1] is zero between calls.
 */
static int64_t nearest(const struct searching *s, const struct place *places, size_t nplaces,
		       size_t centre, int *count)
{
	int64_t least = 0;
	int left = s->n, most = 0;

	for (size_t i = 0; i < nplaces; i++) {
		int far = i == centre
				  ? 0
				  : least_distance(s->least, places[centre].node, places[i].node);

		count[far] += places[i].count;
		most = far > most ? far : most;
	}
	for (int far = 0; far <= most; far++) {
		int taken = count[far] < left ? count[far] : left;

		if (taken > 0)
			least = s->least->measure == LEAST_SUM ? least + (int64_t)far * taken : far;
		left -= taken;
		count[far] = 0;
	}
	return least;
}

static int64_t bound_below(const struct searching *s)
{
	const struct topo *topo = s->least->geometry->topo;
	int *count = xcalloc(DISTANCE_MOST + 1, sizeof(*count));
	VEC(struct place) places = {0};
	int64_t lower = INT64_MAX;
	size_t ncentres;

	for (int i = 0, last = -1; i < s->nserving; i++) {
		int node = s->least->serving.at[i];

		/* nodes of a router mostly follow each other; if not, it is there twice */
		if (last != topo->router_of[node])
			vec_push(&places, (struct place){node, 0});
		places.at[places.n - 1].count++;
		last = topo->router_of[node];
	}
	ncentres = all_alike(s->least) ? 1 : places.n;
	if (ncentres > PAIRS_MOST / places.n)
		lower = 0;
	for (size_t centre = 0; centre < ncentres && lower > 0; centre++) {
		int64_t least = nearest(s, places.at, places.n, centre, count);

		lower = least < lower ? least : lower;
	}
	free(places.at);
	free(count);
	/* each pair is in two centres' parts of the sum */
	return s->least->measure == LEAST_SUM ? (s->n * lower + 1) / 2 : lower;
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

/* The n nodes nearest to some centres are sets themselves. */
static void bound_above(struct searching *s)
{
	struct near *near = xmalloc((size_t)s->nserving * sizeof(*near));
	int ncentres = s->nserving < CENTRES ? s->nserving : CENTRES, a, b;

	s->bounds->upper = INT64_MAX;
	for (int c = 0; c < ncentres; c++) {
		int centre = (int)((int64_t)c * s->nserving / ncentres);
		int64_t value;

		/* enough for one set of any size, and for many small ones */
		if (c > 0 && (int64_t)s->n * s->n * c > STEPS)
			break;
		for (int i = 0; i < s->nserving; i++)
			near[i] = (struct near){i == centre ? -1 : distance(s, centre, i),
						s->least->serving.at[i]};
		qsort(near, (size_t)s->nserving, sizeof(*near), by_distance);
		for (int i = 0; i < s->n; i++)
			s->chosen[i] = near[i].node;
		value = least_measure(s->least, s->chosen, s->n, &a, &b);
		if (value < s->bounds->upper)
			s->bounds->upper = value;
	}
	free(near);
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

void least_search(const struct least *least, int n, struct bounds *bounds)
{
	struct searching s = {.least = least,
			      .bounds = bounds,
			      .n = n,
			      .nserving = (int)least->serving.n,
			      .steps = STEPS};

	s.chosen = xmalloc((size_t)n * sizeof(*s.chosen));
	bounds->lower = bound_below(&s);
	bound_above(&s);
	if (bounds->lower < bounds->upper && branch(&s, 0, 0, 0))
		bounds->lower = bounds->upper;
	free(s.chosen);
}
