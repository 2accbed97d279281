/* classifier.c - a logistic model of columns of profiles: read, written, asked */
#include "traffic/classify/classifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/kinds.h"
#include "traffic/classify/logistic.h"

#define INTERCEPT "(intercept)"

static int read_term(struct classifier *model, const int columns[4], const struct row *row,
		     struct err *err)
{
	const char *name = row_text(row, columns[0]);
	struct classifier_term term = {.sd = 1};
	bool is_first = model->terms.n == 0;

	if (is_first != str_eq(name, INTERCEPT))
		return row_error(row, err, "expected the column '%s' first and once", INTERCEPT);
	for (size_t i = 1; i < model->terms.n; i++)
		if (str_eq(model->terms.at[i].column, name))
			return row_error(row, err, "the column '%s' is there twice", name);
	if (row_real(row, columns[1], "weight", -1e300, 1e300, &term.weight, err) < 0)
		return -1;
	if (!is_first && (row_real(row, columns[2], "mean", -1e300, 1e300, &term.mean, err) < 0 ||
			  row_real(row, columns[3], "sd", 0, 1e300, &term.sd, err) < 0))
		return -1;
	if (term.sd <= 0)
		return row_error(row, err, "sd is 0; expected a column that differs between rows");
	term.column = is_first ? NULL : xstrdup(name);
	vec_push(&model->terms, term);
	return 0;
}

static int read_terms(struct classifier *model, struct table_in *in, struct err *err)
{
	const int columns[4] = {table_find(in, "column"), table_find(in, "weight"),
				table_find(in, "mean"), table_find(in, "sd")};
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1)
		if (read_term(model, columns, &row, err) != 0)
			return -1;
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "%s", "a truncated model is not used");
	if (status == 0 && model->terms.n == 0)
		return err_set(err, "%s", "the model is empty");
	return status;
}

int classifier_read(struct classifier *model, const char *path, bool accepts_partial,
		    struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_classifier, NULL};
	struct table_in *in;
	int status;

	*model = (struct classifier){0};
	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	status = read_terms(model, in, err);
	table_close(in);
	if (status != 0)
		classifier_free(model);
	return status;
}

/* To nine digits: the rest is noise of the exponentials. */
static double rounded(double x)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", x);
	num_real(text, -1e308, 1e308, &x);
	return x;
}

void classifier_write(const struct classifier *model, struct table_out *table)
{
	int column = table_out_column(table, "column"), weight = table_out_column(table, "weight");
	int mean = table_out_column(table, "mean"), sd = table_out_column(table, "sd");

	for (size_t i = 0; i < model->terms.n; i++) {
		const struct classifier_term *term = &model->terms.at[i];

		table_out_text(table, column, term->column != NULL ? term->column : INTERCEPT);
		table_out_real(table, weight, rounded(term->weight));
		if (term->column != NULL) {
			table_out_real(table, mean, rounded(term->mean));
			table_out_real(table, sd, rounded(term->sd));
		}
		table_out_emit(table);
	}
}

void classifier_free(struct classifier *model)
{
	for (size_t i = 0; i < model->terms.n; i++)
		free(model->terms.at[i].column);
	vec_free(&model->terms);
}

int classifier_bind(const struct classifier *model, struct classifier_columns *columns,
		    const struct table_in *in, struct err *err)
{
	columns->at = xcalloc(model->terms.n, sizeof(*columns->at));
	for (size_t i = 1; i < model->terms.n; i++) {
		columns->at[i] = table_find(in, model->terms.at[i].column);
		if (columns->at[i] >= 0)
			continue;
		err_set(err, "the profiles have no column '%s', which the model needs",
			model->terms.at[i].column);
		classifier_unbind(columns);
		return -1;
	}
	return 0;
}

void classifier_unbind(struct classifier_columns *columns)
{
	free(columns->at);
	columns->at = NULL;
}

int classifier_ask(const struct classifier *model, const struct classifier_columns *columns,
		   const struct row *row, double *probability, struct err *err)
{
	double score = model->terms.at[0].weight;

	for (size_t i = 1; i < model->terms.n; i++) {
		const struct classifier_term *term = &model->terms.at[i];
		double value;
		int has = row_real(row, columns->at[i], term->column, -1e300, 1e300, &value, err);

		if (has < 0)
			return -1;
		if (has == 1)
			score += term->weight * (value - term->mean) / term->sd;
	}
	*probability = logistic(score);
	return 0;
}
