/* source_plan.c - from a header to what its columns mean */
#include <stdlib.h>
#include <string.h>

#include "traffic/source/source.h"
#include "base/str.h"

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

/* 0: made; 1: the source knows none of the columns; -1: it knows some, and lacks others. */
static int make(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	const struct source *source = (const struct source *)pick->entry;
	int status;

	*plan = (struct source_plan){.traffic_scale = 1, .stall_unit = 1};
	status = source->plan(plan, pick, names, per, err);
	if (status == 0 && plan->probes.n > 0)
		return 0;
	source_plan_free(plan);
	return status == 0 ? 1 : -1;
}

/* The next one to ask, highest priority first. */
static const struct entry *next_source(const struct entry *last)
{
	int limit = last != NULL ? ((const struct source *)last)->priority : 1 << 20, best = 0;
	const struct entry *next = NULL;

	for (int i = 0; i < sources.n; i++) {
		int priority = ((const struct source *)sources.entries[i])->priority;

		if (priority < limit && priority > best) {
			best = priority;
			next = sources.entries[i];
		}
	}
	return next;
}

static int find_source(struct source_plan *plan, struct pick *pick,
		       const struct counter_names *names, enum traffic_per per, struct err *err)
{
	for (const struct entry *entry = NULL; (entry = next_source(entry)) != NULL;) {
		int status = pick_parse(pick, &sources, entry->name, err);

		if (status == 0)
			status = make(plan, pick, names, per, err);
		if (status == 0)
			return 0;
		pick_free(pick);
		*pick = (struct pick){0};
		if (status < 0)
			return err_prefix(err, "read as source %s: ", entry->name);
	}
	return err_set(err,
		       "no source knows these columns; --list=sources shows what there is, and "
		       "--source counters:traffic=NAME+NAME reads any");
}

int source_plan_make(struct source_plan *plan, struct pick *pick, const struct counter_names *names,
		     enum traffic_per per, struct err *err)
{
	int status;

	if (pick->entry == NULL)
		return find_source(plan, pick, names, per, err);
	status = make(plan, pick, names, per, err);
	if (status < 0)
		return err_prefix(err, "source %s: ", pick->entry->name);
	return status == 0 ? 0
			   : err_set(err, "the source %s finds none of its counters in the columns",
				     pick->entry->name);
}
