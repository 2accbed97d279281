/* names.c - from names to small numbers: open addressing, linear probing */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct map_slot {
	const char *name; /* NULL: free */
	size_t n;
	uint64_t hash;
	int64_t value;
};

struct map_names {
	struct arena arena;
};

static struct map_slot *find(const struct map *map, const char *name, size_t n, uint64_t hash)
{
	size_t mask = map->nslots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct map_slot *slot = &map->slots[i];

		if (slot->name == NULL ||
		    (slot->hash == hash && slot->n == n && memcmp(slot->name, name, n) == 0))
			return slot;
	}
}

static void grow(struct map *map)
{
	struct map old = *map;

	map->nslots = old.nslots ? old.nslots * 2 : 16;
	map->slots = xcalloc(map->nslots, sizeof(*map->slots));
	if (map->names == NULL)
		map->names = xcalloc(1, sizeof(*map->names));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].name != NULL)
			*find(map, old.slots[i].name, old.slots[i].n, old.slots[i].hash) =
				old.slots[i];
	free(old.slots);
}

int64_t map_get(const struct map *map, const char *name, size_t n)
{
	const struct map_slot *slot;

	if (map->n == 0)
		return -1;
	slot = find(map, name, n, str_hash(name, n));
	return slot->name != NULL ? slot->value : -1;
}

static struct map_slot *find_or_add(struct map *map, const char *name, size_t n, int64_t value)
{
	uint64_t hash = str_hash(name, n);
	struct map_slot *slot;

	if (map->n * 3 >= map->nslots * 2)
		grow(map);
	slot = find(map, name, n, hash);
	if (slot->name == NULL) {
		*slot = (struct map_slot){
			.name = arena_strndup(&map->names->arena, name, n),
			.n = n,
			.hash = hash,
			.value = value,
		};
		map->n++;
	}
	return slot;
}

int64_t map_add(struct map *map, const char *name, size_t n, int64_t value)
{
	return find_or_add(map, name, n, value)->value;
}

void map_set(struct map *map, const char *name, size_t n, int64_t value)
{
	find_or_add(map, name, n, value)->value = value;
}

void map_free(struct map *map)
{
	free(map->slots);
	if (map->names != NULL)
		arena_free(&map->names->arena);
	free(map->names);
	*map = (struct map){0};
}
