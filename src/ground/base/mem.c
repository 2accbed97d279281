/* mem.c - memory that is there or ends the program: blocks, arenas, growing arrays */
#include "base/mem.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/die.h"

struct arena_block {
	struct arena_block *older;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

enum { ARENA_FIRST = 4096, ARENA_MOST = 1 << 20 };

static void *have(void *p)
{
	if (p == NULL)
		die("out of memory");
	return p;
}

void *xmalloc(size_t n)
{
	return have(malloc(n ? n : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return have(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		die("out of memory");
	return have(realloc(old, n ? n : 1));
}

/* Whole huge pages; small blocks, and all where an address checker watches, come from malloc. */
enum { HUGE = 1 << 21, LINE = 64 };

#ifdef __SANITIZE_ADDRESS__
static const bool has_pages = false;
#else
static const bool has_pages = true;
#endif

static bool is_mapped(size_t n)
{
	return has_pages && n >= HUGE;
}

static size_t whole_pages(size_t n)
{
	if (n > SIZE_MAX - 2 * (size_t)HUGE)
		die("out of memory");
	return (n + HUGE - 1) / HUGE * HUGE;
}

/* n is a multiple of a huge page: n bytes aligned to one. */
static void *map_pages(size_t n)
{
	char *from =
		mmap(NULL, n + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *at = from + (HUGE - (uintptr_t)from % HUGE) % HUGE;

	if (from == MAP_FAILED)
		die("out of memory");
	if (at > from)
		munmap(from, (size_t)(at - from));
	munmap(at + n, (size_t)(from + HUGE - at));
	madvise(at, n, MADV_HUGEPAGE);
	return at;
}

void *xlarge(size_t n)
{
	void *p;

	if (is_mapped(n))
		return map_pages(whole_pages(n));
	if (posix_memalign(&p, LINE, n ? n : 1) != 0)
		die("out of memory");
	return memset(p, 0, n);
}

void *xlarge_grow(void *old, size_t nold, size_t n)
{
	void *p = xlarge(n);

	if (old == NULL)
		return p;
	if (!is_mapped(nold)) {
		memcpy(p, old, nold);
		free(old);
	} else if (mremap(old, whole_pages(nold), whole_pages(nold), MREMAP_MAYMOVE | MREMAP_FIXED,
			  p) == MAP_FAILED) {
		die("out of memory");
	}
	return p;
}

void *xlarge_double(void *old, int32_t *cap, size_t size)
{
	int32_t n = 1024;
	void *p;

	if (*cap > INT32_MAX / 2)
		die("out of memory");
	if (*cap > 0)
		n = *cap * 2;
	p = xlarge_grow(old, (size_t)*cap * size, (size_t)n * size);
	*cap = n;
	return p;
}

void xlarge_free(void *p, size_t n)
{
	if (p != NULL && is_mapped(n))
		munmap(p, whole_pages(n));
	else
		free(p);
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t n)
{
	char *copy = xmalloc(n + 1);

	memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	return text;
}

void *arena_alloc(struct arena *arena, size_t n)
{
	size_t align = alignof(max_align_t);
	struct arena_block *block = arena->block;

	n = (n + align - 1) / align * align;
	if (block == NULL || block->size - block->used < n) {
		size_t size = block == NULL ? ARENA_FIRST : block->size * 2;

		if (size > ARENA_MOST)
			size = ARENA_MOST;
		if (size < n)
			size = n;
		struct arena_block *fresh = xmalloc(sizeof(*fresh) + size);

		fresh->older = block;
		fresh->used = 0;
		fresh->size = size;
		arena->block = block = fresh;
	}
	block->used += n;
	return block->bytes + block->used - n;
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
	char *copy = arena_alloc(arena, n + 1);

	memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}

static void free_blocks(struct arena_block *block)
{
	while (block != NULL) {
		struct arena_block *older = block->older;

		free(block);
		block = older;
	}
}

void arena_reset(struct arena *arena)
{
	if (arena->block == NULL)
		return;
	free_blocks(arena->block->older);
	arena->block->older = NULL;
	arena->block->used = 0;
}

void arena_free(struct arena *arena)
{
	free_blocks(arena->block);
	arena->block = NULL;
}

void *vec_grow(void *at, size_t *cap, size_t want, size_t size)
{
	size_t more = *cap < 8 ? 8 : *cap + *cap / 2;

	if (more < want)
		more = want;
	at = xrealloc(at, more, size);
	*cap = more;
	return at;
}
