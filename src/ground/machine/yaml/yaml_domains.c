/* yaml_domains.c - the hierarchies of a YAML document: their levels, and the table of domains */
#include <string.h>

#include "base/num.h"
#include "formats/node_ranges.h"
#include "machine/yaml/yaml_block.h"
#include "machine/yaml/yaml_read.h"
#include "model/hierarchy.h"

/* rack, or {name: rack, every: 4, size: 18, up: 3.6TB/s} */
static int read_level(struct topo *topo, int hierarchy, const struct yaml_file *file,
		      const struct yaml *at, struct err *err)
{
	struct domain_level like = {0};
	const char *name = at->text, *up = NULL;
	struct err why;

	if (at->type == YAML_MAP) {
		if (yaml_check_keys(file, at, "a level", "name|every|size|up", err) != 0 ||
		    yaml_read_text(file, at, "name", &name, err) != 0 ||
		    yaml_read_int(file, at, "every", 1, INT32_MAX, &like.every, err) != 0 ||
		    yaml_read_int(file, at, "size", 1, INT32_MAX, &like.size, err) != 0 ||
		    yaml_read_text(file, at, "up", &up, err) != 0)
			return -1;
		if (name == NULL)
			return yaml_error(file, at, err, "hierarchies: a level needs a name");
	} else if (at->type != YAML_SCALAR) {
		return yaml_error(file, at, err, "hierarchies: expected the name of a level");
	}
	if (up != NULL && (num_bandwidth(up, &like.up) != 0 || like.up <= 0))
		return yaml_error(file, yaml_get(at, "up"), err,
				  "up: '%.80s' is not a bandwidth such as 3.6TB/s", up);
	if (like.every > 0 && like.size > 0)
		return yaml_error(file, at, err,
				  "hierarchies: '%.80s' has every and size: expected one of them",
				  name);
	if (hierarchy_level(topo, hierarchy, name, strlen(name), &like, &why) < 0)
		return yaml_error(file, at, err, "hierarchies: %s", why.msg);
	return 0;
}

static int read_hierarchy(struct topo *topo, const struct yaml_file *file, const struct yaml *at,
			  bool *is_listed, struct err *err)
{
	const struct yaml *levels = yaml_get(at, "levels");
	const char *name;
	struct err why;
	int h;

	if (at->type != YAML_MAP)
		return yaml_error(file, at, err, "hierarchies: expected {name: …, levels: […]}");
	if (yaml_check_keys(file, at, "a hierarchy", "name|levels", err) != 0 ||
	    yaml_read_text(file, at, "name", &name, err) != 0)
		return -1;
	if (name == NULL || levels == NULL || levels->type != YAML_LIST || levels->n == 0)
		return yaml_error(file, at, err,
				  "hierarchies: an entry needs a name and a list of levels");
	h = hierarchy_add(topo, name, strlen(name), &why);
	if (h < 0)
		return yaml_error(file, at, err, "hierarchies: %s", why.msg);
	for (size_t i = 0; i < levels->n; i++)
		if (read_level(topo, h, file, levels->items[i], err) != 0)
			return -1;
	*is_listed |= hierarchy_inside(topo, h, -1) >= 0;
	return 0;
}

/* ---- the table ---- */

struct domain_table {
	struct yaml_block block;
	int level, domain, within, nodes; /* columns */
	struct buf text;
	struct node_ranges ranges;
};

static const char *text_of(struct domain_table *table, int column)
{
	struct slice cell = table->block.cells[column];

	buf_clear(&table->text);
	buf_add(&table->text, cell.text, cell.n);
	return buf_text(&table->text);
}

/* Which hierarchy and level a row is of. */
static int find_level(const struct topo *topo, struct domain_table *table, int *hierarchy,
		      int *level, struct err *err)
{
	struct slice cell = table->block.cells[table->level];
	struct level_ref ref;
	struct err why;

	if (level_find(&ref, topo, cell.text, cell.n, &why) != 0)
		return block_refuse(&table->block, &why, err);
	if (ref.hierarchy == NULL)
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: '%s' is a level of the network, not of a hierarchy",
				  level_name(&ref));
	if (ref.hierarchy->levels[ref.level].every > 0)
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: the level '%s' is made by every, not listed",
				  level_name(&ref));
	*hierarchy = (int)(ref.hierarchy - topo->hierarchies);
	*level = ref.level;
	return 0;
}

static bool is_made(const struct hierarchy *at, int from, int to, const char *name)
{
	for (int l = from; l < to; l++) {
		size_t n = strlen(at->levels[l].name);

		if (strncmp(name, at->levels[l].name, n) == 0 && name[n] == '-')
			return true;
	}
	return false;
}

