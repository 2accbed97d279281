/* registry.c - finding entries by name */
#include "base/registry.h"

#include <stddef.h>
#include <stdio.h>
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

const char *registry_of_file(const struct registry *registry, const char *path,
			     const char *otherwise)
{
	const char *name = path != NULL ? strrchr(path, '/') : NULL;
	const struct entry *entry = NULL;
	char ending[16];
	size_t n;

	name = name != NULL ? name + 1 : path;
	n = name != NULL ? strlen(name) : 0;
	if (n > 3 && memcmp(name + n - 3, ".gz", 3) == 0)
		n -= 3;
	for (size_t i = n; i-- > 1;)
		if (name[i] == '.' && n - i - 1 < sizeof(ending)) {
			snprintf(ending, sizeof(ending), "%.*s", (int)(n - i - 1), name + i + 1);
			entry = registry_find(registry, ending);
			break;
		}
	return entry != NULL ? entry->name : otherwise;
}
