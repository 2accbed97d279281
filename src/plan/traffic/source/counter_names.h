/* counter_names.h - the columns of a header, found by name whatever their order and spelling */
#ifndef TRAFFIC_SOURCE_COUNTER_NAMES_H
#define TRAFFIC_SOURCE_COUNTER_NAMES_H

#include <stdbool.h>

#include "base/names.h"

enum counter_values {
	VALUES_CUMULATIVE, /* counts since boot or reset */
	VALUES_DELTA,      /* counts since the sample before */
	VALUES_RATE,       /* counts per second */
};

/*
 * Names as they are in the header. A blank and _ are the same (LDMS with HAVE_SPACELESS_NAMES),
 * and NAME.value is NAME (store_csv with userdata).
 */
struct counter_names {
	char *const *at; /* [n], not owned */
	int n;
	struct map columns;
};

void names_init(struct counter_names *names, char *const *at, int n);
void names_free(struct counter_names *names);

/* The column, or -1. The first of equal names counts. */
int names_find(const struct counter_names *names, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The column of a counter: of NAME.rate if rates are requested and there is one (before any
 * #instance), else of NAME, else of NAME.value. */
int names_find_counter(const struct counter_names *names, enum counter_values values,
		       const char *name);

#endif
