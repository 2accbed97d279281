/* coming.c - messages that come from other partitions, by their source and number */
#include "sim/network/coming.h"

#include <string.h>

void coming_close(struct coming *coming)
{
	umap_free(&coming->place_of);
	pool_close(coming);
}

static uint64_t key_of(int part, uint32_t serial)
{
	return (uint64_t)part << 32 | serial >> COMING_PAGE_BITS;
}

/* The page; NULL: there is none. */
static struct coming_page *page_of(const struct coming *coming, int part, uint32_t serial)
{
	int64_t place;

	return umap_get(&coming->place_of, key_of(part, serial), &place) ? &coming->at[place]
									 : NULL;
}

static int32_t *entry_of(struct coming_page *page, uint32_t serial)
{
	return &page->message[serial % COMING_PAGE];
}

void coming_add(struct coming *coming, int part, uint32_t serial, int32_t message)
{
	struct coming_page *page = page_of(coming, part, serial);

	if (page == NULL) {
		int32_t place = pool_take(coming);

		umap_set(&coming->place_of, key_of(part, serial), place);
		page = &coming->at[place];
		memset(page->message, 0xff, sizeof(page->message)); /* NOBODY */
		page->n = 0;
	}
	*entry_of(page, serial) = message;
	page->n++;
}

int32_t coming_get(const struct coming *coming, int part, uint32_t serial)
{
	struct coming_page *page = page_of(coming, part, serial);

	return page != NULL ? *entry_of(page, serial) : NOBODY;
}

void coming_remove(struct coming *coming, int part, uint32_t serial)
{
	struct coming_page *page = page_of(coming, part, serial);
	int64_t place;

	*entry_of(page, serial) = NOBODY;
	if (--page->n > 0)
		return;
	umap_take(&coming->place_of, key_of(part, serial), &place);
	pool_give(coming, place);
}

void coming_clear(struct coming *coming)
{
	umap_clear(&coming->place_of);
	pool_drop(coming);
}
