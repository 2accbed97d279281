/* placed.c - which job holds which node, for drawings of a machine */
#include "machine/export/placed.h"

#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "model/kinds.h"

struct columns {
	int job, run, nodelist;
};

/* run: that of the first row, copied. */
static int check_run(struct placed *placed, const struct row *row, const struct columns *columns,
		     const char **run, struct err *err)
{
	const char *text = row_text(row, columns->run);

	if (text == NULL)
		text = ".";
	if (*run == NULL)
		*run = arena_strndup(&placed->arena, text, strlen(text));
	if (!str_eq(*run, text))
		return row_error(
			row, err,
			"jobs of several runs, '%s' and '%s': select one, as by mlr filter", *run,
			text);
	return 0;
}

static int place_job(struct placed *placed, const struct topo *topo, const struct row *row,
		     const struct columns *columns, struct err *err)
{
	const char *list = row_text(row, columns->nodelist), *name = row_text(row, columns->job);
	int_vec nodes = {0};
	struct err why;

	if (list == NULL)
		return 0; /* it waits */
	if (topo_nodelist_read(topo, list, &nodes, &why) != 0) {
		free(nodes.at);
		return row_error(row, err, "nodelist: %s", why.msg);
	}
	for (size_t i = 0; i < nodes.n; i++)
		if (placed->job_of[nodes.at[i]] < 0)
			placed->job_of[nodes.at[i]] = (int)placed->names.n;
	vec_push(&placed->names, arena_strndup(&placed->arena, name, strlen(name)));
	free(nodes.at);
	return 0;
}

static int read_rows(struct placed *placed, const struct topo *topo, struct table_in *in,
		     struct err *err)
{
	struct columns columns = {table_find(in, "job"), table_find(in, "run"),
				  table_find(in, "nodelist")};
	const char *run = NULL;
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1)
		if (check_run(placed, &row, &columns, &run, err) != 0 ||
		    place_job(placed, topo, &row, &columns, err) != 0)
			return -1;
	if (status != 0)
		return -1;
	return table_is_whole(in) ? 0 : 1;
}

int placed_read(struct placed *placed, const struct topo *topo, const char *path,
		bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	char *paths[] = {(char *)path, NULL};
	struct table_in *in;
	int status;

	*placed = (struct placed){0};
	if (table_open(&in, kinds, paths, accepts_partial, err) != 0)
		return -1;
	placed->job_of = xmalloc((size_t)topo->nnodes * sizeof(*placed->job_of));
	for (int node = 0; node < topo->nnodes; node++)
		placed->job_of[node] = -1;
	status = topo_check_recorded(topo, in, err);
	if (status == 0)
		status = read_rows(placed, topo, in, err);
	table_close(in);
	if (status < 0)
		placed_free(placed);
	return status;
}

void placed_free(struct placed *placed)
{
	free(placed->names.at);
	free(placed->job_of);
	arena_free(&placed->arena);
	*placed = (struct placed){0};
}
