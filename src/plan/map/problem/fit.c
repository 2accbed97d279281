/* fit.c - which nodes parts may take so that the other parts still fit */
#include "map/problem/fit.h"

#include <stdlib.h>

#include "base/mem.h"

void map_fit_open(struct map_fit *fit, const struct map_input *in, const struct map_parts *parts)
{
	*fit = (struct map_fit){0};
	for (int v = 0; v < in->nnodes; v++)
		fit->most = in->room[v] > fit->most ? in->room[v] : fit->most;
	fit->slack = xcalloc((size_t)fit->most + 2, sizeof(*fit->slack));
	for (int v = 0; v < in->nnodes; v++)
		fit->slack[in->room[v]]++;
	for (int p = 0; p < parts->nparts; p++)
		fit->slack[parts->size[p]]--;
	for (int size = fit->most; size > 0; size--)
		fit->slack[size] += fit->slack[size + 1];
}

void map_fit_close(struct map_fit *fit)
{
	free(fit->slack);
}

int map_fit_most(const struct map_fit *fit, int size)
{
	int room = size;

	while (room < fit->most && fit->slack[room + 1] > 0)
		room++;
	return room;
}

void map_fit_take(struct map_fit *fit, int size, int room)
{
	for (int more = size + 1; more <= room; more++)
		fit->slack[more]--;
}
