/* node_policy.c - the registry of co-scheduling policies */
#include "cosched/policy/node_policy.h"

#include <string.h>

#define REGISTRY "cosched/policy/policies.def"
#define REGISTRY_TYPE struct node_policy
#define REGISTRY_PREFIX node_policy_
#include "base/registry_entries.h"

const struct registry node_policies = REGISTRY_OF("policies", "co-scheduling policy");

void node_policy_set(const struct pick *pick, struct node_rules *rules)
{
	const struct node_policy *policy = (const struct node_policy *)pick->entry;
	int32_t release_changed = rules->release_changed;

	memset(rules, 0, sizeof(*rules));
	rules->release_changed = release_changed;
	memcpy(rules->policy, policy->entry.name, strnlen(policy->entry.name, NODE_NAME - 1));
	policy->set(pick, rules);
}

const struct node_policy *node_policy_of(const struct node_state *state)
{
	return (const struct node_policy *)registry_find(&node_policies, state->rules.policy);
}
