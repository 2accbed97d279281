/* policies.c - the registry of allocation policies */
#include "place/policy/policy.h"

#include <string.h>

#define REGISTRY "place/policy/policies.def"
#define REGISTRY_TYPE struct alloc_policy
#define REGISTRY_PREFIX alloc_policy_
#include "base/registry_entries.h"

const struct registry alloc_policies = REGISTRY_OF("policies", "allocation policy");

const char *alloc_policy_in(const char *column, const char *text)
{
	const struct entry *entry =
		strcmp(column, "policy") == 0 ? registry_find(&alloc_policies, text) : NULL;

	return entry != NULL ? entry->name : text;
}
