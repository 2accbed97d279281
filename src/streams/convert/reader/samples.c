/* samples.c - samples that come counter by counter: rows once all columns are known */
#include "convert/reader/samples.h"

#include <stdlib.h>
#include <string.h>

void samples_row(struct samples *samples, const char *component, const char *instance,
		 bool has_time, int64_t time_ns)
{
	struct sample_row row = {
		.time_ns = time_ns,
		.has_time = has_time,
		.component = arena_strndup(&samples->arena, component, strlen(component)),
		.instance = arena_strndup(&samples->arena, instance, strlen(instance)),
		.first = samples->values.n,
	};

	vec_push(&samples->rows, row);
}

bool samples_put(struct samples *samples, const char *name, const char *text)
{
	struct sample_row *row = &samples->rows.at[samples->rows.n - 1];
	size_t n = strlen(name);
	int64_t column = map_add(&samples->index, name, n, (int64_t)samples->names.n);

	if (column == (int64_t)samples->names.n)
		vec_push(&samples->names, arena_strndup(&samples->arena, name, n));
	for (size_t i = row->first; i < samples->values.n; i++)
		if (samples->values.at[i].column == (int)column)
			return false;
	vec_push(&samples->values,
		 (struct sample_value){(int)column,
				       arena_strndup(&samples->arena, text, strlen(text))});
	row->n++;
	return true;
}

int samples_emit(struct samples *samples, const char *instance_name, struct err *err)
{
	struct flow *flow = samples->flow;
	int time = flow_column(flow, "time_s"), component = flow_column(flow, "component");
	int instance = flow_column(flow, instance_name);
	int *columns = xcalloc(samples->names.n, sizeof(*columns));
	int status = 0;

	for (size_t i = 0; i < samples->names.n; i++)
		columns[i] = flow_column(flow, samples->names.at[i]);
	for (size_t i = 0; i < samples->rows.n && status == 0; i++) {
		const struct sample_row *row = &samples->rows.at[i];

		flow_seconds(flow, time, row->time_ns);
		flow_text(flow, component, row->component);
		flow_text(flow, instance, row->instance);
		for (size_t k = row->first; k < row->first + row->n; k++)
			flow_text(flow, columns[samples->values.at[k].column],
				  samples->values.at[k].text);
		status = flow_emit(flow, err);
	}
	free(columns);
	return status;
}

void samples_free(struct samples *samples)
{
	free(samples->rows.at);
	free(samples->values.at);
	free(samples->names.at);
	map_free(&samples->index);
	arena_free(&samples->arena);
}
