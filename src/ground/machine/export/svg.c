/* svg.c - a drawing of the machine, with its jobs in colours */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/draw/draw.h"
#include "base/num.h"
#include "machine/export/exporter.h"
#include "machine/export/heat.h"

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

/* The second part of the style sheet, where heat is shown: from pale to dark, in print too. */
static const char heat_style[] = ".t0{fill:#fff3d6}.t1{fill:#fdd49e}.t2{fill:#fc8d59}"
				 ".t3{fill:#d7301f}.t4{fill:#7f0000}.tu{fill:#fff}\n"
				 ".q0{stroke:#c9ced4;stroke-opacity:.5}.q1{stroke:#fdbb84}"
				 ".q2{stroke:#fc8d59}.q3{stroke:#d7301f}.q4{stroke:#7f0000}"
				 ".q1,.q2,.q3,.q4{stroke-opacity:.9}"
				 ".qu{stroke:#c9ced4;stroke-opacity:.3}\n";

/* One drawing; a picture has one for each run and policy. */
struct picture {
	struct draw draw;
	const struct topo_export *how;
	const struct topo_export_panel *panel; /* NULL: no jobs are shown */
	double *router_heat;                   /* [nrouters] parts of the greatest; NULL: none */
	int *nnodes_of;                        /* [njobs] */
	int nidle;
	double width, height; /* of the whole */
};

static int njobs_of(const struct picture *picture)
{
	return picture->panel != NULL ? picture->panel->njobs : 0;
}

/* ---- colours ---- */

