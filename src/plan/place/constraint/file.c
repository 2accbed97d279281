/* file.c - the sets of nodes that a file permits */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/constraint.h"
#include "base/names.h"
#include "formats/in.h"

/* Lists in the order of the file; those that are there twice once. */
struct permitted {
	VEC(int_vec) lists; /* each in label order */
	struct map index;   /* the bytes of a list → its place */
	int_vec sorted;
};

static int by_label(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void sort_into(int_vec *sorted, const int *nodes, size_t n)
{
	sorted->n = 0;
	for (size_t i = 0; i < n; i++)
		vec_push(sorted, nodes[i]);
	if (n > 1)
		qsort(sorted->at, n, sizeof(int), by_label);
}

static int take_line(struct permitted *permitted, const struct space *space, struct in *in,
		     const char *line, struct err *err)
{
	int_vec nodes = {0}, list = {0};
	int64_t place = (int64_t)permitted->lists.n;
	char name[TOPO_NAME];
	struct err why;
	int status = 0;

	if (topo_nodelist_read(space->topo, line, &nodes, &why) != 0)
		status = in_error(in, err, "%s", why.msg);
	for (size_t i = 0; i < nodes.n && status == 0; i++)
		if (!space->computes[nodes.at[i]])
			status = in_error(in, err, "%s is a separate I/O node",
					  topo_node_name(space->topo, nodes.at[i], name));
	sort_into(&list, nodes.at, nodes.n);
	free(nodes.at);
	if (status == 0 && list.n > 0 &&
	    map_add(&permitted->index, (const char *)list.at, list.n * sizeof(int), place) == place)
		vec_push(&permitted->lists, list);
	else
		free(list.at);
	return status;
}

static int file_open(struct constraint *constraint, struct err *err)
{
	struct permitted *permitted = xcalloc(1, sizeof(*permitted));
	struct in *in;
	char *line;
	size_t n;
	int status;

	constraint->state = permitted;
	if (in_open(&in, pick_word(constraint->pick, "path"), err) != 0)
		return -1;
	while ((status = in_line(in, &line, &n, err)) == 1) {
		line = str_trim(line);
		if (line[0] == '\0' || line[0] == '#')
			continue;
		status = take_line(permitted, constraint->space, in, line, err);
		if (status != 0)
			break;
	}
	in_close(in);
	return status;
}

static void close(struct constraint *constraint)
{
	struct permitted *permitted = constraint->state;

	if (permitted == NULL)
		return;
	for (size_t i = 0; i < permitted->lists.n; i++)
		free(permitted->lists.at[i].at);
	free(permitted->lists.at);
	map_free(&permitted->index);
	free(permitted->sorted.at);
	free(permitted);
}

static int regions(struct constraint *constraint, struct search *search)
{
	const struct permitted *permitted = constraint->state;
	int end = SEARCH_ALL;

	for (size_t i = 0; i < permitted->lists.n && end == SEARCH_ALL; i++) {
		const int_vec *list = &permitted->lists.at[i];
		bool is_idle = list->n == (size_t)search->wanted;

		for (size_t k = 0; k < list->n && is_idle; k++)
			is_idle = machine_is_idle(search->machine, list->at[k]);
		if (is_idle)
			end = search_exact(search, list->at);
	}
	return end;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	const struct permitted *permitted = constraint->state;

	for (size_t i = 0; i < permitted->lists.n; i++) {
		const int_vec *list = &permitted->lists.at[i];
		bool is_idle = list->n == (size_t)n;

		for (size_t k = 0; k < list->n && is_idle; k++)
			is_idle = (idle[list->at[k] / 64] >> (list->at[k] % 64) & 1) != 0;
		if (is_idle)
			return true;
	}
	return false;
}

static int64_t earliest(struct constraint *constraint, const struct free_times *times, int n)
{
	const struct permitted *permitted = constraint->state;
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < permitted->lists.n; i++) {
		const int_vec *list = &permitted->lists.at[i];
		int64_t most = INT64_MIN;

		for (size_t k = 0; k < list->n && list->n == (size_t)n && most < least; k++)
			if (times->at[list->at[k]] > most)
				most = times->at[list->at[k]];
		if (list->n == (size_t)n && most < least)
			least = most;
	}
	return least;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct permitted *permitted = constraint->state;

	sort_into(&permitted->sorted, nodes, (size_t)search->wanted);
	return map_get(&permitted->index, (const char *)permitted->sorted.at,
		       permitted->sorted.n * sizeof(int)) >= 0;
}

const struct constraint_type constraint_file = {
	.entry =
		{
			.name = "file",
			.example = "file:path=permitted.txt",
			.summary = "all nodes of one line of a file",
			.params = (const struct param[]){{.key = "path",
							  .type = PARAM_FILE,
							  .meaning = "a node list on each line"},
							 CONSTRAINT_PARAMS,
							 {0}},
		},
	.turn = TURN_LIST,
	.open = file_open,
	.close = close,
	.is_quick = true,
	.fits = fits,
	.earliest = earliest,
	.regions = regions,
	.holds = holds,
};
