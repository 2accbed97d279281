/* layers.c - a picture in ranks: nodes and leaf switches at the bottom, spines and cores above */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/draw/draw.h"

enum {
	MARGIN = 76, /* on the left, for the names of the ranks */
	BETWEEN = 7, /* leaves */
	BETWEEN_PODS = 22,
	WIDE = 1800,       /* a longer row of leaves gets slimmer boxes */
	WIDEST = 2600,     /* a longer row of leaves is broken */
	PAIRS_MOST = 6000, /* more lines than that show nothing */
	LABEL = 14,
};

/* Where a router's box is. */
struct spot {
	double x, y, width, height;
	double room; /* of a router above the leaves: to the next one */
};

struct layers {
	struct draw *draw;
	int **component; /* [ranks][nrouters]: what is joined by routers up to that rank */
	int *leaves;     /* [nleaves] in the order of the picture */
	int nleaves, nrows;
	int columns; /* of nodes in a leaf; 0: as it comes */
	double tallest;
	double *row_y;      /* [ranks]: the top of each rank; of rank 0 its first row */
	struct spot *spots; /* [nrouters] */
	double right;
};

/* ---- components ---- */

static int root_of(int *root, int router)
{
	while (root[router] != router)
		router = root[router] = root[root[router]];
	return router;
}

static void find_components(struct layers *layers)
{
	const struct draw *draw = layers->draw;
	int n = draw->topo->nrouters, *root = xmalloc(((size_t)n + 1) * sizeof(*root));

	layers->component = xcalloc((size_t)draw->ranks.highest + 1, sizeof(*layers->component));
	for (int r = 0; r < n; r++)
		root[r] = r;
	for (int rank = 0; rank <= draw->ranks.highest; rank++) {
		int *component = xmalloc(((size_t)n + 1) * sizeof(*component));

		for (size_t i = 0; i < draw->pairs.n; i++) {
			int a = draw->pairs.at[i].a, b = draw->pairs.at[i].b;

			if (draw->ranks.of[a] > rank || draw->ranks.of[b] > rank)
				continue;
			a = root_of(root, a);
			b = root_of(root, b);
			root[a > b ? a : b] = a < b ? a : b;
		}
		for (int r = 0; r < n; r++)
			component[r] = root_of(root, r);
		layers->component[rank] = component;
	}
	free(root);
}

/* ---- the bottom ---- */

/* Leaves are sorted by their components from the top down, so that pods stay together. */
struct leaf {
	const struct layers *layers;
	int router;
};

static int by_component(const void *va, const void *vb)
{
	const struct leaf *a = va, *b = vb;

	for (int rank = a->layers->draw->ranks.highest; rank > 0; rank--) {
		int ca = a->layers->component[rank][a->router];
		int cb = b->layers->component[rank][b->router];

		if (ca != cb)
			return ca < cb ? -1 : 1;
	}
	return a->router - b->router;
}

static void sort_leaves(struct layers *layers)
{
	const struct draw *draw = layers->draw;
	struct leaf *leaves = xmalloc(((size_t)draw->topo->nrouters + 1) * sizeof(*leaves));

	for (int r = 0; r < draw->topo->nrouters; r++)
		if (draw->ranks.of[r] == 0)
			leaves[layers->nleaves++] = (struct leaf){layers, r};
	qsort(leaves, (size_t)layers->nleaves, sizeof(*leaves), by_component);
	layers->leaves = xmalloc(((size_t)layers->nleaves + 1) * sizeof(*layers->leaves));
	for (int i = 0; i < layers->nleaves; i++)
		layers->leaves[i] = leaves[i].router;
	free(leaves);
}

/* Whether two leaves are in different pods (or subnets). */
static bool is_apart(const struct layers *layers, int a, int b)
{
	return layers->draw->ranks.highest > 0 &&
	       layers->component[1][a] != layers->component[1][b];
}

static double leaf_gap(const struct layers *layers, int i)
{
	if (i == 0)
		return 0;
	return is_apart(layers, layers->leaves[i - 1], layers->leaves[i]) ? BETWEEN_PODS : BETWEEN;
}

