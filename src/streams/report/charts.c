/* charts.c - the pictures of a report, as SVG */
#include <math.h>
#include <stdio.h>

#include "machine/draw/draw.h"
#include "report/sections.h"

enum { WIDTH = 700 };

static void label(struct buf *svg, double x, double y, const char *anchor, const char *text)
{
	buf_printf(svg, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
	foreign_xml(svg, text);
	buf_str(svg, "</text>\n");
}

static void begin(struct buf *svg, double height)
{
	buf_printf(svg, "viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\">", WIDTH, height,
		   WIDTH, height);
}

enum { AREA_TOP = 14, AREA_BOTTOM = 174, AREA_FROM = 60 };

static void put_area(struct buf *svg, const char *class, const double *values, int n, double most)
{
	double step = (double)(WIDTH - AREA_FROM - 10) / (n > 0 ? n : 1);

	buf_printf(svg, "<path class=\"%s\" d=\"M%d %d", class, AREA_FROM, AREA_BOTTOM);
	for (int i = 0; i < n; i++) {
		double y =
			AREA_BOTTOM - (most > 0 ? (AREA_BOTTOM - AREA_TOP) * values[i] / most : 0);

		buf_printf(svg, "L%.1f %.1f %.1f %.1f", AREA_FROM + i * step, y,
			   AREA_FROM + (i + 1) * step, y);
	}
	buf_printf(svg, "L%.1f %dZ\"/>\n", AREA_FROM + n * step, AREA_BOTTOM);
}

/* Between two and five lines, at round numbers: 1, 2 or 5 times a power of ten. */
static double round_step(double most)
{
	static const double times[] = {1, 2, 5};
	double power = pow(10, floor(log10(most / 5)));

	for (int i = 0; i < 3; i++)
		if (times[i] * power * 5 >= most * (1 - 1e-9))
			return times[i] * power;
	return 10 * power;
}

static void put_scale(struct buf *svg, double most)
{
	double step = most > 0 ? round_step(most) : 1;
	char text[48];

	for (int k = 0; k * step <= most * (1 + 1e-9); k++) {
		double y = AREA_BOTTOM;

		if (most > 0)
			y -= (AREA_BOTTOM - AREA_TOP) * k * step / most;
		buf_printf(svg, "<path class=\"ax\" stroke-width=\".5\" d=\"M%d %.1fH%d\"/>\n",
			   AREA_FROM, y, WIDTH - 10);
		label(svg, AREA_FROM - 6, y + 4, "end", page_number(k * step, NULL, text));
	}
}

void chart_area(struct buf *svg, const double *values, int n, double most, const char *left,
		const char *right)
{
	begin(svg, 200);
	put_scale(svg, most);
	put_area(svg, "area", values, n, most);
	label(svg, AREA_FROM, 194, "start", left);
	label(svg, WIDTH - 10, 194, "end", right);
	buf_str(svg, "</svg>");
}

void chart_areas(struct buf *svg, const double *outer, const double *inner, int n, double most,
		 const char *left, const char *right)
{
	begin(svg, 200);
	put_scale(svg, most);
	put_area(svg, "area", outer, n, most);
	put_area(svg, "part", inner, n, most);
	label(svg, AREA_FROM, 194, "start", left);
	label(svg, WIDTH - 10, 194, "end", right);
	buf_str(svg, "</svg>");
}

static int shade(double part)
{
	int k = (int)(part * 5);

	return k > 4 ? 4 : k < 0 ? 0 : k;
}

static void put_square(struct buf *svg, double part, const char *title, double x, double y,
		       double size)
{
	if (isnan(part))
		buf_str(svg, "<rect class=\"c\" fill=\"none\" ");
	else
		buf_printf(svg, "<rect class=\"c h%d\" ", shade(part));
	buf_printf(svg, "x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>", x, y,
		   size - 1, size - 1);
	foreign_xml(svg, title);
	buf_str(svg, "</title></rect>\n");
}

static void put_shades(struct buf *svg, double y)
{
	for (int k = 0; k < 5; k++) {
		char text[48];

		buf_printf(
			svg,
			"<rect class=\"c h%d\" x=\"%d\" y=\"%.1f\" width=\"14\" height=\"14\"/>\n",
			k, 2 + k * 110, y);
		snprintf(text, sizeof(text), "%d to %d %%", k * 20, k * 20 + 20);
		label(svg, 22 + k * 110, y + 12, "start", text);
	}
}

/* The first square behind i that belongs to another group. */
static int group_end(const int *group_of, int i, int n)
{
	int end = i + 1;

	while (end < n && (group_of == NULL || group_of[end] == group_of[i]))
		end++;
	return end;
}

void chart_heat(struct buf *svg, const double *parts, const char *const *titles,
		const int *group_of, int n)
{
	double size = n <= 200 ? 22 : n <= 800 ? 14 : 9, x = 2, y = 2;
	struct buf squares = {0};

	for (int i = 0, end; i < n; i = end) {
		end = group_end(group_of, i, n);
		/* a group that fits a line is in one */
		if (x > 2 && x + (end - i) * size > WIDTH - 2) {
			x = 2;
			y += size + (group_of != NULL ? 3 : 0);
		}
		for (int k = i; k < end; k++, x += size) {
			if (x + size > WIDTH - 1) {
				x = 2;
				y += size;
			}
			put_square(&squares, parts[k], titles[k], x, y, size);
		}
		x += size / 2;
	}
	begin(svg, y + size + 34);
	buf_add(svg, buf_text(&squares), squares.n);
	put_shades(svg, y + size + 12);
	buf_str(svg, "</svg>");
	buf_free(&squares);
}

/* What the ends of the rows mean, below row n. */
static void put_ends(struct buf *svg, double from, double y, double most)
{
	char text[48];

	label(svg, from, y, "middle", "0");
	label(svg, WIDTH - 20, y, "end", page_number(most, NULL, text));
}

void chart_ranges(struct buf *svg, const struct chart_range *rows, int n)
{
	double most = 0, from = 190;

	for (int i = 0; i < n; i++) {
		most = rows[i].q3 > most ? rows[i].q3 : most;
		most = rows[i].mean > most ? rows[i].mean : most;
	}
	begin(svg, n * 24 + 26);
	for (int i = 0; i < n; i++) {
		double y = 18 + i * 24, scale = most > 0 ? (WIDTH - from - 20) / most : 0;

		label(svg, from - 10, y + 4, "end", rows[i].name);
		buf_printf(svg, "<path class=\"ax\" stroke-width=\".5\" d=\"M%.0f %.0fH%d\"/>\n",
			   from, y, WIDTH - 20);
		buf_printf(svg, "<path class=\"q\" d=\"M%.1f %.0fH%.1f\"/>\n",
			   from + rows[i].q1 * scale, y, from + rows[i].q3 * scale + 1);
		buf_printf(svg, "<circle class=\"m\" cx=\"%.1f\" cy=\"%.0f\" r=\"5\"/>\n",
			   from + rows[i].mean * scale, y);
	}
	put_ends(svg, from, n * 24 + 18, most);
	buf_str(svg, "</svg>");
}

void chart_pairs(struct buf *svg, const struct chart_pair *rows, int n)
{
	double most = 0, from = 190;

	for (int i = 0; i < n; i++) {
		most = rows[i].was > most ? rows[i].was : most;
		most = rows[i].could > most ? rows[i].could : most;
	}
	begin(svg, n * 22 + 46);
	for (int i = 0; i < n; i++) {
		double y = 16 + i * 22, scale = most > 0 ? (WIDTH - from - 20) / most : 0;
		double was = from + rows[i].was * scale, could = from + rows[i].could * scale;

		label(svg, from - 10, y + 4, "end", rows[i].name);
		buf_printf(svg, "<path class=\"ax\" stroke-width=\".5\" d=\"M%.0f %.0fH%d\"/>\n",
			   from, y, WIDTH - 20);
		if (!isnan(rows[i].could))
			buf_printf(svg,
				   "<path class=\"q\" d=\"M%.1f %.0fH%.1f\"/>\n"
				   "<path class=\"k\" d=\"M%.1f %.0fl6 6 6-6-6-6z\"/>\n",
				   could, y, was, could - 6, y);
		buf_printf(svg, "<circle class=\"m\" cx=\"%.1f\" cy=\"%.0f\" r=\"5\"/>\n", was, y);
	}
	put_ends(svg, from, n * 22 + 18, most);
	buf_printf(svg, "<circle class=\"m\" cx=\"%.0f\" cy=\"%d\" r=\"5\"/>\n", from + 6,
		   n * 22 + 34);
	label(svg, from + 18, n * 22 + 38, "start", "as it was");
	buf_printf(svg, "<path class=\"k\" d=\"M%.0f %dl6 6 6-6-6-6z\"/>\n", from + 120,
		   n * 22 + 34);
	label(svg, from + 140, n * 22 + 38, "start", "as it could have been");
	buf_str(svg, "</svg>");
}
