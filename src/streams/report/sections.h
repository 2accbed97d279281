/* sections.h - what a report says, section by section */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/night.h"
#include "report/night_choice.h"
#include "report/night_limits.h"
#include "report/night_out.h"
#include "report/night_placed.h"
#include "report/page.h"

/* Seconds since the epoch as a date, or as seconds where they are a simulation's. */
const char *section_time(struct page *page, int64_t ns);

void section_now(struct page *page, const struct night *night);     /* broken, full, waiting */
void section_night(struct page *page, const struct night *night);   /* what happened */
void section_waits(struct page *page, const struct night *night);   /* who waited for what */
void section_machine(struct page *page, const struct night *night); /* who carried it */
/* Free nodes, and in which pieces. */
int section_free(struct page *page, const struct night *night, struct err *err);
/* The worst placed jobs beside what was possible for them. */
int section_placed(struct page *page, const struct night *night,
		   const struct night_options *options, const struct night_placed *placed,
		   struct err *err);
/* Jobs that are sensitive to the network, and the traffic around them. */
int section_sensitive(struct page *page, const struct night *night,
		      const struct night_options *options, struct err *err);
/* The chart of what choices were beside what they could have been. */
void section_pairs(struct buf *svg, const struct night *night, const struct night_choice *choices,
		   size_t n, enum choice_figure figure);
/* What the limits that jobs ask of the network cost in waiting. */
void section_limits(struct page *page, const struct night *night,
		    const struct night_options *options, const struct night_limits *limits);
void section_policies(struct page *page, const struct night *night); /* measured, by policy */
/* Routers and traffic of each job beside those under the first policy: tables of the section
 * before. */
void section_paired(struct page *page, const struct night *night);

/* ---- charts: SVG without its title, from viewBox to the closing tag ---- */

/* An area under values [n], from 0 to most. */
void chart_area(struct buf *svg, const double *values, int n, double most, const char *left,
		const char *right);
/* Squares, each of one of five shades by its part (0 … 1; NAN: none). titles [n]: each's name.
 * group_of [n]: those of a group are consecutive, with a gap behind them; NULL: there are none. */
void chart_heat(struct buf *svg, const double *parts, const char *const *titles,
		const int *group_of, int n);
/* A line from q1 to q3 with the mean as a dot for each of n rows, scaled to the greatest. */
struct chart_range {
	const char *name;
	double q1, mean, q3;
};
void chart_ranges(struct buf *svg, const struct chart_range *rows, int n);
/* Two areas over each other, the second one within the first. */
void chart_areas(struct buf *svg, const double *outer, const double *inner, int n, double most,
		 const char *left, const char *right);
/* A dot for what was and a diamond for what could have been, joined, for each of n rows. */
struct chart_pair {
	const char *name;
	double was, could; /* NAN: not known */
};
void chart_pairs(struct buf *svg, const struct chart_pair *rows, int n);

#endif
