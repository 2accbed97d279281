/* least_search.c - bounds from balls around each node, then branch and bound */
#include <stdlib.h>
#include <string.h>

#include "algo/geometry/least_priv.h"

enum { STEPS = 1 << 22, CENTRES_STEPS = 1 << 26 };

struct searching {
	const struct least *least;
	struct bounds *bounds;
	int n, nserving;
	int *chosen; /* [n] */
	int64_t steps;
};

static int distance(const struct searching *s, int i, int k)
{
	return geometry_distance(s->least->geometry, s->least->serving.at[i],
				 s->least->serving.at[k]);
}

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

/*
 * The n nodes nearest to a centre: a set that has the centre has a diameter of at least the
 * distance of the last of them, and the centre's part of the sum is at least the sum of theirs.
 * They are a set themselves, so they also bound from above.
 */
static void look_around(struct searching *s, int centre, struct near *near, int64_t *lower)
{
	int64_t least = 0, value;
	int a, b;

	for (int i = 0; i < s->nserving; i++)
		near[i] = (struct near){i == centre ? 0 : distance(s, centre, i),
					i == centre ? -1 : s->least->serving.at[i]};
	qsort(near, (size_t)s->nserving, sizeof(*near), by_distance);
	for (int i = 0; i < s->n; i++) {
		least = s->least->of == LEAST_SUM ? least + near[i].distance : near[i].distance;
		s->chosen[i] = near[i].node < 0 ? s->least->serving.at[centre] : near[i].node;
	}
	if (least < *lower)
		*lower = least;
	if ((int64_t)s->n * s->n > s->steps)
		return;
	s->steps -= (int64_t)s->n * s->n;
	value = least_measure(s->least->geometry, s->least->of, s->chosen, s->n, &a, &b);
	if (value < s->bounds->upper)
		s->bounds->upper = value;
}

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

			now = s->least->of == LEAST_SUM ? now + far : now > far ? now : far;
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
			      .steps = CENTRES_STEPS};
	struct near *near = xmalloc((size_t)s.nserving * sizeof(*near));
	int64_t lower = INT64_MAX;

	s.chosen = xmalloc((size_t)n * sizeof(*s.chosen));
	bounds->upper = INT64_MAX;
	for (int centre = 0; centre < s.nserving; centre++)
		look_around(&s, centre, near, &lower);
	/* each pair is in two centres' parts of the sum */
	bounds->lower = least->of == LEAST_SUM ? (n * lower + 1) / 2 : lower;
	s.steps = STEPS;
	if (bounds->lower < bounds->upper && branch(&s, 0, 0, 0))
		bounds->lower = bounds->upper;
	free(near);
	free(s.chosen);
}
