/* page.h - a report as sections, sentences, tables and figures, and its writers */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"
#include "formats/out.h"

/* A cell: a text, or a number that is shown rounded and kept whole (text NULL; NAN: missing). */
struct page_cell {
	const char *text;
	double value;
	const char *unit; /* of a number; NULL: none */
	int nnames;       /* of a list of nodes that folds where they are many; 0: it is none */
	bool is_bad;      /* what must be seen */
};

enum { PAGE_PAST = 30 };
/* A number beside yesterday's and the mean of a month, with its curve. */
struct page_tile {
	const char *title, *unit;
	double value, before, mean; /* NAN: not known */
	double past[PAGE_PAST];     /* the oldest first */
	int npast;
	bool is_part, is_bad; /* is_part: shown in per cent */
};

enum page_type {
	PAGE_SECTION,
	PAGE_SENTENCE,
	PAGE_BANNER,
	PAGE_TILES,
	PAGE_ADVICE,
	PAGE_TABLE,
	PAGE_FIGURE,
	PAGE_LOG
};

struct page_item {
	enum page_type type;
	const char *title;     /* of a section, caption of a table or figure, sentence */
	const char *svg;       /* PAGE_FIGURE: the element, without its title */
	const char *about;     /* PAGE_FIGURE: what it shows, for who does not see it */
	const char **headings; /* PAGE_TABLE: [ncolumns] */
	int ncolumns;
	int bars;       /* PAGE_TABLE: the column whose numbers are drawn beside them; 0: none */
	bool is_detail; /* PAGE_TABLE: the numbers of the picture before it, folded away */
	bool is_folded; /* PAGE_TABLE: folded away below its caption */
	bool is_bad;    /* PAGE_BANNER */
	VEC(struct page_tile) tiles;
	VEC(struct page_cell) cells;
	/* PAGE_LOG; PAGE_ADVICE: by turns what to do, and its command or nothing */
	VEC(const char *) lines;
};

struct page {
	struct arena arena;
	const char *title, *subtitle;
	VEC(struct page_item *) items;
};

void page_free(struct page *page);
const char *page_text(struct page *page, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void page_section(struct page *page, const char *title);
void page_sentence(struct page *page, const char *text);
/* A sentence that must be seen. */
void page_banner(struct page *page, const char *text, bool is_bad);
struct page_item *page_tiles(struct page *page, const char *caption);
/* Its lines are added by page_log_line. */
struct page_item *page_advice(struct page *page, const char *caption);
/* headings end in NULL. Cells are added row by row. */
struct page_item *page_table(struct page *page, const char *caption, const char *const *headings);
void page_cell_text(struct page *page, struct page_item *table, const char *text);
void page_cell_nodes(struct page *page, struct page_item *table, const char *nodes, int nnodes);
void page_cell_number(struct page_item *table, double value, const char *unit);
void page_figure(struct page *page, const char *caption, const char *about, struct buf *svg);
struct page_item *page_log(struct page *page, const char *caption);
void page_log_line(struct page *page, struct page_item *log, const char *text);

/* A number for people: four digits, and what its unit makes of it (2 h 13 min). */
const char *page_number(double value, const char *unit, char text[48]);

/* The same of a tile. */
const char *page_tile_number(const struct page_tile *tile, double value, char text[48]);

/* Each writes the whole page. */
void page_write_html(const struct page *page, struct out *out);
void page_write_text(const struct page *page, struct out *out);
void page_write_markdown(const struct page *page, struct out *out);
/* Its tables as JSON: "tables": [{"caption", "columns", "rows"}], numbers in full. */
void page_write_tables(const struct page *page, struct out *out);

#endif
