/* slurmconf_yaml.c - Slurm's topology.yaml: a list of named topologies: trees, blocks,
 * rings, tori */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "formats/slurm/slurmconf_priv.h"
#include "formats/yaml.h"

struct reader {
	struct slurm_topology *slurm;
	struct yaml_file *file;
	const char *name; /* of the file */
};

static struct slurm_place place_of(const struct reader *reader, const struct yaml *at)
{
	return (struct slurm_place){reader->name, at->line};
}

static int check_keys(const struct reader *reader, const struct yaml *map,
		      const char *const *allowed, struct err *err)
{
	if (map->type != YAML_MAP)
		return yaml_error(reader->file, map, err, "expected a mapping with %s", allowed[0]);
	for (size_t i = 0; i < map->n; i++) {
		size_t k = 0;

		while (allowed[k] != NULL && !str_eq(allowed[k], map->keys[i]->text))
			k++;
		if (allowed[k] == NULL)
			return yaml_error(reader->file, map->keys[i], err,
					  "'%.40s' is not a key here (%s …)", map->keys[i]->text,
					  allowed[0]);
	}
	return 0;
}

/* The texts of a map; NULL where a key is absent. */
static int get_text(const struct reader *reader, const struct yaml *map, const char *key,
		    bool required, const char **text, struct err *err)
{
	const struct yaml *value = yaml_get(map, key);

	*text = NULL;
	if (value == NULL && required)
		return yaml_error(reader->file, map, err, "%s: is missing", key);
	if (value == NULL)
		return 0;
	if (value->type != YAML_SCALAR)
		return yaml_error(reader->file, value, err, "%s: expected a text", key);
	*text = value->text;
	return 0;
}

static const struct yaml *get_list(const struct reader *reader, const struct yaml *map,
				   const char *key, struct err *err)
{
	const struct yaml *list = yaml_get(map, key);

	if (list == NULL || list->type != YAML_LIST || list->n == 0) {
		yaml_error(reader->file, list != NULL ? list : map, err,
			   "expected a list %s:", key);
		return NULL;
	}
	return list;
}

static int read_tree(const struct reader *reader, const struct yaml *tree, struct err *err)
{
	static const char *const tree_keys[] = {"switches", NULL};
	static const char *const keys[] = {"switch", "children", "nodes", NULL};
	const struct yaml *list;

	if (check_keys(reader, tree, tree_keys, err) != 0 ||
	    (list = get_list(reader, tree, "switches", err)) == NULL)
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml *item = list->items[i];
		const char *name, *children, *nodes;

		if (check_keys(reader, item, keys, err) != 0 ||
		    get_text(reader, item, "switch", true, &name, err) != 0 ||
		    get_text(reader, item, "children", false, &children, err) != 0 ||
		    get_text(reader, item, "nodes", false, &nodes, err) != 0 ||
		    slurm_add_switch(reader->slurm, place_of(reader, item), name, children, nodes,
				     err) < 0)
			return -1;
	}
	return 0;
}

static int read_sizes(const struct reader *reader, const struct yaml *list, struct err *err)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i]->type != YAML_SCALAR)
			return yaml_error(reader->file, list->items[i], err,
					  "expected a size of a block");
		else if (slurm_add_size(reader->slurm, place_of(reader, list->items[i]),
					list->items[i]->text, err) != 0)
			return -1;
	return 0;
}

static int read_block(const struct reader *reader, const struct yaml *block, struct err *err)
{
	static const char *const block_keys[] = {"blocks", "block_sizes", NULL};
	static const char *const keys[] = {"block", "nodes", NULL};
	const struct yaml *list, *size_list = yaml_get(block, "block_sizes");

	if (check_keys(reader, block, block_keys, err) != 0 ||
	    (list = get_list(reader, block, "blocks", err)) == NULL ||
	    (size_list != NULL && (get_list(reader, block, "block_sizes", err) == NULL ||
				   read_sizes(reader, size_list, err) != 0)))
		return -1;
	reader->slurm->is_block = true;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml *item = list->items[i];
		const char *name, *nodes;

		if (check_keys(reader, item, keys, err) != 0 ||
		    get_text(reader, item, "block", true, &name, err) != 0 ||
		    get_text(reader, item, "nodes", false, &nodes, err) != 0 ||
		    slurm_add_switch(reader->slurm, place_of(reader, item), name, NULL,
				     slurm_block_nodes(nodes), err) < 0)
			return -1;
	}
	return slurm_join_blocks(reader->slurm,
				 place_of(reader, size_list != NULL ? size_list : list), err);
}

static int read_dim(const struct reader *reader, const struct yaml *dims, const char *key, int *dim,
		    struct err *err)
{
	const struct yaml *value = yaml_get(dims, key);
	int64_t number;

	if (value == NULL || value->type != YAML_SCALAR ||
	    num_int(value->text, 1, SLURM_NODES_MOST, &number) != 0)
		return yaml_error(reader->file, value != NULL ? value : dims, err,
				  "%s: expected a positive number", key);
	*dim = (int)number;
	return 0;
}

static int read_dims(const struct reader *reader, const struct yaml *item, int *sizes,
		     struct err *err)
{
	static const char *const keys[] = {"x", "y", "z", NULL};
	const struct yaml *dims = yaml_get(item, "dims");

	if (dims == NULL)
		return yaml_error(reader->file, item, err, "dims: is missing");
	if (check_keys(reader, dims, keys, err) != 0)
		return -1;
	for (int d = 0; d < 3; d++)
		if (read_dim(reader, dims, keys[d], &sizes[d], err) != 0)
			return -1;
	return 0;
}

