/* requeue.h - jobs that come more than once: each row is a placement with a separate name */
#ifndef CONVERT_READER_REQUEUE_H
#define CONVERT_READER_REQUEUE_H

#include <stdint.h>

#include "base/names.h"
#include "base/number_set.h"
#include "base/str.h"

/* Zeroed is empty. */
struct requeue {
	struct number_set numbers; /* of jobs and tasks of arrays that had a row */
	struct map seen; /* name → rows so far; of other names, and where there were two */
	struct buf name;
	long n; /* rows that were not the first of their job */
};

/* The name of a job's next row: 12, then 12~2, 12~3. Valid until the next call. */
const char *requeue_name(struct requeue *requeue, const char *job);
/* Warns if there were some. */
void requeue_end(struct requeue *requeue);

#endif
