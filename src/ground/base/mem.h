/* mem.h - memory that is there or ends the program: blocks, arenas, growing arrays */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Never NULL: out of memory ends the program with status 2. Sizes are checked for overflow. */
void *xmalloc(size_t n);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t count, size_t size);
/*
 * For large arrays: zeroed, aligned to cache lines, in huge pages where the system has them.
 * Growing moves pages where it would copy bytes, and untouched pages cost nothing.
 */
void *xlarge(size_t n);
/* n ≥ nold, the size that old was made with; NULL and 0: a new one. */
void *xlarge_grow(void *old, size_t nold, size_t n);
/* Twice the room, from 1 024 entries of size bytes on; *cap: entries, becomes what there are. */
void *xlarge_double(void *old, int32_t *cap, size_t size);
void xlarge_free(void *p, size_t n); /* NULL is allowed */
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* An arena hands out memory that is given back all at once. Zeroed: struct arena a = {0}. */
struct arena {
	struct arena_block *block;
};
void *arena_alloc(struct arena *arena, size_t n); /* aligned for any type, not zeroed */
char *arena_strndup(struct arena *arena, const char *text, size_t n);
void arena_reset(struct arena *arena); /* forget the contents, keep the largest block */
void arena_free(struct arena *arena);

/* A growing array: VEC(int) v = {0}; vec_push(&v, 3); v.at[0]; free(v.at). */
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t n, cap;                                                                     \
	}
#define vec_reserve(v, want)                                                                       \
	((v)->cap < (want)                                                                         \
		 ? (void)((v)->at = vec_grow((v)->at, &(v)->cap, (want), sizeof(*(v)->at)))        \
		 : (void)0)
#define vec_push(v, ...) (vec_reserve(v, (v)->n + 1), (void)((v)->at[(v)->n++] = (__VA_ARGS__)))
#define vec_free(v) (free((v)->at), (void)((v)->at = NULL, (v)->n = (v)->cap = 0))
void *vec_grow(void *at, size_t *cap, size_t want, size_t size);

/* Fetches at[i] into the cache, to be written; harmless where there is no such element. */
#define fetch_ahead(at, i)                                                                         \
	__builtin_prefetch((const void *)((uintptr_t)(at) + (size_t)(i) * sizeof(*(at))), 1)

#endif
