/* classifier.h - a logistic model of columns of profiles: how likely an application is sensitive */
#ifndef TRAFFIC_CLASSIFY_CLASSIFIER_H
#define TRAFFIC_CLASSIFY_CLASSIFIER_H

#include "base/mem.h"
#include "formats/table.h"

/*
 * Zhang et al., NeDD, §VI: machine learning in place of the threshold. A column counts by its
 * distance from the mean of the rows that the model was trained with, in their standard deviations;
 * a value that is missing is the mean.
 */
struct classifier_term {
	char *column; /* owned by the classifier; NULL: the intercept */
	double weight, mean, sd;
};

struct classifier {
	VEC(struct classifier_term) terms; /* the intercept first */
};

/* Where a stream has the columns of a classifier. */
struct classifier_columns {
	int *at; /* [terms.n], the first of no meaning */
};

struct classifier_how {
	const char
		*columns; /* with commas; NULL: those fractions of a profile that the input has */
	double ridge;
	double tolerance; /* a slowdown above it is sensitive */
};

/* Trains by the profiles of in that have a slowdown. */
int classifier_train(struct classifier *model, struct table_in *in,
		     const struct classifier_how *how, struct err *err);
/* A stream of kind classifier. */
int classifier_read(struct classifier *model, const char *path, bool accepts_partial,
		    struct err *err);
void classifier_write(const struct classifier *model, struct table_out *table);
void classifier_free(struct classifier *model);

/* Finds the columns; -1: a column that the model needs is not there. */
int classifier_bind(const struct classifier *model, struct classifier_columns *columns,
		    const struct table_in *in, struct err *err);
void classifier_unbind(struct classifier_columns *columns);
/* The probability that the row is sensitive. Returns 0, or -1: a value is not a number. */
int classifier_ask(const struct classifier *model, const struct classifier_columns *columns,
		   const struct row *row, double *probability, struct err *err);

#endif
