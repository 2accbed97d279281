/* registry.c - finding entries by name */
#include "base/registry.h"

#include <stddef.h>
#include <string.h>

#include "base/str.h"

static bool has_alias(const char *aliases, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = aliases; p != NULL && *p != '\0';) {
		size_t len = strcspn(p, ",");

		if (len == n && memcmp(p, name, n) == 0)
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

const struct entry *registry_find(const struct registry *registry, const char *name)
{
	for (int i = 0; i < registry->n; i++)
		if (str_eq(registry->entries[i]->name, name) ||
		    has_alias(registry->entries[i]->aliases, name))
			return registry->entries[i];
	return NULL;
}

void registry_near(const struct registry *registry, struct near_name *near)
{
	for (int i = 0; i < registry->n; i++) {
		const struct entry *entry = registry->entries[i];

		near_try(near, entry->name, strlen(entry->name));
		if (entry->aliases != NULL)
			near_try_all(near, entry->aliases, ',');
	}
}

const char *registry_of_file(const struct registry *registry, const char *path,
			     const char *otherwise)
{
	char ending[NEAR_NAME];
	const struct entry *entry =
		str_ending(path, ending, sizeof(ending)) ? registry_find(registry, ending) : NULL;

	return entry != NULL ? entry->name : otherwise;
}
