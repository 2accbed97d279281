/* vc_classes.c - the virtual channel of each link of a minimal path */
#include "machine/vc/vc_classes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "machine/kind/dragonfly.h"
#include "machine/vc/circle.h"
#include "machine/vc/datelines.h"

enum { VC_MOST = 255 };

/* Of a dragonfly's channel. The state counts what a packet has left behind, times two; the last
 * bit: it came by a column. */
enum { OF_A_ROW, OF_A_COLUMN, IS_GLOBAL };

static bool is_tree_like(const struct routing *minimal)
{
	enum route_minimal kind = minimal->type->minimal;

	return kind == MINIMAL_UP_DOWN ||
	       (kind != MINIMAL_TABLE && minimal->topo->type->is_tree_like);
}

static bool is_grid(const struct routing *minimal)
{
	return minimal->topo->type->dims != NULL && minimal->topo->type->next != NULL &&
	       routing_is_closed(minimal);
}

static bool is_dragonfly(const struct routing *minimal)
{
	return minimal->type->minimal == MINIMAL_SHORTEST &&
	       topo_as_dragonfly(minimal->topo) != NULL;
}

static uint8_t *mark_groups(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	const struct dragonfly *df = topo_as_dragonfly(topo);
	uint8_t *marks = xcalloc((size_t)graph->nlinks * 2 + 1, 1);

	for (int64_t i = 0; i < graph->nlinks; i++) {
		const struct topo_link *link = &graph->links[i];
		int a = link->a - topo->nnodes, b = link->b - topo->nnodes;
		int kind = OF_A_ROW;

		if (link->level == LEVEL_GLOBAL)
			kind = IS_GLOBAL;
		else if (a >= 0 && b >= 0 && df->rows > 1 && a % df->columns == b % df->columns)
			kind = OF_A_COLUMN;
		marks[2 * i] = marks[2 * i + 1] = (uint8_t)kind;
	}
	return marks;
}

void vc_classes_open(struct vc_classes *classes, struct routing *minimal)
{
	*classes = (struct vc_classes){.kind = VC_ONE};
	if (is_tree_like(minimal))
		return;
	topo_graph(minimal->topo);
	if (is_grid(minimal)) {
		if (datelines_needed(minimal->topo)) {
			classes->kind = VC_BY_DATELINE;
			classes->marks = datelines_mark(minimal->topo);
		}
	} else if (is_dragonfly(minimal)) {
		classes->kind = VC_BY_GROUP;
		classes->marks = mark_groups(minimal->topo);
	} else if (circle_is_possible(minimal)) {
		classes->kind = VC_BY_HOP;
	}
}

void vc_classes_close(struct vc_classes *classes)
{
	free(classes->marks);
}

static int next_in_group(uint8_t mark, int *state)
{
	bool came_by_column = (*state & 1) != 0;
	int vc = *state / 2 + (came_by_column && mark == OF_A_ROW);

	*state = (vc + (mark == IS_GLOBAL)) * 2 + (mark == OF_A_COLUMN);
	return vc;
}

int vc_classes_next(const struct vc_classes *classes, int32_t channel, int *state)
{
	uint8_t ring = (uint8_t)*state;
	int vc = 0;

	switch (classes->kind) {
	case VC_ONE:
		break;
	case VC_BY_DATELINE:
		vc = dateline_vc(classes->marks[channel], &ring);
		*state = ring;
		break;
	case VC_BY_GROUP:
		vc = next_in_group(classes->marks[channel], state);
		break;
	case VC_BY_HOP:
		vc = (*state)++;
		break;
	}
	return vc < VC_MOST ? vc : VC_MOST;
}
