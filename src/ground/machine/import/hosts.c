/* hosts.c - a machine from a table of hosts: domain, sub-domain, nodes */
#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"
#include "machine/import/listing.h"
#include "model/hierarchy.h"
#include "model/topo_build.h"

/* A row; domains and sub-domains are numbered in the order in which they first came. */
struct host_row {
	int domain, inner;
	const char *nodes;
	long line;
};

struct host_table {
	struct listing listing;
	struct map ids[2]; /* of domains, of sub-domains */
	VEC(const char *) names[2];
	VEC(int) above; /* [sub-domains] */
	VEC(struct host_row) rows;
	int column[3]; /* of domain, subdomain, nodes; nodes -1: the line with the names is to come
			*/
	bool has_inner;
	struct topo_build *build;
	int router;
	struct topo *topo;
	int hierarchy, at;
};

static int fail(const struct host_table *table, long line, const char *what, struct err *err)
{
	return err_set(err, "%s:%ld: %.800s", table->listing.file, line, what);
}

static int read_columns(struct host_table *table, char **cells, int n, struct err *err)
{
	static const char *const names[3] = {"domain", "subdomain", "nodes"};

	for (int c = 0; c < 3; c++) {
		table->column[c] = -1;
		for (int i = 0; i < n; i++)
			if (str_eq(cells[i], names[c]))
				table->column[c] = i;
	}
	if (table->column[0] >= 0 && table->column[2] >= 0)
		return 0;
	return in_error(table->listing.in, err,
			"expected the columns domain, nodes and perhaps subdomain");
}

static int number_of(struct host_table *table, int of, const char *name)
{
	int64_t n = (int64_t)table->names[of].n;
	int number = (int)map_add(&table->ids[of], name, strlen(name), n);

	if (number == n)
		vec_push(&table->names[of],
			 arena_strndup(&table->listing.arena, name, strlen(name)));
	return number;
}

static int read_line(void *context, char *line, struct err *err)
{
	struct host_table *table = context;
	const char *domain, *inner, *nodes;
	struct host_row row = {.line = in_lineno(table->listing.in)};
	char *cells[16];
	int n;

	if (*line == '\0' || *line == '#')
		return 0;
	n = str_split(line, '\t', cells, 16);
	if (table->column[2] < 0)
		return read_columns(table, cells, n, err);
	if (n <= table->column[0] || n <= table->column[1] || n <= table->column[2])
		return in_error(table->listing.in, err, "a row of %d cells: fewer than columns", n);
	domain = cells[table->column[0]];
	nodes = cells[table->column[2]];
	inner = table->column[1] >= 0 ? cells[table->column[1]] : ".";
	if (*domain == '\0' || str_eq(domain, ".") || *nodes == '\0' || str_eq(nodes, "."))
		return in_error(table->listing.in, err, "expected a domain and its nodes");
	table->has_inner |= *inner != '\0' && !str_eq(inner, ".");
	if (*inner == '\0' || str_eq(inner, "."))
		inner = domain; /* beside others that have some: one of the domain's name */
	row.domain = number_of(table, 0, domain);
	row.inner = number_of(table, 1, inner);
	if ((size_t)row.inner == table->above.n)
		vec_push(&table->above, row.domain);
	if (table->above.at[row.inner] != row.domain)
		return in_error(table->listing.in, err,
				"'%.80s' is in the domains '%.80s' and '%.80s'", inner,
				table->names[0].at[table->above.at[row.inner]], domain);
	row.nodes = arena_strndup(&table->listing.arena, nodes, strlen(nodes));
	vec_push(&table->rows, row);
	return 0;
}

/* ---- the machine: a router for each innermost domain ---- */

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct host_table *table = context;
	int node = topo_build_node(table->build, name, n, err);

	return node < 0 ? -1
			: topo_build_link(table->build, node, table->router, LINK_TERMINAL, err);
}

static int build(void *context, struct topo_build *build, const struct topo_import *from,
		 struct err *err)
{
	struct host_table *table = context;
	int *routers = xmalloc((table->names[1].n + 1) * sizeof(*routers));
	int status = 0;

	(void)from;
	table->build = build;
	topo_build_guess(build, LINK_TERMINAL);
	for (size_t i = 0; i < table->names[1].n; i++)
		routers[i] = -1;
	for (size_t i = 0; i < table->rows.n && status == 0; i++) {
		const struct host_row *row = &table->rows.at[i];
		const char *name = table->names[1].at[row->inner];
		struct err why;

		if (routers[row->inner] < 0)
			routers[row->inner] = topo_build_router(build, name, strlen(name), &why);
		table->router = routers[row->inner];
		if (table->router < 0 || hostlist_walk(row->nodes, add_node, table, &why) != 0)
			status = fail(table, row->line, why.msg, err);
	}
	free(routers);
	return status;
}

static int put_node(void *context, const char *name, size_t n, struct err *err)
{
	struct host_table *table = context;
	int node = topo_node_find(table->topo, name, n);

	return hierarchy_nodes(table->topo, table->hierarchy, table->at, node, node, err);
}

static int add_domains(struct host_table *table, struct err *err)
{
	static const struct domain_level plain = {0};
	static const char *const levels[2] = {"domain", "subdomain"};
	int nlevels = table->has_inner ? 2 : 1;

	table->hierarchy = hierarchy_add(table->topo, "accelerator", 11, err);
	if (table->hierarchy < 0)
		return -1;
	for (int l = 0; l < nlevels; l++)
		if (hierarchy_level(table->topo, table->hierarchy, levels[l], strlen(levels[l]),
				    &plain, err) < 0)
			return -1;
	for (int l = 0; l < nlevels; l++)
		for (size_t i = 0; i < table->names[l].n; i++)
			if (hierarchy_domain(table->topo, table->hierarchy, l,
					     table->names[l].at[i], strlen(table->names[l].at[i]),
					     l > 0 ? table->above.at[i] : -1, err) < 0)
				return -1;
	for (size_t i = 0; i < table->rows.n; i++) {
		const struct host_row *row = &table->rows.at[i];
		struct err why;

		table->at = table->has_inner ? row->inner : row->domain;
		if (hostlist_walk(row->nodes, put_node, table, &why) != 0)
			return fail(table, row->line, why.msg, err);
	}
	return hierarchy_finish(table->topo, table->hierarchy, err);
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct host_table table = {.column = {-1, -1, -1}};
	int status = listing_read(&table.listing, from, read_line, &table, err);

	if (status == 0 && table.rows.n == 0)
		status = err_set(err, "%s: has no host in a domain",
				 table.listing.file != NULL ? table.listing.file : "-");
	if (status == 0)
		status = listing_build(&table.topo, from, build, &table, err);
	if (status == 0 && add_domains(&table, err) != 0) {
		topo_free(table.topo);
		table.topo = NULL;
		status = -1;
	}
	*topo = table.topo;
	for (int i = 0; i < 2; i++) {
		map_free(&table.ids[i]);
		vec_free(&table.names[i]);
	}
	vec_free(&table.above);
	vec_free(&table.rows);
	arena_free(&table.listing.arena);
	return status;
}

static const struct param params[] = {LISTING_CORES, {.key = NULL}};

const struct topo_importer topo_importer_hosts = {
	.entry =
		{
			.name = "hosts",
			.summary = "a table of hosts: domain, subdomain and nodes; no network",
			.example = "hosts",
			.params = params,
		},
	.read = read,
};