/* The width of all leaves in one row; sets the sizes of their boxes. */
static double measure_leaves(struct layers *layers)
{
	const struct draw *draw = layers->draw;
	double whole = 0;

	layers->tallest = 0;
	for (int i = 0; i < layers->nleaves; i++) {
		struct spot *spot = &layers->spots[layers->leaves[i]];

		draw_box_size(draw, draw_nnodes(draw, layers->leaves[i]), layers->columns,
			      &spot->width, &spot->height);
		whole += spot->width + leaf_gap(layers, i);
		if (spot->height > layers->tallest)
			layers->tallest = spot->height;
	}
	return whole;
}

/* x and width of all leaves: in one row, where need be of higher boxes with smaller nodes; else in
 * rows of about one length. y is 0 in the first row. */
static void place_leaves(struct layers *layers)
{
	struct draw *draw = layers->draw;
	double whole = measure_leaves(layers), x = MARGIN, y = 0, row;

	if (whole > WIDE && !draw->is_filled)
		layers->columns = draw->most > 16 ? (draw->most + 15) / 16 : 1;
	whole = measure_leaves(layers);
	if (whole > WIDE && !draw->is_filled) {
		draw->square = 7;
		draw->gap = 1.5;
		whole = measure_leaves(layers);
	}
	layers->nrows = (int)ceil(whole / WIDEST);
	row = whole / layers->nrows + BETWEEN_PODS;
	for (int i = 0; i < layers->nleaves; i++) {
		struct spot *spot = &layers->spots[layers->leaves[i]];

		x += x > MARGIN ? leaf_gap(layers, i) : 0;
		if (x + spot->width > MARGIN + row + 0.1) {
			x = MARGIN;
			y += layers->tallest + LABEL + 12;
		}
		spot->x = x;
		spot->y = y;
		x += spot->width;
		layers->right = x > layers->right ? x : layers->right;
	}
}

/* ---- above ---- */

struct upper {
	int component, router;
};

static int by_upper(const void *va, const void *vb)
{
	const struct upper *a = va, *b = vb;

	return a->component != b->component ? (a->component < b->component ? -1 : 1)
					    : a->router - b->router;
}

/* The part of the width that is below a component's routers. */
static void span_of(const struct layers *layers, int rank, int component, double *left,
		    double *right)
{
	*left = layers->right;
	*right = MARGIN;
	for (int i = 0; i < layers->nleaves; i++) {
		const struct spot *spot = &layers->spots[layers->leaves[i]];

		if (layers->component[rank][layers->leaves[i]] != component)
			continue;
		*left = spot->x < *left ? spot->x : *left;
		*right = spot->x + spot->width > *right ? spot->x + spot->width : *right;
	}
	if (layers->nrows > 1) {
		*left = MARGIN;
		*right = layers->right;
	}
}

/* Spreads the routers [n] of one component evenly above its leaves. */
static void spread(struct layers *layers, int rank, const struct upper *routers, int n)
{
	double left, right, step;

	span_of(layers, rank, routers[0].component, &left, &right);
	step = (right - left) / n;
	for (int i = 0; i < n; i++) {
		struct spot *spot = &layers->spots[routers[i].router];

		draw_box_size(layers->draw, draw_nnodes(layers->draw, routers[i].router), 0,
			      &spot->width, &spot->height);
		if (draw_nnodes(layers->draw, routers[i].router) == 0 && spot->width > step - 1)
			spot->width = step > 2 ? step - 1 : 1;
		spot->x = left + (i + 0.5) * step - spot->width / 2;
		spot->room = step - 3;
	}
}