static int read_within(struct topo *topo, struct domain_table *table, int h, int level, int domain,
		       struct err *err)
{
	const char *name = text_of(table, table->within);
	int outside = hierarchy_outside(topo, h, level), above;
	struct hierarchy *at = &topo->hierarchies[h];

	if (str_eq(name, ".") && outside < 0)
		return 0;
	if (outside < 0 && !is_made(at, 0, level, name))
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: %s is within '%.80s', but %s is the outermost level: "
				  "expected .",
				  at->levels[level].names[domain], name, at->levels[level].name);
	above = outside < 0 ? -1 : (int)map_get(&at->levels[outside].ids, name, strlen(name));
	if (above < 0 && is_made(at, outside + 1, level, name))
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: '%.80s' is made by every: expected a domain of %s",
				  name, outside < 0 ? "no level (.)" : at->levels[outside].name);
	if (above < 0)
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: within: there is no %s '%.80s'",
				  at->levels[outside].name, name);
	at->levels[level].above[domain] = above;
	return 0;
}

static int read_nodes(struct topo *topo, struct domain_table *table, int h, int level, int domain,
		      struct err *err)
{
	const char *list = text_of(table, table->nodes);
	struct err why;

	if (str_eq(list, "."))
		return 0;
	if (hierarchy_inside(topo, h, level) >= 0)
		return yaml_error(table->block.file, &table->block.at, err,
				  "domains: nodes belong to domains of the innermost level, which "
				  "%s is not",
				  topo->hierarchies[h].levels[level].name);
	node_ranges_clear(&table->ranges);
	if (topo_ranges_read(topo, list, &table->ranges, &why) != 0)
		return block_refuse(&table->block, &why, err);
	for (size_t i = 0; i < table->ranges.of.n; i++)
		if (hierarchy_nodes(topo, h, domain, table->ranges.of.at[i].first,
				    table->ranges.of.at[i].last, &why) != 0)
			return block_refuse(&table->block, &why, err);
	return 0;
}

/* The domains of all rows first, as one may be within a later one. */
static int read_rows(struct topo *topo, struct domain_table *table, bool are_known, struct err *err)
{
	int status, h = -1, level = -1, domain;
	struct err why;

	while ((status = block_next(&table->block, err)) == 1) {
		struct slice name = table->block.cells[table->domain];

		if (find_level(topo, table, &h, &level, err) != 0)
			return -1;
		if (!are_known && hierarchy_domain(topo, h, level, name.text, name.n, -1, &why) < 0)
			return block_refuse(&table->block, &why, err);
		if (!are_known)
			continue;
		domain = (int)map_get(&topo->hierarchies[h].levels[level].ids, name.text, name.n);
		if (read_within(topo, table, h, level, domain, err) != 0 ||
		    read_nodes(topo, table, h, level, domain, err) != 0)
			return -1;
	}
	return status;
}

static int read_table(struct topo *topo, const struct yaml_file *file, struct err *err)
{
	static const char *const names[] = {"level", "domain", "within", "nodes", NULL};
	struct domain_table table = {0};
	int status = 0;

	for (int pass = 0; pass < 2 && status == 0; pass++) {
		if (block_open(&table.block, file, "domains", err) != 0 ||
		    block_check(&table.block, names, 4, err) != 0) {
			status = -1;
			break;
		}
		table.level = block_column(&table.block, "level");
		table.domain = block_column(&table.block, "domain");
		table.within = block_column(&table.block, "within");
		table.nodes = block_column(&table.block, "nodes");
		status = read_rows(topo, &table, pass == 1, err);
	}
	buf_free(&table.text);
	node_ranges_free(&table.ranges);
	return status;
}

int topo_read_domains(struct topo *topo, const struct yaml_file *file, struct err *err)
{
	const struct yaml *root = yaml_root(file), *list = yaml_get(root, "hierarchies");
	const struct yaml *table = yaml_get(yaml_get(root, "tables"), "domains");
	bool is_listed = false;
	struct err why;

	if (list == NULL && table == NULL)
		return 0;
	if (list == NULL)
		return yaml_error(file, table, err, "domains: there is no key hierarchies");
	if (list->type != YAML_LIST)
		return yaml_error(file, list, err, "hierarchies: is not a list");
	for (size_t i = 0; i < list->n; i++)
		if (read_hierarchy(topo, file, list->items[i], &is_listed, err) != 0)
			return -1;
	if (is_listed && table == NULL)
		return yaml_error(file, list, err, "hierarchies: need the table domains");
	if (table != NULL && read_table(topo, file, err) != 0)
		return -1;
	for (int h = 0; h < topo->nhierarchies; h++)
		if (hierarchy_finish(topo, h, &why) != 0)
			return yaml_error(file, list->items[h], err, "hierarchies: %s", why.msg);
	return 0;
}
