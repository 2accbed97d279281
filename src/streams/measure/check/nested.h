/* nested.h - whether jobs have their nodes in domains as they ask: within, slices, spread, together
 */
#ifndef MEASURE_CHECK_NESTED_H
#define MEASURE_CHECK_NESTED_H

#include "measure/check/check.h"
#include "model/domain_asks.h"

/* The first placed job of a group that is to share a domain. */
struct nested_group {
	const char *name;
	int *domains, ndomains; /* ascending */
};

/* Zeroed is empty. */
struct nested_check {
	struct map group_ids; /* run, policy and together → which of groups */
	VEC(struct nested_group) groups;
	struct arena arena;
};

void nested_texts(const struct checking *checking, const struct row *row,
		  struct domain_texts *texts);
/* Whether a job's units are GPUs: it has some, and shares its nodes. */
bool nested_units_are_gpus(const struct checking *checking, const struct row *row);
/* The units that a job has of each of its n nodes: 1, or its GPUs. */
void nested_units(const struct checking *checking, const struct row *row, int64_t *units, size_t n);

/* Counts the units of a placed job in the domains of each level that it names: nodes [n] of the
 * machine, -1: not known. What cannot be read is found, too. */
void nested_check(struct nested_check *nested, struct checking *checking, const struct row *row,
		  const int *nodes, size_t n);
void nested_free(struct nested_check *nested);

#endif
