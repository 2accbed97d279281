/* draw_text.c - texts and shades of a drawing */
#include "machine/draw/draw.h"
#include <math.h>
#include <string.h>
#include "base/num.h"

static int shade(double part)
{
	int k = (int)(part * HEAT_SHADES);

	return k >= HEAT_SHADES ? HEAT_SHADES - 1 : k < 0 ? 0 : k;
}

const char *draw_heat_class(double part)
{
	static const char *const classes[HEAT_SHADES] = {"t0", "t1", "t2", "t3", "t4"};

	return isnan(part) ? "tu" : classes[shade(part)];
}

const char *draw_cable_class(const struct draw *draw, const struct draw_pair *pair)
{
	static const char *const classes[HEAT_SHADES] = {"c q0", "c q1", "c q2", "c q3", "c q4"};

	if (!draw->has_pair_heat)
		return "c";
	return isnan(pair->heat) ? "c qu" : classes[shade(pair->heat)];
}

void draw_heat_text(struct draw *draw, int router)
{
	char text[NUM_TEXT];

	if (draw->router_heat == NULL || isnan(draw->router_heat[router]))
		return;
	num_print_digits(text, draw->router_heat[router] * draw->heat_most, 4);
	buf_printf(&draw->body, ", %s ", text);
	foreign_xml(&draw->body, draw->heat_unit);
}

void draw_number(struct buf *buf, double value)
{
	long tenths = lround(value * 10);

	if (tenths % 10 == 0)
		buf_printf(buf, "%ld", tenths / 10);
	else
		buf_printf(buf, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10,
			   labs(tenths) % 10);
}

void draw_label(struct draw *draw, const char *class, const char *anchor, double x, double y,
		const char *text)
{
	buf_printf(&draw->body, "<text class=\"%s\" text-anchor=\"%s\" x=\"", class, anchor);
	draw_number(&draw->body, x);
	buf_str(&draw->body, "\" y=\"");
	draw_number(&draw->body, y);
	buf_str(&draw->body, "\">");
	foreign_xml(&draw->body, text);
	buf_str(&draw->body, "</text>\n");
}
