/* unheeded.c - columns of jobs that decide nothing: of nodes nothing is known of it, or the policy
 * does not look at it */
#include "place/unheeded.h"

#include "base/die.h"
#include "base/str.h"
#include "place/run/eligible.h"

enum {
	PARTITION,
	FEATURES,
	RESERVATION,
	CPUS,
	GPUS,
	MEMORY,
	WITHIN, /* from here on: of domains */
	SLICES,
	SPREAD,
	BALANCE,
	TOGETHER,
	NCOLUMNS
};

static const char *const names[NCOLUMNS] = {
	[PARTITION] = "partition", [FEATURES] = "features", [RESERVATION] = "reservation",
	[CPUS] = "cpus",           [GPUS] = "gpus",         [MEMORY] = "memory_bytes",
	[WITHIN] = "within",       [SLICES] = "slices",     [SPREAD] = "spread",
	[BALANCE] = "balance",     [TOGETHER] = "together"};

void unheeded_note(const struct job *job, unsigned *asked)
{
	const struct domain_texts *domains = &job->domains;

	*asked |= (job->partition != NULL ? 1u << PARTITION : 0) |
		  (job->features != NULL ? 1u << FEATURES : 0) |
		  (job->reservation != NULL ? 1u << RESERVATION : 0) |
		  (job->cpus > 0 ? 1u << CPUS : 0) | (job->gpus > 0 ? 1u << GPUS : 0) |
		  (job->memory_bytes > 0 ? 1u << MEMORY : 0) |
		  (domains->within != NULL ? 1u << WITHIN : 0) |
		  (domains->slices != NULL ? 1u << SLICES : 0) |
		  (domains->spread != NULL ? 1u << SPREAD : 0) |
		  (domains->balance != NULL ? 1u << BALANCE : 0) |
		  (domains->together != NULL ? 1u << TOGETHER : 0);
}

/* Those of first … last that were asked for and not heeded, in list. Returns how many. */
static int list_unheeded(unsigned asked, const bool *heeds, int first, int last, struct buf *list)
{
	int n = 0;

	buf_clear(list);
	for (int i = first; i <= last; i++)
		if ((asked >> i & 1) != 0 && !heeds[i])
			buf_printf(list, "%s%s", n++ > 0 ? ", " : "", names[i]);
	return n;
}

void unheeded_report(unsigned asked, const struct schedule *schedule)
{
	struct eligible_knows knows = eligible_knows(schedule->eligible);
	bool heeds_domains = schedule->alloc->policy->heeds_domains;
	const bool heeds[NCOLUMNS] = {
		[PARTITION] = knows.partitions || schedule->rules.partitions.n > 0,
		[FEATURES] = knows.features,
		[RESERVATION] = knows.reservations || schedule->rules.holds.n > 0,
		[CPUS] = schedule->stock != NULL,
		[GPUS] = schedule->stock != NULL,
		[MEMORY] = schedule->stock != NULL,
		[WITHIN] = heeds_domains,
		[SLICES] = heeds_domains,
		[SPREAD] = heeds_domains,
		[BALANCE] = heeds_domains};
	struct buf list = {0};
	int n = list_unheeded(asked, heeds, 0, WITHIN - 1, &list);

	if (n > 0)
		warn_no_effect(list.text, "%s not known of any node (--nodes)",
			       n > 1 ? "they are" : "it is");
	if (list_unheeded(asked, heeds, WITHIN, NCOLUMNS - 1, &list) > 0)
		warn_no_effect(list.text, "the policy %s does not look at %s",
			       schedule->alloc->policy->entry.name,
			       heeds_domains ? "groups of jobs" : "domains (-p nested does)");
	buf_free(&list);
}
