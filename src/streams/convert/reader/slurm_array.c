/* slurm_array.c - the tasks of an array that wait in one row */
#include "convert/reader/slurm_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { TASKS_MOST = 4000001 }; /* Slurm's MaxArraySize is at most this */

static int bad_list(const char *id, struct err *err)
{
	return err_set(err, "'%.80s' is not a list of array tasks such as 5_[0-3,7%%2]%s", id,
		       strstr(id, "...") != NULL ? ": it was cut; squeue -r lists every task" : "");
}

/* One part of the list: 7, 0-3 or 10-20:5. */
static int walk_part(const char *id, size_t njob, char *part, slurm_task_fn *each, void *context,
		     struct err *err)
{
	char *colon = strchr(part, ':'), *dash;
	int64_t first, last, step = 1;

	if (colon != NULL)
		*colon++ = '\0';
	dash = strchr(part, '-');
	if (dash != NULL)
		*dash++ = '\0';
	if (num_int(part, 0, TASKS_MOST, &first) != 0 ||
	    num_int(dash != NULL ? dash : part, first, TASKS_MOST, &last) != 0 ||
	    (colon != NULL && num_int(colon, 1, TASKS_MOST, &step) != 0))
		return bad_list(id, err);
	for (int64_t task = first; task <= last; task += step) {
		char name[128];

		snprintf(name, sizeof(name), "%.*s_%lld", (int)njob, id, (long long)task);
		if (each(context, name, err) != 0)
			return -1;
	}
	return 0;
}

int slurm_array_walk(const char *id, slurm_task_fn *each, void *context, struct err *err)
{
	const char *open = strstr(id, "_[");
	char *list, *part, *comma;
	int status = 0;

	if (open == NULL)
		return each(context, id, err);
	if (!str_ends(id, "]") || open - id > 64)
		return bad_list(id, err);
	list = xstrndup(open + 2, strlen(open + 2) - 1);
	list[strcspn(list, "%")] = '\0';
	for (part = list; part != NULL && status == 0; part = comma) {
		comma = strchr(part, ',');
		if (comma != NULL)
			*comma++ = '\0';
		status = walk_part(id, (size_t)(open - id), part, each, context, err);
	}
	free(list);
	return status;
}
