/* page_html.c - a report as one HTML page that needs no other file, no network and no script */
#include <math.h>
#include <string.h>

#include "base/foreign.h"
#include "base/num.h"
#include "report/page.h"

/* Colours: contrast of texts 4.5:1 at least, of marks 3:1, in both schemes. In print all that is
 * folded is shown, in two columns; what is wider than one goes over both. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1a1a1a;--dim:#555;--line:#8a8a8a;\n"
	"--soft:#f1f3f5;--a:#1f6fb4;--b:#b4531f;\n"
	"--h0:#e8eef4;--h1:#b3cde3;--h2:#6fa3cc;--h3:#2f74ad;--h4:#0b3d6b}\n"
	"@media screen and (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#ececec;\n"
	"--dim:#b4b4b4;--line:#777;--soft:#20252a;--a:#6db3f2;--b:#f0a070;\n"
	"--h0:#22303c;--h1:#2f5573;--h2:#4585b5;--h3:#7db8e4;--h4:#cfe8fb}}\n"
	"body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--bg);color:var(--fg);\n"
	"font:1rem/1.5 system-ui,sans-serif}\n"
	"h1{font-size:1.6rem;margin:.2em 0}h2{font-size:1.25rem;margin:2em 0 .3em;\n"
	"border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:1em 0 .2em}\n"
	"p{margin:.4em 0}.dim{color:var(--dim)}a{color:var(--a)}nav ul{padding:0;margin:.5em 0;\n"
	"display:flex;flex-wrap:wrap;gap:.2em 1.2em;list-style:none}\n"
	".wide{overflow-x:auto;max-width:100%}\n"
	".wide:focus,summary:focus,a:focus{outline:2px solid var(--a)}\n"
	"table{border-collapse:collapse;margin:.7em 0;font-size:.92rem}\n"
	"caption{text-align:left;font-weight:600;padding:.2em 0;white-space:nowrap}\n"
	".full caption{white-space:normal}\n"
	"th,td{padding:.15em .7em .15em 0;border-bottom:1px solid var(--soft);text-align:left;\n"
	"vertical-align:top;white-space:nowrap}thead th{border-bottom:1px solid var(--line)}\n"
	"td.l{white-space:normal;overflow-wrap:anywhere;min-width:16rem}\n"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"summary{cursor:pointer;font-size:.92rem;color:var(--dim)}\n"
	"figure{margin:.8em 0}figcaption{font-weight:600;font-size:.92rem}\n"
	"svg{max-width:100%;min-width:30rem;height:auto;display:block}svg.b{display:inline-block;\n"
	"min-width:0;width:8rem;height:.7em;margin-left:.6em}\n"
	"svg text{fill:var(--fg);font:13px system-ui,sans-serif}.ax{stroke:var(--line);fill:none}\n"
	".area{fill:var(--h1);stroke:var(--a);stroke-width:1.5}.bar,.part{fill:var(--h3)}\n"
	".q{stroke:var(--a);stroke-width:3}.m{fill:var(--b);stroke:var(--bg)}\n"
	".k{fill:var(--a);stroke:var(--bg)}.h0{fill:var(--h0)}.h1{fill:var(--h1)}\n"
	".h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}\n"
	".c{stroke:var(--line);stroke-width:.5}\n"
	"pre{background:var(--soft);padding:.6em;overflow-x:auto;font-size:.85rem}\n"
	"@media print{@page{size:A4;margin:9mm}:root{color-scheme:light}\n"
	"body{max-width:none;font-size:6.5pt;line-height:1.25;padding:0}nav,summary{display:none}\n"
	"main{columns:2;column-gap:6mm}h1{font-size:11pt}h2{font-size:8.5pt;margin:.8em 0 .2em;\n"
	"break-after:avoid}h3{font-size:6.5pt;margin:.3em 0}.full,pre{column-span:all}\n"
	"table{font-size:5.6pt;margin:.3em 0}caption,figcaption{font-size:6.2pt;\n"
	"break-after:avoid}th,td{padding:.05em .6em .05em 0}td.l{min-width:0}\n"
	"tr,figure{break-inside:avoid}figure{margin:.3em 0}\n"
	"details::details-content{content-visibility:visible;block-size:auto}\n"
	".wide{overflow:visible}svg{max-height:34mm;min-width:0}svg.b{width:14mm}\n"
	"pre{font-size:5pt;padding:.3em;white-space:pre-wrap;overflow-wrap:anywhere}}\n";

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
		out_str(out, is_head                   ? "<th scope=\"row\">"
			     : strlen(cell->text) > 40 ? "<td class=\"l\">"
						       : "<td>");
		out_foreign(out, foreign_html, cell->text);
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
		   table->ncolumns > 7 ? " full" : "");
	out_foreign(out, foreign_xml, table->title);
	out_str(out, "\"><table><caption>");
	out_foreign(out, foreign_html, table->title);
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

	out_str(out, table->is_detail ? "<details><summary>The numbers</summary>\n" : "");
	write_head(table, out);
	for (size_t i = 0; i < table->cells.n; i++) {
		size_t column = i % (size_t)table->ncolumns;

		out_str(out, column == 0 ? "<tr>" : "");
		write_cell(&table->cells.at[i], column == 0, (int)column == table->bars ? most : 0,
			   out);
		out_str(out, column + 1 == (size_t)table->ncolumns ? "</tr>\n" : "");
	}
	out_str(out, table->is_detail ? "</tbody></table></div></details>\n"
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
		     "<link rel=\"icon\" href=\"data:,\"/>\n<title>");
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
