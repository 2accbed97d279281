/* classify_stream.c - classification of whole streams: profiles, or jobs by a database
 * of profiles */
#include "traffic/classify/classify_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/kinds.h"

struct columns {
	int app, binary, nodes, fraction, nodes_min, nodes_max; /* of the input */
	struct classifier_columns model;                        /* likewise */
	int class, sensitivity;                                 /* of the output */
};

/* What decides, the time in MPI or the model's probability: the profile's own, or that of the job's
 * profile. 1; 0: there is none; -1: error. */
static int find_deciding(const struct classify_options *options, const struct columns *columns,
			 const struct row *row, double *value, struct err *err)
{
	const struct profile_entry *entry;
	int64_t nodes;

	if (options->db == NULL && options->model != NULL)
		return classifier_ask(options->model, &columns->model, row, value, err) == 0 ? 1
											     : -1;
	if (options->db == NULL)
		return row_real(row, columns->fraction, "mpi_fraction", 0, 1, value, err);
	if (row_int(row, columns->nodes, "nodes", 1, INT64_MAX, &nodes, err) < 0)
		return -1;
	entry = profile_db_find(options->db, row_text(row, columns->app),
				row_text(row, columns->binary), nodes);
	if (entry == NULL)
		return 0;
	*value = options->model != NULL ? entry->probability : entry->mpi_fraction;
	return 1;
}

static void put_class(struct table_out *table, const struct classify_options *options,
		      const struct columns *columns, double value, struct classify_counts *counts)
{
	double threshold = options->model != NULL ? CLASSIFY_EVEN : options->threshold;
	bool is_sensitive = value > threshold;

	table_out_text(table, columns->class, classify_class(value, threshold));
	if (options->model != NULL)
		table_out_real(table, columns->sensitivity, classify_smooth(value, 0, 1));
	else if (options->smooth)
		table_out_real(table, columns->sensitivity,
			       classify_smooth(value, options->low, options->high));
	else
		table_out_int(table, columns->sensitivity, is_sensitive);
	*(is_sensitive ? &counts->nsensitive : &counts->ninsensitive) += 1;
}

static void describe(struct table_out *table, const struct classify_options *options)
{
	char text[NUM_TEXT], low[NUM_TEXT], both[2 * NUM_TEXT + 1];

	num_print_real(text, options->model != NULL ? CLASSIFY_EVEN : options->threshold);
	table_out_meta(table, "threshold", text);
	if (options->model != NULL)
		table_out_meta(table, "model", options->model_path);
	if (!options->smooth)
		return;
	num_print_real(low, options->low);
	num_print_real(text, options->high);
	snprintf(both, sizeof(both), "%s:%s", low, text);
	table_out_meta(table, "smooth", both);
}

/* A profile holds for a range of node counts, which must be one. */
static int check_range(const struct columns *columns, const struct row *row, struct err *err)
{
	int64_t min = 0, max = INT64_MAX;

	if (row_int(row, columns->nodes_min, "nodes_min", 0, INT64_MAX, &min, err) < 0 ||
	    row_int(row, columns->nodes_max, "nodes_max", 0, INT64_MAX, &max, err) < 0)
		return -1;
	return min <= max ? 0 : row_error(row, err, "nodes_min is greater than nodes_max");
}

static int classify_row(struct table_out *table, const struct classify_options *options,
			const struct columns *columns, const struct row *row,
			struct classify_counts *counts, struct err *err)
{
	double value;
	int found = find_deciding(options, columns, row, &value, err);

	if (found < 0 || check_range(columns, row, err) != 0)
		return -1;
	table_out_pass(table, row);
	if (found == 1) {
		put_class(table, options, columns, value, counts);
	} else {
		table_out_text(table, columns->class, "unprofiled");
		table_out_text(table, columns->sensitivity, NULL);
		counts->nunprofiled++;
	}
	table_out_emit(table);
	return 0;
}

static int learn(const struct run_context *context, const struct classify_options *options,
		 struct table_in *in, const struct row *rows, size_t nrows, size_t *nlearned,
		 struct err *err)
{
	if (options->learn_path == NULL || !table_is_whole(in))
		return 0;
	if (profile_db_learn(context, options->learn_path, options->spread, in, rows, nrows,
			     nlearned, err) != 0)
		return err_prefix(err, "--learn: ");
	return 0;
}

int classify_stream(const struct run_context *context, struct table_in *in, struct table_out *table,
		    const struct classify_options *options, struct classify_counts *counts,
		    struct err *err)
{
	struct columns columns = {
		.app = table_find(in, "app"),
		.binary = table_find(in, "binary"),
		.nodes = table_find(in, "nodes"),
		.fraction = table_find(in, "mpi_fraction"),
		.nodes_min = table_find(in, "nodes_min"),
		.nodes_max = table_find(in, "nodes_max"),
	};
	VEC(struct row) kept = {0};
	struct row row;
	int status;

