/* names.h - from names to small numbers */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Names are copied into the map. Zeroed is empty. Values are the caller's; -1 means absent. */
struct map {
	struct map_slot *slots;
	size_t nslots, n;
	struct map_names *names;
};

int64_t map_get(const struct map *map, const char *name, size_t n);
/* Sets the value of a name that is not there yet; else returns the value it has and changes
 * nothing. The value returned is the one that now holds. */
int64_t map_add(struct map *map, const char *name, size_t n, int64_t value);
void map_set(struct map *map, const char *name, size_t n, int64_t value);
void map_free(struct map *map);

#endif
