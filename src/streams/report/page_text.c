/* page_text.c - a report as plain text for mail, and as Markdown */
#include <stdio.h>
#include <string.h>

#include "base/foreign.h"
#include "report/page.h"

/* The letters of a text, which is UTF-8. */
static int width_of(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* A text as it is written: nothing in it acts, and in Markdown nothing is markup. */
static const char *shown(struct buf *room, const char *text, bool is_markdown)
{
	buf_clear(room);
	(is_markdown ? foreign_markdown : foreign_text)(room, text);
	return room->text;
}

static const char *cell_text(const struct page_cell *cell, bool is_markdown, struct buf *room)
{
	char number[48], folded[64];

	if (cell->text != NULL && cell->nnames > 8 && strlen(cell->text) > 60) {
		snprintf(folded, sizeof(folded), "%.20s... (%d nodes)", cell->text, cell->nnames);
		return shown(room, folded, is_markdown);
	}

	return shown(room,
		     cell->text != NULL ? cell->text : page_number(cell->value, cell->unit, number),
		     is_markdown);
}

static void pad(struct out *out, const char *text, int width, bool at_right)
{
	int blanks = width - width_of(text);

	for (int i = 0; at_right && i < blanks; i++)
		out_char(out, ' ');
	out_str(out, text);
	for (int i = 0; !at_right && i < blanks; i++)
		out_char(out, ' ');
}

/* Before, the text, after: a part of a line. */
static void put(struct out *out, const char *before, const char *text, const char *after,
		bool is_markdown)
{
	out_str(out, before);
	out_foreign(out, is_markdown ? foreign_markdown : foreign_text, text);
	out_str(out, after);
}

static void write_caption(const char *text, bool is_markdown, struct out *out)
{
	if (is_markdown)
		put(out, "\n**", text, "**\n\n", true);
	else
		put(out, "\n", text, "\n", false);
}

/* rows: "| a | b |" with a line under the names; else columns two blanks apart. */
static void write_table(const struct page_item *table, bool is_markdown, struct out *out)
{
	int n = table->ncolumns, widths[64];
	struct buf room = {0};

	for (int i = 0; i < n && i < 64; i++) {
		widths[i] = width_of(shown(&room, table->headings[i], is_markdown));
		for (size_t k = (size_t)i; k < table->cells.n; k += (size_t)n) {
			int width = width_of(cell_text(&table->cells.at[k], is_markdown, &room));

			widths[i] = width > widths[i] ? width : widths[i];
		}
	}
	write_caption(table->title, is_markdown, out);
	for (int i = 0; i < n; i++) {
		out_str(out, is_markdown ? "| " : "  ");
		pad(out, shown(&room, table->headings[i], is_markdown), widths[i],
		    table->cells.n > 0 && table->cells.at[i].text == NULL);
		out_str(out, is_markdown ? " " : "");
	}
	out_str(out, is_markdown ? "|\n" : "\n");
	for (int i = 0; i < n && is_markdown; i++)
		out_str(out, table->cells.n > 0 && table->cells.at[i].text == NULL ? "| ---: "
										   : "| --- ");
	out_str(out, is_markdown ? "|\n" : "");
	for (size_t k = 0; k < table->cells.n; k++) {
		const struct page_cell *cell = &table->cells.at[k];
		bool is_last = k % (size_t)n + 1 == (size_t)n;

		out_str(out, is_markdown ? "| " : "  ");
		pad(out, cell_text(cell, is_markdown, &room),
		    is_last && cell->text != NULL ? 0 : widths[k % (size_t)n], cell->text == NULL);
		out_str(out, is_markdown ? " " : "");
		if (is_last)
			out_str(out, is_markdown ? "|\n" : "\n");
	}
	buf_free(&room);
}

/* A number a line, as a table is written. */
static void write_tiles(const struct page_item *tiles, bool is_markdown, struct out *out)
{
	const char *headings[] = {"Number", "Now", "Before", "Mean of a month"};
	struct page_item table = {.title = tiles->title, .headings = headings, .ncolumns = 4};
	struct arena arena = {0};

	for (size_t i = 0; i < tiles->tiles.n; i++) {
		const struct page_tile *tile = &tiles->tiles.at[i];
		const double values[] = {tile->value, tile->before, tile->mean};

		vec_push(&table.cells, (struct page_cell){.text = tile->title});
		for (int k = 0; k < 3; k++) {
			char *text = arena_alloc(&arena, 48);

			vec_push(&table.cells, (struct page_cell){.text = page_tile_number(
									  tile, values[k], text)});
		}
	}
	write_table(&table, is_markdown, out);
	vec_free(&table.cells);
	arena_free(&arena);
}

static void write_advice(const struct page_item *advice, bool is_markdown, struct out *out)
{
	write_caption(advice->title, is_markdown, out);
	for (size_t i = 0; i + 1 < advice->lines.n; i += 2) {
		out_printf(out, "%zu. ", i / 2 + 1);
		put(out, "", advice->lines.at[i], "\n", is_markdown);
		if (advice->lines.at[i + 1][0] != '\0')
			put(out, is_markdown ? "   `" : "   $ ", advice->lines.at[i + 1],
			    is_markdown ? "`\n" : "\n", false);
	}
}

static void write(const struct page *page, bool is_markdown, struct out *out)
{
	struct buf room = {0};

	put(out, is_markdown ? "# " : "", page->title, is_markdown ? "\n\n" : "\n", is_markdown);
	put(out, "", page->subtitle, "\n", is_markdown);
	for (size_t i = 0; i < page->items.n; i++) {
		const struct page_item *item = page->items.at[i];

		if (item->type == PAGE_SECTION) {
			put(out, is_markdown ? "\n## " : "\n", item->title, "\n", is_markdown);
			for (int k = width_of(shown(&room, item->title, false));
			     k > 0 && !is_markdown; k--)
				out_char(out, '-');
			out_char(out, '\n');
		} else if (item->type == PAGE_SENTENCE) {
			put(out, "", item->title, "\n", is_markdown);
		} else if (item->type == PAGE_BANNER) {
			put(out, is_markdown && item->is_bad ? "**" : "", item->title,
			    is_markdown && item->is_bad ? "**\n" : "\n", is_markdown);
		} else if (item->type == PAGE_TILES) {
			write_tiles(item, is_markdown, out);
		} else if (item->type == PAGE_ADVICE) {
			write_advice(item, is_markdown, out);
		} else if (item->type == PAGE_TABLE) {
			write_table(item, is_markdown, out);
		} else if (item->type == PAGE_LOG) {
			write_caption(item->title, is_markdown, out);
			for (size_t k = 0; k < item->lines.n; k++)
				put(out, "    ", item->lines.at[k], "\n", false);
		}
	}
	buf_free(&room);
}

void page_write_text(const struct page *page, struct out *out)
{
	write(page, false, out);
}

void page_write_markdown(const struct page *page, struct out *out)
{
	write(page, true, out);
}
