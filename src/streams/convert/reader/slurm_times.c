/* slurm_times.c - times and durations as Slurm prints them */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/time.h"

int slurm_time(const struct reader_input *input, const char *text, int64_t *ns, struct err *err)
{
	int status;

	if (text == NULL || str_eq(text, "NONE")) /* squeue's %e of a job without a limit */
		return 0;
	status = time_parse(text, ns);
	if (status == -2) {
		if (input->zone == NULL) {
			err_set(err,
				"the time '%s' has no zone: say it with --zone, or set "
				"SLURM_TIME_FORMAT=%%s where the listing is made",
				text);
			err->kind = ERR_ASKS;
			return -1;
		}
		status = zone_time(input->zone, text, ns);
	}
	return status == 0 ? 1 : err_set(err, "'%s' is not a time", text);
}

/* The numbers of "1-02:03:04" after the days, at most three; -1: something else. */
static int clock_parts(char *text, int64_t *parts)
{
	char *words[4];
	int n = str_split(text, ':', words, 4);

	if (n > 3)
		return -1;
	for (int i = 0; i < n; i++)
		if (num_int(words[i], 0, INT32_MAX, &parts[i]) != 0)
			return -1;
	return n;
}

static int parse_duration(char *text, int64_t *seconds)
{
	int64_t days = 0, part[4] = {0};
	char *dash = strchr(text, '-');
	int n;

	if (dash != NULL) {
		*dash = '\0';
		if (num_int(text, 0, 1000000, &days) != 0)
			return -1;
		text = dash + 1;
	}
	text[strcspn(text, ".")] = '\0'; /* milliseconds of an elapsed time */
	n = clock_parts(text, part);
	if (n < 1)
		return -1;
	if (dash != NULL || n == 3) /* hours[:minutes[:seconds]] */
		*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	else /* minutes[:seconds] */
		*seconds = part[0] * 60 + part[1];
	*seconds += days * 86400;
	return *seconds <= SLURM_SECONDS_MOST ? 0 : -1;
}

int slurm_duration(const char *text, int64_t *seconds, struct err *err)
{
	static const char *const none[] = {"UNLIMITED", "Partition_Limit", "INVALID", "NOT_SET"};
	char *copy;
	int status;

	if (text == NULL)
		return 0;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (str_eq(text, none[i]))
			return 0;
	copy = xstrdup(text);
	status = parse_duration(copy, seconds);
	free(copy);
	return status == 0 ? 1 : err_set(err, "'%s' is not a time such as 1-02:03:04", text);
}
