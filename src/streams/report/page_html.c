/* page_html.c - a report as one HTML page that needs no other file, no network and no script */
#include <math.h>
#include <string.h>

#include "base/foreign.h"
#include "base/num.h"
#include "report/page.h"

/* Colours: contrast of texts 4.5:1 at least, of marks 3:1, in both schemes. Tables of a section
 * stand side by side where there is room; what is wider than the page scrolls, with a shadow where
 * more is. In print what is folded stays folded, and nothing is smaller than 8 pt. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1a1a1a;--dim:#555;--line:#8a8a8a;\n"
	"--soft:#f1f3f5;--a:#1f6fb4;--b:#b4531f;--bad:#b3261e;--badbg:#fdecea;--ok:#2e6b34;--okbg:#edf6ee;\n"
	"--shade:rgba(0,0,0,.28);--h0:#e8eef4;--h1:#b3cde3;--h2:#6fa3cc;--h3:#2f74ad;--h4:#0b3d6b}\n"
	"@media screen and (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#ececec;\n"
	"--dim:#b4b4b4;--line:#777;--soft:#20252a;--a:#6db3f2;--b:#f0a070;--bad:#ff8a80;--badbg:#3a1f1d;\n"
	"--ok:#9ccc9f;--okbg:#1d2b1f;--shade:rgba(255,255,255,.28);\n"
	"--h0:#22303c;--h1:#2f5573;--h2:#4585b5;--h3:#7db8e4;--h4:#cfe8fb}}\n"
	"body{margin:0 auto;max-width:80rem;padding:1rem;background:var(--bg);color:var(--fg);\n"
	"font:1rem/1.5 system-ui,sans-serif}\n"
	"h1{font-size:1.6rem;margin:.2em 0;line-height:1.2}h2{font-size:1.25rem;margin:1.6em 0 .2em;\n"
	"border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:.8em 0 .2em}\n"
	"p{margin:.4em 0}.dim{color:var(--dim)}a{color:var(--a)}nav ul{padding:0;margin:.5em 0;\n"
	"display:flex;flex-wrap:wrap;gap:.2em 1.2em;list-style:none}\n"
	"section{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));\n"
	"gap:0 2rem;align-items:start}section>*{grid-column:1/-1;min-width:0}\n"
	"section>.wide,section>figure.half{grid-column:auto}section>.full{grid-column:1/-1}\n"
	".banner{padding:.5em .8em;border-left:.35rem solid var(--ok);background:var(--okbg);\n"
	"font-size:1.05rem}.banner.bad{border-color:var(--bad);background:var(--badbg);font-weight:600}\n"
	".bad{color:var(--bad);font-weight:600}\n"
	".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:.6rem;\n"
	"padding:0;margin:.7em 0;list-style:none}.tiles li{background:var(--soft);padding:.5em .7em;\n"
	"border-top:.2rem solid var(--line);min-width:0}.tiles li.bad{border-color:var(--bad);\n"
	"color:inherit;font-weight:inherit;background:var(--badbg)}.tiles h3{margin:0;font-size:.88rem;font-weight:500;\n"
	"color:var(--dim)}.tiles b{display:block;font-size:1.5rem;line-height:1.25}\n"
	".tiles li.bad b{color:var(--bad)}.tiles small{display:block;color:var(--dim);font-size:.82rem}\n"
	"svg.spark{width:100%;min-width:0;height:2rem;margin-top:.2rem}\n"
	".spark path{fill:none;stroke:var(--a);stroke-width:1.5;vector-effect:non-scaling-stroke;\n"
	"stroke-linecap:round}.spark .now{stroke:var(--b);stroke-width:6}.spark .m{stroke:var(--line);stroke-width:1;\n"
	"stroke-dasharray:3 3}\n"
	"ol.do{margin:.2em 0 .6em;padding-left:1.4em}ol.do li{margin:.35em 0}\n"
	"code{font-size:.88em;background:var(--soft);padding:.15em .4em;overflow-wrap:anywhere;\n"
	"user-select:all}ol.do code{display:block;width:fit-content;max-width:100%;box-sizing:border-box;margin-top:.15em}\n"
	".wide{overflow-x:auto;max-width:100%;scrollbar-width:thin;\n"
	"background:linear-gradient(to right,var(--bg) 30%,transparent) left/2.5rem 100% no-repeat local,\n"
	"linear-gradient(to left,var(--bg) 30%,transparent) right/2.5rem 100% no-repeat local,\n"
	"radial-gradient(farthest-side at 0 50%,var(--shade),transparent) left/1rem 100% no-repeat scroll,\n"
	"radial-gradient(farthest-side at 100% 50%,var(--shade),transparent) right/1rem 100% no-repeat scroll}\n"
	".wide:focus,summary:focus,a:focus{outline:2px solid var(--a)}\n"
	"table{border-collapse:collapse;margin:.5em 0;font-size:.9rem}\n"
	"caption{text-align:left;font-weight:600;padding:.2em 0}\n"
	"th,td{padding:.15em .75em .15em 0;border-bottom:1px solid var(--soft);text-align:left;\n"
	"vertical-align:top;white-space:nowrap}thead th{border-bottom:1px solid var(--line)}\n"
	"td.l{white-space:normal;overflow-wrap:anywhere;min-width:14rem}\n"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"summary{cursor:pointer;font-size:.92rem;color:var(--dim)}summary.t{color:var(--fg);font-weight:600}\n"
	"figure{margin:.6em 0}figcaption{font-weight:600;font-size:.92rem}\n"
	"svg{width:100%;min-width:34rem;height:auto;display:block}svg.b{display:inline-block;\n"
	"min-width:0;width:3.5rem;height:.7em;margin-left:.5em}\n"
	"svg text{fill:var(--fg);font:13px system-ui,sans-serif}.ax{stroke:var(--line);fill:none}\n"
	".area{fill:var(--h1);stroke:var(--a);stroke-width:1.5}.bar,.part{fill:var(--h3)}\n"
	".q{stroke:var(--a);stroke-width:3}.m{fill:var(--b);stroke:var(--bg)}\n"
	".k{fill:var(--a);stroke:var(--bg)}.h0{fill:var(--h0)}.h1{fill:var(--h1)}\n"
	".h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}\n"
	".c{stroke:var(--line);stroke-width:.5}\n"
	"pre{background:var(--soft);padding:.6em;overflow-x:auto;font-size:.85rem}\n"
	"@media(min-width:60rem){svg text{font-size:8px}}\n"
	"@media(max-width:40rem){.tiles{grid-template-columns:1fr 1fr}.tiles b{font-size:1.25rem}\n"
	"svg.b{display:none}}\n"
	"@media print{@page{size:A4;margin:11mm}:root{color-scheme:light}\n"
	"body{max-width:none;font-size:9pt;line-height:1.3;padding:0}nav{display:none}\n"
	"h1{font-size:14pt}h2{font-size:11pt;margin:.9em 0 .2em;break-after:avoid}h3{font-size:9pt}\n"
	"section{display:block}table,caption,figcaption,summary,code,.tiles small,.tiles h3{font-size:8pt}\n"
	".tiles{grid-template-columns:repeat(6,1fr)}.tiles b{font-size:11pt}.banner{font-size:9pt}\n"
	"th,td{padding:.05em .6em .05em 0}td.l{min-width:0}td,th{white-space:normal}\n"
	"tr,figure,.tiles,ol.do{break-inside:avoid}.wide{overflow:visible;background:none}\n"
	"svg{min-width:0;max-height:42mm}svg text{font-size:16px}svg.b{width:14mm}svg.spark{height:6mm}\n"
	"pre{font-size:8pt;white-space:pre-wrap;overflow-wrap:anywhere}}\n";

/* Whether a column of a table has numbers, which are at the right. */
static bool is_numeric(const struct page_item *table, int column)
{
	for (size_t i = (size_t)column; i < table->cells.n; i += (size_t)table->ncolumns)
		if (table->cells.at[i].text != NULL)
			return false;
	return table->cells.n > 0;
}

