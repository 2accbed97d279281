/* draw_domains.c - a picture of a large machine: a square for each domain, in the boxes of their
 * groups */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/draw/draw.h"

enum {
	CELLS_MOST = 20000, /* squares of a picture; more: those of the tier above */
	GROUPS_MOST = 1000,
	CELL = 9,
	PAD = 6,
	HEAD = 15, /* the group's name */
	BETWEEN = 10,
};

/* What a square shows. */
struct cell {
	int nnodes, nbusy;
	int job, best; /* the job that has the most of its nodes, and how many; -1: none */
	double heat;   /* the greatest of its routers; NAN: not known */
	int router;    /* its only one, or -1 */
};

struct domains {
	struct draw *draw;
	int tier, ncells; /* of the squares */
	int group_tier;   /* of the boxes; -1: one box */
	int ngroups;
	int *first, *order; /* squares of group g: order[first[g]] … order[first[g + 1] - 1] */
	struct cell *cells;
	int columns, rows; /* of squares in the box of the largest group */
};

/* ---- what there is ---- */

static void choose_tiers(struct domains *domains)
{
	const struct topo *topo = domains->draw->topo;

	while (domains->tier + 1 < topo->ntiers && topo->tiers[domains->tier].n > CELLS_MOST)
		domains->tier++;
	domains->ncells = topo->tiers[domains->tier].n;
	domains->group_tier = -1;
	domains->ngroups = 1;
	for (int tier = domains->tier + 1; tier < topo->ntiers && domains->group_tier < 0; tier++)
		if (topo->tiers[tier].n > 1 && topo->tiers[tier].n <= GROUPS_MOST) {
			domains->group_tier = tier;
			domains->ngroups = topo->tiers[tier].n;
		}
}

static void count_job(struct cell *cell, const int *job_of, const int *nodes, int n)
{
	for (int i = 0; i < n; i++) {
		int same = 0;

		if (job_of[nodes[i]] < 0)
			continue;
		cell->nbusy++;
		for (int k = 0; k < n; k++)
			same += job_of[nodes[k]] == job_of[nodes[i]];
		if (same > cell->best) {
			cell->best = same;
			cell->job = job_of[nodes[i]];
		}
	}
}

static void fill_cells(struct domains *domains)
{
	const struct draw *draw = domains->draw;

	domains->cells = xcalloc((size_t)domains->ncells + 1, sizeof(*domains->cells));
	for (int c = 0; c < domains->ncells; c++)
		domains->cells[c] = (struct cell){.job = -1, .router = -1, .heat = NAN};
	for (int r = 0; r < draw->topo->nrouters; r++) {
		int n = draw_nnodes(draw, r), *nodes = &draw->nodes[draw->first_node[r]];
		int domain = n > 0 ? topo_domain(draw->topo, nodes[0], domains->tier) : -1;
		struct cell *cell = domain >= 0 ? &domains->cells[domain] : NULL;

		if (cell == NULL)
			continue;
		cell->router = cell->nnodes == 0 ? r : -1;
		cell->nnodes += n;
		if (draw->job_of != NULL)
			count_job(cell, draw->job_of, nodes, n);
		if (draw->router_heat != NULL && !isnan(draw->router_heat[r]) &&
		    !(cell->heat >= draw->router_heat[r]))
			cell->heat = draw->router_heat[r];
	}
}

/* The group of each square, as its nodes say; -1: it has none, as a spine. To be freed. */
static int *groups_of(const struct domains *domains)
{
	const struct topo *topo = domains->draw->topo;
	int *group_of = xcalloc((size_t)domains->ncells + 1, sizeof(*group_of));

	for (int c = 0; c < domains->ncells; c++)
		group_of[c] = -1;
	for (int node = 0; node < topo->nnodes; node++) {
		int cell = topo_domain(topo, node, domains->tier), group = 0;

		if (domains->group_tier >= 0)
			group = topo_domain(topo, node, domains->group_tier);
		if (cell >= 0 && group >= 0)
			group_of[cell] = group;
	}
	return group_of;
}

/* The squares of each group, in their order. */
static void sort_cells(struct domains *domains)
{
	int *group_of = groups_of(domains), *place;

	domains->first = xcalloc((size_t)domains->ngroups + 2, sizeof(*domains->first));
	domains->order = xcalloc((size_t)domains->ncells + 1, sizeof(*domains->order));
	place = domains->first + 1;
	for (int c = 0; c < domains->ncells; c++)
		if (group_of[c] >= 0)
			place[group_of[c] + 1]++;
	for (int g = 0; g < domains->ngroups; g++) {
		if (place[g + 1] > domains->columns)
			domains->columns = place[g + 1];
		place[g + 1] += place[g];
	}
	for (int c = 0; c < domains->ncells; c++)
		if (group_of[c] >= 0)
			domains->order[place[group_of[c]]++] = c;
	free(group_of);
}

