/* traffic_report.c - what was found in the samples, on standard error */
#include <inttypes.h>

#include "traffic/traffic.h"
#include "base/die.h"

void traffic_run_tell(const struct traffic_run *run, const struct traffic_run_options *how)
{
	const struct feed_counts *feed = &run->feed;
	const struct aggregate_counts *counts = &run->counts;

	say("source=%s samples=%" PRId64 " producers=%zu windows=%" PRId64, run->source, feed->rows,
	    run->nstreams, run->nwindows);
	say("resets=%" PRId64 " wraps=%" PRId64 " holes=%" PRId64 " gaps=%" PRId64
	    " duplicates=%" PRId64 " out-of-order=%" PRId64 " missing=%" PRId64 " flagged=%" PRId64
	    " cut=%" PRId64 " late=%" PRId64 " broken=%" PRId64 " unknown=%" PRId64,
	    counts->resets, counts->wraps, counts->holes, counts->gaps, counts->duplicates,
	    counts->backwards, counts->missing, feed->flagged, feed->cut, counts->late,
	    feed->broken, counts->unknown);
	if (how->header != NULL && feed->beside == 0)
		warn_no_effect("--header", "every file has its own");
	if (run->is_empty && run->is_whole)
		warn("there is no sample, as where the monitoring has "
		     "stopped; --allow-empty takes that for whole");
	if (feed->broken > 0)
		warn("%s; %" PRId64 " such lines are left out", feed->first_broken, feed->broken);
	if (counts->late > 0)
		warn("%" PRId64 " intervals came after their window was written, and are left out",
		     counts->late);
	if (counts->unknown > 0)
		warn("%" PRId64 " samples of producers that are not in the topology are left out, "
		     "the first of '%s'",
		     counts->unknown, counts->first_unknown);
	if (run->nwindows == 0 && counts->gaps > 0)
		warn("all intervals are longer than --max-gap: a longer --window is needed");
	else if (run->nwindows == 0 && feed->rows > 0 && (how->since != NULL || how->until != NULL))
		warn("no window: of %" PRId64 " samples no two of a counter are between --since "
		     "and --until",
		     feed->rows);
}