/* A look is a colour, plain or with a mark in white: a dot, a bar, a cross, … */
static void put_looks(struct out *out, int njobs)
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
	int nlooks = njobs < COLOUR_LOOKS ? njobs : COLOUR_LOOKS;

	for (int look = 0; look < nlooks && look < COLOURS; look++)
		out_printf(out, ".j%d{fill:%s}\n", look, colour_of(look));
	for (int look = COLOURS; look < nlooks; look++)
		out_printf(out, ".j%d{fill:url(#p%d)}\n", look, look);
	out_str(out, "</style>\n");
	if (nlooks <= COLOURS)
		return;
	out_str(out, "<defs>\n");
	for (int look = COLOURS; look < nlooks; look++)
		out_printf(out,
			   "<pattern id=\"p%d\" width=\"1\" height=\"1\" viewBox=\"0 0 10 10\" "
			   "preserveAspectRatio=\"none\">"
			   "<path d=\"M0 0H10V10H0z\" fill=\"%s\"/>%s</pattern>\n",
			   look, colour_of(look), marks[colour_mark(look)]);
	out_str(out, "</defs>\n");
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
	int njobs = njobs_of(picture), nshown = njobs < LEGEND_MOST ? njobs : LEGEND_MOST;
	struct buf text = {0};
	char class[16];

	for (int job = 0; job < nshown; job++) {
		buf_clear(&text);
		buf_printf(&text, "job %.12s: %d node%s", picture->panel->job_names[job],
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
	if (picture->panel != NULL)
		put_entry(picture, nentries++, "i", text);
	else
		put_entry(picture, nentries++, "n",
			  picture->draw.square_name != NULL ? picture->draw.square_name : "node");
	if (picture->draw.topo->nio > 0)
		put_entry(picture, nentries++, picture->panel != NULL ? "i io" : "n io",
			  "I/O node");
	if (picture->draw.square_name == NULL)
		put_entry(picture, nentries++, "s", "router");
	picture->height += (nentries + columns - 1) / columns * LEGEND_HEIGHT;
}

/* What the shades mean: each its range. class: "t" of routers, "q" of cables. */
static void put_shades(struct picture *picture, const char *name, char class, double most,
		       const char *unit)
{
	struct buf *body = &picture->draw.body;
	double y = picture->height + 6;
	struct buf text = {0};
	char low[NUM_TEXT], high[NUM_TEXT];

	buf_printf(&text, "%s%s%s:", name, *unit != '\0' ? ", " : "", unit);
	draw_label(&picture->draw, "e", "start", EDGE, y + 9.7, buf_text(&text));
	y += LEGEND_HEIGHT;
	for (int k = 0; k < HEAT_SHADES; k++) {
		double x = EDGE + k * LEGEND_WIDTH;

		num_print_digits(low, most * k / HEAT_SHADES, 3);
		num_print_digits(high, most * (k + 1) / HEAT_SHADES, 3);
		if (class == 't')
			buf_printf(
				body,
				"<rect class=\"r t%d\" x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\"/>\n",
				k, x, y);
		else
			buf_printf(
				body,
				"<path class=\"c q%d\" stroke-width=\"3\" d=\"M%.1f %.1fh11\"/>\n",
				k, x, y + 5.5);
		buf_clear(&text);
		buf_printf(&text, "%s to %s", low, high);
		draw_label(&picture->draw, "e", "start", x + 17, y + 9.7, buf_text(&text));
	}
	picture->height = y + LEGEND_HEIGHT;
	if (picture->width < EDGE * 2 + HEAT_SHADES * LEGEND_WIDTH)
		picture->width = EDGE * 2 + HEAT_SHADES * LEGEND_WIDTH;
	buf_free(&text);
}

static void put_heat_legend(struct picture *picture)
{
	const struct router_heat *routers = picture->how->routers;
	const struct link_heat *links = picture->how->links;
	char name[64];

	if (routers != NULL)
		put_shades(picture, "traffic of routers", 't', routers->most, routers->unit);
	if (links != NULL) {
		snprintf(name, sizeof(name), "%s (lower is better)", links->what);
		put_shades(picture, name, 'q', links->most, links->unit);
	}
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

/* The machine's, and of several panels the policy and run. */
static void put_name(const struct picture *picture, struct buf *text)
{
	const struct topo_export_panel *panel = picture->panel;
	const struct topo *topo = picture->draw.topo;

	buf_str(text, topo->name != NULL ? topo->name : "machine");
	if (picture->how->npanels < 2)
		return;
	if (!str_eq(panel->policy, "."))
		buf_printf(text, ": %.60s", panel->policy);
	if (!str_eq(panel->run, "."))
		buf_printf(text, ", run %.30s", panel->run);
}

static void put_title(struct picture *picture)
{
	struct topo *topo = picture->draw.topo;
	int njobs = njobs_of(picture);
	struct buf text = {0};

	put_name(picture, &text);
	draw_label(&picture->draw, "t", "start", EDGE, 29, buf_text(&text));
	buf_clear(&text);
	put_counts(picture, &text);
	if (picture->panel != NULL)
		buf_printf(&text, "; %d job%s on %d node%s", njobs, plural(njobs),
			   topo->nnodes - picture->nidle, plural(topo->nnodes - picture->nidle));
	draw_label(&picture->draw, "u", "start", EDGE, 47, buf_text(&text));
	if (picture->width < EDGE * 2 + 6.1 * (double)text.n)
		picture->width = EDGE * 2 + 6.1 * (double)text.n;
	buf_free(&text);
}

/* ---- a drawing ---- */

static void count_jobs(struct picture *picture)
{
	const struct topo_export_panel *panel = picture->panel;

	picture->nnodes_of = xcalloc((size_t)njobs_of(picture) + 1, sizeof(*picture->nnodes_of));
	for (int i = 0; panel != NULL && i < picture->draw.topo->nnodes; i++) {
		if (panel->job_of[i] >= 0)
			picture->nnodes_of[panel->job_of[i]]++;
		else
			picture->nidle++;
	}
}

static void take_heat(struct picture *picture)
{
	const struct router_heat *routers = picture->how->routers;
	const struct link_heat *links = picture->how->links;
	struct draw *draw = &picture->draw;

	if (routers != NULL) {
		picture->router_heat =
			xcalloc((size_t)draw->topo->nrouters + 1, sizeof(*picture->router_heat));
		for (int r = 0; r < draw->topo->nrouters; r++)
			picture->router_heat[r] =
				routers->most > 0 ? routers->of[r] / routers->most : routers->of[r];
		draw->router_heat = picture->router_heat;
		draw->heat_most = routers->most > 0 ? routers->most : 1;
		draw->heat_unit = routers->unit;
	}
	draw->has_pair_heat = links != NULL;
	for (size_t i = 0; links != NULL && i < draw->pairs.n; i++) {
		struct draw_pair *pair = &draw->pairs.at[i];

		pair->heat =
			link_heat_of(links, picture->panel != NULL ? picture->panel->policy : NULL,
				     pair->a, pair->b);
		if (links->most > 0)
			pair->heat /= links->most;
	}
}

static enum draw_layout layout_of(const struct picture *picture)
{
	static const struct {
		const char *word;
		enum draw_layout layout;
	} layouts[] = {{"ring", DRAW_RING}, {"layers", DRAW_LAYERS}, {"domains", DRAW_DOMAINS}};

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (pick_is(picture->how->pick, "layout", layouts[i].word))
			return layouts[i].layout;
	return draw_choose(&picture->draw);
}

/* The body, and how large it is. */
static void draw_panel(struct picture *picture, struct topo *topo)
{
	static void (*const layouts[])(struct draw * draw) = {[DRAW_LAYERS] = draw_layers,
							      [DRAW_RING] = draw_ring,
							      [DRAW_GRID] = draw_grid,
							      [DRAW_DOMAINS] = draw_domains};
	struct draw *draw = &picture->draw;
	const struct topo_export_panel *panel = picture->panel;

	draw_start(draw, topo, njobs_of(picture), panel != NULL ? panel->job_names : NULL,
		   panel != NULL ? panel->job_of : NULL);
	count_jobs(picture);
	take_heat(picture);
	buf_printf(&draw->body, "<g transform=\"translate(%d %d)\">\n", EDGE, HEADER);
	layouts[layout_of(picture)](draw);
	buf_str(&draw->body, "</g>\n");
	picture->width = draw->width + 2 * EDGE;
	picture->height = draw->height + HEADER + 14;
	put_title(picture);
	put_legend(picture);
	put_heat_legend(picture);
	picture->height += EDGE - 8;
}

/* ---- the whole ---- */

struct sheet {
	struct picture *pictures; /* [n] */
	int n, across, njobs;     /* njobs: of the panel that has the most */
	double width, height;     /* of a panel */
};

static void measure(struct sheet *sheet)
{
	for (int i = 0; i < sheet->n; i++) {
		const struct picture *picture = &sheet->pictures[i];

		sheet->width = picture->width > sheet->width ? picture->width : sheet->width;
		sheet->height = picture->height > sheet->height ? picture->height : sheet->height;
		sheet->njobs = njobs_of(picture) > sheet->njobs ? njobs_of(picture) : sheet->njobs;
	}
	sheet->across = sheet->n > 4 ? 3 : sheet->n > 1 ? 2 : 1;
	if (sheet->width > 1500)
		sheet->across = 1;
}

static void put_all(const struct sheet *sheet, struct out *out)
{
	const struct picture *first = &sheet->pictures[0];
	double width = sheet->across * sheet->width;
	double height = (sheet->n + sheet->across - 1) / sheet->across * sheet->height;
	struct buf text = {0};

	foreign_xml(&text, first->draw.topo->name != NULL ? first->draw.topo->name : "machine");
	out_printf(out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		   "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
		   width, height, width, height);
	out_printf(out, "<title>%s</title>\n<style>\n%s", buf_text(&text), style);
	if (first->how->routers != NULL || first->how->links != NULL)
		out_str(out, heat_style);
	put_looks(out, sheet->njobs);
	out_str(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	for (int i = 0; i < sheet->n; i++) {
		const struct buf *body = &sheet->pictures[i].draw.body;

		if (sheet->n > 1)
			out_printf(out, "<g transform=\"translate(%.0f %.0f)\">\n",
				   i % sheet->across * sheet->width,
				   i / sheet->across * sheet->height);
		out_write(out, body->text, body->n);
		out_str(out, sheet->n > 1 ? "</g>\n" : "");
	}
	out_str(out, "</svg>\n");
	buf_free(&text);
}

/* What is too large for every layout: more squares than can be distinguished. */
static bool is_too_large(const struct topo *topo)
{
	return topo->nrouters > ROUTERS_MOST && topo->tiers[topo->ntiers - 1].n > ROUTERS_MOST;
}

static int write_svg(struct topo *topo, struct out *out, const struct topo_export *how,
		     struct err *err)
{
	struct sheet sheet = {.n = how->npanels > 0 ? how->npanels : 1};

	if (is_too_large(topo))
		return err_set(err, "%d routers are too many for a drawing (up to %d)",
			       topo->nrouters, ROUTERS_MOST);
	sheet.pictures = xcalloc((size_t)sheet.n, sizeof(*sheet.pictures));
	for (int i = 0; i < sheet.n; i++) {
		sheet.pictures[i].how = how;
		sheet.pictures[i].panel = how->npanels > 0 ? &how->panels[i] : NULL;
		draw_panel(&sheet.pictures[i], topo);
	}
	measure(&sheet);
	put_all(&sheet, out);
	for (int i = 0; i < sheet.n; i++) {
		free(sheet.pictures[i].nnodes_of);
		free(sheet.pictures[i].router_heat);
		draw_free(&sheet.pictures[i].draw);
	}
	free(sheet.pictures);
	return 0;
}

static const struct param params[] = {
	{.key = "layout",
	 .type = PARAM_WORD,
	 .def = "auto",
	 .choices = "auto|ring|layers|domains",
	 .meaning =
		 "ring: groups on a circle; layers: leaf switches below, spines above; domains: a "
		 "square for each router in the box of its group; auto: planes for meshes and "
		 "tori, domains from 5 000 nodes or 6 000 cables on, layers where routers have "
		 "no nodes, else a ring"},
	{.key = NULL},
};

const struct topo_exporter topo_exporter_svg = {
	.entry =
		{
			.name = "svg",
			.summary = "a drawing; with --jobs, each job in a separate colour",
			.example = "svg",
			.params = params,
		},
	.shows_jobs = true,
	.draws_panels = true,
	.write = write_svg,
};
