/* dot.c - a machine as a graph for Graphviz */
#include "machine/draw/draw.h"
#include "machine/export/exporter.h"

/* More vertices than that take neato and fdp too long. */
enum { NEATO_MOST = 600 };

struct dot {
	const struct draw *draw;
	struct out *out;
	const struct topo_export *how;
	bool has_nodes; /* each is a vertex */
	bool has_cells; /* each is a cell of its router's box; else routers show their number */
};

static const char *fill_of(const struct dot *dot, int node)
{
	const int *job_of = dot->draw->job_of;

	if (job_of == NULL)
		return COLOUR_NODE;
	return job_of[node] < 0 ? COLOUR_IDLE : colour_of(job_of[node]);
}

/* "node012: job 17" */
static const char *describe(const struct dot *dot, int node, struct buf *text)
{
	const int *job_of = dot->draw->job_of;
	char name[TOPO_NAME];

	buf_clear(text);
	buf_str(text, topo_node_name(dot->draw->topo, node, name));
	if (job_of != NULL && job_of[node] >= 0)
		buf_printf(text, ": job %s", dot->how->panels->job_names[job_of[node]]);
	return buf_text(text);
}

static void put_node(const struct dot *dot, int node, const char *indent)
{
	char name[TOPO_NAME];
	struct buf text = {0};

	out_str(dot->out, indent);
	out_foreign(dot->out, foreign_dot, topo_node_name(dot->draw->topo, node, name));
	out_printf(dot->out, " [class=\"node\", fillcolor=\"%s\", tooltip=", fill_of(dot, node));
	out_foreign(dot->out, foreign_dot, describe(dot, node, &text));
	out_str(dot->out, ", shape=square, width=0.16, label=\"\"];\n");
	buf_free(&text);
}

/* An HTML-like label: the router's name above its nodes. */
static void put_cells(const struct dot *dot, int router)
{
	const struct draw *draw = dot->draw;
	int n = draw_nnodes(draw, router), columns = draw_columns(n);
	struct buf label = {0}, text = {0};
	char name[TOPO_NAME];

	buf_printf(&label,
		   ", shape=plain, fillcolor=white, label=<<TABLE CELLBORDER=\"0\" "
		   "CELLSPACING=\"2\" CELLPADDING=\"1\"><TR><TD COLSPAN=\"%d\" "
		   "BGCOLOR=\"" COLOUR_SWITCH "\"><FONT COLOR=\"white\">",
		   columns);
	foreign_xml(&label, topo_router_name(draw->topo, router, name));
	buf_str(&label, "</FONT></TD></TR>");
	for (int i = 0; i < n; i++) {
		int node = draw->nodes[draw->first_node[router] + i];

		buf_printf(&label,
			   "%s<TD FIXEDSIZE=\"TRUE\" WIDTH=\"9\" "
			   "HEIGHT=\"9\" BGCOLOR=\"%s\" TITLE=\"",
			   i % columns == 0 ? "<TR>" : "", fill_of(dot, node));
		foreign_xml(&label, describe(dot, node, &text));
		buf_printf(&label, "\"></TD>%s",
			   (i + 1) % columns == 0 || i + 1 == n ? "</TR>" : "");
	}
	out_str(dot->out, buf_text(&label));
	out_str(dot->out, "</TABLE>>");
	buf_free(&text);
	buf_free(&label);
}

static void put_router(const struct dot *dot, int router, const char *indent)
{
	int n = draw_nnodes(dot->draw, router);
	char text[TOPO_NAME];

	out_str(dot->out, indent);
	out_foreign(dot->out, foreign_dot, topo_router_name(dot->draw->topo, router, text));
	out_str(dot->out, " [class=\"router\"");
	if (n > 0 && dot->has_cells)
		put_cells(dot, router);
	else if (n > 0 && !dot->has_nodes)
		out_printf(dot->out, ", label=\"\\N (%d)\"", n);
	out_str(dot->out, "];\n");
	for (int i = dot->draw->first_node[router];
	     i < dot->draw->first_node[router + 1] && dot->has_nodes; i++)
		put_node(dot, dot->draw->nodes[i], indent);
}

/* The domain of a router at the outermost tier, or -1. */
static int group_of(const struct topo *topo, int router)
{
	int domain = router;

	for (int tier = 1; tier < topo->ntiers && domain >= 0; tier++)
		domain = topo->tiers[tier].of[domain];
	return domain;
}

static void put_groups(const struct dot *dot)
{
	const struct topo *topo = dot->draw->topo;
	const struct tier *last = &topo->tiers[topo->ntiers - 1];

	for (int group = 0; group < last->n; group++) {
		out_printf(dot->out, "\tsubgraph cluster_%d {\n\t\tlabel=\"%s %d\";\n", group,
			   last->name, group);
		for (int r = 0; r < topo->nrouters; r++)
			if (group_of(topo, r) == group)
				put_router(dot, r, "\t\t");
		out_str(dot->out, "\t}\n");
	}
}

