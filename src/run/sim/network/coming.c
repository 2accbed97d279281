/* coming.c - messages that come from other partitions, by their source and number */
#include "sim/network/coming.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_NUMBERS = 1 << (32 - COMING_PAGE_BITS) }; /* then they begin again */

void coming_close(struct coming *coming)
{
	for (int i = 0; i < coming->nrings; i++)
		free(coming->rings[i].at);
	free(coming->rings);
	pool_close(coming);
}

/* How far the page is behind the ring's first one. */
static uint32_t distance(const struct coming_ring *ring, uint32_t serial)
{
	return ((serial >> COMING_PAGE_BITS) - ring->first) % PAGE_NUMBERS;
}

static void double_ring(struct coming_ring *ring)
{
	uint32_t mask = ring->at == NULL ? 15 : ring->mask * 2 + 1;
	struct coming_place *at = xmalloc(((size_t)mask + 1) * sizeof(*at));

	for (uint32_t i = 0; i < ring->n; i++)
		at[(ring->first + i) & mask] = ring->at[(ring->first + i) & ring->mask];
	free(ring->at);
	ring->at = at;
	ring->mask = mask;
}

static struct coming_ring *ring_of(struct coming *coming, int part)
{
	int n = part + 1;

	if (part < coming->nrings)
		return &coming->rings[part];
	coming->rings = xrealloc(coming->rings, (size_t)n, sizeof(*coming->rings));
	memset(&coming->rings[coming->nrings], 0,
	       (size_t)(n - coming->nrings) * sizeof(*coming->rings));
	coming->nrings = n;
	return &coming->rings[part];
}

/* The ring reaches up to the page. */
static void reach(struct coming_ring *ring, uint32_t serial)
{
	if (ring->n == 0)
		ring->first = serial >> COMING_PAGE_BITS;
	while (distance(ring, serial) >= ring->n) {
		if (ring->at == NULL || ring->n > ring->mask)
			double_ring(ring);
		ring->at[(ring->first + ring->n++) & ring->mask] =
			(struct coming_place){.page = NOBODY};
	}
}

void coming_add(struct coming *coming, int part, uint32_t serial, int32_t message)
{
	struct coming_place *place;

	reach(ring_of(coming, part), serial);
	place = coming_place(coming, part, serial);
	if (place->page == NOBODY)
		place->page = pool_take(coming);
	place->n++;
	*coming_at(coming, part, serial) = message;
}

void coming_remove(struct coming *coming, int part, uint32_t serial)
{
	struct coming_ring *ring = &coming->rings[part];
	struct coming_place *place = coming_place(coming, part, serial);

	if (--place->n > 0)
		return;
	pool_give(coming, place->page);
	place->page = NOBODY;
	while (ring->n > 0 && ring->at[ring->first & ring->mask].page == NOBODY) {
		ring->first++;
		ring->n--;
	}
}

void coming_clear(struct coming *coming)
{
	for (int i = 0; i < coming->nrings; i++)
		coming->rings[i].n = 0;
	pool_drop(coming);
}
