/* draw_grid.c - a picture of a mesh or torus: planes of rows and columns, side by side */
#include <stdio.h>

#include "machine/draw/draw.h"
#include "model/topo_type.h"

enum { APART = 12, BETWEEN_PLANES = 40, TAIL = 8, TOP = 24, LEFT = 26, PAIRS_MOST = 20000 };

struct grid_picture {
	struct draw *draw;
	const int *sizes;
	int ndims;
	bool is_cube;        /* all sizes are 2: half of the dimensions are columns, half rows */
	int columns, rows;   /* of a plane: the first two dimensions */
	int nplanes, across; /* planes in a row of planes */
	double apart, step_x, step_y, plane_width, plane_height, box_width, box_height;
};

static void shape(struct grid_picture *grid)
{
	struct draw *draw = grid->draw;
	double best = 0;

	grid->is_cube = grid->ndims > 2;
	for (int d = 0; d < grid->ndims; d++)
		grid->is_cube = grid->is_cube && grid->sizes[d] == 2;
	grid->columns = grid->is_cube ? 1 << (grid->ndims + 1) / 2 : grid->sizes[0];
	grid->rows = grid->is_cube ? 1 << grid->ndims / 2 : grid->sizes[1];
	grid->nplanes = draw->topo->nrouters / grid->columns / grid->rows;
	grid->apart = grid->is_cube ? 22 : APART;
	draw_box_size(draw, draw->most, 0, &grid->box_width, &grid->box_height);
	grid->step_x = grid->box_width + grid->apart;
	grid->step_y = grid->box_height + grid->apart;
	grid->plane_width = grid->columns * grid->step_x + BETWEEN_PLANES;
	grid->plane_height = grid->rows * grid->step_y + BETWEEN_PLANES + 6;
	/* as many planes in a row as make the picture about 1.6 times as wide as high */
	for (int across = 1; across <= grid->nplanes; across++) {
		int down = (grid->nplanes + across - 1) / across;
		double ratio = across * grid->plane_width / (down * grid->plane_height) / 1.6;

		ratio = ratio > 1 ? 1 / ratio : ratio;
		ratio *= (double)grid->nplanes / (across * down); /* without holes */
		if (ratio > best) {
			best = ratio;
			grid->across = across;
		}
	}
}

static void corner(const struct grid_picture *grid, int router, double *x, double *y)
{
	int in_plane = router % (grid->columns * grid->rows);
	int plane = router / (grid->columns * grid->rows);

	*x = LEFT + plane % grid->across * grid->plane_width +
	     in_plane % grid->columns * grid->step_x;
	*y = TOP + plane / grid->across * grid->plane_height +
	     in_plane / grid->columns * grid->step_y;
}

/* Of a hypercube: a bow over the boxes between, or beside them. */
static void put_arc(struct grid_picture *grid, const struct draw_pair *pair, double pen)
{
	struct buf *body = &grid->draw->body;
	double xa, ya, xb, yb, lift;

	corner(grid, pair->a, &xa, &ya);
	corner(grid, pair->b, &xb, &yb);
	lift = 10 + (xb - xa + yb - ya) * 0.06;
	if (ya == yb) {
		xa += grid->box_width / 2;
		xb += grid->box_width / 2;
	} else {
		ya += grid->box_height / 2;
		yb += grid->box_height / 2;
	}
	buf_printf(body, "<path class=\"%s\" stroke-width=\"", draw_cable_class(grid->draw, pair));
	draw_number(body, pen);
	buf_str(body, "\" d=\"M");
	draw_number(body, xa);
	buf_char(body, ' ');
	draw_number(body, ya);
	buf_char(body, 'Q');
	draw_number(body, ya == yb ? (xa + xb) / 2 : xa - lift);
	buf_char(body, ' ');
	draw_number(body, ya == yb ? ya - lift : (ya + yb) / 2);
	buf_char(body, ' ');
	draw_number(body, xb);
	buf_char(body, ' ');
	draw_number(body, yb);
	buf_str(body, "\"/>\n");
}