static void put_cables(const struct dot *dot)
{
	struct topo *topo = dot->draw->topo;
	const struct topo_graph *graph = topo_graph(topo);
	char a[TOPO_NAME], b[TOPO_NAME];

	for (int64_t i = 0; i < graph->nlinks && dot->has_nodes; i++) {
		int v = graph->links[i].a, w = graph->links[i].b;
		int node = v < topo->nnodes ? v : w, router = (v + w - node) - topo->nnodes;

		if (node >= topo->nnodes)
			continue;
		out_char(dot->out, '\t');
		out_foreign(dot->out, foreign_dot, topo_node_name(topo, node, a));
		out_str(dot->out, " -- ");
		out_foreign(dot->out, foreign_dot, topo_router_name(topo, router, b));
		out_str(dot->out, " [class=\"terminal\"];\n");
	}
	for (size_t i = 0; i < dot->draw->pairs.n; i++) {
		const struct draw_pair *pair = &dot->draw->pairs.at[i];

		out_char(dot->out, '\t');
		out_foreign(dot->out, foreign_dot, topo_router_name(topo, pair->a, a));
		out_str(dot->out, " -- ");
		out_foreign(dot->out, foreign_dot, topo_router_name(topo, pair->b, b));
		out_printf(dot->out, " [class=\"%s\"", topo->levels[pair->level].name);
		if (pair->ncables > 1)
			out_printf(dot->out, ", penwidth=%.1f, tooltip=\"%d cables\"",
				   draw_pen(pair->ncables) + 0.6, pair->ncables);
		out_str(dot->out, "];\n");
	}
}

static void put_head(const struct dot *dot)
{
	struct topo *topo = dot->draw->topo;
	int nvertices = topo->nrouters + (dot->has_nodes ? topo->nnodes : 0);

	out_str(dot->out, "graph ");
	out_foreign(dot->out, foreign_dot, topo->name != NULL ? topo->name : "machine");
	out_str(dot->out, " {\n\tgraph [fontname=Helvetica, ");
	if (draw_choose(dot->draw) == DRAW_LAYERS && !dot->has_nodes)
		out_str(dot->out, "layout=dot, rankdir=BT, ranksep=1.2];\n");
	else
		out_printf(dot->out, "layout=%s, overlap=false, splines=false];\n",
			   nvertices > NEATO_MOST ? "sfdp"
			   : topo->ntiers > 1     ? "fdp"
						  : "neato");
	out_str(dot->out,
		"\tnode [fontname=Helvetica, fontsize=9, style=filled, shape=box, "
		"height=0.2, width=0.3, fillcolor=\"" COLOUR_SWITCH "\", fontcolor=white];\n"
		"\tedge [color=\"#6b7684\", fontname=Helvetica, fontsize=7];\n");
}

/* Jobs beside the graph, as one table. */
static void put_legend(const struct dot *dot)
{
	struct buf label = {0};

	if (dot->how->npanels == 0 || dot->how->panels->njobs == 0)
		return;
	buf_str(&label, "\t\"\" [class=\"jobs\", shape=plain, fillcolor=white, fontcolor=black, "
			"label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\">");
	for (int job = 0; job < dot->how->panels->njobs; job++) {
		buf_printf(&label,
			   "<TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"9\" HEIGHT=\"9\" BGCOLOR=\"%s\">"
			   "</TD><TD ALIGN=\"LEFT\">job ",
			   colour_of(job));
		foreign_xml(&label, dot->how->panels->job_names[job]);
		buf_str(&label, "</TD></TR>");
	}
	buf_str(&label, "</TABLE>>];\n");
	out_str(dot->out, buf_text(&label));
	buf_free(&label);
}

static int write_dot(struct topo *topo, struct out *out, const struct topo_export *how,
		     struct err *err)
{
	struct draw draw;
	struct dot dot = {.draw = &draw, .out = out, .how = how};

	(void)err;
	if (how->npanels > 0)
		draw_start(&draw, topo, how->panels->njobs, how->panels->job_names,
			   how->panels->job_of);
	else
		draw_start(&draw, topo, 0, NULL, NULL);
	dot.has_nodes = pick_is(how->pick, "nodes", "vertices");
	dot.has_cells = pick_is(how->pick, "nodes", "cells");
	put_head(&dot);
	if (topo->ntiers > 1)
		put_groups(&dot);
	for (int r = 0; r < topo->nrouters; r++)
		if (topo->ntiers == 1 || group_of(topo, r) < 0)
			put_router(&dot, r, "\t");
	put_cables(&dot);
	put_legend(&dot);
	out_str(out, "}\n");
	draw_free(&draw);
	return 0;
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_WORD,
	 .def = "cells",
	 .choices = "cells|vertices|count",
	 .meaning =
		 "cells: in the box of their router, at the first one of each; vertices: each with "
		 "its cables; count: their number"},
	{.key = NULL},
};

const struct topo_exporter topo_exporter_dot = {
	.entry =
		{
			.name = "dot",
			.summary = "a graph for Graphviz, with groups as clusters "
				   "and, with --jobs, jobs in colours",
			.example = "dot",
			.params = params,
		},
	.shows_jobs = true,
	.write = write_dot,
};
