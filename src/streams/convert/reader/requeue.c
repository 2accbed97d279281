/* requeue.c - jobs that come more than once: each row is a placement with a separate name */
#include "convert/reader/requeue.h"

#include <string.h>

#include "base/die.h"
#include "base/num.h"

/* "12" or "12_3", as a number of its own; false: another name. */
static bool read_number(const char *job, size_t n, uint64_t *number)
{
	size_t length = strspn(job, "0123456789");
	uint64_t task;

	if (length == 0 || length > 9 || job[0] == '0' || num_digits(job, length, number) != 0)
		return false;
	if (length == n)
		return true;
	job += length + 1;
	n -= length + 1;
	/* one way to write a number only: no zeros before it */
	if (job[-1] != '_' || n > 9 || (n > 1 && job[0] == '0') || num_digits(job, n, &task) != 0)
		return false;
	*number = *number << 32 | task;
	return true;
}

const char *requeue_name(struct requeue *requeue, const char *job)
{
	size_t n = strlen(job);
	uint64_t number;
	bool has_number = read_number(job, n, &number);
	int64_t before;

	if (has_number && number_set_add(&requeue->numbers, number))
		return job;
	before = map_get(&requeue->seen, job, n);
	if (before < 0 && has_number)
		before = 1;
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
	number_set_free(&requeue->numbers);
	map_free(&requeue->seen);
	buf_free(&requeue->name);
}