	if (options->model != NULL && options->db == NULL &&
	    classifier_bind(options->model, &columns.model, in, err) != 0)
		return -1;
	if (options->learn_path != NULL)
		table_keep(in);
	table_out_like(table, in);
	describe(table, options);
	columns.class = table_out_column(table, "class");
	columns.sensitivity = table_out_column(table, "sensitivity");
	while ((status = table_next(in, &row, err)) == 1) {
		if (classify_row(table, options, &columns, &row, counts, err) != 0) {
			status = -1;
			break;
		}
		if (options->learn_path != NULL)
			vec_push(&kept, row);
	}
	if (status == 0)
		status = learn(context, options, in, kept.at, kept.n, &counts->nlearned, err);
	free(kept.at);
	classifier_unbind(&columns.model);
	return status;
}

/* ---- calibration ---- */

struct calibration_rows {
	VEC(struct calibration_run) runs;
	size_t nwithout; /* profiles that have no slowdown */
	struct arena arena;
};

static int read_runs(struct table_in *in, struct calibration_rows *rows, struct err *err)
{
	int app = table_find(in, "app"), fraction = table_find(in, "mpi_fraction");
	int slowdown = table_find(in, "slowdown"), status;
	struct row row;

	while ((status = table_next(in, &row, err)) == 1) {
		struct calibration_run run;
		int has = row_real(&row, slowdown, "slowdown", 0, 1e300, &run.slowdown, err);
		const char *name = row_text(&row, app);

		if (has < 0 ||
		    row_real(&row, fraction, "mpi_fraction", 0, 1, &run.mpi_fraction, err) < 0)
			return -1;
		run.app = arena_strndup(&rows->arena, name, strlen(name));
		if (has == 1)
			vec_push(&rows->runs, run);
		else
			rows->nwithout++;
	}
	if (status == 0 && rows->runs.n == 0)
		return err_set(err, "no profile has a slowdown: there is nothing to calibrate by");
	return status;
}

static void put_metric(struct table_out *table, const char *metric, double value, const char *unit,
		       size_t n, const char *note)
{
	table_out_text(table, table_out_column(table, "scope"), "threshold");
	table_out_text(table, table_out_column(table, "metric"), metric);
	table_out_real(table, table_out_column(table, "value"), value);
	table_out_text(table, table_out_column(table, "unit"), unit);
	table_out_int(table, table_out_column(table, "n"), (int64_t)n);
	table_out_text(table, table_out_column(table, "note"), note);
	table_out_emit(table);
}

static void put_calibration(struct table_out *table, const struct calibration *calibration,
			    size_t n)
{
	static const char *const names[] = {"scope", "id", "metric", "value", "unit", "n", "note"};
	char *low = xasprintf("that of %s; the threshold may be this or more",
			      calibration->low_app ? calibration->low_app : "no profile");
	char *high =
		calibration->high_app != NULL
			? xasprintf("that of %s; the threshold must be less", calibration->high_app)
			: xstrdup("no profile is above; the threshold may be this, too");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		table_out_column(table, names[i]);
	put_metric(table, "separates", calibration->separates, NULL, n,
		   calibration->separates
			   ? "the interval from low to high separates both kinds"
			   : "no threshold does; low to high has the fewest on the wrong side");
	put_metric(table, "low", calibration->low, "mpi_fraction", n, low);
	put_metric(table, "high", calibration->high, "mpi_fraction", n, high);
	put_metric(table, "middle", (calibration->low + calibration->high) / 2, "mpi_fraction", n,
		   NULL);
	put_metric(table, "sensitive", (double)calibration->nsensitive, "profiles", n,
		   "slowed down by more than the tolerance");
	put_metric(table, "wrong", (double)calibration->nwrong, "profiles", n,
		   "on the wrong side of the interval");
	free(low);
	free(high);
}

int classify_calibration(struct table_in *in, struct table_out *table, double tolerance,
			 bool *separates, struct err *err)
{
	struct calibration_rows rows = {0};
	struct calibration calibration;
	char text[NUM_TEXT];
	int status = read_runs(in, &rows, err);

	if (status == 0) {
		if (rows.nwithout > 0)
			warn("%zu profiles have no slowdown and were left out", rows.nwithout);
		classify_calibrate(&calibration, rows.runs.at, rows.runs.n, tolerance);
		*separates = calibration.separates;
		table_out_meta_of(table, in);
		num_print_real(text, tolerance);
		table_out_meta(table, "tolerance", text);
		put_calibration(table, &calibration, rows.runs.n);
	}
	free(rows.runs.at);
	arena_free(&rows.arena);
	return status;
}