/* most: of the column; 0: no bar. The number is next to it: a reader of screens skips it. */
static void write_bar(double value, double most, struct out *out)
{
	if (most > 0)
		out_printf(
			out,
			"<svg class=\"b\" aria-hidden=\"true\" viewBox=\"0 0 100 9\" "
			"preserveAspectRatio=\"none\"><path class=\"bar\" d=\"M0 0H%.1fV9H0z\"/></svg>",
			value > 0 ? 100 * value / most : 0);
}

static void write_cell(const struct page_cell *cell, bool is_head, double most, struct out *out)
{
	char shown[48], whole[NUM_TEXT];

	if (cell->text != NULL) {
		bool folds = cell->nnames > 8 && strlen(cell->text) > 60;

		out_str(out, is_head                   ? "<th scope=\"row\">"
			     : cell->is_bad            ? "<td class=\"bad\">"
			     : strlen(cell->text) > 40 ? "<td class=\"l\">"
						       : "<td>");
		if (folds)
			out_printf(out, "<details><summary>%d nodes</summary>", cell->nnames);
		out_foreign(out, foreign_html, cell->text);
		out_str(out, folds ? "</details>" : "");
		out_str(out, is_head ? "</th>" : "</td>");
		return;
	}
	page_number(cell->value, cell->unit, shown);
	if (!isfinite(cell->value)) {
		out_printf(out, "<td class=\"n\">%s</td>", shown);
		return;
	}
	num_print_real(whole, cell->value);
	out_printf(out, "<td class=\"n\"><data value=\"%s\">", whole);
	out_foreign(out, foreign_xml, shown);
	out_str(out, "</data>");
	write_bar(cell->value, most, out);
	out_str(out, "</td>");
}

