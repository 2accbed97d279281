/* classify_test.c - how well threshold and model classify profiles whose slowdown is known */
#include <math.h>

#include "base/die.h"
#include "model/kinds.h"
#include "traffic/classify/classify_stream.h"

/* Profiles by what they are and by what they were taken for. */
struct score {
	size_t right[2], wrong[2]; /* [0] insensitive, [1] sensitive */
	double loss;               /* Σ -ln of the probability given to what it is */
};

static void count(struct score *score, bool is_sensitive, bool is_taken_so)
{
	(is_sensitive == is_taken_so ? score->right : score->wrong)[is_sensitive]++;
}

static void put_metric(struct table_out *table, const char *scope, const char *metric, double value,
		       const char *unit, size_t n)
{
	table_out_text(table, table_out_column(table, "scope"), scope);
	table_out_text(table, table_out_column(table, "metric"), metric);
	table_out_real(table, table_out_column(table, "value"), value);
	table_out_text(table, table_out_column(table, "unit"), unit);
	table_out_int(table, table_out_column(table, "n"), (int64_t)n);
	table_out_emit(table);
}

static void put_score(struct table_out *table, const char *scope, const struct score *score)
{
	size_t right = score->right[0] + score->right[1];
	size_t n = right + score->wrong[0] + score->wrong[1];

	put_metric(table, scope, "accuracy", (double)right / (double)n, NULL, n);
	put_metric(table, scope, "sensitive-right", (double)score->right[1], "profiles", n);
	put_metric(table, scope, "sensitive-wrong", (double)score->wrong[1], "profiles", n);
	put_metric(table, scope, "insensitive-right", (double)score->right[0], "profiles", n);
	put_metric(table, scope, "insensitive-wrong", (double)score->wrong[0], "profiles", n);
}

struct tested {
	struct score threshold, model;
	size_t n, nwithout;
};

static int test_row(struct tested *tested, const struct classify_options *options,
		    const struct classifier_columns *columns, const int at[2],
		    const struct row *row, double tolerance, struct err *err)
{
	double slowdown, fraction, probability;
	int has = row_real(row, at[0], "slowdown", 0, 1e300, &slowdown, err);
	bool is_sensitive;

	if (has < 0)
		return -1;
	if (has == 0) {
		tested->nwithout++;
		return 0;
	}
	if (row_real(row, at[1], "mpi_fraction", 0, 1, &fraction, err) < 0)
		return -1;
	is_sensitive = slowdown > tolerance;
	tested->n++;
	count(&tested->threshold, is_sensitive, fraction > options->threshold);
	if (options->model == NULL)
		return 0;
	if (classifier_ask(options->model, columns, row, &probability, err) != 0)
		return -1;
	count(&tested->model, is_sensitive, probability > CLASSIFY_EVEN);
	tested->model.loss -= log(fmax(is_sensitive ? probability : 1 - probability, 1e-300));
	return 0;
}

static void put_all(struct table_out *table, const struct classify_options *options,
		    const struct tested *tested)
{
	static const char *const names[] = {"scope", "metric", "value", "unit", "n"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		table_out_column(table, names[i]);
	put_score(table, "threshold", &tested->threshold);
	if (options->model == NULL)
		return;
	put_score(table, "model", &tested->model);
	/* nine digits: the rest is noise of the logarithm */
	put_metric(table, "model", "log-loss",
		   round(tested->model.loss / (double)tested->n * 1e9) / 1e9, NULL, tested->n);
}

int classify_test(struct table_in *in, struct table_out *table,
		  const struct classify_options *options, double tolerance, struct err *err)
{
	const int at[2] = {table_find(in, "slowdown"), table_find(in, "mpi_fraction")};
	struct classifier_columns columns = {0};
	struct tested tested = {0};
	struct row row;
	int status;

	if (options->model != NULL && classifier_bind(options->model, &columns, in, err) != 0)
		return -1;
	while ((status = table_next(in, &row, err)) == 1) {
		status = test_row(&tested, options, &columns, at, &row, tolerance, err);
		if (status != 0)
			break;
	}
	classifier_unbind(&columns);
	if (status != 0)
		return status;
	if (tested.n == 0)
		return err_set(err, "%s", "no profile has a slowdown: there is nothing to test by");
	if (tested.nwithout > 0)
		warn("%zu profiles have no slowdown and were left out", tested.nwithout);
	table_out_meta_of(table, in);
	put_all(table, options, &tested);
	return 0;
}
