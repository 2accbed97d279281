/* mapping.c - where the ranks of a job go */
#include "model/mapping.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

int mapping_rows_add(struct mapping_rows *rows, const struct table_in *in, const struct row *row,
		     const struct topo *topo, struct err *err)
{
	const char *node = row_text(row, table_find(in, "node"));
	struct mapping_place place = {.core = -1, .line = row->line};

	if (row_int(row, table_find(in, "rank"), "rank", 0, INT32_MAX - 1, &place.rank, err) != 1 ||
	    row_int(row, table_find(in, "core"), "core", 0, INT32_MAX - 1, &place.core, err) < 0)
		return -1;
	place.node = topo_node_find(topo, node, strlen(node));
	if (place.node < 0)
		return row_error(row, err, "'%s' is not a node of %s", node, topo->name);
	vec_push(&rows->of, place);
	return 0;
}

static int read_rows(struct mapping_rows *rows, struct table_in *in, const struct topo *topo,
		     const char *job, struct err *err)
{
	int column = table_find(in, "job"), status;
	char *only = NULL;
	struct row row;

	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, column);

		if (job != NULL && name != NULL && !str_eq(name, job))
			continue;
		if (name != NULL && only == NULL)
			only = xstrdup(name);
		if (name != NULL && !str_eq(name, only)) {
			status = row_error(&row, err,
					   "a second job '%s' after '%s': say which one is meant",
					   name, only);
			break;
		}
		if (mapping_rows_add(rows, in, &row, topo, err) != 0) {
			status = -1;
			break;
		}
	}
	free(only);
	return status;
}

int mapping_rows_end(struct mapping *mapping, const struct mapping_rows *rows, struct err *err)
{
	mapping->nranks = (int)rows->of.n;
	mapping->node_of = xmalloc(rows->of.n * sizeof(*mapping->node_of));
	mapping->core_of = xmalloc(rows->of.n * sizeof(*mapping->core_of));
	for (size_t i = 0; i < rows->of.n; i++)
		mapping->node_of[i] = -1;
	for (size_t i = 0; i < rows->of.n; i++) {
		const struct mapping_place *place = &rows->of.at[i];

		if (place->rank >= mapping->nranks)
			return err_set(err,
				       "rank %lld is there, but only %d rows: a rank is missing",
				       (long long)place->rank, mapping->nranks);
		if (mapping->node_of[place->rank] >= 0)
			return err_set(err, "line %ld: rank %lld is there twice", place->line,
				       (long long)place->rank);
		mapping->node_of[place->rank] = place->node;
		mapping->core_of[place->rank] = (int)place->core;
	}
	return 0;
}

void mapping_rows_free(struct mapping_rows *rows)
{
	vec_free(&rows->of);
}

int mapping_read(struct mapping *mapping, struct table_in *in, const struct topo *topo,
		 const char *job, struct err *err)
{
	struct mapping_rows rows = {0};
	int status = read_rows(&rows, in, topo, job, err);

	*mapping = (struct mapping){0};
	if (status == 0)
		status = mapping_rows_end(mapping, &rows, err);
	if (status != 0)
		mapping_free(mapping);
	mapping_rows_free(&rows);
	return status;
}

void mapping_free(struct mapping *mapping)
{
	free(mapping->node_of);
	free(mapping->core_of);
	*mapping = (struct mapping){0};
}

void mapping_write(const struct mapping *mapping, const struct topo *topo, const char *run,
		   const char *mapper, const char *job, struct table_out *table)
{
	int rank_column = table_out_column(table, "rank"),
	    node_column = table_out_column(table, "node");
	int core_column = table_out_column(table, "core");
	int run_column = run != NULL ? table_out_column(table, "run") : -1;
	int mapper_column = mapper != NULL ? table_out_column(table, "mapper") : -1;
	int job_column = job != NULL ? table_out_column(table, "job") : -1;
	char name[TOPO_NAME];

	for (int rank = 0; rank < mapping->nranks; rank++) {
		table_out_int(table, rank_column, rank);
		table_out_text(table, node_column,
			       topo_node_name(topo, mapping->node_of[rank], name));
		if (mapping->core_of[rank] >= 0)
			table_out_int(table, core_column, mapping->core_of[rank]);
		if (run != NULL)
			table_out_text(table, run_column, run);
		if (mapper != NULL)
			table_out_text(table, mapper_column, mapper);
		if (job != NULL)
			table_out_text(table, job_column, job);
		table_out_emit(table);
	}
}
