/* site.c - what a scheduler's partitions and reservations allow jobs, as checks need it */
#include "measure/check/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "formats/hostlist.h"
#include "measure/check/check.h"
#include "model/kinds.h"

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct map *nodes = context;

	(void)err;
	map_add(nodes, name, n, 1);
	return 0;
}

static int read_nodes(struct map *nodes, const struct row *row, const struct table_in *in,
		      struct err *err)
{
	const char *list = row_text(row, table_find(in, "nodelist"));
	struct err why;

	if (list == NULL || hostlist_walk(list, add_name, nodes, &why) == 0)
		return 0;
	return row_error(row, err, "nodelist: %s", why.msg);
}

static const char *keep(struct site *site, const char *text)
{
	return text != NULL ? arena_strndup(&site->arena, text, strlen(text)) : NULL;
}

static int64_t number(const struct row *row, const struct table_in *in, const char *column)
{
	int64_t value;

	return cell_int(row, table_find(in, column), &value) ? value : -1;
}

static int64_t instant(const struct row *row, const struct table_in *in, const char *column,
		       int64_t otherwise)
{
	int64_t ns;

	return cell_seconds(row, table_find(in, column), &ns) ? ns : otherwise;
}

static int read_partition(struct site *site, const struct row *row, const struct table_in *in,
			  struct err *err)
{
	const char *state = row_text(row, table_find(in, "state"));
	const char *is_default = row_text(row, table_find(in, "default"));
	struct site_limits limits = {
		.partition = keep(site, row_text(row, table_find(in, "partition"))),
		.shares = keep(site, row_text(row, table_find(in, "oversubscribe"))),
		.lists_nodes = row_text(row, table_find(in, "nodelist")) != NULL,
		.nodes_min = number(row, in, "nodes_min"),
		.nodes_max = number(row, in, "nodes_max"),
		.walltime_max_ns = instant(row, in, "walltime_max_s", -1),
		.walltime_default_ns = instant(row, in, "walltime_default_s", -1),
	};

	if (state != NULL && (str_eq(state, "down") || str_eq(state, "inactive")))
		limits.closed = keep(site, state);
	if (is_default != NULL && str_eq(is_default, "yes"))
		site->partition = limits.partition;
	vec_push(&site->partitions, limits);
	return read_nodes(&site->partitions.at[site->partitions.n - 1].nodes, row, in, err);
}

static int read_reservation(struct site *site, const struct row *row, const struct table_in *in,
			    struct err *err)
{
	struct site_booking booking = {
		.reservation = keep(site, row_text(row, table_find(in, "reservation"))),
		.start_ns = instant(row, in, "start_s", INT64_MIN),
		.end_ns = instant(row, in, "end_s", INT64_MAX),
	};

	vec_push(&site->reservations, booking);
	return read_nodes(&site->reservations.at[site->reservations.n - 1].nodes, row, in, err);
}

int site_read(struct site *site, struct table_in *in, struct err *err)
{
	struct row row;
	int status;

	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1)
		if ((table_kind(in) == &kind_partitions
			     ? read_partition(site, &row, in, err)
			     : read_reservation(site, &row, in, err)) != 0)
			return -1;
	return status;
}

void site_free(struct site *site)
{
	for (size_t i = 0; i < site->partitions.n; i++)
		map_free(&site->partitions.at[i].nodes);
	for (size_t i = 0; i < site->reservations.n; i++)
		map_free(&site->reservations.at[i].nodes);
	vec_free(&site->partitions);
	vec_free(&site->reservations);
	arena_free(&site->arena);
}

bool site_says_shares(const struct site *site)
{
	for (size_t i = 0; i < site->partitions.n; i++)
		if (site->partitions.at[i].shares != NULL)
			return true;
	return false;
}

static const struct site_limits *limits_of(const struct site *site, const char *partition, size_t n)
{
	for (size_t i = 0; i < site->partitions.n; i++)
		if (strlen(site->partitions.at[i].partition) == n &&
		    memcmp(site->partitions.at[i].partition, partition, n) == 0)
			return &site->partitions.at[i];
	return NULL;
}

const char *site_shares(const struct site *site, const char *partition, size_t n)
{
	const struct site_limits *limits = limits_of(site, partition, n);

	return limits != NULL ? limits->shares : NULL;
}

bool site_holds(const struct site *site, const char *reservation)
{
	for (size_t i = 0; i < site->reservations.n; i++)
		if (str_eq(site->reservations.at[i].reservation, reservation))
			return true;
	return false;
}

bool site_has_reserved(const struct site *site, const char *node)
{
	for (size_t i = 0; i < site->reservations.n; i++)
		if (map_get(&site->reservations.at[i].nodes, node, strlen(node)) >= 0)
			return true;
	return false;
}

void site_partitions(const struct site *site, const char *node, struct buf *names)
{
	for (size_t i = 0; i < site->partitions.n; i++)
		if (map_get(&site->partitions.at[i].nodes, node, strlen(node)) >= 0)
			buf_printf(names, "%s%s", names->n > 0 ? "," : "",
				   site->partitions.at[i].partition);
}

static const char *first_outside(const struct map *nodes, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (map_get(nodes, names[i], strlen(names[i])) < 0)
			return names[i];
	return NULL;
}

static const char *first_inside(const struct map *nodes, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (map_get(nodes, names[i], strlen(names[i])) >= 0)
			return names[i];
	return NULL;
}

/* ---- partitions ---- */

