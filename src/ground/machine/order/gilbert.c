/* gilbert.c - Hilbert's curve through boxes of any sizes, in two and three dimensions */
#include "machine/order/gilbert.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * The recursion of the generalized Hilbert curve (J. Cerveny, "gilbert", 2018). A part of the box
 * has a corner and three edges that are parallel to the axes, each an axis and a signed length; the
 * curve enters at the corner and leaves at the far end of the first edge.
 */
struct edge {
	int axis, length;
};

struct part {
	int corner[3];
	struct edge a, b, c;
};

struct curve {
	gilbert_fn *visit;
	void *context;
};

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static struct edge part_of(struct edge edge, int length)
{
	return (struct edge){edge.axis, length};
}

static struct edge minus(struct edge edge)
{
	return (struct edge){edge.axis, -edge.length};
}

static struct edge rest(struct edge edge, struct edge first)
{
	return (struct edge){edge.axis, edge.length - first.length};
}

/* The first half of an edge, even where there is a choice. */
static struct edge half(struct edge edge)
{
	int length = edge.length / 2;

	if (length % 2 != 0 && abs(edge.length) > 2)
		length += sign(edge.length);
	return part_of(edge, length);
}

/* The corner moved along an edge by its length, or to its last place. */
static void move(int corner[3], struct edge edge, bool to_last)
{
	corner[edge.axis] += edge.length - (to_last ? sign(edge.length) : 0);
}

static void line(const struct curve *curve, const struct part *part, struct edge edge)
{
	int at[3] = {part->corner[0], part->corner[1], part->corner[2]};

	for (int i = abs(edge.length); i > 0; i--) {
		curve->visit(curve->context, at);
		at[edge.axis] += sign(edge.length);
	}
}

static void walk(const struct curve *curve, const struct part *part);

static struct part child(const struct part *part, struct edge a, struct edge b, struct edge c)
{
	struct part result = *part;

	result.a = a;
	result.b = b;
	result.c = c;
	return result;
}

/* Long in the first edge: two parts behind one another. */
static void halve(const struct curve *curve, const struct part *part)
{
	struct edge a2 = half(part->a);
	struct part first = child(part, a2, part->b, part->c);
	struct part second = child(part, rest(part->a, a2), part->b, part->c);

	move(second.corner, a2, false);
	walk(curve, &first);
	walk(curve, &second);
}

/* Up along the edge u, across, down again; the third edge, v, is not cut. u is b, else c. */
static void fold(const struct curve *curve, const struct part *part, bool u_is_b)
{
	struct edge a = part->a, u = u_is_b ? part->b : part->c, v = u_is_b ? part->c : part->b;
	struct edge a2 = half(a), u2 = half(u);
	struct part up = u_is_b ? child(part, u2, v, a2) : child(part, u2, a2, v);
	struct part across =
		u_is_b ? child(part, a, rest(u, u2), v) : child(part, a, v, rest(u, u2));
	struct part down = u_is_b ? child(part, minus(u2), v, minus(rest(a, a2)))
				  : child(part, minus(u2), minus(rest(a, a2)), v);

	move(across.corner, u2, false);
	move(down.corner, a, true);
	move(down.corner, u2, true);
	walk(curve, &up);
	walk(curve, &across);
	walk(curve, &down);
}

/* All three edges are cut: five parts. */
static void cut(const struct curve *curve, const struct part *part)
{
	struct edge a = part->a, b = part->b, c = part->c;
	struct edge a2 = half(a), b2 = half(b), c2 = half(c);
	struct part parts[5] = {
		child(part, b2, c2, a2),
		child(part, c, a2, rest(b, b2)),
		child(part, a, minus(b2), minus(rest(c, c2))),
		child(part, minus(c), minus(rest(a, a2)), rest(b, b2)),
		child(part, minus(b2), c2, minus(rest(a, a2))),
	};

	move(parts[1].corner, b2, false);
	move(parts[2].corner, b2, true);
	move(parts[2].corner, c, true);
	move(parts[3].corner, a, true);
	move(parts[3].corner, b2, false);
	move(parts[3].corner, c, true);
	move(parts[4].corner, a, true);
	move(parts[4].corner, b2, true);
	for (int i = 0; i < 5; i++)
		walk(curve, &parts[i]);
}

/* Two dimensions: up, across, down. */
static void fold_flat(const struct curve *curve, const struct part *part)
{
	struct edge a = part->a, b = part->b, c = part->c, b2 = half(b);
	struct edge a2 = part_of(a, a.length / 2);
	struct part up = child(part, b2, a2, c), across = child(part, a, rest(b, b2), c);
	struct part down = child(part, minus(b2), minus(rest(a, a2)), c);

	move(across.corner, b2, false);
	move(down.corner, a, true);
	move(down.corner, b2, true);
	walk(curve, &up);
	walk(curve, &across);
	walk(curve, &down);
}

static void walk(const struct curve *curve, const struct part *part)
{
	int w = abs(part->a.length), h = abs(part->b.length), d = abs(part->c.length);

	if (h == 1 && d == 1)
		line(curve, part, part->a);
	else if (w == 1 && d == 1)
		line(curve, part, part->b);
	else if (w == 1 && h == 1)
		line(curve, part, part->c);
	else if (2 * w > 3 * h && 2 * w > 3 * d)
		halve(curve, part);
	else if (d == 1)
		fold_flat(curve, part);
	else if (3 * h > 4 * d)
		fold(curve, part, true);
	else if (3 * d > 4 * h)
		fold(curve, part, false);
	else
		cut(curve, part);
}

void gilbert(const int sizes[3], gilbert_fn *visit, void *context)
{
	struct curve curve = {visit, context};
	struct edge x = {0, sizes[0]}, y = {1, sizes[1]}, z = {2, sizes[2]};
	struct part part = {.a = x, .b = y, .c = z};

	/* the longest edge first */
	if (sizes[1] > sizes[0] && sizes[1] >= sizes[2])
		part = (struct part){.a = y, .b = x, .c = z};
	else if (sizes[2] > sizes[0] && sizes[2] > sizes[1])
		part = (struct part){.a = z, .b = x, .c = y};
	walk(&curve, &part);
}
