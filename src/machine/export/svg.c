/* svg.c - a drawing of the machine, with its jobs in colours */
#include <stdio.h>
#include <stdlib.h>

#include "machine/draw/draw.h"
#include "machine/export/exporter.h"

enum { HEADER = 54, EDGE = 16, LEGEND_WIDTH = 150, LEGEND_HEIGHT = 18, LEGEND_MOST = 64 };
enum { ROUTERS_MOST = 40000 }; /* more than that are no picture for people */

static const char style[] = "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif}\n"
			    ".t{font-size:19px;font-weight:bold;fill:#1d2733}\n"
			    ".u{font-size:12.5px;fill:#56606c}\n"
			    ".k{font-size:11px;fill:#56606c}\n"
			    ".l{font-size:9px;fill:#56606c}\n"
			    ".e{font-size:11.5px;fill:#1d2733}\n"
			    ".c{fill:none;stroke:#6b7684}\n"
			    ".w{stroke-dasharray:2 1.6}\n"
			    ".g{fill:#f1f4f7;stroke:#cfd7df}\n"
			    ".r{fill:#fff;stroke:#9aa3ad}\n"
			    ".f{fill:" COLOUR_IDLE ";stroke:" COLOUR_SWITCH "}\n"
			    ".h,.s{fill:" COLOUR_SWITCH "}\n"
			    ".n{fill:" COLOUR_NODE "}\n"
			    ".i{fill:" COLOUR_IDLE ";stroke:#c9c9c9;stroke-width:.6}\n"
			    ".io{stroke:#000;stroke-width:1.4}\n";

struct picture {
	struct draw draw;
	struct out *out;
	const struct topo_export *how;
	int *nnodes_of; /* [njobs] */
	int nidle;
	double width, height; /* of the whole */
};

/* ---- colours ---- */

/* A look is a colour, plain or with a mark in white: a dot, a bar, a cross, … */
static void put_looks(struct picture *picture)
{
	static const char *const marks[COLOUR_MARKS] = {
		NULL,
		"<circle cx=\"5\" cy=\"5\" r=\"1.9\" fill=\"#fff\"/>",
		"<path d=\"M0 5H10\" stroke=\"#fff\" stroke-width=\"2.2\"/>",
		"<path d=\"M1 1L9 9M9 1L1 9\" stroke=\"#fff\" stroke-width=\"1.5\"/>",
		"<path d=\"M5 0V10\" stroke=\"#fff\" stroke-width=\"2.2\"/>",
		"<path d=\"M0 0H8L0 8z\" fill=\"#fff\"/>",
		"<path d=\"M2 2H8V8H2z\" fill=\"none\" stroke=\"#fff\" stroke-width=\"1.6\"/>",
		"<path d=\"M0 0H5V5H0zM5 5H10V10H5z\" fill=\"#fff\"/>",
	};
	int njobs = picture->how->njobs, nlooks = njobs < COLOUR_LOOKS ? njobs : COLOUR_LOOKS;

	for (int look = 0; look < nlooks && look < COLOURS; look++)
		out_printf(picture->out, ".j%d{fill:%s}\n", look, colour_of(look));
	for (int look = COLOURS; look < nlooks; look++)
		out_printf(picture->out, ".j%d{fill:url(#p%d)}\n", look, look);
	out_str(picture->out, "</style>\n");
	if (nlooks <= COLOURS)
		return;
	out_str(picture->out, "<defs>\n");
	for (int look = COLOURS; look < nlooks; look++)
		out_printf(picture->out,
			   "<pattern id=\"p%d\" width=\"1\" height=\"1\" viewBox=\"0 0 10 10\" "
			   "preserveAspectRatio=\"none\">"
			   "<path d=\"M0 0H10V10H0z\" fill=\"%s\"/>%s</pattern>\n",
			   look, colour_of(look), marks[colour_mark(look)]);
	out_str(picture->out, "</defs>\n");
}

/* ---- legend ---- */

static void put_entry(struct picture *picture, int place, const char *class, const char *text)
{
	struct buf *body = &picture->draw.body;
	int columns = (int)((picture->width - 2 * EDGE) / LEGEND_WIDTH);
	double x = EDGE + place % columns * LEGEND_WIDTH;
	double y = picture->height + place / columns * LEGEND_HEIGHT;

	buf_printf(body, "<rect class=\"%s\" x=\"", class);
	draw_number(body, x);
	buf_str(body, "\" y=\"");
	draw_number(body, y);
	buf_str(body, "\" width=\"11\" height=\"11\"/>\n");
	draw_label(&picture->draw, "e", "start", x + 17, y + 9.7, text);
}

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

static void put_jobs(struct picture *picture, int *nentries)
{
	int njobs = picture->how->njobs, nshown = njobs < LEGEND_MOST ? njobs : LEGEND_MOST;
	struct buf text = {0};
	char class[16];

	for (int job = 0; job < nshown; job++) {
		buf_clear(&text);
		buf_printf(&text, "job %.12s: %d node%s", picture->how->job_names[job],
			   picture->nnodes_of[job], plural(picture->nnodes_of[job]));
		snprintf(class, sizeof(class), "j%d", job % COLOUR_LOOKS);
		put_entry(picture, (*nentries)++, class, buf_text(&text));
	}
	if (njobs > nshown) {
		buf_clear(&text);
		buf_printf(&text, "and %d more jobs", njobs - nshown);
		put_entry(picture, (*nentries)++, "r", buf_text(&text));
	}
	buf_free(&text);
}