/* Returns the height of the rank's row. */
static double place_rank(struct layers *layers, int rank)
{
	const struct draw *draw = layers->draw;
	struct upper *routers = xmalloc(((size_t)draw->topo->nrouters + 1) * sizeof(*routers));
	double tallest = 0;
	int n = 0, end;

	for (int r = 0; r < draw->topo->nrouters; r++)
		if (draw->ranks.of[r] == rank)
			routers[n++] = (struct upper){
				layers->nrows > 1 ? 0 : layers->component[rank][r], r};
	qsort(routers, (size_t)n, sizeof(*routers), by_upper);
	for (int i = 0; i < n; i = end) {
		for (end = i + 1; end < n && routers[end].component == routers[i].component;)
			end++;
		spread(layers, rank, routers + i, end - i);
	}
	for (int i = 0; i < n; i++)
		if (layers->spots[routers[i].router].height > tallest)
			tallest = layers->spots[routers[i].router].height;
	free(routers);
	return tallest;
}

static void place(struct layers *layers)
{
	struct draw *draw = layers->draw;
	double y = LABEL, between;

	place_leaves(layers);
	between = (layers->right - MARGIN) * 0.13;
	between = between < 64 ? 64 : between > 150 ? 150 : between;
	if (layers->nrows > 1)
		between = 44;
	for (int rank = draw->ranks.highest; rank > 0; rank--) {
		layers->row_y[rank] = y;
		y += place_rank(layers, rank) + between;
	}
	layers->row_y[0] = y;
	for (int r = 0; r < draw->topo->nrouters; r++) {
		struct spot *spot = &layers->spots[r];

		spot->y += layers->row_y[draw->ranks.of[r]];
		if (spot->y + spot->height + LABEL + 10 > draw->height)
			draw->height = spot->y + spot->height + LABEL + 10;
	}
	draw->width = layers->right + 12;
}

/* ---- drawing ---- */

static void put_points(struct buf *body, const double *points, int n, const char *commands)
{
	for (int i = 0; i < n; i++) {
		if (commands[i / 2] != ' ' && i % 2 == 0)
			buf_char(body, commands[i / 2]);
		else
			buf_char(body, ' ');
		draw_number(body, points[i]);
	}
}

/* From the top of the lower one to the bottom of the upper one; among equals an arc above them. */
static void put_cable(struct layers *layers, const struct draw_pair *pair)
{
	const struct draw_ranks *ranks = &layers->draw->ranks;
	bool is_swapped = ranks->of[pair->a] > ranks->of[pair->b];
	const struct spot *low = &layers->spots[is_swapped ? pair->b : pair->a];
	const struct spot *high = &layers->spots[is_swapped ? pair->a : pair->b];
	double x1 = low->x + low->width / 2, x2 = high->x + high->width / 2, y1 = low->y;
	double y2 = high->y + high->height, middle = (y1 + y2) / 2;
	struct buf *body = &layers->draw->body;

	buf_printf(body, "<path class=\"%s\" stroke-width=\"",
		   draw_cable_class(layers->draw, pair));
	draw_number(body, draw_pen(pair->ncables));
	buf_str(body, "\" d=\"");
	if (ranks->of[pair->a] == ranks->of[pair->b]) {
		double lift = 10 + 0.12 * fabs(x2 - x1);

		put_points(body, (double[]){x1, y1, (x1 + x2) / 2, y1 - lift, x2, high->y}, 6,
			   "MQ ");
	} else {
		put_points(body, (double[]){x1, y1, x1, middle, x2, middle, x2, y2}, 8, "MC  ");
	}
	buf_str(body, "\"/>\n");
}

/* A pale field behind each pod: its leaves and its spines. */
static void put_pods(struct layers *layers)
{
	struct draw *draw = layers->draw;
	double top = draw->ranks.highest > 1 ? layers->row_y[1] - 17 : 0;
	int first = 0;

	if (draw->ranks.highest < 2 || layers->nrows > 1)
		return;
	for (int i = 1; i <= layers->nleaves; i++) {
		const struct spot *left = &layers->spots[layers->leaves[first]];
		const struct spot *right = &layers->spots[layers->leaves[i - 1]];

		if (i < layers->nleaves &&
		    !is_apart(layers, layers->leaves[i - 1], layers->leaves[i]))
			continue;
		buf_str(&draw->body, "<rect class=\"g\" rx=\"6\" x=\"");
		draw_number(&draw->body, left->x - 7);
		buf_str(&draw->body, "\" y=\"");
		draw_number(&draw->body, top);
		buf_str(&draw->body, "\" width=\"");
		draw_number(&draw->body, right->x + right->width - left->x + 14);
		buf_str(&draw->body, "\" height=\"");
		draw_number(&draw->body, draw->height - 4 - top);
		buf_str(&draw->body, "\"/>\n");
		first = i;
	}
}

