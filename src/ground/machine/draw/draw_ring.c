/* draw_ring.c - a picture of groups on a circle with the cables between them across: dragonflies */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/draw/draw.h"

enum { BETWEEN = 5, PAD = 5, SMALLEST = 60, PAIRS_MOST = 4000 };

struct group {
	int first, n; /* in ring->routers */
	double angle; /* of its middle */
};

struct ring {
	struct draw *draw;
	const struct tier *tier; /* that the groups are of; NULL: each router is one */
	struct group *groups;
	int ngroups;
	int *routers;             /* [nrouters] sorted by group */
	int *group_of, *place_of; /* [nrouters] */
	int columns;              /* of routers in a group */
	double box_width, box_height, group_width, group_height;
	double radius, centre; /* from the centre to the inner edge of the groups; of the picture */
};

/* ---- groups ---- */

/* The outermost tier, if it has more than one domain. */
static void find_groups(struct ring *ring)
{
	const struct topo *topo = ring->draw->topo;
	int tier = topo->ntiers - 1, *place;

	while (tier > 0 && topo->tiers[tier].n < 2)
		tier--;
	ring->tier = tier > 0 ? &topo->tiers[tier] : NULL;
	ring->ngroups = topo->tiers[tier].n;
	ring->groups = xcalloc((size_t)ring->ngroups + 2, sizeof(*ring->groups));
	ring->routers = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*ring->routers));
	ring->group_of = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*ring->group_of));
	ring->place_of = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*ring->place_of));
	place = xcalloc((size_t)ring->ngroups + 2, sizeof(*place));
	for (int r = 0; r < topo->nrouters; r++) {
		int group = r;

		for (int t = 1; t <= tier; t++)
			group = group >= 0 ? topo->tiers[t].of[group] : -1;
		ring->group_of[r] = group;
		if (group >= 0)
			ring->groups[group].n++;
	}
	for (int g = 1; g <= ring->ngroups; g++)
		ring->groups[g].first = place[g] =
			ring->groups[g - 1].first + ring->groups[g - 1].n;
	for (int r = 0; r < topo->nrouters; r++) {
		int group = ring->group_of[r];

		if (group < 0)
			continue;
		ring->place_of[r] = place[group] - ring->groups[group].first;
		ring->routers[place[group]++] = r;
	}
	free(place);
}

/* The columns of routers in a group that make the whole picture smallest, with an inner circle that
 * leaves room for the cables. */
static void shape(struct ring *ring)
{
	struct draw *draw = ring->draw;
	double best = 0;
	int most = 1;

	for (int g = 0; g < ring->ngroups; g++)
		most = ring->groups[g].n > most ? ring->groups[g].n : most;
	draw_box_size(draw, draw->most, 0, &ring->box_width, &ring->box_height);
	for (int columns = 1; columns <= most; columns++) {
		int rows = (most + columns - 1) / columns;
		double width = columns * (ring->box_width + BETWEEN) - BETWEEN + 2 * PAD;
		double height = rows * (ring->box_height + BETWEEN) - BETWEEN + 2 * PAD;
		double radius = ring->ngroups * (width + 8) / (2 * M_PI);

		if (ring->tier == NULL) {
			width -= 2 * PAD;
			height -= 2 * PAD;
		}
		radius = radius < SMALLEST ? SMALLEST : radius;
		radius = radius < 1.1 * height ? 1.1 * height : radius;
		if (best > 0 && radius + height >= best)
			continue;
		best = radius + height;
		ring->columns = columns;
		ring->radius = radius;
		ring->group_width = width;
		ring->group_height = height;
	}
	ring->centre = best + 26;
	draw->width = draw->height = 2 * ring->centre;
	for (int g = 0; g < ring->ngroups; g++)
		ring->groups[g].angle = 2 * M_PI * g / ring->ngroups;
}

/* ---- cables ---- */

/* The point of a group's inner edge that is its router's; angle 0 is up, clockwise. */
static void edge_point(const struct ring *ring, int router, double *x, double *y)
{
	const struct group *group = &ring->groups[ring->group_of[router]];
	double part = group->n > 1 ? (double)ring->place_of[router] / (group->n - 1) - 0.5 : 0;
	double across = part * (ring->group_width - 2 * PAD), inner = ring->radius - 1;
	double s = sin(group->angle), c = cos(group->angle);

	*x = ring->centre + inner * s + across * c;
	*y = ring->centre - inner * c + across * s;
}

static void put_chord(struct ring *ring, const struct draw_pair *pair)
{
	struct buf *body = &ring->draw->body;
	double xa, ya, xb, yb, bend;
	double apart = fabs(ring->groups[ring->group_of[pair->a]].angle -
			    ring->groups[ring->group_of[pair->b]].angle);

	edge_point(ring, pair->a, &xa, &ya);
	edge_point(ring, pair->b, &xb, &yb);
	/* straight between neighbours, via the middle from a quarter of the circle on */
	apart = apart > M_PI ? 2 * M_PI - apart : apart;
	bend = apart > M_PI / 2 ? 0.25 : 1 - 1.5 * apart / M_PI;
	buf_printf(body, "<path class=\"%s\" stroke-width=\"", draw_cable_class(ring->draw, pair));
	draw_number(body, draw_pen(pair->ncables));
	buf_str(body, "\" d=\"M");
	draw_number(body, xa);
	buf_char(body, ' ');
	draw_number(body, ya);
	buf_char(body, 'Q');
	draw_number(body, ring->centre + bend * ((xa + xb) / 2 - ring->centre));
	buf_char(body, ' ');
	draw_number(body, ring->centre + bend * ((ya + yb) / 2 - ring->centre));
	buf_char(body, ' ');
	draw_number(body, xb);
	buf_char(body, ' ');
	draw_number(body, yb);
	buf_str(body, "\"/>\n");
}