/* The greatest number of the column that is drawn as bars. */
static double most_of_bars(const struct page_item *table)
{
	double most = 0;

	for (size_t i = (size_t)table->bars; table->bars > 0 && i < table->cells.n;
	     i += (size_t)table->ncolumns)
		most = table->cells.at[i].value > most ? table->cells.at[i].value : most;
	return most;
}

static void write_head(const struct page_item *table, struct out *out)
{
	out_printf(out, "<div class=\"wide%s\" role=\"group\" tabindex=\"0\" aria-label=\"",
		   table->ncolumns > 6 && table->bars == 0 ? " full" : "");
	out_foreign(out, foreign_xml, table->title);
	out_str(out, "\"><table><caption>");
	out_foreign(out, foreign_xml, table->title);
	out_str(out, "</caption>\n<thead><tr>");
	for (int i = 0; i < table->ncolumns; i++) {
		out_printf(out, "<th scope=\"col\"%s>", is_numeric(table, i) ? " class=\"n\"" : "");
		out_foreign(out, foreign_xml, table->headings[i]);
		out_str(out, "</th>");
	}
	out_str(out, "</tr></thead>\n<tbody>\n");
}

static void write_table(const struct page_item *table, struct out *out)
{
	double most = most_of_bars(table);

	if (table->is_folded) {
		out_str(out, "<details><summary class=\"t\">");
		out_foreign(out, foreign_xml, table->title);
		out_str(out, "</summary>\n");
	}
	out_str(out, table->is_detail ? "<details><summary>The numbers</summary>\n" : "");
	write_head(table, out);
	for (size_t i = 0; i < table->cells.n; i++) {
		size_t column = i % (size_t)table->ncolumns;

		out_str(out, column == 0 ? "<tr>" : "");
		write_cell(&table->cells.at[i], column == 0, (int)column == table->bars ? most : 0,
			   out);
		out_str(out, column + 1 == (size_t)table->ncolumns ? "</tr>\n" : "");
	}
	out_str(out, table->is_detail || table->is_folded ? "</tbody></table></div></details>\n"
							  : "</tbody></table></div>\n");
}

/* The picture's name and what it shows are read aloud in its place. */
static void write_figure(const struct page_item *figure, size_t id, struct out *out)
{
	out_printf(out, "<figure><figcaption>");
	out_foreign(out, foreign_xml, figure->title);
	out_printf(out,
		   "</figcaption>\n<div class=\"wide\" role=\"group\" tabindex=\"0\" "
		   "aria-labelledby=\"t%zu\"><svg role=\"img\" aria-labelledby=\"t%zu d%zu\" %s",
		   id, id, id, "xmlns=\"http://www.w3.org/2000/svg\" ");
	/* svg begins with its viewBox and ends in the closing tag */
	for (const char *at = figure->svg; *at != '\0'; at++) {
		out_char(out, *at);
		if (*at == '>') {
			out_printf(out, "<title id=\"t%zu\">", id);
			out_foreign(out, foreign_xml, figure->title);
			out_printf(out, "</title><desc id=\"d%zu\">", id);
			out_foreign(out, foreign_xml, figure->about);
			out_str(out, "</desc>\n");
			out_str(out, at + 1);
			break;
		}
	}
	out_str(out, "</div></figure>\n");
}

static void write_log(const struct page_item *log, struct out *out)
{
	out_str(out, "<h3>");
	out_foreign(out, foreign_xml, log->title);
	out_str(out, "</h3>\n<pre tabindex=\"0\">");
	for (size_t i = 0; i < log->lines.n; i++) {
		out_foreign(out, foreign_xml, log->lines.at[i]);
		out_char(out, '\n');
	}
	out_str(out, "</pre>\n");
}

/* From the oldest night to this one, whose end is a dot; the mean is dashed. */
static void write_spark(const struct page_tile *tile, struct out *out)
{
	double low = 0, high = tile->value, x = 1,
	       step = 98.0 / (tile->npast > 0 ? tile->npast : 1);

	for (int i = 0; i < tile->npast; i++)
		high = tile->past[i] > high ? tile->past[i] : high;
	if (tile->npast == 0 || isnan(tile->value) || !(high > low))
		return;
	out_str(out, "<svg class=\"spark\" aria-hidden=\"true\" viewBox=\"0 0 100 30\" "
		     "preserveAspectRatio=\"none\">");
	if (!isnan(tile->mean))
		out_printf(out, "<path class=\"m\" d=\"M1 %.1fH99\"/>",
			   27 - 24 * tile->mean / high);
	for (int i = 0; i < tile->npast; i++, x += step)
		out_printf(out, "%s%.1f %.1f", i == 0 ? "<path d=\"M" : "L", x,
			   27 - 24 * tile->past[i] / high);
	out_printf(out, "L99 %.1f\"/><path class=\"now\" d=\"M99 %.1fh.1\"/></svg>",
		   27 - 24 * tile->value / high, 27 - 24 * tile->value / high);
}

