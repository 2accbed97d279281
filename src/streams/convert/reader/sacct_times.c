/* sacct_times.c - the times of a job of Slurm's accounting */
#include <stdlib.h>

#include "base/num.h"
#include "base/str.h"
#include "convert/reader/sacct_priv.h"
#include "convert/reader/slurm_rows.h"

static int put_time(struct sacct_reader *reading, enum sacct_field field, int column, int64_t *ns,
		    struct err *err)
{
	int has = slurm_time(reading->input, sacct_cell(reading, field), ns, err);

	if (has == 1)
		flow_seconds(reading->flow, column, *ns);
	return has;
}

static int put_duration(struct sacct_reader *reading, enum sacct_field field, int column,
			struct err *err)
{
	int64_t seconds;
	int has = slurm_duration(sacct_cell(reading, field), &seconds, err);

	if (has == 1)
		flow_seconds(reading->flow, column, seconds * 1000000000);
	return has;
}

/* A plain number of seconds or minutes. 1; 0: none; -1. */
static int put_raw(struct sacct_reader *reading, enum sacct_field field, int column, int64_t unit_s,
		   struct err *err)
{
	const char *text = sacct_cell(reading, field);
	int64_t number;

	if (text == NULL || str_eq(text, "UNLIMITED") || str_eq(text, "Partition_Limit"))
		return 0;
	if (num_int(text, 0, SLURM_SECONDS_MOST / unit_s, &number) != 0)
		return err_set(err, "%s: '%s' is not a whole number", sacct_field_names[field][0],
			       text);
	flow_seconds(reading->flow, column, number * unit_s * 1000000000);
	return 1;
}

/* Where the job had to wait after its submission; a start before is a row that Slurm wrote anew. */
static int put_eligible(struct sacct_reader *reading, int64_t submit_ns, bool has_submit,
			struct err *err)
{
	int64_t eligible_ns, start_ns;
	int has =
		slurm_time(reading->input, sacct_cell(reading, SACCT_ELIGIBLE), &eligible_ns, err);
	int starts = slurm_time(reading->input, sacct_cell(reading, SACCT_START), &start_ns, err);

	if (has == 1 && has_submit && eligible_ns > submit_ns &&
	    !(starts == 1 && start_ns < eligible_ns))
		flow_seconds(reading->flow, reading->eligible, eligible_ns);
	return has;
}

/* Whether the job ended without nodes: its start, where one is printed, is when it was withdrawn.
 */
static bool is_withdrawn(const struct sacct_reader *reading, const char *state)
{
	int64_t start_ns, end_ns;
	bool has_start = slurm_time(reading->input, sacct_cell(reading, SACCT_START), &start_ns,
				    &(struct err){0}) == 1;
	bool has_end = slurm_time(reading->input, sacct_cell(reading, SACCT_END), &end_ns,
				  &(struct err){0}) == 1;
	const char *nodes = sacct_cell(reading, SACCT_NODELIST);

	if (reading->from[SACCT_NODELIST] <
	    0) /* what it got is not listed, how long it ran may be */
		nodes = reading->from[SACCT_TRES] < 0 ? state : sacct_cell(reading, SACCT_TRES);
	return slurm_is_withdrawn(state, nodes, has_start ? start_ns : SLURM_NO_TIME,
				  has_end ? end_ns : SLURM_NO_TIME);
}

/* Of times without a zone in the hour that a clock repeats: how long the job ran decides. */
static void settle_clock(struct sacct_reader *reading)
{
	struct cell *start = &reading->flow->cells.at[reading->start];
	struct cell *end = &reading->flow->cells.at[reading->end];
	const struct cell *ran = &reading->flow->cells.at[reading->runtime];
	const int64_t hour_ns = INT64_C(3600000000000);
	struct zone *zone = reading->input->zone;

	if (zone == NULL || !zone->has_ambiguous || start->type != CELL_SECONDS ||
	    end->type != CELL_SECONDS || ran->type != CELL_SECONDS)
		return;
	if (ran->number - (end->number - start->number) == hour_ns)
		end->number += hour_ns;
	else if (ran->number - (end->number - start->number) == -hour_ns)
		start->number += hour_ns;
}

int sacct_put_times(struct sacct_reader *reading, const char *state, struct err *err)
{
	bool has_begun = state == NULL || !str_eq(state, "pending");
	bool has_ended = has_begun && (state == NULL || !str_eq(state, "running"));
	int64_t ns;
	int has = put_time(reading, SACCT_SUBMIT, reading->submit, &ns, err);

	if (is_withdrawn(reading, state))
		has_begun = false;

	if (has >= 0 && reading->from[SACCT_ELIGIBLE] >= 0)
		has = put_eligible(reading, ns, has == 1, err);
	if (has >= 0 && has_begun) {
		has = put_time(reading, SACCT_START, reading->start, &ns, err);
		if (has == 1)
			has = put_raw(reading, SACCT_ELAPSED_RAW, reading->runtime, 1, err);
		if (has == 0 && reading->from[SACCT_ELAPSED_RAW] < 0)
			has = put_duration(reading, SACCT_ELAPSED, reading->runtime, err);
	}
	if (has >= 0 && has_ended)
		has = put_time(reading, SACCT_END, reading->end, &ns, err);
	if (has >= 0)
		settle_clock(reading);
	if (has >= 0)
		has = put_raw(reading, SACCT_LIMIT_RAW, reading->walltime, 60, err);
	if (has == 0 && reading->from[SACCT_LIMIT_RAW] < 0)
		has = put_duration(reading, SACCT_LIMIT, reading->walltime, err);
	return has < 0 ? -1 : 0;
}
