/* finalists.c - the mappings that are worth a simulation */
#include "map/finalists.h"

#include <limits.h>
#include <stdlib.h>

#include "base/die.h"

enum { REFINED = 4 /* of the other mappers' results, the best ones */ };

static char *name_of(const struct map_choice *choice)
{
	return choice->refiner != NULL ? xasprintf("%s/refine=%s", choice->policy, choice->refiner)
				       : xstrdup(choice->policy);
}

static int add_choice(struct map_rivals *rivals, const struct map_choice *choice, int *node_of,
		      struct err *err)
{
	if (map_run_nodes(rivals->in, choice, node_of, err) != 0)
		return -1;
	map_rivals_add(rivals, name_of(choice), node_of);
	return 0;
}

/* What the other mappers find; the best are refined. One that can't map this is left out. */
static void add_rivals(struct map_rivals *rivals, int *node_of)
{
	struct hybrid_terms *terms = xcalloc((size_t)map_policies.n, sizeof(*terms));
	bool *is_there = xcalloc((size_t)map_policies.n, sizeof(*is_there));

	for (int i = 0; i < map_policies.n; i++) {
		const struct map_policy *policy =
			(const struct map_policy *)map_policies.entries[i];
		struct map_choice choice = {.policy = policy->entry.name,
					    .refiner = map_refiner_none.entry.name};
		struct err why;

		if (policy->is_given)
			continue;
		is_there[i] = add_choice(rivals, &choice, node_of, &why) == 0;
		if (is_there[i])
			terms[i] = map_measure(rivals->in, node_of);
		else
			say("--finalists: %s: %s", choice.policy, why.msg);
	}
	for (int k = 0; k < REFINED; k++) {
		struct map_choice choice = {.refiner = map_refiner_congestion.entry.name};
		struct err why;
		int best = -1;

		for (int i = 0; i < map_policies.n; i++)
			if (is_there[i] &&
			    (best < 0 || map_aim_is_better(rivals->aim, &terms[i], &terms[best])))
				best = i;
		if (best < 0)
			break;
		is_there[best] = false;
		choice.policy = map_policies.entries[best]->name;
		if (add_choice(rivals, &choice, node_of, &why) != 0)
			say("--finalists: %s: %s", choice.policy, why.msg);
	}
	free(terms);
	free(is_there);
}

/* What the mapper compared with what it took. */
static void add_compared(struct map_rivals *rivals, const struct map_choice *choice,
			 const map_rival_list *compared)
{
	for (size_t i = 0; i < compared->n; i++) {
		const struct map_rival *one = &compared->at[i];
		char *name = one->is_own ? xasprintf("%s/%s", choice->policy, one->name)
					 : xstrdup(one->name);

		map_rivals_add(rivals, name, one->node_of);
	}
}

int map_finalists_find(map_rival_list *finalists, const struct map_input *in,
		       const struct map_choice *choice, const struct map_aim *aim, int n,
		       struct err *err)
{
	struct map_rivals rivals = {in, aim, (size_t)n, finalists};
	size_t nranks = (size_t)in->comm->nranks;
	int *taken = xmalloc((nranks + 1) * sizeof(*taken)), *node_of;
	map_rival_list compared = {0};
	char *name = name_of(choice);
	int status = map_run_compared(in, choice, taken, &compared, err);

	if (status == 0)
		map_rivals_add(&rivals, xstrdup(name), taken);
	if (status == 0 && nranks > 0) {
		node_of = xmalloc(nranks * sizeof(*node_of));
		map_rivals_add_digits(&rivals, n, UINT_MAX);
		add_rivals(&rivals, node_of);
		add_compared(&rivals, choice, &compared);
		map_rivals_put_first(&rivals, name, taken);
		free(node_of);
	}
	for (size_t i = 0; i < finalists->n && status == 0; i++)
		status = map_run_cores(in, choice, finalists->at[i].node_of,
				       &finalists->at[i].mapping, err);
	map_rival_list_free(&compared);
	free(taken);
	free(name);
	return status;
}
