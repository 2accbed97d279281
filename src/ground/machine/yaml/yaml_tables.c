/* yaml_tables.c - an explicit machine from the tables of its YAML document */
#include <string.h>

#include "machine/yaml/yaml_block.h"
#include "machine/yaml/yaml_read.h"
#include "base/num.h"
#include "model/topo_build.h"

/* routers: "router", then one column for each tier, from the inside out. */
static int read_routers(struct topo_build *build, const struct yaml_file *file, struct err *err)
{
	struct yaml_block block;
	struct err why;
	int status;

	if (block_open(&block, file, "routers", err) != 0)
		return -1;
	if (!slice_is(block.columns[0], "router"))
		return yaml_error(file, &block.at, err,
				  "routers: the first column must be 'router'");
	for (int i = 1; i < block.ncolumns; i++)
		if (topo_build_tier(build, block.columns[i].text, block.columns[i].n, &why) < 0)
			return block_refuse(&block, &why, err);
	while ((status = block_next(&block, err)) == 1) {
		int router = topo_build_router(build, block.cells[0].text, block.cells[0].n, &why);

		if (router < 0)
			return block_refuse(&block, &why, err);
		for (int i = 1; i < block.ncolumns; i++)
			if (!slice_is(block.cells[i], ".") &&
			    topo_build_domain(build, router, i, block.cells[i].text,
					      block.cells[i].n, &why) != 0)
				return block_refuse(&block, &why, err);
	}
	return status;
}

static int read_cores(const struct yaml_block *block, struct slice cell, struct topo_build *build,
		      int node, struct err *err)
{
	char text[24];
	int64_t cores;

	if (slice_is(cell, "."))
		return 0;
	if (cell.n < sizeof(text)) {
		memcpy(text, cell.text, cell.n);
		text[cell.n] = '\0';
		if (num_int(text, 1, 1000000, &cores) == 0) {
			topo_build_node_cores(build, node, (int)cores);
			return 0;
		}
	}
	return yaml_error(block->file, &block->at, err,
			  "nodes: cores: '%.*s' is not a whole number from 1 to 1000000",
			  cell.n < 80 ? (int)cell.n : 80, cell.text);
}

/* What the document says about all nodes. */
static int read_usual(struct topo_build *build, const struct yaml_file *file, struct err *err)
{
	const struct yaml *nodes = yaml_get(yaml_root(file), "nodes");
	const char *inside;
	struct err why;
	int cores = 0;

	if (yaml_read_int(file, nodes, "cores", 1, 1000000, &cores, err) != 0 ||
	    yaml_read_text(file, nodes, "inside", &inside, err) != 0)
		return -1;
	topo_build_cores(build, cores);
	if (inside != NULL && topo_build_inside(build, inside, strlen(inside), &why) != 0)
		return yaml_error(file, yaml_get(nodes, "inside"), err, "inside: %s", why.msg);
	return 0;
}

static int read_nodes(struct topo_build *build, const struct yaml_file *file, struct err *err)
{
	static const char *const names[] = {"node", "cores", "inside", NULL};
	struct yaml_block block;
	struct err why;
	int status, name, cores, inside;

	if (block_open(&block, file, "nodes", err) != 0 || block_check(&block, names, 1, err) != 0)
		return -1;
	name = block_column(&block, "node");
	cores = block_column(&block, "cores");
	inside = block_column(&block, "inside");
	while ((status = block_next(&block, err)) == 1) {
		int node =
			topo_build_node(build, block.cells[name].text, block.cells[name].n, &why);

		if (node < 0)
			return block_refuse(&block, &why, err);
		if (cores >= 0 && read_cores(&block, block.cells[cores], build, node, err) != 0)
			return -1;
		if (inside >= 0 && !slice_is(block.cells[inside], ".") &&
		    topo_build_node_inside(build, node, block.cells[inside].text,
					   block.cells[inside].n, &why) != 0)
			return block_refuse(&block, &why, err);
	}
	return status;
}

static int read_end(const struct yaml_block *block, struct slice cell,
		    const struct topo_build *build, int *handle, struct err *err)
{
	*handle = topo_build_find(build, cell.text, cell.n);
	if (*handle < 0)
		return yaml_error(block->file, &block->at, err,
				  "links: there is no node or router '%.*s'",
				  cell.n < 200 ? (int)cell.n : 200, cell.text);
	return 0;
}

