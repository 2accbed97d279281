/* boxes.c - a router as a box with its nodes as squares, or filled as far as it is busy */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/draw/draw.h"

enum {
	HEAD = 5,
	PAD = 3,
	BARE_WIDTH = 18,
	BARE_HEIGHT = 10,
	FILLED_WIDTH = 14,
	FILLED_HEIGHT = 18
};
enum { CLASS = 24 };

int draw_nnodes(const struct draw *draw, int router)
{
	return draw->first_node[router + 1] - draw->first_node[router];
}

int draw_columns(int nnodes)
{
	int columns = (int)ceil(sqrt(nnodes / 2.));

	return columns > 0 ? columns : 1;
}

void draw_box_size(const struct draw *draw, int nnodes, int columns, double *width, double *height)
{
	int rows;

	if (nnodes == 0) {
		*width = BARE_WIDTH;
		*height = BARE_HEIGHT;
		return;
	}
	if (draw->is_filled) {
		*width = FILLED_WIDTH;
		*height = FILLED_HEIGHT;
		return;
	}
	columns = columns > 0 ? columns : draw_columns(nnodes);
	rows = (nnodes + columns - 1) / columns;
	*width = columns * (draw->square + draw->gap) - draw->gap + 2 * PAD;
	*height = rows * (draw->square + draw->gap) - draw->gap + 2 * PAD + HEAD;
}

static void put_rect(struct draw *draw, const char *class, double x, double y, double width,
		     double height, double round)
{
	struct buf *body = &draw->body;

	buf_printf(body, "<rect class=\"%s\" x=\"", class);
	draw_number(body, x);
	buf_str(body, "\" y=\"");
	draw_number(body, y);
	buf_str(body, "\" width=\"");
	draw_number(body, width);
	buf_str(body, "\" height=\"");
	draw_number(body, height);
	if (round > 0) {
		buf_str(body, "\" rx=\"");
		draw_number(body, round);
	}
	buf_str(body, "\"");
}

/* The class of a node: n: no jobs are shown; i: idle; j5: a job with the look 5. */
static const char *class_of(const struct draw *draw, int job, char text[CLASS])
{
	if (draw->job_of == NULL)
		return "n";
	if (job < 0)
		return "i";
	snprintf(text, CLASS, "j%d", job % COLOUR_LOOKS);
	return text;
}

/* ---- nodes ---- */

static void put_node(struct draw *draw, int node, double x, double y)
{
	int job = draw->job_of != NULL ? draw->job_of[node] : -1;
	char class[CLASS + 4], look[CLASS];

	snprintf(class, sizeof(class), "%s%s", class_of(draw, job, look),
		 draw->is_io[node] ? " io" : "");
	put_rect(draw, class, x, y, draw->square, draw->square, 0);
	buf_str(&draw->body, "><title>");
	foreign_xml(&draw->body, topo_node_name(draw->topo, node, draw->text));
	if (draw->is_io[node])
		buf_str(&draw->body, ", I/O");
	if (job >= 0) {
		buf_str(&draw->body, ": job ");
		foreign_xml(&draw->body, draw->job_names[job]);
	} else if (draw->job_of != NULL) {
		buf_str(&draw->body, ": idle");
	}
	buf_str(&draw->body, "</title></rect>\n");
}

static void put_title(struct draw *draw, int router)
{
	int nnodes = draw_nnodes(draw, router), nbusy = 0;

	for (int i = draw->first_node[router]; i < draw->first_node[router + 1]; i++)
		nbusy += draw->job_of != NULL && draw->job_of[draw->nodes[i]] >= 0;
	buf_str(&draw->body, "><title>");
	foreign_xml(&draw->body, topo_router_name(draw->topo, router, draw->text));
	if (nnodes > 0)
		buf_printf(&draw->body, ": %d node%s", nnodes, nnodes == 1 ? "" : "s");
	if (nnodes > 0 && draw->job_of != NULL)
		buf_printf(&draw->body, ", %d busy", nbusy);
	draw_heat_text(draw, router);
	buf_str(&draw->body, "</title></rect>\n");
}

/* ---- filled boxes ---- */

static int by_job(const void *va, const void *vb)
{
	const int *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

/* From the bottom: each job in the order of the table, as high as its part of the nodes. */
static void put_filling(struct draw *draw, int router, double x, double y)
{
	int first = draw->first_node[router], n = draw_nnodes(draw, router), end;
	int *jobs = xmalloc(((size_t)n + 1) * sizeof(*jobs));
	double bottom = y + FILLED_HEIGHT - 1, full = FILLED_HEIGHT - 2;
	char class[CLASS];

	for (int i = 0; i < n; i++)
		jobs[i] = draw->job_of[draw->nodes[first + i]];
	qsort(jobs, (size_t)n, sizeof(*jobs), by_job);
	for (int i = 0; i < n; i = end) {
		double height;

		for (end = i + 1; end < n && jobs[end] == jobs[i];)
			end++;
		if (jobs[i] < 0)
			continue;
		height = full * (end - i) / n;
		bottom -= height;
		/* beside the heat, which stays in sight */
		put_rect(draw, class_of(draw, jobs[i], class), x + 1, bottom,
			 draw->router_heat != NULL ? FILLED_WIDTH / 2. : FILLED_WIDTH - 2, height,
			 0);
		buf_str(&draw->body, "><title>");
		foreign_xml(&draw->body, topo_router_name(draw->topo, router, draw->text));
		buf_str(&draw->body, ": job ");
		foreign_xml(&draw->body, draw->job_names[jobs[i]]);
		buf_printf(&draw->body, " on %d of %d nodes</title></rect>\n", end - i, n);
	}
	free(jobs);
}

/* ---- a router ---- */

/* The class, and that of what the router carried. */
static const char *heat_class(const struct draw *draw, int router, const char *class,
			      char text[CLASS])
{
	if (draw->router_heat == NULL)
		return class;
	snprintf(text, CLASS, "%s %s", class, draw_heat_class(draw->router_heat[router]));
	return text;
}

void draw_box(struct draw *draw, int router, int columns, double x, double y, double wanted)
{
	int n = draw_nnodes(draw, router), first = draw->first_node[router];
	double width, height, step = draw->square + draw->gap;
	char class[CLASS];

	draw_box_size(draw, n, columns, &width, &height);
	if (n == 0) {
		width = wanted > 0 ? wanted : width;
		put_rect(draw, heat_class(draw, router, "s", class), x, y, width, height,
			 width > 6 ? 3 : 0);
		put_title(draw, router);
		return;
	}
	if (draw->is_filled) {
		put_rect(draw, heat_class(draw, router, draw->job_of != NULL ? "f" : "f n", class),
			 x, y, width, height, 0);
		put_title(draw, router);
		if (draw->job_of != NULL)
			put_filling(draw, router, x, y);
		return;
	}
	put_rect(draw, heat_class(draw, router, "r", class), x, y, width, height, 2.5);
	put_title(draw, router);
	put_rect(draw, "h", x, y, width, HEAD, 2.5);
	buf_str(&draw->body, "/>\n");
	columns = columns > 0 ? columns : draw_columns(n);
	for (int i = 0; i < n; i++)
		put_node(draw, draw->nodes[first + i], x + PAD + i % columns * step,
			 y + HEAD + PAD + i / columns * step);
}
