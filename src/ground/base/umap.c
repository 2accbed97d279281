/* umap.c - from whole numbers to whole numbers, with removal: what is outstanding */
#include "base/umap.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

struct umap_slot {
	uint64_t key;
	int64_t value;
	bool used;
};

enum { FIRST_SLOTS = 32 };

/* Where key is, or the free slot where it would be. */
static size_t find(const struct umap *map, uint64_t key)
{
	size_t i = (size_t)u64_mix(key);

	for (;; i++) {
		i &= map->nslots - 1;
		if (!map->slots[i].used || map->slots[i].key == key)
			return i;
	}
}

static void grow(struct umap *map)
{
	struct umap old = *map;

	map->nslots = old.nslots > 0 ? 2 * old.nslots : FIRST_SLOTS;
	map->slots = xcalloc(map->nslots, sizeof(*map->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].used)
			map->slots[find(map, old.slots[i].key)] = old.slots[i];
	free(old.slots);
}

bool umap_get(const struct umap *map, uint64_t key, int64_t *value)
{
	size_t i;

	if (map->n == 0)
		return false;
	i = find(map, key);
	if (map->slots[i].used)
		*value = map->slots[i].value;
	return map->slots[i].used;
}

void umap_set(struct umap *map, uint64_t key, int64_t value)
{
	size_t i;

	if (2 * (map->n + 1) > map->nslots)
		grow(map);
	i = find(map, key);
	map->n += !map->slots[i].used;
	map->slots[i] = (struct umap_slot){key, value, true};
}

bool umap_take(struct umap *map, uint64_t key, int64_t *value)
{
	size_t hole, mask = map->nslots - 1;

	if (!umap_get(map, key, value))
		return false;
	hole = find(map, key);
	/* what was pushed past the hole moves back, so that it is found again */
	for (size_t i = (hole + 1) & mask; map->slots[i].used; i = (i + 1) & mask) {
		size_t home = (size_t)u64_mix(map->slots[i].key) & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			map->slots[hole] = map->slots[i];
			hole = i;
		}
	}
	map->slots[hole].used = false;
	map->n--;
	return true;
}

void umap_clear(struct umap *map)
{
	for (size_t i = 0; map->n > 0 && i < map->nslots; i++)
		map->slots[i].used = false;
	map->n = 0;
}

void umap_free(struct umap *map)
{
	free(map->slots);
	*map = (struct umap){0};
}
