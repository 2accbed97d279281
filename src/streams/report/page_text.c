/* page_text.c - a report as plain text for mail, and as Markdown */
#include <string.h>

#include "report/page.h"

/* The letters of a text, which is UTF-8. */
static int width_of(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static const char *cell_text(const struct page_cell *cell, char room[48])
{
	return cell->text != NULL ? cell->text : page_number(cell->value, cell->unit, room);
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

/* rows: "| a | b |" with a line under the names; else columns two blanks apart. */
static void write_table(const struct page_item *table, bool is_markdown, struct out *out)
{
	int n = table->ncolumns, widths[64];
	char room[48];

	for (int i = 0; i < n && i < 64; i++) {
		widths[i] = width_of(table->headings[i]);
		for (size_t k = (size_t)i; k < table->cells.n; k += (size_t)n) {
			int width = width_of(cell_text(&table->cells.at[k], room));

			widths[i] = width > widths[i] ? width : widths[i];
		}
	}
	out_printf(out, is_markdown ? "\n**%s**\n\n" : "\n%s\n", table->title);
	for (int i = 0; i < n; i++) {
		out_str(out, is_markdown ? "| " : "  ");
		pad(out, table->headings[i], widths[i],
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
		const char *text = cell_text(cell, room);
		bool is_last = k % (size_t)n + 1 == (size_t)n;

		out_str(out, is_markdown ? "| " : "  ");
		if (is_markdown && strchr(text, '|') != NULL)
			for (; *text != '\0'; text++)
				out_printf(out, *text == '|' ? "\\%c" : "%c", *text);
		else
			pad(out, text, is_last && cell->text != NULL ? 0 : widths[k % (size_t)n],
			    cell->text == NULL);
		out_str(out, is_markdown ? " " : "");
		if (is_last)
			out_str(out, is_markdown ? "|\n" : "\n");
	}
}

static void write(const struct page *page, bool is_markdown, struct out *out)
{
	out_printf(out, is_markdown ? "# %s\n\n%s\n" : "%s\n%s\n", page->title, page->subtitle);
	for (size_t i = 0; i < page->items.n; i++) {
		const struct page_item *item = page->items.at[i];

		if (item->type == PAGE_SECTION) {
			out_printf(out, is_markdown ? "\n## %s\n\n" : "\n%s\n", item->title);
			for (int k = width_of(item->title); k > 0 && !is_markdown; k--)
				out_char(out, '-');
			out_str(out, is_markdown ? "" : "\n");
		} else if (item->type == PAGE_SENTENCE) {
			out_printf(out, "%s\n", item->title);
		} else if (item->type == PAGE_TABLE) {
			write_table(item, is_markdown, out);
		} else if (item->type == PAGE_LOG) {
			out_printf(out, is_markdown ? "\n**%s**\n\n" : "\n%s\n", item->title);
			for (size_t k = 0; k < item->lines.n; k++)
				out_printf(out, "    %s\n", item->lines.at[k]);
		}
	}
}

void page_write_text(const struct page *page, struct out *out)
{
	write(page, false, out);
}

void page_write_markdown(const struct page *page, struct out *out)
{
	write(page, true, out);
}
