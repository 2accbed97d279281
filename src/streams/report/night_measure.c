/* night_measure.c - the numbers of a night, as evalmetrics has them */
#include "report/night_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "model/kinds.h"
#include "report/night_eval.h"

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

const char *night_nodes_path(const struct night *night)
{
	for (size_t i = 0; i < night->inputs.n; i++)
		if (str_eq(night->inputs.at[i].kind, kind_nodes.name))
			return night->inputs.at[i].path;
	return NULL;
}

char **night_job_paths(const struct night *night, bool only_estimates)
{
	char **paths = xcalloc(night->inputs.n + 1, sizeof(*paths));
	size_t n = 0;

	for (size_t i = 0; i < night->inputs.n; i++) {
		const struct night_input *input = &night->inputs.at[i];

		if (str_eq(input->kind, "jobs") && !input->is_queue &&
		    (only_estimates ? input->has_comm_times : !input->is_estimate))
			paths[n++] = (char *)input->path;
	}
	return paths;
}

/* A metric of the window; to be freed. */
static char *windowed(const struct night *night, const char *metric)
{
	char since[NUM_TEXT], until[NUM_TEXT];

	num_print_seconds(since, night->since_ns);
	num_print_seconds(until, night->until_ns);
	return xasprintf("%s:since=%s,until=%s", metric, since, until);
}

/* Only what the stream has columns for. To be freed. */
static int list_picks(const struct night *night, const struct table_in *in, char **picks)
{
	bool has_start = table_find(in, "start_s") >= 0, has_end = table_find(in, "end_s") >= 0;
	bool has_submit = table_find(in, "submit_s") >= 0;
	int n = 0;

	if (has_submit && has_start) {
		picks[n++] = windowed(night, "wait");
		picks[n++] = windowed(night, "queue");
	}
	if (night->topo != NULL && table_find(in, "nodelist") >= 0) {
		picks[n++] = xstrdup("spread");
		if (has_submit && has_start && has_end) {
			picks[n++] = windowed(night, "schedule");
			picks[n++] = windowed(night, "idle");
		}
		if (night->traffic_table != NULL && has_start)
			picks[n++] = xstrdup("traffic");
	}
	return n;
}

static int read_rows(void *context, struct table_in *in, struct err *err)
{
	return night_read_metrics(context, in, err);
}

/* By the column policy where there is one. */
static int measure_paths(struct night *night, const struct night_options *options, char **paths,
			 bool only_estimates, struct err *err)
{
	static const struct table_kind *const jobs[] = {&kind_jobs, NULL};
	char *picks[6] = {NULL};
	struct eval_options eval = {.metrics = (const char *const *)picks,
				    .is_of_night = true,
				    .since_ns = night->since_ns,
				    .until_ns = night->until_ns};
	struct table_in *in;
	int status = 0;

	if (paths[0] == NULL)
		return 0;
	/* a cut was reported when they were read */
	if (table_open(&in, jobs, paths, true, err) != 0)
		return -1;
	if (only_estimates)
		picks[eval.nmetrics++] = xstrdup("column:name=comm_time_s");
	else
		eval.nmetrics = list_picks(night, in, picks);
	if (eval.nmetrics > 0 && str_eq(picks[eval.nmetrics - 1], "traffic"))
		eval.traffic = night->traffic_paths.at;
	eval.by = table_find(in, "policy") >= 0 ? "policy" : ".";
	if (eval.nmetrics > 0)
		status = night_eval(options->context, in, &eval, read_rows, night, err);
	for (int i = 0; i < eval.nmetrics; i++)
		free(picks[i]);
	table_close(in);
	return status;
}

/* A night without any job used nothing of the machine. */
static void add_empty(struct night *night)
{
	static const char *const names[] = {"throughput",  "jobs/s", "work-rate", "nodes",
					    "utilization", "1",      NULL};

	if (night->until_ns <= night->since_ns)
		return;
	for (int i = 0; names[i] != NULL && (night->topo != NULL || i < 4); i += 2)
		vec_push(&night->metrics, (struct night_metric){.policy = night->policies.at[0],
								.scope = "runs",
								.metric = names[i],
								.unit = names[i + 1],
								.value = NAN,
								.n = 1,
								.mean = 0,
								.min = 0,
								.q1 = 0,
								.median = 0,
								.q3 = 0,
								.max = 0});
}

int night_measure(struct night *night, const struct night_options *options, struct err *err)
{
	int status = 0;

	for (int pass = 0; pass < 2 && status == 0; pass++) {
		char **paths = night_job_paths(night, pass == 1);

		status = measure_paths(night, options, paths, pass == 1, err);
		free(paths);
	}
	if (status == 0 && night->metrics.n == 0)
		add_empty(night);
	return status;
}
