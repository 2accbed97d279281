/* arrays.c - arrays of jobs of which only some tasks may be under way at a time */
#include "place/run/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"

size_t array_name(const char *name)
{
	const char *line = strrchr(name, '_');

	return line != NULL && line > name && line[1] != '\0' ? (size_t)(line - name) : 0;
}

/* Numbers the arrays that some task has a limit for. */
static void add_limits(struct arrays *arrays, struct map *ids, const struct job *jobs, int n)
{
	for (int i = 0; i < n; i++) {
		size_t length = array_name(jobs[i].name);
		int64_t id;

		if (jobs[i].array_limit == 0 || length == 0)
			continue;
		id = map_add(ids, jobs[i].name, length, (int64_t)arrays->of.n);
		if (id == (int64_t)arrays->of.n)
			vec_push(&arrays->of, (struct array){.limit = jobs[i].array_limit});
		else if (jobs[i].array_limit < arrays->of.at[id].limit)
			arrays->of.at[id].limit = jobs[i].array_limit;
	}
}

void arrays_init(struct arrays *arrays, const struct job *jobs, int n)
{
	struct map ids = {0};

	*arrays = (struct arrays){0};
	add_limits(arrays, &ids, jobs, n);
	if (arrays->of.n > 0) {
		arrays->array_of = xmalloc((size_t)n * sizeof(*arrays->array_of));
		arrays->is_in = xcalloc((size_t)n, sizeof(*arrays->is_in));
		for (int i = 0; i < n; i++) {
			size_t length = array_name(jobs[i].name);

			arrays->array_of[i] =
				length > 0 ? (int)map_get(&ids, jobs[i].name, length) : -1;
		}
	}
	map_free(&ids);
}

void arrays_free(struct arrays *arrays)
{
	for (size_t i = 0; i < arrays->of.n; i++)
		vec_free(&arrays->of.at[i].held);
	vec_free(&arrays->of);
	free(arrays->array_of);
	free(arrays->is_in);
	*arrays = (struct arrays){0};
}

struct array *arrays_full(const struct arrays *arrays, int job)
{
	struct array *array = array_of(arrays, job);

	return array != NULL && array->ncome >= array->limit ? array : NULL;
}

void arrays_come(struct arrays *arrays, int job)
{
	struct array *array = array_of(arrays, job);

	if (array == NULL)
		return;
	array->ncome++;
	arrays->is_in[job] = true;
}

void arrays_end(struct arrays *arrays, int job, int_vec *freed)
{
	struct array *array;
	size_t least = 0;

	if (arrays->is_in == NULL || !arrays->is_in[job])
		return;
	arrays->is_in[job] = false;
	array = &arrays->of.at[arrays->array_of[job]];
	array->ncome--;
	if (array->held.n == 0)
		return;
	for (size_t i = 1; i < array->held.n; i++)
		if (array->held.at[i] < array->held.at[least])
			least = i;
	vec_push(freed, array->held.at[least]);
	array->held.at[least] = array->held.at[--array->held.n];
}
