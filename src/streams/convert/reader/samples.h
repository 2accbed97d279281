/* samples.h - samples that come counter by counter: rows once all columns are known */
#ifndef CONVERT_READER_SAMPLES_H
#define CONVERT_READER_SAMPLES_H

#include "convert/reader/reader.h"
#include "base/names.h"

/* One value of a row. */
struct sample_value {
	int column; /* number in .names */
	const char *text;
};

struct sample_row {
	int64_t time_ns;
	bool has_time;
	const char *component, *instance;
	size_t first, n; /* in .values */
};

/* Held until the end of the input, since a later row may have other counters. */
struct samples {
	struct flow *flow;
	VEC(struct sample_row) rows;
	VEC(struct sample_value) values;
	VEC(const char *) names; /* of counters, in order of appearance */
	struct map index;
	struct arena arena;
};

/* A new row; texts are copied. */
void samples_row(struct samples *samples, const char *component, const char *instance,
		 bool has_time, int64_t time_ns);
/* A value of the row that is open. Returns false when the row has that counter already. */
bool samples_put(struct samples *samples, const char *name, const char *text);
/* Emits the rows: time_s, component, the instance under its name, the counters. */
int samples_emit(struct samples *samples, const char *instance_name, struct err *err);
void samples_free(struct samples *samples);

#endif
