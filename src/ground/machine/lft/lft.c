/* lft.c - forwarding tables of switches */
#include "machine/lft/lft.h"

void lft_free(struct lft *lft)
{
	vec_free(&lft->switches);
	vec_free(&lft->entries);
	arena_free(&lft->arena);
}

int lft_add_switch(struct lft *lft, uint64_t guid, int lid, const char *file, long line)
{
	vec_push(&lft->switches,
		 (struct lft_switch){.guid = guid, .lid = lid, .file = file, .line = line});
	return (int)lft->switches.n - 1;
}

void lft_add_entry(struct lft *lft, int sw, int lid, int port, long line)
{
	vec_push(&lft->entries, (struct lft_entry){sw, lid, port, line});
	lft->switches.at[sw].nentries++;
}
