/* header.c - what to read from the lines under one header */
#include "traffic/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* The column behind another one, if it has that name; -1: it has not. */
static int right_of(const struct counter_names *names, int column, const char *name)
{
	int found = names_find(names, "%s", name);

	return column >= 0 && found == column + 1 ? found : -1;
}

/* The columns that say when and where; -1: none. */
static void find_ldms(struct header *header, const struct counter_names *names)
{
	int app;

	header->time = names_find(names, "Time");
	header->usec = names_find(names, "Time_usec");
	if (header->time < 0) {
		header->time = names_find(names, "Time_msec");
		header->is_msec = header->time >= 0;
	}
	header->dt = names_find(names, "DT");
	header->time_flag = names_find(names, "TimeFlag");
	header->producer = names_find(names, "ProducerName");
	header->component = names_find(names, "component_id");
	if (header->component < 0)
		header->component = names_find(names, "CompId");
	header->router = names_find(names, "aries_rtr_id");
	/* netsim's own, ahead of all counters */
	app = names_find(names, "app_id");
	header->run = right_of(names, app, "run");
	header->plane = right_of(names, header->run >= 0 ? header->run : app, "plane");
}

static void find_table(struct header *header, const struct counter_names *names)
{
	header->time = names_find(names, "time_s");
	header->producer = names_find(names, "component");
	header->run = names_find(names, "run");
	header->plane = names_find(names, "plane");
	header->usec = header->dt = header->time_flag = header->component = header->router = -1;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void want(struct header *header, int column)
{
	if (column >= 0)
		header->wanted[header->nwanted++] = column;
}

static int place_of(const struct header *header, int column)
{
	const int *at = column < 0 ? NULL
				   : bsearch(&column, header->wanted, (size_t)header->nwanted,
					     sizeof(int), by_number);

	return at != NULL ? (int)(at - header->wanted) : -1;
}

/* Sorts the columns to read, each once, and turns columns into places. */
static void settle(struct header *header)
{
	const struct source_plan *plan = &header->source;
	int *const fixed[] = {&header->time,      &header->usec,     &header->dt,
			      &header->time_flag, &header->producer, &header->component,
			      &header->router,    &header->run,      &header->plane};
	size_t nfixed = sizeof(fixed) / sizeof(fixed[0]);
	int n = 0;

	header->wanted = xcalloc(nfixed + 2 * plan->counters.n + plan->instance.n, sizeof(int));
	for (size_t i = 0; i < nfixed; i++)
		want(header, *fixed[i]);
	for (size_t i = 0; i < plan->counters.n; i++) {
		want(header, plan->counters.at[i].column);
		want(header, plan->counters.at[i].flag);
	}
	for (size_t i = 0; i < plan->instance.n; i++)
		want(header, plan->instance.at[i]);
	qsort(header->wanted, (size_t)header->nwanted, sizeof(int), by_number);
	for (int i = 0; i < header->nwanted; i++)
		if (n == 0 || header->wanted[n - 1] != header->wanted[i])
			header->wanted[n++] = header->wanted[i];
	header->nwanted = n;
	for (size_t i = 0; i < nfixed; i++)
		*fixed[i] = place_of(header, *fixed[i]);
	header->value = xcalloc(plan->counters.n, sizeof(int));
	header->flag = xcalloc(plan->counters.n, sizeof(int));
	header->instance = xcalloc(plan->instance.n, sizeof(int));
	for (size_t i = 0; i < plan->counters.n; i++) {
		header->value[i] = place_of(header, plan->counters.at[i].column);
		header->flag[i] = place_of(header, plan->counters.at[i].flag);
	}
	for (size_t i = 0; i < plan->instance.n; i++)
		header->instance[i] = place_of(header, plan->instance.at[i]);
}

/* Probes in order: equal texts are equal layouts. */
static int layout_of(struct header_set *set, const struct source_plan *plan)
{
	struct buf text = {0};
	int layout;

	for (size_t i = 0; i < plan->probes.n; i++) {
		const struct probe *probe = &plan->probes.at[i];

		buf_printf(&text, "%d %d %d %d %s\n", (int)probe->kind, probe->owner,
			   (int)probe->values, probe->ncounters, probe->label);
	}
	layout = (int)map_add(&set->layouts, buf_text(&text), text.n, (int64_t)set->layouts.n);
	buf_free(&text);
	return layout;
}

/* store_function_csv writes what its configuration computed under names of the site's choice. */
static int check_function_csv(const struct header *header, const struct pick *pick, struct err *err)
{
	bool has_flags = header->time_flag >= 0 || header->dt >= 0;

	if (!has_flags || pick_value(pick, "values")->is_given)
		return 0;
	return err_set(err,
		       "DT and TimeFlag: this is store_function_csv, whose values are deltas or "
		       "rates: say which, --source %s:values=delta or rate",
		       pick->entry->name);
}

static int fill(struct header *header, struct header_set *set, const struct counter_names *names,
		bool is_table, struct err *err)
{
	if (is_table)
		find_table(header, names);
	else
		find_ldms(header, names);
	if (header->time < 0)
		return err_set(err, "the header has no column Time or Time_msec");
	if (header->producer < 0 && header->component < 0 && header->router < 0)
		return err_set(err, "the header has no column ProducerName, "
				    "component_id or aries_rtr_id");
	if (source_plan_make(&header->source, set->options.source, names, set->options.per, err) !=
	    0)
		return -1;
	if (set->options.per == TRAFFIC_REGION && !(header->source.tick_s > 0))
		return err_set(err, "how long a stall count lasts is not known: --source %s:tick=",
			       set->options.source->entry->name);
	if (check_function_csv(header, set->options.source, err) != 0)
		return -1;
	header->ncolumns = names->n;
	header->layout = layout_of(set, &header->source);
	settle(header);
	return 0;
}

static void free_header(struct header *header)
{
	source_plan_free(&header->source);
	free(header->wanted);
	free(header->value);
	free(header->flag);
	free(header->instance);
	free(header);
}

const struct header *header_get(struct header_set *set, const char *line, size_t n,
				char *const *names, int nnames, bool is_table, struct err *err)
{
	int64_t known = map_get(&set->lines, line, n);
	struct counter_names found;
	struct header *header;
	int status;

	if (known >= 0)
		return set->all.at[known];
	header = xcalloc(1, sizeof(*header));
	names_init(&found, names, nnames);
	status = fill(header, set, &found, is_table, err);
	names_free(&found);
	if (status != 0) {
		free_header(header);
		return NULL;
	}
	map_add(&set->lines, line, n, (int64_t)set->all.n);
	vec_push(&set->all, header);
	return header;
}

void header_set_free(struct header_set *set)
{
	for (size_t i = 0; i < set->all.n; i++)
		free_header(set->all.at[i]);
	vec_free(&set->all);
	map_free(&set->lines);
	map_free(&set->layouts);
}