/* Why the job must not run in a partition, into why; false: it may. */
static bool is_refused(const struct site_limits *limits, struct checking *checking,
		       const struct row *row, const char *const *names, size_t n, struct buf *why)
{
	const char *outside = limits->lists_nodes ? first_outside(&limits->nodes, names, n) : NULL;
	char seconds[NUM_TEXT];
	int64_t nnodes = (int64_t)n, walltime_ns;

	/* of a job that asks for tasks that is the least number that it would take */
	if (row_text(row, table_find(checking->in, "nodes_max")) == NULL)
		cell_int(row, table_find(checking->in, "nodes_asked"), &nnodes);
	buf_clear(why);
	if (limits->closed != NULL)
		buf_printf(why, "partition: %s is %s", limits->partition, limits->closed);
	else if (outside != NULL)
		buf_printf(why, "nodelist: %s is not in the partition %s", outside,
			   limits->partition);
	else if (nnodes < limits->nodes_min)
		buf_printf(why, "nodes: %lld, the partition %s has at least %lld",
			   (long long)nnodes, limits->partition, (long long)limits->nodes_min);
	else if (limits->nodes_max > 0 && nnodes > limits->nodes_max)
		buf_printf(why, "nodes: %lld, the partition %s has at most %lld", (long long)nnodes,
			   limits->partition, (long long)limits->nodes_max);
	else if (limits->walltime_max_ns >= 0 &&
		 cell_seconds(row, table_find(checking->in, "walltime_s"), &walltime_ns) &&
		 walltime_ns > limits->walltime_max_ns) {
		num_print_seconds(seconds, limits->walltime_max_ns);
		buf_printf(why, "walltime_s: the partition %s has at most %s", limits->partition,
			   seconds);
	}
	return why->n > 0;
}

/* One of the job's partitions may have it. */
static void check_partitions(const struct site *site, struct checking *checking,
			     const struct row *row, const char *const *names, size_t n)
{
	const char *partitions = row_text(row, table_find(checking->in, "partition"));
	struct buf why = {0};
	bool is_known = false;

	if (partitions == NULL)
		partitions = site->partition;
	for (const char *at = partitions; at != NULL && *at != '\0'; at += *at == ',') {
		size_t length = strcspn(at, ",");

		for (size_t i = 0; i < site->partitions.n; i++) {
			const struct site_limits *limits = &site->partitions.at[i];

			if (strlen(limits->partition) != length ||
			    strncmp(limits->partition, at, length) != 0)
				continue;
			is_known = true;
			if (!is_refused(limits, checking, row, names, n, &why)) {
				buf_free(&why);
				return;
			}
		}
		at += length;
	}
	if (is_known)
		found_at(checking, row, "%s", why.text);
	buf_free(&why);
}

/* ---- reservations ---- */

/* A job in a reservation starts while it lasts, on its nodes. */
static void check_own(const struct site_booking *own, struct checking *checking,
		      const struct row *row, int64_t start_ns, const char *const *names, size_t n)
{
	const char *outside = first_outside(&own->nodes, names, n);

	if (outside != NULL)
		found_at(checking, row, "nodelist: %s is not of the reservation %s", outside,
			 own->reservation);
	if (start_ns != INT64_MIN && (start_ns < own->start_ns || start_ns >= own->end_ns))
		found_at(checking, row, "start_s: the reservation %s does not hold then",
			 own->reservation);
}

/* walltime_s, else what the job's first partition says, else runtime_s. */
static int64_t length_of(const struct site *site, const struct checking *checking,
			 const struct row *row)
{
	const char *name = row_text(row, table_find(checking->in, "partition"));
	int64_t length_ns = instant(row, checking->in, "walltime_s", -1);
	const struct site_limits *limits;

	if (name == NULL)
		name = site->partition;
	limits = name != NULL ? limits_of(site, name, strcspn(name, ",")) : NULL;
	if (length_ns < 0 && limits != NULL)
		length_ns = limits->walltime_default_ns >= 0 ? limits->walltime_default_ns
							     : limits->walltime_max_ns;
	return length_ns >= 0 ? length_ns : instant(row, checking->in, "runtime_s", INT64_MAX);
}

static void check_reservations(const struct site *site, struct checking *checking,
			       const struct row *row, const char *const *names, size_t n)
{
	const char *reservation = row_text(row, table_find(checking->in, "reservation"));
	int64_t start_ns = instant(row, checking->in, "start_s", INT64_MIN);
	int64_t length_ns = length_of(site, checking, row), end_ns;

	if (__builtin_add_overflow(start_ns, length_ns, &end_ns) || start_ns == INT64_MIN)
		end_ns = INT64_MAX;
	for (size_t i = 0; i < site->reservations.n; i++) {
		const struct site_booking *booking = &site->reservations.at[i];
		const char *inside;

		if (reservation != NULL && str_eq(reservation, booking->reservation)) {
			check_own(booking, checking, row, start_ns, names, n);
			continue;
		}
		inside = first_inside(&booking->nodes, names, n);
		if (inside != NULL && start_ns < booking->end_ns && end_ns > booking->start_ns)
			found_at(checking, row, "nodelist: %s is held by the reservation %s then",
				 inside, booking->reservation);
	}
}

void site_check(const struct site *site, struct checking *checking, const struct row *row,
		const char *const *names, size_t n)
{
	check_partitions(site, checking, row, names, n);
	check_reservations(site, checking, row, names, n);
}