/* ---- drawing ---- */

static void put_title(struct domains *domains, int number)
{
	struct draw *draw = domains->draw;
	const struct cell *cell = &domains->cells[number];

	buf_str(&draw->body, "\"><title>");
	if (cell->router >= 0)
		foreign_xml(&draw->body, topo_router_name(draw->topo, cell->router, draw->text));
	else
		buf_printf(&draw->body, "%s %d", draw->topo->tiers[domains->tier].name, number);
	buf_printf(&draw->body, ": %d nodes", cell->nnodes);
	if (draw->job_of != NULL)
		buf_printf(&draw->body, ", %d busy", cell->nbusy);
	if (cell->job >= 0) {
		buf_str(&draw->body, ", most with job ");
		foreign_xml(&draw->body, draw->job_names[cell->job]);
	}
	if (!isnan(cell->heat) && cell->router >= 0)
		draw_heat_text(draw, cell->router);
	buf_str(&draw->body, "</title></rect>\n");
}

static void put_rect(struct draw *draw, double x, double y, double width, double height)
{
	buf_str(&draw->body, "\" x=\"");
	draw_number(&draw->body, x);
	buf_str(&draw->body, "\" y=\"");
	draw_number(&draw->body, y);
	buf_str(&draw->body, "\" width=\"");
	draw_number(&draw->body, width);
	buf_str(&draw->body, "\" height=\"");
	draw_number(&draw->body, height);
}

static void put_cell(struct domains *domains, int number, double x, double y)
{
	struct draw *draw = domains->draw;
	const struct cell *cell = &domains->cells[number];

	buf_str(&draw->body, "<rect class=\"");
	if (draw->router_heat != NULL)
		buf_str(&draw->body, draw_heat_class(cell->heat));
	else if (draw->job_of == NULL)
		buf_str(&draw->body, "n");
	else if (cell->job < 0)
		buf_str(&draw->body, "i");
	else
		buf_printf(&draw->body, "j%d", cell->job % COLOUR_LOOKS);
	put_rect(draw, x, y, CELL - 1, CELL - 1);
	put_title(domains, number);
}

static void put_group(struct domains *domains, int group, double x, double y)
{
	struct draw *draw = domains->draw;
	int first = domains->first[group], n = domains->first[group + 1] - first;
	char text[64];

	buf_str(&draw->body, "<rect class=\"g\" rx=\"4");
	put_rect(draw, x, y, domains->columns * CELL + 2 * PAD - 1,
		 domains->rows * CELL + 2 * PAD + HEAD - 1);
	buf_str(&draw->body, "\"/>\n");
	if (domains->group_tier >= 0) {
		snprintf(text, sizeof(text), "%s %d", draw->topo->tiers[domains->group_tier].name,
			 group);
		draw_label(draw, "l", "start", x + PAD, y + HEAD - 3, text);
	}
	for (int i = 0; i < n; i++)
		put_cell(domains, domains->order[first + i], x + PAD + i % domains->columns * CELL,
			 y + HEAD + PAD + i / domains->columns * CELL);
}

/* Boxes in rows that make the picture about 1.6 times as wide as high. */
static void put_groups(struct domains *domains)
{
	struct draw *draw = domains->draw;
	double width, height;
	int most = domains->columns, across;

	domains->columns = (int)ceil(sqrt(most * (domains->ngroups > 1 ? 1. : 1.6)));
	if (domains->columns < 4)
		domains->columns = 4;
	domains->rows = (most + domains->columns - 1) / domains->columns;
	width = domains->columns * CELL + 2 * PAD + BETWEEN;
	height = domains->rows * CELL + 2 * PAD + HEAD + BETWEEN;
	across = (int)ceil(sqrt(1.6 * domains->ngroups * height / width));
	for (int g = 0; g < domains->ngroups; g++)
		put_group(domains, g, g % across * width, 4 + g / across * height);
	draw->width = (domains->ngroups < across ? domains->ngroups : across) * width;
	draw->height = 8 + (domains->ngroups + across - 1) / across * height;
}

void draw_domains(struct draw *draw)
{
	struct domains domains = {.draw = draw};

	choose_tiers(&domains);
	draw->square_name =
		domains.tier == 0 ? "router, its nodes" : draw->topo->tiers[domains.tier].name;
	fill_cells(&domains);
	sort_cells(&domains);
	put_groups(&domains);
	free(domains.first);
	free(domains.order);
	free(domains.cells);
}
