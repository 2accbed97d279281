/* umap.h - from whole numbers to whole numbers, with removal: what is outstanding */
#ifndef BASE_UMAP_H
#define BASE_UMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed is empty. */
struct umap {
	struct umap_slot *slots;
	size_t nslots, n;
};

/* Whether key is there; then *value is what it has. */
bool umap_get(const struct umap *map, uint64_t key, int64_t *value);
void umap_set(struct umap *map, uint64_t key, int64_t value); /* adds or replaces */
/* As umap_get, and takes it out. */
bool umap_take(struct umap *map, uint64_t key, int64_t *value);
void umap_clear(struct umap *map); /* keeps the memory */
void umap_free(struct umap *map);

#endif
