/* sections_verdict.h - the first screen: what a night was, and what to do about it */
#ifndef REPORT_SECTIONS_VERDICT_H
#define REPORT_SECTIONS_VERDICT_H

#include "report/alarms.h"
#include "report/night_out.h"
#include "report/night_overuse.h"
#include "report/night_placed.h"
#include "report/night_signs.h"
#include "report/page.h"

struct verdict {
	const struct night *night;
	const struct alarms *alarms;
	const double *values; /* [NUMBERS] */
	const struct night_out *out;
	const struct night_placed *placed;
	const struct night_signs *signs;
	const struct night_overuses *overuses;
	const char *const *notes; /* [nnotes] what whoever made the page says of it */
	int nnotes;
};

void section_verdict(struct page *page, const struct verdict *verdict);
/* Node-hours lost, nodes where jobs fail, and accounting against nodes. */
void section_lost(struct page *page, const struct verdict *verdict);
/* Nodes of which jobs had more than there is. */
void section_overused(struct page *page, const struct verdict *verdict);

/* A job's number for a command: 7 of 7~2; NULL where a shell would not take it as it is. */
const char *verdict_job_id(struct page *page, const struct night_job *job);

#endif