static bool is_name_fitting(const struct layers *layers, int router)
{
	struct draw *draw = layers->draw;
	const struct spot *spot = &layers->spots[router];
	const char *name = topo_router_name(draw->topo, router, draw->text);

	return (double)strlen(name) * 5.2 <=
	       (draw->ranks.of[router] == 0 ? spot->width + BETWEEN - 2 : spot->room);
}

/* Below leaves and above the others, where there is room; names of one pattern for all or none. */
static void put_names(struct layers *layers, int rank)
{
	struct draw *draw = layers->draw;

	for (int r = 0; r < draw->topo->nrouters && draw->topo->router_names == NULL; r++)
		if (draw->ranks.of[r] == rank && !is_name_fitting(layers, r))
			return;
	for (int r = 0; r < draw->topo->nrouters; r++) {
		const struct spot *spot = &layers->spots[r];

		if (draw->ranks.of[r] == rank && is_name_fitting(layers, r))
			draw_label(draw, "l", "middle", spot->x + spot->width / 2,
				   rank == 0 ? spot->y + spot->height + 10 : spot->y - 3,
				   topo_router_name(draw->topo, r, draw->text));
	}
}

static void put_rank_names(struct layers *layers)
{
	static const char *const names[] = {"leaf", "spine", "core"};
	static const char *const many[] = {"leaves", "spines", "cores"};
	struct draw *draw = layers->draw;
	char text[32];

	for (int rank = 0; rank <= draw->ranks.highest; rank++) {
		int n = 0;

		for (int r = 0; r < draw->topo->nrouters; r++)
			n += draw->ranks.of[r] == rank;
		if (rank < 3)
			snprintf(text, sizeof(text), "%d %s", n, n == 1 ? names[rank] : many[rank]);
		else
			snprintf(text, sizeof(text), "%d rank %d", n, rank);
		draw_label(draw, "k", "end", MARGIN - 14, layers->row_y[rank] + 9, text);
	}
}

static void put_all(struct layers *layers)
{
	struct draw *draw = layers->draw;
	char text[80];

	put_pods(layers);
	if (layers->nrows == 1 && draw->pairs.n <= PAIRS_MOST) {
		draw_cables_begin(draw, draw->pairs.n);
		for (size_t i = 0; i < draw->pairs.n; i++)
			put_cable(layers, &draw->pairs.at[i]);
		draw_cables_end(draw);
	} else if (draw->pairs.n > 0) {
		snprintf(text, sizeof(text), "too many cables between switches to draw");
		draw_label(draw, "k", "start", MARGIN, layers->row_y[0] - 14, text);
	}
	for (int r = 0; r < draw->topo->nrouters; r++) {
		const struct spot *spot = &layers->spots[r];

		draw_box(draw, r, draw->ranks.of[r] == 0 ? layers->columns : 0, spot->x, spot->y,
			 spot->width);
	}
	for (int rank = 0; rank <= draw->ranks.highest; rank++)
		put_names(layers, rank);
	put_rank_names(layers);
}

void draw_layers(struct draw *draw)
{
	struct layers layers = {.draw = draw};

	layers.spots = xcalloc((size_t)draw->topo->nrouters + 1, sizeof(*layers.spots));
	layers.row_y = xcalloc((size_t)draw->ranks.highest + 1, sizeof(*layers.row_y));
	find_components(&layers);
	sort_leaves(&layers);
	place(&layers);
	put_all(&layers);
	for (int rank = 0; rank <= draw->ranks.highest; rank++)
		free(layers.component[rank]);
	free(layers.component);
	free(layers.leaves);
	free(layers.row_y);
	free(layers.spots);
}