/* links: "from", "to" and, unless what it joins says enough, "level". */
static int read_links(struct topo_build *build, const struct yaml_file *file, struct err *err)
{
	static const char *const names[] = {"from", "to", "level", NULL};
	struct yaml_block block;
	struct err why;
	int status, from, to, level;

	if (block_open(&block, file, "links", err) != 0 || block_check(&block, names, 2, err) != 0)
		return -1;
	from = block_column(&block, "from");
	to = block_column(&block, "to");
	level = block_column(&block, "level");
	while ((status = block_next(&block, err)) == 1) {
		struct slice name = {"local", strlen("local")};
		int a, b, at;

		if (read_end(&block, block.cells[from], build, &a, err) != 0 ||
		    read_end(&block, block.cells[to], build, &b, err) != 0)
			return -1;
		if (topo_build_is_node(a) || topo_build_is_node(b))
			name = (struct slice){"terminal", strlen("terminal")};
		if (level >= 0 && !slice_is(block.cells[level], "."))
			name = block.cells[level];
		at = topo_build_level(build, name.text, name.n, &why);
		if (at < 0 || topo_build_link(build, a, b, at, &why) != 0)
			return block_refuse(&block, &why, err);
	}
	return status;
}

/* links: {level2: {bandwidth: 4GB/s, latency: 100ns}}, which also orders the levels. */
static int read_levels(struct topo_build *build, const struct yaml_file *file, struct err *err)
{
	const struct yaml *links = yaml_get(yaml_root(file), "links");
	struct err why;

	if (links != NULL && links->type != YAML_MAP)
		return yaml_error(file, links, err, "links: is not a mapping of levels");
	for (size_t i = 0; links != NULL && i < links->n; i++) {
		const struct yaml *name = links->keys[i], *map = links->items[i];
		int level = topo_build_level(build, name->text, name->n, &why);
		const char *bandwidth, *latency;
		double value;

		if (level < 0)
			return yaml_error(file, name, err, "links: %s", why.msg);
		if (yaml_check_keys(file, map, name->text, "bandwidth|latency", err) != 0 ||
		    yaml_read_text(file, map, "bandwidth", &bandwidth, err) != 0 ||
		    yaml_read_text(file, map, "latency", &latency, err) != 0)
			return -1;
		if (bandwidth != NULL && str_eq(bandwidth, "guessed")) {
			topo_build_guess(build, level);
		} else if (bandwidth != NULL) {
			if (num_bandwidth(bandwidth, &value) != 0 || value <= 0)
				return yaml_error(
					file, yaml_get(map, "bandwidth"), err,
					"'%.80s' is not a bandwidth such as 8Gbit/s, nor guessed",
					bandwidth);
			topo_build_bandwidth(build, level, value);
		}
		if (latency != NULL) {
			if (num_duration(latency, &value) != 0)
				return yaml_error(file, yaml_get(map, "latency"), err,
						  "'%.80s' is not a time such as 100ns", latency);
			topo_build_latency(build, level, value);
		}
	}
	return 0;
}

int topo_read_tables(struct topo **topo, const struct yaml_file *file, const char *name,
		     struct err *err)
{
	const struct yaml *tables = yaml_get(yaml_root(file), "tables");
	struct topo_build *build = topo_build_new(name);
	struct err why;

	*topo = NULL;
	if (yaml_check_keys(file, tables, "tables", "routers|nodes|links|routes|domains", err) !=
		    0 ||
	    read_usual(build, file, err) != 0 || read_levels(build, file, err) != 0 ||
	    read_routers(build, file, err) != 0 || read_nodes(build, file, err) != 0 ||
	    read_links(build, file, err) != 0) {
		topo_build_free(build);
		return -1;
	}
	if (topo_build_finish(topo, build, &why) != 0)
		return yaml_error(file, tables, err, "%s", why.msg);
	if (topo_read_routes(*topo, file, err) == 0)
		return 0;
	topo_free(*topo);
	*topo = NULL;
	return -1;
}
