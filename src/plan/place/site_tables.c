/* site_tables.c - what a scheduler says of the machine: nodes, partitions, reservations */
#include "place/site_tables.h"

#include <stdlib.h>
#include <string.h>

#include "model/kinds.h"
#include "place/node_states.h"
#include "place/run/eligible.h"
#include "place/run/site_rules.h"
#include "place/run/stock.h"

static int read_limit(const struct row *row, const struct table_in *in, const char *column,
		      int64_t *limit, struct err *err)
{
	*limit = 0;
	return row_int(row, table_find(in, column), column, 0, INT32_MAX, limit, err) < 0 ? -1 : 0;
}

static int read_time(const struct row *row, const struct table_in *in, const char *column,
		     int64_t otherwise, int64_t *ns, struct err *err)
{
	*ns = otherwise;
	return row_seconds(row, table_find(in, column), column, ns, err) < 0 ? -1 : 0;
}

/* A length of time. */
static int read_length(const struct row *row, const struct table_in *in, const char *column,
		       int64_t *ns, struct err *err)
{
	if (read_time(row, in, column, JOB_NO_TIME, ns, err) != 0)
		return -1;
	if (*ns != JOB_NO_TIME && *ns < 0)
		return row_error(row, err, "%s: is negative", column);
	return 0;
}

static const char *keep(struct schedule *schedule, const char *text)
{
	return arena_strndup(&schedule->rules.arena, text, strlen(text));
}

/* The nodes of a row; of a machine that has not all of them, those that it has. */
static int read_nodes(const struct schedule *schedule, const struct row *row,
		      const struct table_in *in, int_vec *nodes, struct err *err)
{
	const char *list = row_text(row, table_find(in, "nodelist"));
	const struct topo_unknown unknown = {lacking_take, schedule->lacking};
	struct err why;

	nodes->n = 0;
	if (list == NULL ||
	    (schedule->lacking != NULL
		     ? topo_nodelist_read_known(schedule->topo, list, nodes, &unknown, &why)
		     : topo_nodelist_read(schedule->topo, list, nodes, &why)) == 0)
		return 0;
	return row_error(row, err, "nodelist: %s", why.msg);
}

/* ---- partitions ---- */

static bool is_closed(const char *state)
{
	return state != NULL && (str_eq(state, "down") || str_eq(state, "inactive"));
}

static int read_partition(struct schedule *schedule, const struct row *row,
			  const struct table_in *in, int_vec *nodes, struct err *err)
{
	const char *state = row_text(row, table_find(in, "state"));
	const char *is_default = row_text(row, table_find(in, "default"));
	const char *share = row_text(row, table_find(in, "oversubscribe"));
	struct site_partition partition = {
		.name = keep(schedule, row_text(row, table_find(in, "partition"))),
		.closed = is_closed(state) ? keep(schedule, state) : NULL,
		.shares = share != NULL ? keep(schedule, share) : NULL,
	};

	if (read_limit(row, in, "nodes_min", &partition.nodes_min, err) != 0 ||
	    read_limit(row, in, "nodes_max", &partition.nodes_max, err) != 0 ||
	    read_length(row, in, "walltime_max_s", &partition.walltime_max_ns, err) != 0 ||
	    read_length(row, in, "walltime_default_s", &partition.walltime_default_ns, err) != 0 ||
	    read_nodes(schedule, row, in, nodes, err) != 0)
		return -1;
	eligible_know_partitions(&schedule->eligible, schedule->topo);
	for (size_t i = 0; i < nodes->n; i++)
		eligible_partitions(&schedule->eligible, schedule->topo, nodes->at[i],
				    partition.name);
	if (is_default != NULL && str_eq(is_default, "yes")) {
		if (schedule->rules.partition != NULL)
			return row_error(row, err, "default: %s is the default, too",
					 schedule->rules.partition);
		schedule->rules.partition = partition.name;
	}
	site_rules_add(&schedule->rules, partition);
	return 0;
}

/* ---- reservations ---- */

static int read_reservation(struct schedule *schedule, const struct row *row,
			    const struct table_in *in, int_vec *nodes, struct err *err)
{
	struct site_hold hold = {
		.name = keep(schedule, row_text(row, table_find(in, "reservation")))};

	if (read_time(row, in, "start_s", INT64_MIN, &hold.start_ns, err) != 0 ||
	    read_time(row, in, "end_s", INT64_MAX, &hold.end_ns, err) != 0 ||
	    read_nodes(schedule, row, in, nodes, err) != 0)
		return -1;
	if (hold.end_ns <= hold.start_ns)
		return row_error(row, err, "end_s: is not after start_s");
	hold.words = xcalloc((size_t)schedule->topo->nnodes / 64 + 1, sizeof(*hold.words));
	for (size_t i = 0; i < nodes->n; i++)
		hold.words[nodes->at[i] / 64] |= UINT64_C(1) << nodes->at[i] % 64;
	vec_push(&schedule->rules.holds, hold);
	eligible_need(&schedule->eligible, schedule->topo);
	return 0;
}

/* ---- all ---- */

static int read_rows(struct schedule *schedule, struct table_in *in, struct err *err)
{
	bool is_partitions = table_kind(in) == &kind_partitions;
	int_vec nodes = {0};
	struct row row;
	int status;

	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1)
		if ((is_partitions ? read_partition(schedule, &row, in, &nodes, err)
				   : read_reservation(schedule, &row, in, &nodes, err)) != 0) {
			status = -1;
			break;
		}
	vec_free(&nodes);
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "the table of %s is truncated: what holds is unknown",
			       table_kind(in)->name);
	return status;
}

/* How partitions share nodes matters where it is known what these have. */
static int add_sharings(struct schedule *schedule, struct err *err)
{
	for (size_t i = 0; schedule->stock != NULL && i < schedule->rules.partitions.n; i++) {
		const struct site_partition *partition = &schedule->rules.partitions.at[i];

		if (partition->shares != NULL &&
		    sharings_add(&schedule->stock->sharings, partition->name, partition->shares,
				 err) != 0)
			return -1;
	}
	return 0;
}

/* Partitions and reservations come first: what nodes say of them is completed by these. */
static int read_tables(struct schedule *schedule, struct table_in *const *tables, size_t n,
		       struct err *err)
{
	struct table_in *states = NULL;

	for (size_t i = 0; i < n; i++) {
		if (table_kind(tables[i]) != &kind_nodes) {
			if (read_rows(schedule, tables[i], err) != 0)
				return -1;
		} else if (states != NULL) {
			return err_set(err, "a second table of nodes; expected one");
		} else {
			states = tables[i];
		}
	}
	if (states != NULL && nodes_read(schedule, states, err) != 0)
		return -1;
	return add_sharings(schedule, err);
}

int site_tables_read(struct schedule *schedule, char *const *paths, bool accepts_partial,
		     struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_nodes, &kind_partitions,
							 &kind_reservations, NULL};
	VEC(struct table_in *) tables = {0};
	int status = 0;

	for (; *paths != NULL && status == 0; paths++) {
		char *one[] = {*paths, NULL};
		struct table_in *in;

		status = table_open(&in, kinds, one, accepts_partial, err);
		if (status == 0)
			vec_push(&tables, in);
	}
	if (status == 0)
		status = read_tables(schedule, tables.at, tables.n, err);
	for (size_t i = 0; i < tables.n; i++)
		table_close(tables.at[i]);
	vec_free(&tables);
	return status;
}
