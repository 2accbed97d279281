/* night_measure.c - the numbers of a night, as evalmetrics has them */
#include "report/night_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/metric/eval.h"
#include "model/kinds.h"

static double number_of(const struct row *row, int column)
{
	double value;

	return row_real(row, column, "value", -1e300, 1e300, &value, &(struct err){0}) == 1 ? value
											    : NAN;
}

static const char *keep(struct night *night, const char *text)
{
	return text != NULL ? arena_strndup(&night->arena, text, strlen(text)) : NULL;
}

int night_read_metrics(struct night *night, struct table_in *in, struct err *err)
{
	int policy = table_find(in, "policy"), scope = table_find(in, "scope");
	int metric = table_find(in, "metric"), value = table_find(in, "value");
	int unit = table_find(in, "unit"), n = table_find(in, "n");
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, policy);

		if (n < 0 || row_text(&row, n) == NULL)
			continue; /* of a single item */
		vec_push(&night->metrics,
			 (struct night_metric){
				 .policy = keep(night, name != NULL ? name : "recorded"),
				 .scope = keep(night, row_text(&row, scope)),
				 .metric = keep(night, row_text(&row, metric)),
				 .unit = keep(night, row_text(&row, unit)),
				 .value = number_of(&row, value),
				 .n = number_of(&row, n),
				 .mean = number_of(&row, table_find(in, "mean")),
				 .min = number_of(&row, table_find(in, "min")),
				 .q1 = number_of(&row, table_find(in, "q1")),
				 .median = number_of(&row, table_find(in, "median")),
				 .q3 = number_of(&row, table_find(in, "q3")),
				 .max = number_of(&row, table_find(in, "max"))});
	}
	return status;
}

/* The operands that are jobs; to be freed. */
static char **job_paths(const struct night *night)
{
	char **paths = xcalloc(night->inputs.n + 1, sizeof(*paths));
	size_t n = 0;

	for (size_t i = 0; i < night->inputs.n; i++)
		if (str_eq(night->inputs.at[i].kind, "jobs"))
			paths[n++] = (char *)night->inputs.at[i].path;
	return paths;
}

/* Only what the stream has columns for; by the column policy where there is one. */
static int measure_into(const struct night *night, const struct night_options *options,
			struct table_in *in, const char *path, struct err *err)
{
	const char *picks[5];
	struct eval_options eval = {.metrics = picks};
	bool has_start = table_find(in, "start_s") >= 0, has_end = table_find(in, "end_s") >= 0;
	bool has_submit = table_find(in, "submit_s") >= 0, whole;
	struct out *out;

	if (has_submit && has_start) {
		picks[eval.nmetrics++] = "wait";
		picks[eval.nmetrics++] = "queue";
	}
	if (night->topo != NULL && table_find(in, "nodelist") >= 0) {
		picks[eval.nmetrics++] = "spread";
		if (has_submit && has_start && has_end) {
			picks[eval.nmetrics++] = "schedule";
			picks[eval.nmetrics++] = "idle";
		}
	}
	if (eval.nmetrics == 0)
		return 0;
	eval.by = table_find(in, "policy") >= 0 ? "policy" : ".";
	if (out_open(&out, path, NULL, err) != 0)
		return -1;
	if (eval_stream(options->context, in, &eval, out, &whole, err) != 0) {
		out_close(out, false, &(struct err){0});
		return -1;
	}
	return out_close(out, true, err) == 0 ? 1 : -1;
}

int night_measure(struct night *night, const struct night_options *options, struct err *err)
{
	static const struct table_kind *const jobs[] = {&kind_jobs, NULL}, *const measured[] = {
										   &kind_metrics,
										   NULL};
	const char *folder = getenv("TMPDIR");
	char *path = xasprintf("%s/placereport.XXXXXX", folder != NULL ? folder : "/tmp");
	char **paths = job_paths(night), *one[] = {path, NULL};
	int file = mkstemp(path), status = -1;
	struct table_in *in;

	if (file < 0) {
		err_set(err, "%s: cannot be made", path);
	} else if (table_open(&in, jobs, paths, true, err) ==
		   0) { /* a cut was reported when they were read */
		close(file);
		status = measure_into(night, options, in, path, err);
		table_close(in);
		if (status == 1 && (status = table_open(&in, measured, one, true, err)) == 0) {
			status = night_read_metrics(night, in, err);
			table_close(in);
		}
	}
	if (file >= 0)
		unlink(path);
	free(path);
	free(paths);
	return status;
}
