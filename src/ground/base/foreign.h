/* foreign.h - texts that others wrote, such as the name of a job, in each kind of output */
#ifndef BASE_FOREIGN_H
#define BASE_FOREIGN_H

#include "base/str.h"

/*
 * Adds a text so that nothing in it acts: no letter ends the cell or the line that it stands in,
 * none is read as markup or code, and none moves a terminal (letter.h says which would). STYLE.md
 * says which writer uses which; tests/lint/foreign finds one that uses none.
 */
void foreign_text(struct buf *buf, const char *text);     /* for people: text, aligned columns */
void foreign_markdown(struct buf *buf, const char *text); /* in a line or a cell of it */
void foreign_xml(struct buf *buf, const char *text);  /* SVG, labels of DOT; HTML's attributes */
void foreign_html(struct buf *buf, const char *text); /* <bdi>: its direction is its own */
void foreign_json(struct buf *buf,
		  const char *text); /* in quotes; only bytes beyond UTF-8 are lost */
void foreign_yaml(struct buf *buf, const char *text);  /* in quotes, as in JSON */
void foreign_dot(struct buf *buf, const char *text);   /* in quotes */
void foreign_shell(struct buf *buf, const char *text); /* in single quotes, within a line */
/* A field of CSV; in quotes where it holds one, the delimiter or a new line (RFC 4180). */
void foreign_csv(struct buf *buf, const char *text, const char *delimiter);
/* A cell of our tables, of which programs make keys: what acts, a tab, a newline or a # becomes _,
 * other bytes stay. Nothing is left out: "." alone is not a missing value but _. */
void foreign_cell(struct buf *buf, const char *text);
void foreign_meta(struct buf *buf, const char *text); /* the same for a ## line, which may hold # */
/* Whether a text is a word, such as the name of a node: not empty, no blank, no #, nothing that
 * acts. */
bool foreign_is_word(const char *text);
size_t foreign_cell_plain(
	const char *text); /* bytes at its beginning that are a cell as they are */

#endif
