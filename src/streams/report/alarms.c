/* alarms.c - what must not happen in a night: thresholds of its numbers */
#include "report/alarms.h"

#include <math.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "measure/metric/metric.h"
#include "report/numbers.h"

static double count_states(const struct night *night, const char *state)
{
	double n = 0;

	for (size_t i = 0; i < night->nodes.n; i++)
		n += str_eq(night->nodes.at[i].state, state);
	return n;
}

/* Whether a night may have such a number, if not this one. */
static bool may_be_measured(const struct night *night, const char *name)
{
	if (str_starts(name, "nodes-") || str_eq(name, "comm_time_s") || numbers_of_name(name) >= 0)
		return true;
	for (size_t i = 0; i < night->inputs.n; i++)
		if (str_eq(night->inputs.at[i].kind, "metrics"))
			return true; /* of any name */
	for (int i = 0; i < metrics.n; i++) {
		const struct metric_output *output = metric_of(metrics.entries[i])->outputs;

		for (; output != NULL && output->name != NULL; output++)
			if (str_eq(output->name, name))
				return true;
	}
	return false;
}

static double value_of(const struct night *night, const double *values, const char *name)
{
	const struct night_metric *found = NULL;
	int number = numbers_of_name(name);

	if (number >= 0)
		return values[number];
	if (str_starts(name, "nodes-"))
		return night->has_states ? count_states(night, name + 6) : NAN;
	if (night->policies.n > 0)
		found = night_metric(night, night->policies.at[0], name);
	return found == NULL ? NAN : isnan(found->mean) ? found->value : found->mean;
}

/* X or FxNd behind the sign. 0; -1: neither. */
static int read_limit(struct alarm *alarm, const char *text, struct arena *arena)
{
	const char *x = strchr(text, 'x');
	size_t n = strlen(text);
	int64_t ndays;

	if (x == NULL)
		return num_real(text, -1e300, 1e300, &alarm->limit);
	if (text[n - 1] != 'd' ||
	    num_int(arena_strndup(arena, x + 1, (size_t)(text + n - 1 - (x + 1))), 1, 400,
		    &ndays) != 0)
		return -1;
	alarm->ndays = (int)ndays;
	return num_real(arena_strndup(arena, text, (size_t)(x - text)), -1e300, 1e300,
			&alarm->factor);
}

static int add(struct alarms *alarms, struct night *night, const double *values, const char *text,
	       struct err *err)
{
	size_t n = strcspn(text, "<>");
	struct alarm alarm = {.text = text, .sign = text[n]};

	if (n == 0 || text[n] == '\0' || read_limit(&alarm, text + n + 1, &night->arena) != 0)
		return err_set(err,
			       "--alarm: '%s' is not METRIC>NUMBER or METRIC<NUMBER, whose number "
			       "may be 2x7d: twice the mean of 7 days before",
			       text);
	alarm.metric = arena_strndup(&night->arena, text, n);
	if (!may_be_measured(night, alarm.metric))
		return err_set(err,
			       "--alarm: '%s' is not a number of a page, expected one that "
			       "evalmetrics measures, jobs-waiting, jobs-failed, wait-longest_s, "
			       "nodes-STATE or another one of placereport(1)",
			       alarm.metric);
	alarm.value = value_of(night, values, alarm.metric);
	if (alarm.ndays > 0)
		alarm.limit = alarm.factor * numbers_mean_before(night, alarm.metric, alarm.ndays);
	if (isnan(alarm.value))
		warn("--alarm: '%s' was not measured", alarm.metric);
	else if (isnan(alarm.limit))
		warn("--alarm: '%s': no night of the %d days before has it", text, alarm.ndays);
	alarm.is_raised = alarm.sign == '>' ? alarm.value > alarm.limit : alarm.value < alarm.limit;
	alarms->nraised += alarm.is_raised;
	vec_push(&alarms->of, alarm);
	return 0;
}

int alarms_read(struct alarms *alarms, struct night *night, const double *values,
		const char *const *texts, int n, struct err *err)
{
	for (int i = 0; i < n; i++)
		if (add(alarms, night, values, texts[i], err) != 0)
			return -1;
	return 0;
}

void alarms_free(struct alarms *alarms)
{
	vec_free(&alarms->of);
}
