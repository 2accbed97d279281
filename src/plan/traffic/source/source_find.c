/* source_find.c - the source that knows the columns of a header */
#include "traffic/source/source.h"

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
