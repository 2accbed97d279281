/* netloc.c - a machine from what netloc keeps of an InfiniBand fabric, with its routes */
#include "machine/import/ib_plan.h"
#include "base/umap.h"

/* Hops are sorted by route; the tables are built switch by switch. */
struct tables {
	struct lft lft;
	struct umap switches; /* GUID → which of lft's */
};

static void take_hop(void *context, uint64_t guid, int lid, int port, const char *file, long line)
{
	struct tables *tables = context;

	int64_t sw;

	if (!umap_get(&tables->switches, guid, &sw)) {
		sw = lft_add_switch(&tables->lft, guid, 0, file, line);
		umap_set(&tables->switches, guid, sw);
	}
	lft_add_entry(&tables->lft, (int)sw, lid, port, line);
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct tables tables = {.switches = {0}};
	bool has_routes = pick_bool(from->pick, "routes");
	struct ibnet *net;
	int status;

	status = ibnet_read_netloc(&net, from->paths, has_routes ? take_hop : NULL, &tables, err);
	if (status == 0)
		status = ib_machine(topo, net, from, tables.lft.entries.n > 0 ? &tables.lft : NULL,
				    err);
	umap_free(&tables.switches);
	lft_free(&tables.lft);
	ibnet_free(net);
	return status;
}

static const struct param params[] = {
	IB_PARAMS,
	{.key = "routes",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "the routes that the file has become those of the machine"},
	{.key = NULL},
};

const struct topo_importer topo_importer_netloc = {
	.entry =
		{
			.name = "netloc",
			.summary = "an InfiniBand fabric as netloc of hwloc 2 keeps it "
				   "(IB-SUBNET-nodes.txt), with its routes",
			.example = "netloc",
			.params = params,
		},
	.read = read,
	.takes_names = true,
};
