/* one_job.c - writers of what is about one job, from streams that may be about several */
#include "convert/writer/one_job.h"

#include <stdlib.h>

#include "base/registry.h"
#include "base/str.h"

void one_job_open(struct one_job *one, const struct pick *pick, const struct flow *flow)
{
	one_job_close(one);
	*one = (struct one_job){pick_word(pick, "job"), flow_find(flow, "job"), NULL};
}

void one_job_close(struct one_job *one)
{
	free(one->first);
	one->first = NULL;
}

int one_job_is(struct one_job *one, const struct flow *flow, struct err *err)
{
	char number[NUM_TEXT];
	const char *job = flow_get_text(flow, one->column, number);

	if (one->wanted != NULL)
		return job != NULL && str_eq(job, one->wanted);
	if (job == NULL)
		return 1;
	if (one->first == NULL)
		one->first = xstrdup(job);
	if (!str_eq(job, one->first))
		return flow_error(flow, err, "a second job '%s': name the one that is meant (job=)",
				  job);
	return 1;
}