/* Of rings name_key is "ring", and there are no dims. */
static int read_grids(const struct reader *reader, const struct yaml *topology, const char *kind,
		      const char *list_key, const char *name_key, struct err *err)
{
	const char *const kind_keys[] = {list_key, NULL};
	const char *const keys[] = {name_key, "nodes", "dims", "placements", NULL};
	const char *const ring_keys[] = {name_key, "nodes", NULL};
	const struct yaml *grids = yaml_get(topology, kind), *list;
	bool is_ring = str_eq(kind, "ring");

	if (check_keys(reader, grids, kind_keys, err) != 0 ||
	    (list = get_list(reader, grids, list_key, err)) == NULL)
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml *item = list->items[i];
		const char *name, *nodes;
		int dims[3] = {1, 0, 0}, number;

		if (check_keys(reader, item, is_ring ? ring_keys : keys, err) != 0 ||
		    get_text(reader, item, name_key, true, &name, err) != 0 ||
		    get_text(reader, item, "nodes", true, &nodes, err) != 0 ||
		    (!is_ring && read_dims(reader, item, dims, err) != 0))
			return -1;
		number = slurm_add_switch(reader->slurm, place_of(reader, item), name, NULL, nodes,
					  err);
		if (number < 0)
			return -1;
		memcpy(reader->slurm->switches.at[number].dims, dims, sizeof(dims));
	}
	return 0;
}

static bool is_default(const struct yaml *topology)
{
	const char *text = yaml_text(topology, "cluster_default");

	return text != NULL && (str_eq(text, "true") || str_eq(text, "yes"));
}

/* The topology of that name, or the default, or the only one. */
static const struct yaml *choose(const struct reader *reader, const char *name, struct err *err)
{
	const struct yaml *root = yaml_root(reader->file), *chosen = NULL;
	struct buf names = {0};

	if (root->type != YAML_LIST || root->n == 0) {
		yaml_error(reader->file, root, err,
			   "expected a list of topologies (- topology: NAME …)");
		return NULL;
	}
	for (size_t i = 0; i < root->n && chosen == NULL; i++) {
		const char *own = yaml_text(root->items[i], "topology");

		if (own == NULL) {
			yaml_error(reader->file, root->items[i], err, "topology: expected NAME");
			buf_free(&names);
			return NULL;
		}
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", own);
		if (name != NULL ? str_eq(own, name) : root->n == 1 || is_default(root->items[i]))
			chosen = root->items[i];
	}
	if (chosen == NULL && name != NULL)
		yaml_error(reader->file, root, err, "no topology is named '%s' (there are: %.600s)",
			   name, buf_text(&names));
	else if (chosen == NULL)
		yaml_error(reader->file, root, err,
			   "there is no default: name one (expected one of: %.600s)",
			   buf_text(&names));
	buf_free(&names);
	return chosen;
}

static int read_chosen(const struct reader *reader, const struct yaml *topology, struct err *err)
{
	static const char *const kinds[] = {"tree", "block", "flat", "ring", "torus3d"};
	const char *kind = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (yaml_get(topology, kinds[i]) == NULL)
			continue;
		if (kind != NULL)
			return yaml_error(reader->file, topology, err,
					  "is both %s: and %s:, expected one of them", kind,
					  kinds[i]);
		kind = kinds[i];
	}
	if (kind == NULL)
		return yaml_error(reader->file, topology, err,
				  "expected tree:, block:, ring: or torus3d:");
	if (str_eq(kind, "tree"))
		return read_tree(reader, yaml_get(topology, kind), err);
	if (str_eq(kind, "block"))
		return read_block(reader, yaml_get(topology, kind), err);
	if (str_eq(kind, "ring"))
		return read_grids(reader, topology, kind, "rings", "ring", err);
	if (str_eq(kind, "torus3d"))
		return read_grids(reader, topology, kind, "toruses", "name", err);
	return yaml_error(reader->file, topology, err,
			  "a flat topology names no nodes: complete:nodes=N makes one");
}

/* The topologies of blocks beside the chosen one. */
static int read_others(const struct reader *reader, const struct yaml *chosen, struct err *err)
{
	const struct yaml *root = yaml_root(reader->file);

	for (size_t i = 0; i < root->n; i++) {
		const struct yaml *at = root->items[i];
		const char *name = yaml_text(at, "topology");
		struct reader other = *reader;
		struct slurm_other *kept;

		if (at == chosen || yaml_get(at, "block") == NULL || name == NULL)
			continue;
		other.slurm = xcalloc(1, sizeof(*other.slurm));
		vec_push(&reader->slurm->others, (struct slurm_other){.topology = other.slurm});
		kept = &reader->slurm->others.at[reader->slurm->others.n - 1];
		kept->name = arena_strndup(&reader->slurm->arena, name, strlen(name));
		if (read_chosen(&other, at, err) != 0 || slurm_resolve(other.slurm, err) != 0)
			return -1;
	}
	return 0;
}

int slurm_topology_read_yaml(struct slurm_topology **result, const char *path, const char *name,
			     struct err *err)
{
	struct reader reader = {.slurm = xcalloc(1, sizeof(*reader.slurm))};
	const struct yaml *topology;
	int status = -1;

	reader.name = str_eq(path, "-") ? "standard input"
					: arena_strndup(&reader.slurm->arena, path, strlen(path));
	*result = NULL;
	if (yaml_open(&reader.file, path, err) == 0 &&
	    (topology = choose(&reader, name, err)) != NULL &&
	    read_chosen(&reader, topology, err) == 0 && slurm_resolve(reader.slurm, err) == 0 &&
	    (name != NULL || read_others(&reader, topology, err) == 0))
		status = 0;
	yaml_close(reader.file);
	if (status == 0)
		*result = reader.slurm;
	else
		slurm_topology_free(reader.slurm);
	return status;
}
