/* night_choice.h - where jobs were placed, beside where a policy would have placed them then */
#ifndef REPORT_NIGHT_CHOICE_H
#define REPORT_NIGHT_CHOICE_H

#include "base/registry.h"
#include "report/night.h"

enum choice_figure {
	CHOICE_ROUTERS,
	CHOICE_HOPS,    /* hops-mean */
	CHOICE_TRAFFIC, /* traffic-mean, of the window before the start; NAN without traffic */
	CHOICE_FIGURES
};

/* One job: as it was, and as the policy would have had it; NAN: not known, or not possible. */
struct night_choice {
	int job;
	double was[CHOICE_FIGURES], could[CHOICE_FIGURES];
};

/*
 * Lets a policy choose for each job [n] at its start among the nodes that were idle then, whichever
 * jobs came before, and measures both placements as evalmetrics does. with_hops: distances too,
 * which take long for large jobs.
 */
int night_choose(const struct night *night, const struct run_context *run, const struct pick *rule,
		 bool with_hops, struct night_choice *choices, size_t n, struct err *err);

#endif
