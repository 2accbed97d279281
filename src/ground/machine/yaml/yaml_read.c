/* yaml_read.c - a machine from its YAML document */
#include "machine/yaml/yaml_read.h"

#include <stdlib.h>
#include <string.h>

#include "machine/kind/shape.h"
#include "model/topo_build.h"

/* The document's values under the names that a pick has for them, and where they are. */
struct pick_values {
	const struct yaml_file *file;
	VEC(char *) keys;
	VEC(const char *) texts;
	VEC(const struct yaml *) places;
};

static void free_given(struct pick_values *values)
{
	for (size_t i = 0; i < values->keys.n; i++)
		free(values->keys.at[i]);
	free(values->keys.at);
	free(values->texts.at);
	free(values->places.at);
}

/* Takes key over. */
static int add(struct pick_values *values, char *key, const struct yaml *value,
	       const struct entry *entry, struct err *err)
{
	vec_push(&values->keys, key); /* first, so that it is freed */
	vec_push(&values->texts, value->text);
	vec_push(&values->places, value);
	if (value->type != YAML_SCALAR || value->n == 0 || strlen(value->text) != value->n)
		return yaml_error(values->file, value, err, "%.80s: is not plain text", key);
	for (int i = 0; entry->params[i].key != NULL; i++)
		if (str_eq(entry->params[i].key, key))
			return 0;
	return yaml_error(values->file, value, err, "a %s has no '%.80s'", entry->name, key);
}

/* Every key of the map, as PREFIX-KEY or (prefix NULL) as KEY. */
static int add_map(struct pick_values *values, const struct yaml *map, const char *prefix,
		   const struct entry *entry, struct err *err)
{
	for (size_t i = 0; map != NULL && i < map->n; i++) {
		const char *key = map->keys[i]->text;

		if (add(values, prefix != NULL ? xasprintf("%s-%s", prefix, key) : xstrdup(key),
			map->items[i], entry, err) != 0)
			return -1;
	}
	return 0;
}

static int add_links(struct pick_values *values, const struct entry *entry, struct err *err)
{
	const struct yaml *links = yaml_get(yaml_root(values->file), "links");

	if (links != NULL && links->type != YAML_MAP)
		return yaml_error(values->file, links, err, "links: is not a mapping of levels");
	for (size_t i = 0; links != NULL && i < links->n; i++) {
		const char *level = links->keys[i]->text;

		if (yaml_check_keys(values->file, links->items[i], level, "bandwidth|latency",
				    err) != 0 ||
		    add_map(values, links->items[i], level, entry, err) != 0)
			return -1;
	}
	return 0;
}

static int add_one(struct pick_values *values, const char *section, const char *key,
		   const char *param, const struct entry *entry, struct err *err)
{
	const struct yaml *value = yaml_get(yaml_get(yaml_root(values->file), section), key);

	return value != NULL ? add(values, xstrdup(param), value, entry, err) : 0;
}

/* The line of the parameter that a message is about; the message comes from the pick, which knows
 * no lines. */
static const struct yaml *place_of(const struct pick_values *values, const char *message)
{
	const struct yaml *root = yaml_root(values->file), *params = yaml_get(root, "parameters");

	for (size_t i = values->keys.n; i-- > 0;) { /* the second of two is the one too many */
		char *as_value = xasprintf(" %s: ", values->keys.at[i]);
		char *as_twice = xasprintf(" %s is given twice", values->keys.at[i]);
		bool is_it = strstr(message, as_value) != NULL || strstr(message, as_twice) != NULL;

		free(as_value);
		free(as_twice);
		if (is_it)
			return values->places.at[i];
	}
	return params != NULL ? params : yaml_get(root, "topology");
}

static bool has_only_domains(const struct yaml *tables)
{
	return tables->type == YAML_MAP && tables->n == 1 && yaml_get(tables, "domains") != NULL;
}

static int make_structured(struct topo **topo, struct pick_values *values,
			   const struct entry *entry, struct err *err)
{
	const struct yaml *root = yaml_root(values->file), *params = yaml_get(root, "parameters");
	struct pick pick;
	struct err why;

	if (yaml_get(root, "tables") != NULL && !has_only_domains(yaml_get(root, "tables")))
		return yaml_error(
			values->file, yaml_get(root, "tables"), err,
			"tables other than domains belong to an explicit topology, not to "
			"a %s",
			entry->name);
	if (params != NULL && params->type != YAML_MAP)
		return yaml_error(values->file, params, err, "parameters: is not a mapping");
	if (add_map(values, params, NULL, entry, err) != 0 ||
	    add_one(values, "nodes", "cores", "cores", entry, err) != 0 ||
	    add_one(values, "nodes", "inside", "inside", entry, err) != 0 ||
	    add_one(values, "nodes", "names", "names", entry, err) != 0 ||
	    add_one(values, "routers", "names", "router-names", entry, err) != 0 ||
	    add_links(values, entry, err) != 0)
		return -1;
	if (pick_make(&pick, &topo_types, entry->name, (const char *const *)values->keys.at,
		      values->texts.at, (int)values->keys.n, &why) != 0 ||
	    topo_from_pick(topo, &pick, &why) != 0)
		return yaml_error(values->file, place_of(values, why.msg), err, "%s", why.msg);
	return 0;
}

