/* requeue.c - jobs that come more than once: each row is a placement with a separate name */
#include "convert/reader/requeue.h"

#include <string.h>

#include "base/die.h"

const char *requeue_name(struct requeue *requeue, const char *job)
{
	size_t n = strlen(job);
	int64_t before = map_get(&requeue->seen, job, n);

	map_set(&requeue->seen, job, n, before < 0 ? 1 : before + 1);
	if (before < 0)
		return job;
	requeue->n++;
	buf_clear(&requeue->name);
	buf_printf(&requeue->name, "%s~%lld", job, (long long)before + 1);
	return buf_text(&requeue->name);
}

void requeue_end(struct requeue *requeue)
{
	if (requeue->n > 0)
		warn("%ld rows are of jobs that were there before, as requeued ones are: "
		     "named JOB~2 and so on",
		     requeue->n);
	map_free(&requeue->seen);
	buf_free(&requeue->name);
}
