/* sections.h - what a report says, section by section */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/night.h"
#include "report/page.h"

/* Seconds since the epoch as a date, or as seconds where they are a simulation's. */
const char *section_time(struct page *page, int64_t ns);

void section_now(struct page *page, const struct night *night);      /* broken, full, waiting */
void section_night(struct page *page, const struct night *night);    /* what happened */
void section_machine(struct page *page, const struct night *night);  /* who carried it */
void section_placed(struct page *page, const struct night *night);   /* worst placed jobs */
void section_policies(struct page *page, const struct night *night); /* measured, by policy */

/* ---- charts: SVG without its title, from viewBox to the closing tag ---- */

/* An area under values [n], from 0 to most. */
void chart_area(struct buf *svg, const double *values, int n, double most, const char *left,
		const char *right);
/* Squares in rows of so many, each of one of five shades by its part (0 … 1; NAN: none). titles
 * [n]: each's name. */
void chart_heat(struct buf *svg, const double *parts, const char *const *titles, int n);
/* A line from q1 to q3 with the mean as a dot for each of n rows, scaled to the greatest. */
struct chart_range {
	const char *name;
	double q1, mean, q3;
};
void chart_ranges(struct buf *svg, const struct chart_range *rows, int n);
/* Bars beside their names. */
void chart_bars(struct buf *svg, const char *const *names, const double *values, int n);

#endif
