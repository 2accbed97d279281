/* source_plan.c - from a header to what its columns mean */
#include <stdlib.h>
#include <string.h>

#include "traffic/source/source.h"

enum counter_values source_values(const struct pick *pick)
{
	if (pick_is(pick, "values", "delta"))
		return VALUES_DELTA;
	return pick_is(pick, "values", "rate") ? VALUES_RATE : VALUES_CUMULATIVE;
}

void plan_probe(struct source_plan *plan, enum probe_kind kind, int owner,
		enum counter_values values, const char *label)
{
	vec_push(&plan->probes, (struct probe){
					.kind = kind,
					.owner = owner,
					.label = arena_strndup(&plan->arena, label, strlen(label)),
					.values = values,
					.first = (int)plan->counters.n,
				});
}

void plan_counter(struct source_plan *plan, const struct counter_names *names, int column)
{
	struct counter counter = {.column = column,
				  .flag = names_find(names, "%s.Flag", names->at[column])};

	vec_push(&plan->counters, counter);
	plan->probes.at[plan->probes.n - 1].ncounters++;
}

int plan_probe_of(struct source_plan *plan, const struct counter_names *names, struct probe probe,
		  char list[][80], int n, struct err *err)
{
	const char *there = NULL, *absent = NULL;

	for (int i = 0; i < n; i++)
		if (names_find_counter(names, probe.values, list[i]) >= 0)
			there = list[i];
		else
			absent = list[i];
	if (there == NULL)
		return 0;
	if (absent != NULL)
		return err_set(err, "there is a column %s, but none %s", there, absent);
	plan_probe(plan, probe.kind, probe.owner, probe.values, probe.label);
	for (int i = 0; i < n; i++)
		plan_counter(plan, names, names_find_counter(names, probe.values, list[i]));
	return 1;
}

void source_plan_free(struct source_plan *plan)
{
	free(plan->probes.at);
	free(plan->counters.at);
	free(plan->instance.at);
	arena_free(&plan->arena);
	*plan = (struct source_plan){0};
}
