/* report.h - a night's streams become one page */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/err.h"
#include "formats/out.h"
#include "report/night.h"

enum report_format { REPORT_HTML, REPORT_TEXT, REPORT_MARKDOWN, REPORT_JSON, REPORT_OPENMETRICS };

enum { REPORT_OTHERS = 8 };
struct report_others {
	enum report_format formats[REPORT_OTHERS];
	const char *paths[REPORT_OTHERS];
	int n;
};

/* A word of --to; NULL: by the ending of a file, as x.md, and for any other, or none, HTML. */
enum report_format report_format_of(const char *word, const char *path);
/* FORMAT=FILE [n]. */
int report_others_read(struct report_others *others, const char *const *texts, int n,
		       struct err *err);

struct report_options {
	struct night_options night;
	enum report_format format;
	const char *title;
	const char *baseline;      /* an earlier report as JSON; NULL: none */
	const char *const *alarms; /* [nalarms] "METRIC>X" or "METRIC<X" */
	int nalarms;
	const char *const *notes; /* [nnotes] what the page is to say of itself, in the verdict */
	int nnotes;
	const struct report_others *others; /* that are written, too; NULL: none */
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
