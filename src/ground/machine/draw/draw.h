/* draw.h - a picture of a machine: routers as boxes with their nodes, in a layout of its kind */
#ifndef MACHINE_DRAW_DRAW_H
#define MACHINE_DRAW_DRAW_H

#include "base/foreign.h"
#include "machine/draw/colours.h"
#include "model/topo.h"

/* Where each router is by its cables: 0 at the nodes, 1 above, … */
struct draw_ranks {
	int *of; /* [nrouters] */
	int highest;
};

/* Two routers with cables between them. */
struct draw_pair {
	int a, b; /* routers, a < b */
	int level, ncables;
	double heat; /* 0 … 1 of the greatest; NAN: not known, or not shown */
};

struct draw {
	struct topo *topo;
	int njobs;
	const char *const *job_names; /* [njobs] */
	const int *job_of;            /* [nnodes], NULL: no jobs are shown */
	int *first_node; /* [nrouters + 1]: those of router r are nodes[first_node[r]] … */
	int *nodes;      /* [nnodes] sorted by router */
	bool *is_io;     /* [nnodes] */
	int most;        /* nodes of the router that has the most */
	struct draw_ranks ranks;
	VEC(struct draw_pair) pairs; /* sorted by a, b, level */
	/* What routers carried, as parts of heat_most, in heat_unit: NAN: not known; NULL: not
	 * shown. */
	const double *router_heat; /* [nrouters] */
	double heat_most;
	const char *heat_unit;
	bool has_pair_heat;
	/* Sizes in pixels. */
	double square, gap;      /* of a node, and between nodes */
	bool is_filled;          /* too many nodes: a router's box is filled as far as it is busy */
	const char *square_name; /* what each square is; NULL: a node */
	double width, height;    /* of what was drawn: the layout says so */
	struct buf body;
	char text[TOPO_NAME];
};

void draw_start(struct draw *draw, struct topo *topo, int njobs, const char *const *job_names,
		const int *job_of);
void draw_free(struct draw *draw);

/* ---- layouts: each fills the body and says how large it is ---- */
void draw_layers(struct draw *draw);  /* ranks from the nodes up: fat trees, trees, fabrics */
void draw_ring(struct draw *draw);    /* groups on a circle: dragonflies, complete graphs */
void draw_grid(struct draw *draw);    /* meshes, tori, hypercubes: in planes */
void draw_domains(struct draw *draw); /* a square for each router or domain: large machines */
enum draw_layout { DRAW_LAYERS, DRAW_RING, DRAW_GRID, DRAW_DOMAINS };
enum draw_layout draw_choose(const struct draw *draw);

/* ---- boxes ---- */
int draw_nnodes(const struct draw *draw, int router);
int draw_columns(int nnodes); /* of nodes in a box that is about twice as high as wide */
/* The size of a router's box with its nodes in ncolumns columns (0: as draw_columns says). */
void draw_box_size(const struct draw *draw, int nnodes, int columns, double *width, double *height);
/* width 0: as draw_box_size says; a router without nodes may be narrower. */
void draw_box(struct draw *draw, int router, int columns, double x, double y, double width);
void draw_line(struct draw *draw, const char *class, double width, double x1, double y1, double x2,
	       double y2);
/* Cables are between these two: the more they are, the paler. */
void draw_cables_begin(struct draw *draw, size_t n);
void draw_cables_end(struct draw *draw);
/* The pen of n parallel cables. */
double draw_pen(int ncables);
/* anchor: "start", "middle", "end" */
void draw_label(struct draw *draw, const char *class, const char *anchor, double x, double y,
		const char *text);

/* ---- heat: five shades ---- */
enum { HEAT_SHADES = 5 };
const char *draw_heat_class(double part); /* "t0" … "t4"; NAN: "tu" */
const char *draw_cable_class(const struct draw *draw,
			     const struct draw_pair *pair); /* "c", "c q3" */
void draw_heat_text(struct draw *draw, int router);         /* ", 1.2e6 flits/s", for its title */

/* ---- text ---- */
void draw_number(struct buf *buf, double value); /* with one decimal at most */

#endif
