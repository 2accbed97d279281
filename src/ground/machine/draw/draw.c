/* draw.c - a picture of a machine: what all layouts need to know and draw */
#include "machine/draw/draw.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "model/topo_type.h"

/* Numbers of nodes from which squares are smaller, and from which filled routers replace them. */
enum { SMALL_FROM = 700, FILLED_FROM = 2400 };

/* ---- what is there ---- */

static void sort_nodes(struct draw *draw)
{
	const struct topo *topo = draw->topo;
	int *place;

	draw->first_node = xcalloc((size_t)topo->nrouters + 2, sizeof(*draw->first_node));
	draw->nodes = xmalloc(((size_t)topo->nnodes + 1) * sizeof(*draw->nodes));
	place = draw->first_node + 1;
	for (int i = 0; i < topo->nnodes; i++)
		place[topo->router_of[i] + 1]++;
	for (int r = 0; r < topo->nrouters; r++) {
		if (place[r + 1] > draw->most)
			draw->most = place[r + 1];
		place[r + 1] += place[r];
	}
	for (int i = 0; i < topo->nnodes; i++)
		draw->nodes[place[topo->router_of[i]]++] = i;
}

static int by_pair(const void *va, const void *vb)
{
	const struct draw_pair *a = va, *b = vb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	return a->level - b->level;
}

/* The cables between routers, parallel ones together. */
static void find_pairs(struct draw *draw)
{
	const struct topo_graph *graph = topo_graph(draw->topo);
	int nnodes = draw->topo->nnodes;
	size_t n = 0;

	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = graph->links[i].a - nnodes, b = graph->links[i].b - nnodes;

		if (a >= 0 && b >= 0)
			vec_push(&draw->pairs, (struct draw_pair){a < b ? a : b, a < b ? b : a,
								  graph->links[i].level, 1, NAN});
	}
	if (draw->pairs.n > 0)
		qsort(draw->pairs.at, draw->pairs.n, sizeof(*draw->pairs.at), by_pair);
	for (size_t i = 0; i < draw->pairs.n; i++) {
		if (n > 0 && by_pair(&draw->pairs.at[n - 1], &draw->pairs.at[i]) == 0)
			draw->pairs.at[n - 1].ncables++;
		else
			draw->pairs.at[n++] = draw->pairs.at[i];
	}
	draw->pairs.n = n;
}

/* A router with nodes is at the bottom, unless it has few (less than a tenth of the most) and is
 * next to one with many: a spine to which a management node is cabled. */
static bool is_bottom(const struct draw *draw, const struct topo_graph *graph, int router)
{
	int v = draw->topo->nnodes + router, n = draw_nnodes(draw, router);

	if (n == 0 || n * 10L >= draw->most)
		return n > 0;
	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
		int peer = graph->peer[i] - draw->topo->nnodes;

		if (peer >= 0 && draw_nnodes(draw, peer) * 10L >= draw->most)
			return false;
	}
	return true;
}

static void find_ranks(struct draw *draw)
{
	const struct topo *topo = draw->topo;
	const struct topo_graph *graph = topo_graph(draw->topo);
	int *queue = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*queue)), n = 0;
	struct draw_ranks *ranks = &draw->ranks;

	ranks->of = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*ranks->of));
	for (int r = 0; r < topo->nrouters; r++) {
		ranks->of[r] = is_bottom(draw, graph, r) ? 0 : -1;
		if (ranks->of[r] == 0)
			queue[n++] = r;
	}
	for (int at = 0; at < n; at++) {
		int v = topo->nnodes + queue[at];

		ranks->highest = ranks->of[queue[at]];
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || ranks->of[peer] >= 0)
				continue;
			ranks->of[peer] = ranks->of[queue[at]] + 1;
			queue[n++] = peer;
		}
	}
	for (int r = 0; r < topo->nrouters; r++)
		if (ranks->of[r] < 0)
			ranks->of[r] = 0;
	free(queue);
}

void draw_start(struct draw *draw, struct topo *topo, int njobs, const char *const *job_names,
		const int *job_of)
{
	*draw = (struct draw){
		.topo = topo, .njobs = njobs, .job_names = job_names, .job_of = job_of};
	sort_nodes(draw);
	find_pairs(draw);
	find_ranks(draw);
	draw->is_io = xcalloc((size_t)topo->nnodes + 1, sizeof(*draw->is_io));
	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; k < topo->io[i].nnodes; k++)
			draw->is_io[topo->io[i].nodes[k]] = true;
	draw->is_filled = topo->nnodes >= FILLED_FROM;
	draw->square = topo->nnodes >= SMALL_FROM ? 7 : 10;
	draw->gap = topo->nnodes >= SMALL_FROM ? 1.5 : 2;
}

void draw_free(struct draw *draw)
{
	free(draw->first_node);
	free(draw->nodes);
	free(draw->is_io);
	free(draw->ranks.of);
	vec_free(&draw->pairs);
	buf_free(&draw->body);
}

/* Beyond these numbers, single cables and nodes cannot be distinguished. */
enum { CABLES_MOST = 6000, NODES_MOST = 5000 };

enum draw_layout draw_choose(const struct draw *draw)
{
	const struct topo *topo = draw->topo;
	const int *sizes;
	bool is_ring;

	if (topo->type->dims != NULL && topo->type->dims(topo, &sizes, &is_ring) > 1)
		return DRAW_GRID;
	if (topo->nnodes >= NODES_MOST)
		return DRAW_DOMAINS;
	if (draw->ranks.highest > 0)
		return draw->pairs.n <= CABLES_MOST ? DRAW_LAYERS : DRAW_DOMAINS;
	return DRAW_RING;
}

/* ---- heat ---- */

/* ---- text ---- */

/* ---- lines ---- */

double draw_pen(int ncables)
{
	double pen = 0.7 * sqrt(ncables);

	return pen < 4 ? pen : 4;
}

void draw_cables_begin(struct draw *draw, size_t n)
{
	double opacity = 6.5 / sqrt((double)n + 1);

	buf_printf(&draw->body, "<g stroke-opacity=\"%.2f\">\n",
		   opacity > 0.45   ? 0.45
		   : opacity < 0.06 ? 0.06
				    : opacity);
}

void draw_cables_end(struct draw *draw)
{
	buf_str(&draw->body, "</g>\n");
}

void draw_line(struct draw *draw, const char *class, double width, double x1, double y1, double x2,
	       double y2)
{
	buf_printf(&draw->body, "<path class=\"%s\" stroke-width=\"", class);
	draw_number(&draw->body, width);
	buf_str(&draw->body, "\" d=\"M");
	draw_number(&draw->body, x1);
	buf_char(&draw->body, ' ');
	draw_number(&draw->body, y1);
	buf_char(&draw->body, 'L');
	draw_number(&draw->body, x2);
	buf_char(&draw->body, ' ');
	draw_number(&draw->body, y2);
	buf_str(&draw->body, "\"/>\n");
}