static void write_tiles(const struct page_item *tiles, struct out *out)
{
	char room[48], whole[NUM_TEXT];

	out_str(out, "<ul class=\"tiles\" aria-label=\"");
	out_foreign(out, foreign_xml, tiles->title);
	out_str(out, "\">\n");
	for (size_t i = 0; i < tiles->tiles.n; i++) {
		const struct page_tile *tile = &tiles->tiles.at[i];

		out_printf(out, "<li%s><h3>%s</h3><b>", tile->is_bad ? " class=\"bad\"" : "",
			   tile->title);
		if (isfinite(tile->value)) {
			num_print_real(whole, tile->value);
			out_printf(out, "<data value=\"%s\">%s</data>", whole,
				   page_tile_number(tile, tile->value, room));
		} else {
			out_str(out, "-");
		}
		out_str(out, "</b>");
		if (!isnan(tile->before))
			out_printf(out, "<small>before: %s</small>",
				   page_tile_number(tile, tile->before, room));
		if (!isnan(tile->mean))
			out_printf(out, "<small>mean of %d: %s</small>", tile->npast,
				   page_tile_number(tile, tile->mean, room));
		write_spark(tile, out);
		out_str(out, "</li>\n");
	}
	out_str(out, "</ul>\n");
}

static void write_advice(const struct page_item *advice, struct out *out)
{
	out_str(out, "<h3>");
	out_foreign(out, foreign_xml, advice->title);
	out_str(out, "</h3>\n<ol class=\"do\">\n");
	for (size_t i = 0; i + 1 < advice->lines.n; i += 2) {
		out_str(out, "<li>");
		out_foreign(out, foreign_html, advice->lines.at[i]);
		if (advice->lines.at[i + 1][0] != '\0') {
			out_str(out, " <code>");
			out_foreign(out, foreign_xml, advice->lines.at[i + 1]);
			out_str(out, "</code>");
		}
		out_str(out, "</li>\n");
	}
	out_str(out, "</ol>\n");
}

static void write_navigation(const struct page *page, struct out *out)
{
	out_str(out, "<nav aria-label=\"Sections\"><ul>");
	for (size_t i = 0; i < page->items.n; i++)
		if (page->items.at[i]->type == PAGE_SECTION) {
			out_printf(out, "<li><a href=\"#s%zu\">", i);
			out_foreign(out, foreign_xml, page->items.at[i]->title);
			out_str(out, "</a></li>");
		}
	out_str(out, "</ul></nav>\n");
}

void page_write_html(const struct page *page, struct out *out)
{
	bool is_open = false;

	out_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		     "form-action 'none'\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>");
	out_foreign(out, foreign_xml, page->title);
	out_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header><h1>", style);
	out_foreign(out, foreign_xml, page->title);
	out_str(out, "</h1>\n<p class=\"dim\">");
	out_foreign(out, foreign_xml, page->subtitle);
	out_str(out, "</p></header>\n");
	write_navigation(page, out);
	out_str(out, "<main>\n");
	for (size_t i = 0; i < page->items.n; i++) {
		const struct page_item *item = page->items.at[i];

		if (item->type == PAGE_SECTION) {
			out_printf(out, "%s<section aria-labelledby=\"s%zu\"><h2 id=\"s%zu\">",
				   is_open ? "</section>\n" : "", i, i);
			out_foreign(out, foreign_xml, item->title);
			out_str(out, "</h2>\n");
			is_open = true;
		} else if (item->type == PAGE_SENTENCE) {
			out_str(out, "<p>");
			out_foreign(out, foreign_html, item->title);
			out_str(out, "</p>\n");
		} else if (item->type == PAGE_BANNER) {
			out_printf(out, "<p class=\"banner%s\">", item->is_bad ? " bad" : "");
			out_foreign(out, foreign_html, item->title);
			out_str(out, "</p>\n");
		} else if (item->type == PAGE_TILES) {
			write_tiles(item, out);
		} else if (item->type == PAGE_ADVICE) {
			write_advice(item, out);
		} else if (item->type == PAGE_TABLE) {
			write_table(item, out);
		} else if (item->type == PAGE_FIGURE) {
			write_figure(item, i, out);
		} else {
			write_log(item, out);
		}
	}
	out_printf(out, "%s</main>\n</body>\n</html>\n", is_open ? "</section>\n" : "");
}
