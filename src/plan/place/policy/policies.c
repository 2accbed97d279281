/* policies.c - the registry of allocation policies */
#include "place/policy/policy.h"

#define REGISTRY "place/policy/policies.def"
#define REGISTRY_TYPE struct alloc_policy
#define REGISTRY_PREFIX alloc_policy_
#include "base/registry_entries.h"

const struct registry alloc_policies = REGISTRY_OF("policies", "allocation policy");
