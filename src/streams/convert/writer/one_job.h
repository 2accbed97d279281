/* one_job.h - writers of what is about one job, from streams that may be about several */
#ifndef CONVERT_WRITER_ONE_JOB_H
#define CONVERT_WRITER_ONE_JOB_H

#include "model/flow.h"

struct pick;

/* The job that is written: the one that job= names, else the only one there is. */
struct one_job {
	const char *wanted; /* NULL: job= is not given */
	int column;         /* -1: the stream has no column job */
	char *first;
};

void one_job_open(struct one_job *one, const struct pick *pick, const struct flow *flow);
void one_job_close(struct one_job *one);
/* Of the current row. 1: it is the job's; 0: of another one; -1: a second job, and none was chosen
 * between. */
int one_job_is(struct one_job *one, const struct flow *flow, struct err *err);

#endif
