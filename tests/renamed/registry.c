/* registry.c - linked into the tools of tests/renamed.tap: every entry has another name
 *
 * The linker calls this in place of registry_find (--wrap). What is found is a copy of the entry
 * whose name begins with "renamed-", so that whoever asks an entry for its name gets another
 * answer than in the tools themselves. Entries of registries without size have names that mean
 * files; they stay. */
#include "base/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define MARK "renamed-"

const struct entry *__real_registry_find(const struct registry *registry, const char *name);
const struct entry *__wrap_registry_find(const struct registry *registry, const char *name);

struct copy {
	const struct entry *original;
	struct entry *entry;
	struct copy *next;
};
static struct copy *copies;

static struct copy *copy_of(const struct registry *registry, const struct entry *entry)
{
	struct copy *copy = xcalloc(1, sizeof(*copy));

	copy->original = entry;
	copy->entry = xmalloc(registry->size);
	memcpy(copy->entry, entry, registry->size);
	copy->entry->name = xasprintf(MARK "%s", entry->name);
	copy->next = copies;
	copies = copy;
	return copy;
}

const struct entry *__wrap_registry_find(const struct registry *registry, const char *name)
{
	const struct entry *entry;

	if (strncmp(name, MARK, strlen(MARK)) == 0)
		name += strlen(MARK);
	entry = __real_registry_find(registry, name);
	if (entry == NULL || registry->size == 0)
		return entry;
	for (struct copy *copy = copies; copy != NULL; copy = copy->next)
		if (copy->original == entry)
			return copy->entry;
	return copy_of(registry, entry)->entry;
}