/* Cables within a plane: to a neighbour a line, around the ring two short tails; to another plane
 * none. */
static void put_cable(struct grid_picture *grid, const struct draw_pair *pair)
{
	int size = grid->columns * grid->rows;
	double xa, ya, xb, yb, w = grid->box_width / 2, h = grid->box_height / 2;
	double pen = draw_pen(pair->ncables) + 0.6;
	const char *class = draw_cable_class(grid->draw, pair);
	char around[16];

	if (pair->a / size != pair->b / size)
		return;
	snprintf(around, sizeof(around), "%s w", class);
	corner(grid, pair->a, &xa, &ya);
	corner(grid, pair->b, &xb, &yb);
	if (pair->b - pair->a == 1 && ya == yb) {
		draw_line(grid->draw, class, pen, xa + 2 * w, ya + h, xb, yb + h);
	} else if (pair->b - pair->a == grid->columns) {
		draw_line(grid->draw, class, pen, xa + w, ya + 2 * h, xb + w, yb);
	} else if (grid->is_cube) {
		put_arc(grid, pair, pen);
	} else if (ya == yb) {
		draw_line(grid->draw, around, pen, xa, ya + h, xa - TAIL, ya + h);
		draw_line(grid->draw, around, pen, xb + 2 * w, yb + h, xb + 2 * w + TAIL, yb + h);
	} else if (xa == xb) {
		draw_line(grid->draw, around, pen, xa + w, ya, xa + w, ya - TAIL);
		draw_line(grid->draw, around, pen, xb + w, yb + 2 * h, xb + w, yb + 2 * h + TAIL);
	}
}

/* "z = 3", or with more dimensions "z,w = 3,0". */
static void put_plane_names(struct grid_picture *grid, int ndims)
{
	static const char axes[] = "xyzwvuts";

	for (int plane = 0; plane < grid->nplanes && ndims > 2 && !grid->is_cube; plane++) {
		struct buf text = {0};
		double x, y;
		int rest = plane;

		corner(grid, plane * grid->columns * grid->rows, &x, &y);
		for (int d = 2; d < ndims; d++) {
			buf_char(&text, d > 2 ? ',' : axes[2]);
			if (d > 2)
				buf_printf(&text, d < 8 ? "%c" : "d%d", d < 8 ? axes[d] : d);
		}
		buf_str(&text, " = ");
		for (int d = 2; d < ndims; d++) {
			buf_printf(&text, "%s%d", d > 2 ? "," : "", rest % grid->sizes[d]);
			rest /= grid->sizes[d];
		}
		draw_label(grid->draw, "k", "start", x, y - 11, buf_text(&text));
		buf_free(&text);
	}
}

void draw_grid(struct draw *draw)
{
	struct grid_picture grid = {.draw = draw};
	bool is_ring;
	int ndims = draw->topo->type->dims(draw->topo, &grid.sizes, &is_ring);

	grid.ndims = ndims;
	shape(&grid);
	draw_cables_begin(draw, grid.is_cube ? draw->pairs.n : 1);
	if (draw->pairs.n <= PAIRS_MOST)
		for (size_t i = 0; i < draw->pairs.n; i++)
			put_cable(&grid, &draw->pairs.at[i]);
	draw_cables_end(draw);
	for (int r = 0; r < draw->topo->nrouters; r++) {
		double x, y;

		corner(&grid, r, &x, &y);
		draw_box(draw, r, 0, x, y, 0);
	}
	put_plane_names(&grid, ndims);
	draw->width = LEFT + grid.across * grid.plane_width - BETWEEN_PLANES + TAIL + 8;
	draw->height = TOP + (grid.nplanes + grid.across - 1) / grid.across * grid.plane_height -
		       BETWEEN_PLANES + 6;
}
