/* yaml_extras.c - what a YAML document says beside nodes and links: NICs, GPUs, I/O nodes */
#include <stdlib.h>
#include <string.h>

#include "machine/io/io_placement.h"
#include "machine/route/route.h"
#include "machine/yaml/yaml_read.h"
#include "base/num.h"
#include "model/storage_spec.h"

int yaml_read_text(const struct yaml_file *file, const struct yaml *map, const char *key,
		   const char **text, struct err *err)
{
	const struct yaml *at = yaml_get(map, key);

	*text = NULL;
	if (at == NULL)
		return 0;
	if (at->type != YAML_SCALAR || at->n == 0 || strlen(at->text) != at->n)
		return yaml_error(file, at, err, "%s: is not plain text", key);
	*text = at->text;
	return 0;
}

int yaml_read_int(const struct yaml_file *file, const struct yaml *map, const char *key,
		  int64_t min, int64_t max, int *value, struct err *err)
{
	const char *text;
	int64_t number;

	if (yaml_read_text(file, map, key, &text, err) != 0)
		return -1;
	if (text == NULL)
		return 0;
	if (num_int(text, min, max, &number) != 0)
		return yaml_error(file, yaml_get(map, key), err,
				  "%s: '%.80s' is not a whole number from %lld to %lld", key, text,
				  (long long)min, (long long)max);
	*value = (int)number;
	return 0;
}

/* By its length: a key may hold a NUL. */
static bool is_among(const char *keys, const char *key, size_t n)
{
	for (const char *p = keys;; p += strcspn(p, "|") + 1) {
		if (strcspn(p, "|") == n && memcmp(p, key, n) == 0)
			return true;
		if (p[strcspn(p, "|")] == '\0')
			return false;
	}
}

int yaml_check_keys(const struct yaml_file *file, const struct yaml *map, const char *what,
		    const char *keys, struct err *err)
{
	if (map == NULL)
		return 0;
	if (map->type != YAML_MAP)
		return yaml_error(file, map, err, "%s: is not a mapping of keys to values", what);
	for (size_t i = 0; i < map->n; i++)
		if (!is_among(keys, map->keys[i]->text, map->keys[i]->n))
			return yaml_error(file, map->keys[i], err,
					  "'%.80s' is not a key of %s; expected one of: %s",
					  map->keys[i]->text, what, keys);
	return 0;
}

/* "a" or "b"; absent is "a". */
static int read_choice(const struct yaml_file *file, const struct yaml *map, const char *key,
		       const char *a, const char *b, bool *is_b, struct err *err)
{
	const char *text;

	if (yaml_read_text(file, map, key, &text, err) != 0)
		return -1;
	*is_b = text != NULL && str_eq(text, b);
	if (text != NULL && !str_eq(text, a) && !*is_b)
		return yaml_error(file, yaml_get(map, key), err, "%s: '%.80s' is neither %s nor %s",
				  key, text, a, b);
	return 0;
}

/* "leaf", or "level=K" with K from 1. */
static int read_at(const struct yaml_file *file, const struct yaml *map, struct topo_io *io,
		   struct err *err)
{
	const char *text;
	int64_t level = 1;

	if (yaml_read_text(file, map, "at", &text, err) != 0)
		return -1;
	if (text == NULL)
		return 0;
	if (!str_eq(text, "leaf") &&
	    (!str_starts(text, "level=") ||
	     num_int(text + strlen("level="), 1, TOPO_LEVELS, &level) != 0))
		return yaml_error(file, yaml_get(map, "at"), err,
				  "at: '%.80s' is neither leaf nor level=K", text);
	io->at_level = (int)level;
	return 0;
}

