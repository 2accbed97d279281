/* openmetrics.c - a night's numbers for monitoring: OpenMetrics, as node_exporter's textfile
 * collector takes it */
#include "report/openmetrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/foreign.h"
#include "base/num.h"
#include "base/str.h"
#include "report/numbers.h"
#include "report/sections_groups.h"

static void put_family(struct out *out, const char *name, const char *unit, const char *help)
{
	out_printf(out, "# TYPE placetools_%s gauge\n", name);
	if (unit != NULL)
		out_printf(out, "# UNIT placetools_%s %s\n", name, unit);
	out_printf(out, "# HELP placetools_%s %s\n", name, help);
}

static void put_sample(struct out *out, const char *name, const char *label, const char *value_of,
		       double value)
{
	char number[NUM_TEXT];

	if (!isfinite(value))
		return;
	num_print_real(number, value);
	out_printf(out, "placetools_%s", name);
	if (label != NULL) {
		out_printf(out, "{%s=", label);
		out_foreign(out, foreign_dot, value_of);
		out_char(out, '}');
	}
	out_printf(out, " %s\n", number);
}

/* The unit of a number is the end of its name. */
static void put_number(struct out *out, const struct number *number, double value)
{
	const char *unit = NULL;
	char name[64];

	if (!isfinite(value))
		return;
	if (number->unit != NULL)
		unit = str_eq(number->unit, "s") ? "seconds" : "ratio";
	snprintf(name, sizeof(name), "%.*s%s%s", (int)strcspn(number->name, "_"), number->name,
		 unit != NULL ? "_" : "", unit != NULL ? unit : "");
	for (char *at = name; *at != '\0'; at++)
		*at = *at == '-' ? '_' : *at;
	put_family(out, name, unit, number->title);
	put_sample(out, name, NULL, NULL, value);
}

static void put_groups(struct out *out, const struct night *night, enum night_group by,
		       const char *label)
{
	static const char *const names[] = {"node_hours", "gpu_hours", "jobs_waiting",
					    "wait_longest_seconds"};
	struct night_groups groups = {0};

	night_groups_find(night, by, &groups);
	for (int k = 0; k < 4 && groups.is_said; k++) {
		char name[64];

		if (k == 1 && !groups.has_gpus)
			continue;
		snprintf(name, sizeof(name), "%s_%s", label, names[k]);
		put_family(out, name, k == 3 ? "seconds" : NULL, "By group, of the last night");
		for (size_t i = 0; i < groups.rows.n; i++) {
			const struct night_group_row *row = &groups.rows.at[i];
			const double values[] = {row->node_hours, row->gpu_hours, row->nwaiting,
						 row->longest_s};

			put_sample(out, name, label, row->name, values[k]);
		}
	}
	night_groups_free(&groups);
}

void openmetrics_write(const struct night *night, const struct alarms *alarms, const double *values,
		       struct out *out)
{
	put_family(out, "since_seconds", "seconds", "When the night began, since the epoch");
	put_sample(out, "since_seconds", NULL, NULL, (double)night->since_ns / 1e9);
	put_family(out, "until_seconds", "seconds", "When it ended, since the epoch");
	put_sample(out, "until_seconds", NULL, NULL, (double)night->until_ns / 1e9);
	for (int i = 0; i < NUMBERS; i++)
		put_number(out, &numbers_known[i], values[i]);
	if (alarms->of.n > 0)
		put_family(out, "alarm", NULL, "1: it was raised");
	for (size_t i = 0; i < alarms->of.n; i++)
		put_sample(out, "alarm", "alarm", alarms->of.at[i].text,
			   alarms->of.at[i].is_raised);
	put_groups(out, night, NIGHT_BY_PARTITION, "partition");
	put_groups(out, night, NIGHT_BY_ACCOUNT, "account");
	out_str(out, "# EOF\n");
}