static void put_legend(struct picture *picture)
{
	int columns = (int)((picture->width - 2 * EDGE) / LEGEND_WIDTH), nentries = 0;
	char text[48];

	put_jobs(picture, &nentries);
	snprintf(text, sizeof(text), "idle: %d node%s", picture->nidle, plural(picture->nidle));
	if (picture->how->job_of != NULL)
		put_entry(picture, nentries++, "i", text);
	else
		put_entry(picture, nentries++, "n", "node");
	if (picture->draw.topo->nio > 0)
		put_entry(picture, nentries++, picture->how->job_of ? "i io" : "n io", "I/O node");
	put_entry(picture, nentries++, "s", "router");
	picture->height += (nentries + columns - 1) / columns * LEGEND_HEIGHT;
}

/* ---- title ---- */

static void put_counts(struct picture *picture, struct buf *text)
{
	struct topo *topo = picture->draw.topo;
	const struct topo_graph *graph = topo_graph(topo);
	int64_t n[TOPO_LEVELS] = {0};

	for (int64_t i = 0; i < graph->nlinks; i++)
		n[graph->links[i].level]++;
	buf_printf(text, "%d node%s, %d router%s; cables: ", topo->nnodes, plural(topo->nnodes),
		   topo->nrouters, plural(topo->nrouters));
	for (int level = LINK_TERMINAL, first = 1; level < topo->nlevels; level++)
		if (n[level] > 0) {
			buf_printf(text, "%s%lld %s", first ? "" : ", ", (long long)n[level],
				   topo->levels[level].name);
			first = 0;
		}
}

static void put_title(struct picture *picture)
{
	struct topo *topo = picture->draw.topo;
	const struct topo_export *how = picture->how;
	struct buf text = {0};

	draw_label(&picture->draw, "t", "start", EDGE, 29,
		   topo->name != NULL ? topo->name : "machine");
	put_counts(picture, &text);
	if (how->job_of != NULL)
		buf_printf(&text, "; %d job%s on %d node%s", how->njobs, plural(how->njobs),
			   topo->nnodes - picture->nidle, plural(topo->nnodes - picture->nidle));
	draw_label(&picture->draw, "u", "start", EDGE, 47, buf_text(&text));
	if (picture->width < EDGE * 2 + 6.1 * (double)text.n)
		picture->width = EDGE * 2 + 6.1 * (double)text.n;
	buf_free(&text);
}

/* ---- the whole ---- */

static void count_jobs(struct picture *picture)
{
	const struct topo_export *how = picture->how;

	picture->nnodes_of = xcalloc((size_t)how->njobs + 1, sizeof(*picture->nnodes_of));
	for (int i = 0; how->job_of != NULL && i < picture->draw.topo->nnodes; i++) {
		if (how->job_of[i] >= 0)
			picture->nnodes_of[how->job_of[i]]++;
		else
			picture->nidle++;
	}
}

static void put_all(struct picture *picture)
{
	struct buf text = {0};

	draw_escape(&text, picture->draw.topo->name != NULL ? picture->draw.topo->name : "machine");
	out_str(picture->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
	out_printf(picture->out, "%.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n", picture->width,
		   picture->height, picture->width, picture->height);
	out_printf(picture->out, "<title>%s</title>\n<style>\n%s", buf_text(&text), style);
	put_looks(picture);
	out_str(picture->out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	out_write(picture->out, picture->draw.body.text, picture->draw.body.n);
	out_str(picture->out, "</svg>\n");
	buf_free(&text);
}

static enum draw_layout layout_of(const struct picture *picture)
{
	const struct pick *pick = picture->how->pick;

	if (pick_is(pick, "layout", "ring"))
		return DRAW_RING;
	return pick_is(pick, "layout", "layers") ? DRAW_LAYERS : draw_choose(&picture->draw);
}

static int write_svg(struct topo *topo, struct out *out, const struct topo_export *how,
		     struct err *err)
{
	struct picture picture = {.out = out, .how = how};
	struct draw *draw = &picture.draw;

	if (topo->nrouters > ROUTERS_MOST)
		return err_set(err, "%d routers are too many for a drawing (up to %d)",
			       topo->nrouters, ROUTERS_MOST);
	draw_start(draw, topo, how->njobs, how->job_names, how->job_of);
	count_jobs(&picture);
	buf_printf(&draw->body, "<g transform=\"translate(%d %d)\">\n", EDGE, HEADER);
	switch (layout_of(&picture)) {
	case DRAW_GRID:
		draw_grid(draw);
		break;
	case DRAW_RING:
		draw_ring(draw);
		break;
	case DRAW_LAYERS:
		draw_layers(draw);
		break;
	}
	buf_str(&draw->body, "</g>\n");
	picture.width = draw->width + 2 * EDGE;
	picture.height = draw->height + HEADER + 14;
	put_title(&picture);
	put_legend(&picture);
	picture.height += EDGE - 8;
	put_all(&picture);
	free(picture.nnodes_of);
	draw_free(draw);
	return 0;
}

static const struct param params[] = {
	{.key = "layout",
	 .type = PARAM_WORD,
	 .def = "auto",
	 .choices = "auto|ring|layers",
	 .meaning = "ring: groups on a circle; layers: leaf switches below, spines above; auto: "
		    "planes for meshes and tori, layers where routers have no nodes, else a ring"},
	{.key = NULL},
};

const struct topo_exporter topo_exporter_svg = {
	.entry =
		{
			.name = "svg",
			.summary = "a drawing; with --jobs, each job in a colour of its own",
			.example = "svg",
			.params = params,
		},
	.shows_jobs = true,
	.write = write_svg,
};
