/* page.c - a report as sections, sentences, tables and figures */
#include "base/foreign.h"
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

void page_free(struct page *page)
{
	for (size_t i = 0; i < page->items.n; i++) {
		vec_free(&page->items.at[i]->cells);
		vec_free(&page->items.at[i]->lines);
		vec_free(&page->items.at[i]->tiles);
	}
	vec_free(&page->items);
	arena_free(&page->arena);
}

const char *page_text(struct page *page, const char *fmt, ...)
{
	char text[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return arena_strndup(&page->arena, text, strlen(text));
}

static struct page_item *add(struct page *page, enum page_type type, const char *title)
{
	struct page_item *item = arena_alloc(&page->arena, sizeof(*item));

	*item = (struct page_item){.type = type,
				   .title = arena_strndup(&page->arena, title, strlen(title))};
	vec_push(&page->items, item);
	return item;
}

void page_section(struct page *page, const char *title)
{
	add(page, PAGE_SECTION, title);
}

void page_sentence(struct page *page, const char *text)
{
	add(page, PAGE_SENTENCE, text);
}

void page_banner(struct page *page, const char *text, bool is_bad)
{
	add(page, PAGE_BANNER, text)->is_bad = is_bad;
}

struct page_item *page_tiles(struct page *page, const char *caption)
{
	return add(page, PAGE_TILES, caption);
}

struct page_item *page_advice(struct page *page, const char *caption)
{
	return add(page, PAGE_ADVICE, caption);
}

struct page_item *page_table(struct page *page, const char *caption, const char *const *headings)
{
	struct page_item *table = add(page, PAGE_TABLE, caption);

	while (headings[table->ncolumns] != NULL)
		table->ncolumns++;
	table->headings = arena_alloc(&page->arena, (size_t)table->ncolumns * sizeof(char *));
	memcpy(table->headings, headings, (size_t)table->ncolumns * sizeof(char *));
	return table;
}

void page_cell_text(struct page *page, struct page_item *table, const char *text)
{
	if (text == NULL)
		text = "";
	vec_push(&table->cells,
		 (struct page_cell){.text = arena_strndup(&page->arena, text, strlen(text))});
}

void page_cell_nodes(struct page *page, struct page_item *table, const char *nodes, int nnodes)
{
	page_cell_text(page, table, nodes);
	table->cells.at[table->cells.n - 1].nnames = nnodes;
}

void page_cell_number(struct page_item *table, double value, const char *unit)
{
	vec_push(&table->cells, (struct page_cell){.value = value, .unit = unit});
}

void page_figure(struct page *page, const char *caption, const char *about, struct buf *svg)
{
	struct page_item *figure = add(page, PAGE_FIGURE, caption);

	figure->svg = arena_strndup(&page->arena, buf_text(svg), svg->n);
	figure->about = arena_strndup(&page->arena, about, strlen(about));
	buf_free(svg);
}

struct page_item *page_log(struct page *page, const char *caption)
{
	return add(page, PAGE_LOG, caption);
}

void page_log_line(struct page *page, struct page_item *log, const char *text)
{
	vec_push(&log->lines, arena_strndup(&page->arena, text, strlen(text)));
}

/* ---- numbers ---- */

/* "3 d 4 h", "2 h 13 min", "12 min 5 s". */
static void print_duration(double seconds, char text[48])
{
	double left = floor(fabs(seconds) + .5);
	const char *sign = seconds < 0 ? "-" : "";

	if (left >= 86400)
		snprintf(text, 48, "%s%.0f d %.0f h", sign, floor(left / 86400),
			 floor(fmod(left, 86400) / 3600));
	else if (left >= 3600)
		snprintf(text, 48, "%s%.0f h %.0f min", sign, floor(left / 3600),
			 floor(fmod(left, 3600) / 60));
	else
		snprintf(text, 48, "%s%.0f min %.0f s", sign, floor(left / 60), fmod(left, 60));
}

/* "227 104": whole, in groups of three. */
static void print_grouped(double value, char text[48])
{
	char digits[32];
	int n = snprintf(digits, sizeof(digits), "%.0f", fabs(value)), at = 0;

	if (value < 0)
		text[at++] = '-';
	for (int i = 0; i < n; i++) {
		text[at++] = digits[i];
		if (i + 1 < n && (n - 1 - i) % 3 == 0) {
			memcpy(text + at, "\xe2\x80\xaf",
			       3); /* a narrow blank, no place for a new line */
			at += 3;
		}
	}
	text[at] = '\0';
}

const char *page_tile_number(const struct page_tile *tile, double value, char text[48])
{
	if (tile->is_part && !isnan(value))
		snprintf(text, 48, "%.1f %%", 100 * value);
	else
		page_number(value, tile->unit, text);
	return text;
}

const char *page_number(double value, const char *unit, char text[48])
{
	bool has_unit = unit != NULL && !str_eq(unit, "1");
	char number[NUM_TEXT];

	if (isnan(value)) {
		snprintf(text, 48, "-");
	} else if (has_unit && str_eq(unit, "s") && fabs(value) >= 120) {
		print_duration(value, text);
	} else if (!has_unit && fabs(value) >= 1000 && fabs(value) < 1e15) {
		print_grouped(value, text);
	} else {
		num_print_digits(number, value, 4);
		snprintf(text, 48, "%s%s%s", number, has_unit ? " " : "", has_unit ? unit : "");
	}
	return text;
}

/* ---- JSON ---- */

static void write_value(const struct page_cell *cell, struct out *out)
{
	char number[NUM_TEXT];

	if (cell->text != NULL) {
		out_foreign(out, foreign_json, cell->text);
	} else if (!isfinite(cell->value)) {
		out_str(out, "null");
	} else {
		num_print_real(number, cell->value);
		out_str(out, number);
	}
}

static void write_table(const struct page_item *table, struct out *out)
{
	out_str(out, "    {\"caption\": ");
	out_foreign(out, foreign_json, table->title);
	out_str(out, ", \"columns\": [");
	for (int i = 0; i < table->ncolumns; i++) {
		out_str(out, i > 0 ? ", " : "");
		out_foreign(out, foreign_json, table->headings[i]);
	}
	out_str(out, "], \"rows\": [");
	for (size_t i = 0; i < table->cells.n; i++) {
		bool is_first = i % (size_t)table->ncolumns == 0;

		out_str(out, is_first ? i > 0 ? "],\n      [" : "\n      [" : ", ");
		write_value(&table->cells.at[i], out);
	}
	out_str(out, table->cells.n > 0 ? "]]}" : "]}");
}

void page_write_tables(const struct page *page, struct out *out)
{
	bool is_first = true;

	out_str(out, "  \"tables\": [\n");
	for (size_t i = 0; i < page->items.n; i++)
		if (page->items.at[i]->type == PAGE_TABLE) {
			out_str(out, is_first ? "" : ",\n");
			write_table(page->items.at[i], out);
			is_first = false;
		}
	out_str(out, "\n  ]");
}
