/* constraint_answers.c - what constraints say of idle nodes without listing regions */
#include <string.h>

#include "place/constraint/constraint_list.h"

enum { LARGE_MACHINE = 4096 /* nodes */ };

int constraint_list_fits(struct constraint_list *list, const uint64_t *idle, int n)
{
	int fits = list->n == 1 ? 1 : -1;

	for (int i = 0; i < list->n; i++) {
		struct constraint *constraint = &list->at[i];
		int status = -1;

		if (constraint->type->fits != NULL)
			status = constraint->type->fits(constraint, idle, n);
		if (status == 0)
			return 0;
		fits = status < 0 ? -1 : fits;
	}
	return fits;
}

/* What is free at one of times' places, into list->free. */
static void free_until(struct constraint_list *list, const struct free_times *times, int place)
{
	int64_t at = times->at[times->order[place]];

	memset(list->free, 0, (size_t)((times->nnodes + 63) / 64) * sizeof(*list->free));
	for (int i = 0; i < times->n && times->at[times->order[i]] <= at; i++)
		list->free[times->order[i] / 64] |= 1ULL << (times->order[i] % 64);
}

static int fits_at(struct constraint_list *list, struct constraint *constraint,
		   const struct free_times *times, int n, int place)
{
	free_until(list, times, place);
	return constraint->type->fits(constraint, list->free, n);
}

/*
 * By halving, as fits says no to fewer nodes where it said no to more; where it does not know, one
 * time after the other up to a yes. INT64_MAX: never; *is_exact becomes false if all that is known
 * is that it is not before.
 */
static int64_t earliest_fit(struct constraint_list *list, struct constraint *constraint,
			    const struct free_times *times, int n, bool *is_exact)
{
	int low = n > 0 ? n - 1 : 0, high = times->n, status; /* places */

	if (low >= high)
		return INT64_MAX;
	status = fits_at(list, constraint, times, n, high - 1);
	if (status != 1) {
		*is_exact = *is_exact && status == 0;
		return status == 0 ? INT64_MAX : times->at[times->order[low]];
	}
	high--;
	while (low < high && status >= 0) {
		int middle = (low + high) / 2;

		status = fits_at(list, constraint, times, n, middle);
		if (status == 1)
			high = middle;
		else if (status == 0)
			low = middle + 1;
	}
	while (low < high && fits_at(list, constraint, times, n, low) != 1) {
		int64_t at = times->at[times->order[low]];

		while (low < high && times->at[times->order[low]] == at)
			low++;
	}
	return times->at[times->order[low]];
}

int64_t constraint_list_earliest(struct constraint_list *list, const struct free_times *times,
				 int n, bool *is_exact)
{
	int64_t latest = free_times_count(times, n);

	*is_exact = list->n == 1;
	for (int i = 0; i < list->n; i++) {
		struct constraint *constraint = &list->at[i];
		int64_t time_ns = INT64_MIN;

		if (constraint->type->earliest != NULL)
			time_ns = constraint->type->earliest(constraint, times, n);
		else if (constraint->type->fits != NULL)
			time_ns = earliest_fit(list, constraint, times, n, is_exact);
		else
			*is_exact = false;
		if (time_ns > latest)
			latest = time_ns;
	}
	return latest;
}

bool constraint_list_still_holds(struct constraint_list *list, const struct machine *machine,
				 const struct constraint_case *job_case, const int_vec *nodes)
{
	struct search search = {.machine = machine,
				.wanted = (int)nodes->n,
				.rank = list->rank,
				.steps = SEARCH_STEPS,
				.io = &job_case->io,
				.running = job_case->running,
				.nrunning = job_case->nrunning};

	for (int i = 0; i < list->n; i++)
		if (list->at[i].type->reads_running &&
		    list->at[i].type->holds(&list->at[i], &search, nodes->at) != 1)
			return false;
	return true;
}

bool constraint_list_shrinks(const struct constraint_list *list)
{
	return list->n == 1 && list->at[0].type->shrinks;
}

bool constraint_list_is_large(const struct constraint_list *list)
{
	return list->space.topo->nnodes > LARGE_MACHINE;
}

bool constraint_list_is_bounded(const struct constraint_list *list)
{
	for (int i = 0; i < list->n; i++)
		if (!list->at[i].type->is_bounded)
			return false;
	return list->n > 0;
}

bool constraint_list_is_long(const struct constraint_list *list)
{
	return constraint_list_is_bounded(list) && constraint_list_is_large(list);
}