static int read_io(struct topo *topo, struct topo_io *io, const struct yaml_file *file,
		   const struct yaml *map, struct err *err)
{
	struct storage_spec *storage;
	const char *name, *list;
	int_vec nodes = {0};
	struct err why;

	if (yaml_check_keys(file, map, "io", "name|nodes|kind|access|at|device|stripe|drain",
			    err) != 0 ||
	    yaml_read_text(file, map, "name", &name, err) != 0 ||
	    yaml_read_text(file, map, "nodes", &list, err) != 0 ||
	    read_choice(file, map, "kind", "coupled", "separate", &io->is_separate, err) != 0 ||
	    read_choice(file, map, "access", "shared", "exclusive", &io->is_exclusive, err) != 0 ||
	    read_at(file, map, io, err) != 0)
		return -1;
	if (name == NULL)
		return yaml_error(file, map, err, "io: an entry needs a name");
	for (int i = 0; i < topo->nio - 1; i++)
		if (str_eq(topo->io[i].name, name))
			return yaml_error(file, map, err, "io: '%.80s' is there twice", name);
	if ((list == NULL) == (io->at_level == 0))
		return yaml_error(file, map, err, "io: '%.80s' needs either nodes or at", name);
	io->name = arena_strndup(&topo->arena, name, strlen(name));
	if (list != NULL && topo_nodelist_read(topo, list, &nodes, &why) != 0) {
		free(nodes.at);
		return yaml_error(file, yaml_get(map, "nodes"), err, "io: nodes: %s", why.msg);
	}
	io->nodes = nodes.at;
	io->nnodes = (int)nodes.n;
	if (storage_spec_read(&storage, file, map, &topo->arena, err) != 0)
		return -1;
	io->storage = storage;
	if (storage != NULL && list == NULL)
		return yaml_error(file, map, err, "io: the device of '%.80s' needs nodes", name);
	return 0;
}

static int read_all_io(struct topo *topo, const struct yaml_file *file, struct err *err)
{
	const struct yaml *list = yaml_get(yaml_root(file), "io");
	struct err why = {0};

	if (list == NULL)
		return 0;
	if (list->type != YAML_LIST)
		return yaml_error(file, list, err, "io: is not a list");
	topo->io = xcalloc(list->n + 1, sizeof(*topo->io));
	for (size_t i = 0; i < list->n; i++) {
		topo->nio++;
		if (read_io(topo, &topo->io[i], file, list->items[i], err) != 0)
			return -1;
	}
	return io_check_drains(topo, &why) == 0 ? 0 : yaml_error(file, list, err, "%s", why.msg);
}

/* nics: 2, or nics: {count: 2, select: round-robin, injection_queues: 1} */
static int read_nics(struct topo *topo, const struct yaml_file *file, const struct yaml *nodes,
		     struct err *err)
{
	const struct yaml *nics = yaml_get(nodes, "nics");
	const char *select;

	if (nics == NULL)
		return 0;
	if (nics->type == YAML_SCALAR)
		return yaml_read_int(file, nodes, "nics", 1, 1024, &topo->nics.count, err);
	if (yaml_check_keys(file, nics, "nics", "count|select|injection_queues", err) != 0 ||
	    yaml_read_int(file, nics, "count", 1, 1024, &topo->nics.count, err) != 0 ||
	    yaml_read_int(file, nics, "injection_queues", 1, 1024, &topo->nics.injection_queues,
			  err) != 0 ||
	    yaml_read_text(file, nics, "select", &select, err) != 0)
		return -1;
	if (select == NULL)
		return 0;
	if (!str_eq(select, "round-robin") && !str_eq(select, "rank") &&
	    !str_eq(select, "destination") && !str_eq(select, "adaptive"))
		return yaml_error(file, yaml_get(nics, "select"), err,
				  "select: '%s' is not round-robin, rank, destination or adaptive",
				  select);
	topo->nics.select = arena_strndup(&topo->arena, select, strlen(select));
	return 0;
}

static int check_routing(const struct yaml_file *file, const char *text, struct err *err)
{
	struct pick pick;
	struct err why;

	if (pick_parse(&pick, &routings, text, &why) != 0)
		return yaml_error(file, yaml_get(yaml_root(file), "routing"), err, "routing: %s",
				  why.msg);
	pick_free(&pick);
	return 0;
}

int topo_read_extras(struct topo *topo, const struct yaml_file *file, struct err *err)
{
	const struct yaml *root = yaml_root(file), *nodes = yaml_get(root, "nodes");
	const struct yaml *gpus = yaml_get(root, "gpus");
	const char *routing;

	if (read_nics(topo, file, nodes, err) != 0 ||
	    yaml_read_int(file, nodes, "planes", 1, 1024, &topo->nics.planes, err) != 0 ||
	    yaml_check_keys(file, gpus, "gpus", "per_node", err) != 0 ||
	    yaml_read_int(file, gpus, "per_node", 0, 1024, &topo->gpus, err) != 0 ||
	    yaml_read_text(file, root, "routing", &routing, err) != 0)
		return -1;
	if (routing != NULL && check_routing(file, routing, err) != 0)
		return -1;
	if (routing != NULL)
		topo->routing = arena_strndup(&topo->arena, routing, strlen(routing));
	return read_all_io(topo, file, err);
}
