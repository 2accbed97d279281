/* unheeded.c - columns of jobs that decide nothing, since nothing is known of it for any node */
#include "place/unheeded.h"

#include "base/die.h"
#include "base/str.h"
#include "place/run/eligible.h"

enum { PARTITION, FEATURES, RESERVATION, CPUS, GPUS, MEMORY, NCOLUMNS };

static const char *const names[NCOLUMNS] = {
	[PARTITION] = "partition", [FEATURES] = "features", [RESERVATION] = "reservation",
	[CPUS] = "cpus",           [GPUS] = "gpus",         [MEMORY] = "memory_bytes"};

void unheeded_note(const struct job *job, unsigned *asked)
{
	*asked |= (job->partition != NULL ? 1u << PARTITION : 0) |
		  (job->features != NULL ? 1u << FEATURES : 0) |
		  (job->reservation != NULL ? 1u << RESERVATION : 0) |
		  (job->cpus > 0 ? 1u << CPUS : 0) | (job->gpus > 0 ? 1u << GPUS : 0) |
		  (job->memory_bytes > 0 ? 1u << MEMORY : 0);
}

void unheeded_report(unsigned asked, const struct schedule *schedule)
{
	struct eligible_knows knows = eligible_knows(schedule->eligible);
	const bool heeds[NCOLUMNS] = {
		[PARTITION] = knows.partitions || schedule->rules.partitions.n > 0,
		[FEATURES] = knows.features,
		[RESERVATION] = knows.reservations || schedule->rules.holds.n > 0,
		[CPUS] = schedule->stock != NULL,
		[GPUS] = schedule->stock != NULL,
		[MEMORY] = schedule->stock != NULL};
	struct buf list = {0};
	int n = 0;

	for (int i = 0; i < NCOLUMNS; i++)
		if ((asked >> i & 1) != 0 && !heeds[i])
			buf_printf(&list, "%s%s", n++ > 0 ? ", " : "", names[i]);
	if (n > 0)
		warn_no_effect(list.text, "%s not known of any node (--nodes)",
			       n > 1 ? "they are" : "it is");
	buf_free(&list);
}