static int by_groups(const void *va, const void *vb)
{
	const struct draw_pair *a = va, *b = vb;

	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->ncables > b->ncables) - (a->ncables < b->ncables);
}

/* Too many: one chord for each two groups, from the first router of each. */
static size_t thin_out(struct ring *ring, struct draw_pair *pairs, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		int a = ring->group_of[pairs[i].a], b = ring->group_of[pairs[i].b];

		/* level: the two groups as one number, only for sorting */
		pairs[i].level = a < b ? a * ring->ngroups + b : b * ring->ngroups + a;
	}
	qsort(pairs, n, sizeof(*pairs), by_groups);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || pairs[kept - 1].level != pairs[i].level) {
			pairs[kept++] = pairs[i];
			continue;
		}
		pairs[kept - 1].ncables += pairs[i].ncables;
		if (!isnan(pairs[i].heat) && !(pairs[kept - 1].heat >= pairs[i].heat))
			pairs[kept - 1].heat = pairs[i].heat;
	}
	return kept;
}

static void put_chords(struct ring *ring)
{
	struct draw *draw = ring->draw;
	struct draw_pair *pairs = xmalloc((draw->pairs.n + 1) * sizeof(*pairs));
	size_t n = 0;

	for (size_t i = 0; i < draw->pairs.n; i++) {
		int a = ring->group_of[draw->pairs.at[i].a],
		    b = ring->group_of[draw->pairs.at[i].b];

		if (a != b && a >= 0 && b >= 0)
			pairs[n++] = draw->pairs.at[i];
	}
	if (n > PAIRS_MOST && ring->ngroups < 40000)
		n = thin_out(ring, pairs, n);
	draw_cables_begin(draw, n);
	for (size_t i = 0; i < n && n <= 2 * PAIRS_MOST; i++)
		put_chord(ring, &pairs[i]);
	draw_cables_end(draw);
	free(pairs);
}

/* ---- groups ---- */

/* The group is upright at the top of the ring and is turned to its place. Its first row of
 * routers is the inner one. */
static void put_group(struct ring *ring, int number)
{
	struct draw *draw = ring->draw;
	const struct group *group = &ring->groups[number];
	double left = ring->centre - ring->group_width / 2;
	double bottom = ring->centre - ring->radius;
	double pad = ring->tier != NULL ? PAD : 0;

	buf_str(&draw->body, "<g transform=\"rotate(");
	draw_number(&draw->body, group->angle * 180 / M_PI);
	for (int i = 0; i < 2; i++) {
		buf_char(&draw->body, ' ');
		draw_number(&draw->body, ring->centre);
	}
	buf_str(&draw->body, ")\">\n");
	if (ring->tier != NULL) {
		buf_str(&draw->body, "<rect class=\"g\" rx=\"5\" x=\"");
		draw_number(&draw->body, left);
		buf_str(&draw->body, "\" y=\"");
		draw_number(&draw->body, bottom - ring->group_height);
		buf_str(&draw->body, "\" width=\"");
		draw_number(&draw->body, ring->group_width);
		buf_str(&draw->body, "\" height=\"");
		draw_number(&draw->body, ring->group_height);
		buf_printf(&draw->body, "\"><title>%s %d: %d routers</title></rect>\n",
			   ring->tier->name, number, group->n);
	}
	for (int i = 0; i < group->n; i++)
		draw_box(draw, ring->routers[group->first + i], 0,
			 left + pad + i % ring->columns * (ring->box_width + BETWEEN),
			 bottom - pad - ring->box_height -
				 i / ring->columns * (ring->box_height + BETWEEN),
			 0);
	buf_str(&draw->body, "</g>\n");
}

/* Outside, upright. Where there are many, every second, fifth, tenth one. */
static void put_group_names(struct ring *ring)
{
	static const int steps[] = {1, 2, 5, 10, 20, 50, 100};
	struct draw *draw = ring->draw;
	double outer = ring->radius + ring->group_height + 11;
	int step = 0;
	char text[TOPO_NAME + 32];

	while (step < 6 && 2 * M_PI * outer / ring->ngroups * steps[step] < 22)
		step++;
	for (int g = 0; g < ring->ngroups; g += steps[step]) {
		double s = sin(ring->groups[g].angle), c = cos(ring->groups[g].angle);

		if (ring->tier == NULL)
			snprintf(text, sizeof(text), "%s",
				 topo_router_name(draw->topo, g, draw->text));
		else
			snprintf(text, sizeof(text), g == 0 ? "%s %d" : "%.0s%d", ring->tier->name,
				 g);
		draw_label(draw, "l",
			   s > 0.3    ? "start"
			   : s < -0.3 ? "end"
				      : "middle",
			   ring->centre + outer * s -
				   (s > 0.3    ? 6
				    : s < -0.3 ? -6
					       : 0),
			   ring->centre - outer * c + 3, text);
	}
}

void draw_ring(struct draw *draw)
{
	struct ring ring = {.draw = draw};

	find_groups(&ring);
	shape(&ring);
	put_chords(&ring);
	for (int g = 0; g < ring.ngroups; g++)
		put_group(&ring, g);
	put_group_names(&ring);
	free(ring.groups);
	free(ring.routers);
	free(ring.group_of);
	free(ring.place_of);
}
