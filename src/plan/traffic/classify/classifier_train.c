/* classifier_train.c - a logistic model of columns of profiles, from those that have a slowdown */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "traffic/classify/classifier.h"
#include "traffic/classify/logistic.h"

/* Rows as they are read: x is NAN where a value is missing. */
struct training {
	VEC(double) x;
	VEC(bool) y;
	size_t nwithout, nmissing; /* rows without a slowdown; values that are missing */
	int *columns;              /* [k] */
	int k;
};

static void add_term(struct classifier *model, struct training *training, const char *name, int at)
{
	vec_push(&model->terms, (struct classifier_term){.column = xstrdup(name)});
	training->columns =
		xrealloc(training->columns, (size_t)training->k + 1, sizeof(*training->columns));
	training->columns[training->k++] = at;
}

/* The fractions that the input has, of those that a profile can have. */
static void take_fractions(struct classifier *model, struct training *training,
			   const struct table_in *in)
{
	static const char *const names[] = {"mpi_fraction", "allreduce_fraction",
					    "sendrecv_fraction", "wait_fraction", "other_fraction"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int at = table_find(in, names[i]);

		if (at >= 0)
			add_term(model, training, names[i], at);
	}
}

static int take_columns(struct classifier *model, struct training *training,
			const struct table_in *in, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *name;
	int status = 0;

	while (status == 0 && (name = strsep(&rest, ",")) != NULL) {
		int at = table_find(in, name);

		for (int j = 0; j < training->k && status == 0; j++)
			if (training->columns[j] == at && at >= 0)
				status = err_set(err, "--columns: '%s' is there twice", name);
		if (status == 0 && (at < 0 || str_eq(name, "slowdown")))
			status = err_set(err,
					 "--columns: '%s' is not a column to learn from; expected "
					 "columns of the profiles, with commas",
					 name);
		if (status == 0)
			add_term(model, training, name, at);
	}
	free(copy);
	return status;
}

static int read_row(struct training *training, const struct classifier *model,
		    const struct row *row, int slowdown, double tolerance, struct err *err)
{
	double value;
	int has = row_real(row, slowdown, "slowdown", 0, 1e300, &value, err);

	if (has < 0)
		return -1;
	if (has == 0) {
		training->nwithout++;
		return 0;
	}
	vec_push(&training->y, value > tolerance);
	for (int j = 0; j < training->k; j++) {
		has = row_real(row, training->columns[j], model->terms.at[j + 1].column, -1e300,
			       1e300, &value, err);
		if (has < 0)
			return -1;
		training->nmissing += has == 0;
		vec_push(&training->x, has == 1 ? value : (double)NAN);
	}
	return 0;
}

/* Mean and standard deviation (of the rows, not an estimate: n below) of the values that are there;
 * then x is what the model counts. */
static int standardise(struct training *training, struct classifier *model, struct err *err)
{
	size_t n = training->y.n, k = (size_t)training->k;

	for (size_t j = 0; j < k; j++) {
		struct classifier_term *term = &model->terms.at[j + 1];
		double sum = 0, squares = 0;
		size_t count = 0;

		for (size_t i = 0; i < n; i++)
			if (!isnan(training->x.at[i * k + j])) {
				sum += training->x.at[i * k + j];
				count++;
			}
		term->mean = count > 0 ? sum / (double)count : 0;
		for (size_t i = 0; i < n; i++)
			if (!isnan(training->x.at[i * k + j]))
				squares += pow(training->x.at[i * k + j] - term->mean, 2);
		term->sd = count > 0 ? sqrt(squares / (double)count) : 0;
		if (term->sd <= 1e-12 * fabs(term->mean))
			return err_set(err,
				       "the column '%s' is the same in all rows: there is nothing "
				       "to learn from it",
				       term->column);
		for (size_t i = 0; i < n; i++) {
			double *x = &training->x.at[i * k + j];

			*x = isnan(*x) ? 0 : (*x - term->mean) / term->sd;
		}
	}
	return 0;
}

static int fit(struct training *training, struct classifier *model, double ridge, struct err *err)
{
	struct logistic_data data = {training->x.at, training->y.at, training->y.n, training->k};
	double *weights;
	size_t nsensitive = 0;
	int status;

	for (size_t i = 0; i < training->y.n; i++)
		nsensitive += training->y.at[i];
	if (nsensitive == 0 || nsensitive == training->y.n)
		return err_set(err,
			       "%zu of %zu profiles with a slowdown are sensitive; expected some "
			       "of both kinds",
			       nsensitive, training->y.n);
	if (standardise(training, model, err) != 0)
		return -1;
	weights = xcalloc(model->terms.n, sizeof(*weights));
	status = logistic_fit(&data, ridge, weights, err);
	for (size_t i = 0; i < model->terms.n && status == 0; i++)
		model->terms.at[i].weight = weights[i];
	free(weights);
	return status;
}

static int train(struct classifier *model, struct training *training, struct table_in *in,
		 const struct classifier_how *how, struct err *err)
{
	int slowdown = table_find(in, "slowdown"), status = 0;
	struct row row;

	vec_push(&model->terms, (struct classifier_term){.sd = 1});
	if (how->columns == NULL)
		take_fractions(model, training, in);
	else if (take_columns(model, training, in, how->columns, err) != 0)
		return -1;
	while ((status = table_next(in, &row, err)) == 1)
		if (read_row(training, model, &row, slowdown, how->tolerance, err) != 0)
			return -1;
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "%s", "nothing is learned from truncated input");
	if (status != 0)
		return status;
	if (training->nwithout > 0)
		warn("%zu profiles have no slowdown and were left out", training->nwithout);
	if (training->nmissing > 0)
		warn("%zu values are missing and count as the mean of their column",
		     training->nmissing);
	return fit(training, model, how->ridge, err);
}

int classifier_train(struct classifier *model, struct table_in *in,
		     const struct classifier_how *how, struct err *err)
{
	struct training training = {0};
	int status;

	*model = (struct classifier){0};
	status = train(model, &training, in, how, err);
	vec_free(&training.x);
	vec_free(&training.y);
	free(training.columns);
	if (status != 0)
		classifier_free(model);
	return status;
}
