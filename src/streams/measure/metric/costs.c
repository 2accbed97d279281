/* costs.c - what storage, nodes, GPUs and links cost: a price list, and what a machine has
 * of them */
#include "measure/metric/costs.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/share.h"
#include "base/str.h"
#include "formats/yaml.h"
#include "model/storage_spec.h"

/* A number of a mapping; *value stays where the key is absent. */
static int take(const struct yaml_file *file, const struct yaml *map, const char *key,
		double *value, struct err *err)
{
	const struct yaml *at = yaml_get(map, key);

	if (at == NULL)
		return 0;
	if (at->type != YAML_SCALAR || num_real(at->text, 0, 1e15, value) != 0)
		return yaml_error(file, at, err, "%s: '%.80s' is not a number from 0 on", key,
				  at->type == YAML_SCALAR ? at->text : "");
	return 0;
}

static int check_keys(const struct yaml_file *file, const struct yaml *map, const char *what,
		      const char *const *keys, struct err *err)
{
	if (map == NULL || map->type != YAML_MAP)
		return yaml_error(file, map, err, "%s: expected a mapping of keys to values", what);
	for (size_t i = 0; i < map->n; i++) {
		int k = 0;

		while (keys[k] != NULL && !str_eq(keys[k], map->keys[i]->text))
			k++;
		if (keys[k] == NULL)
			return yaml_error(file, map->keys[i], err,
					  "'%.80s' is not a key of a price list",
					  map->keys[i]->text);
	}
	return 0;
}

static int take_costs(const struct yaml_file *file, const char *what, struct costs *costs,
		      struct err *err)
{
	static const char *const keys[] = {"drive",  "drive_watts", "server", "server_watts",
					   "bought", "powered",     NULL};
	double *const values[] = {&costs->drive,        &costs->drive_watts, &costs->server,
				  &costs->server_watts, &costs->bought,      &costs->powered};
	const struct yaml *map = yaml_get(yaml_root(file), what);

	costs->bought = costs->powered = 1;
	if (map == NULL && yaml_get(yaml_root(file), "machine") != NULL)
		return 0; /* a list of the machine alone */
	if (check_keys(file, map, what, keys, err) != 0)
		return -1;
	for (int i = 0; keys[i] != NULL; i++)
		if (take(file, map, keys[i], values[i], err) != 0)
			return -1;
	return 0;
}

/* A list may leave it out: then only storage costs. */
static int take_machine(const struct yaml_file *file, struct machine_costs *costs, struct err *err)
{
	static const char *const keys[] = {"node",      "gpu",        "link", "node_watts",
					   "gpu_watts", "link_watts", NULL};
	double *const values[] = {&costs->node,       &costs->gpu,       &costs->link,
				  &costs->node_watts, &costs->gpu_watts, &costs->link_watts};
	const struct yaml *map = yaml_get(yaml_root(file), "machine");

	if (map == NULL)
		return 0;
	if (check_keys(file, map, "machine", keys, err) != 0)
		return -1;
	for (int i = 0; keys[i] != NULL; i++)
		if (take(file, map, keys[i], values[i], err) != 0)
			return -1;
	return 0;
}

static int read_bill(struct bill *bill, const struct yaml_file *file, struct err *err)
{
	static const char *const keys[] = {"placetools", "hours",   "tariff", "coupled",
					   "separate",   "machine", NULL};
	const struct yaml *root = yaml_root(file);
	const char *version = yaml_text(root, "placetools");

	if (version == NULL || !str_eq(version, "costs/1"))
		return yaml_error(file, root, err,
				  "is not a price list: it needs 'placetools: costs/1'");
	if (check_keys(file, root, "price list", keys, err) != 0 ||
	    take(file, root, "hours", &bill->hours, err) != 0 ||
	    take(file, root, "tariff", &bill->tariff, err) != 0 ||
	    take_costs(file, "coupled", &bill->coupled, err) != 0 ||
	    take_machine(file, &bill->machine, err) != 0)
		return -1;
	return take_costs(file, "separate", &bill->separate, err);
}

int bill_open(void **state, const struct pick *pick, const struct metric_context *context,
	      struct err *err)
{
	const char *path = pick_word(pick, "costs");
	struct bill *bill = xcalloc(1, sizeof(*bill));
	struct yaml_file *file;
	char *found = NULL;
	int status;

	bill->topo = context->topo;
	*state = bill;
	if (*path == '@') {
		found = share_named("costs", path, err);
		if (found == NULL)
			return err_prefix(err, "costs: ");
	}
	status = yaml_open(&file, found != NULL ? found : path, err);
	free(found);
	if (status != 0)
		return -1;
	status = read_bill(bill, file, err);
	yaml_close(file);
	return status;
}

void bill_sum(const struct bill *bill,
	      void (*add)(double *sums, const struct costs *costs, double ndrives, double nservers),
	      double *sums)
{
	for (int i = 0; i < bill->topo->nio; i++) {
		const struct topo_io *io = &bill->topo->io[i];
		double n = io->nnodes;

		if (io->storage != NULL)
			add(sums, io->is_separate ? &bill->separate : &bill->coupled,
			    n * (double)io->storage->ndrives, io->is_separate ? n : 0);
	}
}

struct machine_sums bill_machine(const struct bill *bill)
{
	const struct machine_costs *costs = &bill->machine;
	struct topo *topo = bill->topo;
	const struct topo_graph *graph;
	double nnodes = topo->nnodes, ngpus = nnodes * topo->gpus, gbps = 0;
	struct machine_sums sums;

	if (costs->link > 0 || costs->link_watts > 0) {
		graph = topo_graph(topo);
		for (int64_t i = 0; i < graph->nlinks; i++)
			gbps += topo->levels[graph->links[i].level].bandwidth / 1e9;
	}
	if (topo->nics.planes > 1)
		gbps *= topo->nics.planes;
	sums.price = nnodes * costs->node + ngpus * costs->gpu + gbps * costs->link;
	sums.watts =
		nnodes * costs->node_watts + ngpus * costs->gpu_watts + gbps * costs->link_watts;
	return sums;
}
