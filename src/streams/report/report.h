/* report.h - a night's streams become one page */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/err.h"
#include "formats/out.h"
#include "report/night.h"

enum report_format { REPORT_HTML, REPORT_TEXT, REPORT_MARKDOWN, REPORT_JSON };

struct report_options {
	struct night_options night;
	enum report_format format;
	const char *title;
	const char *baseline;      /* an earlier report as JSON; NULL: none */
	const char *const *alarms; /* [nalarms] "METRIC>X" or "METRIC<X" */
	int nalarms;
};

struct report_result {
	bool is_whole;
	int nalarms; /* that were raised */
};

/*
 * Reads the streams and writes the page. Alarms are of the metrics of the first policy (the mean
 * where there are several values), and of nodes-down, nodes-drained, nodes-idle, jobs-waiting,
 * jobs-failed and wait-longest_s. An alarm of what was not measured this time is not raised; one of
 * what no page has is refused.
 */
int report_write(const struct report_options *options, struct out *out,
		 struct report_result *result, struct err *err);

#endif
