/* openmetrics.h - a night's numbers for monitoring: OpenMetrics, as node_exporter's textfile
 * collector takes it */
#ifndef REPORT_OPENMETRICS_H
#define REPORT_OPENMETRICS_H

#include "formats/out.h"
#include "report/alarms.h"
#include "report/night.h"

/* values [NUMBERS]. Names nobody: by partition and account, not by user. */
void openmetrics_write(const struct night *night, const struct alarms *alarms, const double *values,
		       struct out *out);

#endif
