/* topo_inside.c - how the cores of a node nest */
#include "model/topo_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { CORES_MOST = 1000000 };

/* NAME:COUNT */
static int parse_level(struct topo_inside *inside, const char *text, size_t n, struct err *err)
{
	const char *colon = memchr(text, ':', n);
	size_t length = colon != NULL ? (size_t)(colon - text) : 0;
	uint64_t count;

	if (inside->nlevels == INSIDE_LEVELS)
		return err_set(err, "more than %d levels", INSIDE_LEVELS);
	for (size_t i = 0; i < length; i++)
		if (!islower((unsigned char)text[i]) && !isdigit((unsigned char)text[i]))
			length = 0;
	if (length == 0 || length >= INSIDE_NAME ||
	    num_digits(colon + 1, n - length - 1, &count) != 0 || count < 1 || count > CORES_MOST)
		return err_set(err, "'%.*s' is not a NAME:COUNT, as in package:2+core:4",
			       n < 80 ? (int)n : 80, text);
	memcpy(inside->name[inside->nlevels], text, length);
	inside->name[inside->nlevels][length] = '\0';
	inside->count[inside->nlevels++] = (int)count;
	return 0;
}

int topo_inside_parse(struct topo_inside *inside, const char *text, size_t n, struct err *err)
{
	int64_t ncores = 1;

	*inside = (struct topo_inside){0};
	for (;;) {
		const char *plus = memchr(text, '+', n);
		size_t length = plus != NULL ? (size_t)(plus - text) : n;

		if (parse_level(inside, text, length, err) != 0)
			return -1;
		ncores *= inside->count[inside->nlevels - 1];
		if (ncores > CORES_MOST)
			return err_set(err, "more than %d cores", CORES_MOST);
		if (plus == NULL)
			return 0;
		text += length + 1;
		n -= length + 1;
	}
}

void topo_inside_print(const struct topo_inside *inside, char text[INSIDE_TEXT])
{
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < inside->nlevels; i++)
		n += (size_t)snprintf(text + n, INSIDE_TEXT - n, "%s%s:%d", i > 0 ? "+" : "",
				      inside->name[i], inside->count[i]);
}

int topo_inside_ncores(const struct topo_inside *inside)
{
	int ncores = 1;

	for (int i = 0; i < inside->nlevels; i++)
		ncores *= inside->count[i];
	return ncores;
}

int topo_inside_nearest(const struct topo_inside *inside)
{
	return inside->count[inside->nlevels - 1];
}

int topo_inside_distance(const struct topo_inside *inside, int a, int b)
{
	int distance = 0, nlevels = inside != NULL ? inside->nlevels : 1;

	for (int i = nlevels - 1; i > 0 && a != b; i--) {
		a /= inside->count[i];
		b /= inside->count[i];
		distance++;
	}
	return distance + (a != b);
}
