/* charts.c - the pictures of a report, as SVG */
#include <math.h>
#include <stdio.h>

#include "machine/draw/draw.h"
#include "report/sections.h"

enum { WIDTH = 900 };

static void label(struct buf *svg, double x, double y, const char *anchor, const char *text)
{
	buf_printf(svg, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
	draw_escape(svg, text);
	buf_str(svg, "</text>\n");
}

static void begin(struct buf *svg, double height)
{
	buf_printf(svg, "viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\">", WIDTH, height,
		   WIDTH, height);
}

void chart_area(struct buf *svg, const double *values, int n, double most, const char *left,
		const char *right)
{
	double top = 14, bottom = 174, from = 60, step = (WIDTH - from - 10) / (n > 0 ? n : 1);
	char text[48];

	begin(svg, 200);
	for (int k = 0; k <= 4; k++) {
		double y = bottom - (bottom - top) * k / 4;

		buf_printf(svg, "<path class=\"ax\" stroke-width=\".5\" d=\"M%.0f %.1fH%d\"/>\n",
			   from, y, WIDTH - 10);
		label(svg, from - 6, y + 4, "end", page_number(most * k / 4, NULL, text));
	}
	buf_printf(svg, "<path class=\"area\" d=\"M%.1f %.1f", from, bottom);
	for (int i = 0; i < n; i++) {
		double y = bottom - (most > 0 ? (bottom - top) * values[i] / most : 0);

		buf_printf(svg, "L%.1f %.1f %.1f %.1f", from + i * step, y, from + (i + 1) * step,
			   y);
	}
	buf_printf(svg, "L%.1f %.1fZ\"/>\n", from + n * step, bottom);
	label(svg, from, 194, "start", left);
	label(svg, WIDTH - 10, 194, "end", right);
	buf_str(svg, "</svg>");
}

static int shade(double part)
{
	int k = (int)(part * 5);

	return k > 4 ? 4 : k < 0 ? 0 : k;
}

void chart_heat(struct buf *svg, const double *parts, const char *const *titles, int n)
{
	int columns = n <= 64 ? 16 : n <= 1024 ? 45 : 90;
	double size = (double)(WIDTH - 4) / columns;
	int rows = (n + columns - 1) / columns;

	if (size > 32)
		size = 32;
	begin(svg, rows * size + 34);
	for (int i = 0; i < n; i++) {
		double x = 2 + (i % columns) * size, y = 2 + (i / columns) * size;

		if (isnan(parts[i]))
			buf_printf(svg, "<rect class=\"c\" fill=\"none\" ");
		else
			buf_printf(svg, "<rect class=\"c h%d\" ", shade(parts[i]));
		buf_printf(svg, "x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>", x,
			   y, size - 1, size - 1);
		draw_escape(svg, titles[i]);
		buf_str(svg, "</title></rect>\n");
	}
	for (int k = 0; k < 5; k++) {
		char text[48];

		buf_printf(
			svg,
			"<rect class=\"c h%d\" x=\"%d\" y=\"%.1f\" width=\"14\" height=\"14\"/>\n",
			k, 2 + k * 110, rows * size + 12);
		snprintf(text, sizeof(text), "%d to %d %%", k * 20, k * 20 + 20);
		label(svg, 22 + k * 110, rows * size + 24, "start", text);
	}
	buf_str(svg, "</svg>");
}

void chart_ranges(struct buf *svg, const struct chart_range *rows, int n)
{
	double most = 0, from = 240;

	for (int i = 0; i < n; i++) {
		most = rows[i].q3 > most ? rows[i].q3 : most;
		most = rows[i].mean > most ? rows[i].mean : most;
	}
	begin(svg, n * 24 + 10);
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
	buf_str(svg, "</svg>");
}

void chart_bars(struct buf *svg, const char *const *names, const double *values, int n)
{
	double most = 0, from = 180;
	char text[48];

	for (int i = 0; i < n; i++)
		most = values[i] > most ? values[i] : most;
	begin(svg, n * 24 + 8);
	for (int i = 0; i < n; i++) {
		double y = 4 + i * 24,
		       width = most > 0 ? (WIDTH - from - 80) * values[i] / most : 0;

		label(svg, from - 8, y + 14, "end", names[i]);
		buf_printf(svg,
			   "<rect class=\"bar\" x=\"%.0f\" y=\"%.0f\" "
			   "width=\"%.1f\" height=\"18\"/>\n",
			   from, y, width < 1 && values[i] > 0 ? 1 : width);
		label(svg, from + width + 6, y + 14, "start", page_number(values[i], NULL, text));
	}
	buf_str(svg, "</svg>");
}