static int read_structured(struct topo **topo, const struct yaml_file *file,
			   const struct entry *entry, struct err *err)
{
	struct pick_values values = {.file = file};
	int status = make_structured(topo, &values, entry, err);

	free_given(&values);
	return status;
}

static int read_explicit(struct topo **topo, const struct yaml_file *file,
			 const struct entry *entry, struct err *err)
{
	const struct yaml *root = yaml_root(file), *nodes = yaml_get(root, "nodes");

	if (yaml_get(root, "parameters") != NULL)
		return yaml_error(file, yaml_get(root, "parameters"), err,
				  "an explicit topology has tables, no parameters");
	if (yaml_get(nodes, "names") != NULL || yaml_get(root, "routers") != NULL)
		return yaml_error(file, yaml_get(nodes, "names"), err,
				  "an explicit topology has its names in the tables");
	if (yaml_get(root, "tables") == NULL)
		return yaml_error(file, root, err,
				  "an explicit topology needs tables: routers, nodes, links");
	return topo_read_tables(topo, file, entry->name, err);
}

/* What a document may be of; *entry NULL: it is neither a topology nor explicit. */
typedef int read_fn(struct topo **topo, const struct yaml_file *file, const struct entry *entry,
		    struct err *err);
static read_fn *find_reader(const char *kind, const struct entry **entry)
{
	*entry = &topo_type_explicit.entry;
	if (str_eq(kind, (*entry)->name))
		return read_explicit;
	*entry = registry_find(&topo_types, kind);
	return read_structured;
}

static int check_head(const struct yaml_file *file, read_fn **read, const struct entry **entry,
		      const char **name, struct err *err)
{
	const struct yaml *root = yaml_root(file);
	const char *version, *kind;

	if (root == NULL || root->type != YAML_MAP)
		return yaml_error(file, root, err,
				  "is not a topology: it needs 'placetools: topology/1'");
	if (yaml_read_text(file, root, "placetools", &version, err) != 0)
		return -1;
	if (version == NULL || !str_eq(version, "topology/1"))
		return yaml_error(file, yaml_get(root, "placetools"), err,
				  "%s%.80s: expected 'placetools: topology/1'",
				  version == NULL ? "there is no key placetools" : "is ",
				  version == NULL ? "" : version);
	if (yaml_check_keys(file, root, "a topology",
			    "placetools|name|topology|parameters|nodes|routers|links|routing|io|"
			    "gpus|hierarchies|tables",
			    err) != 0 ||
	    yaml_check_keys(file, yaml_get(root, "nodes"), "nodes",
			    "cores|inside|names|nics|planes", err) != 0 ||
	    yaml_check_keys(file, yaml_get(root, "routers"), "routers", "names", err) != 0 ||
	    yaml_read_text(file, root, "topology", &kind, err) != 0 ||
	    yaml_read_text(file, root, "name", name, err) != 0)
		return -1;
	if (kind == NULL)
		return yaml_error(file, root, err, "there is no key topology");
	*read = find_reader(kind, entry);
	if (*entry == NULL)
		return yaml_error(file, yaml_get(root, "topology"), err,
				  "'%.80s' is not a topology; topogen "
				  "--list=topologies shows them, and there is '%s'",
				  kind, topo_type_explicit.entry.name);
	return 0;
}

int topo_read_yaml(struct topo **topo, const struct yaml_file *file, struct err *err)
{
	const struct entry *entry;
	read_fn *read;
	const char *name;
	int status;

	*topo = NULL;
	if (check_head(file, &read, &entry, &name, err) != 0 || read(topo, file, entry, err) != 0)
		return -1;
	if (name != NULL) {
		free((*topo)->name);
		(*topo)->name = xstrdup(name);
	}
	status = topo_read_extras(*topo, file, err);
	if (status == 0)
		status = topo_read_domains(*topo, file, err);
	if (status != 0) {
		topo_free(*topo);
		*topo = NULL;
	}
	return status;
}
