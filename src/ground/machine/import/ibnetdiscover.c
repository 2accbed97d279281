/* ibnetdiscover.c - a machine from what ibnetdiscover (or ibsim) says about an InfiniBand fabric */
#include <string.h>

#include "machine/lft/lft.h"
#include "machine/import/ib_plan.h"

static int read_routes(struct lft *lft, const struct topo_import *from, struct err *err)
{
	for (int i = 0; i < from->nroutes; i++) {
		if (lft_read(lft, from->routes[i], err) == 0)
			continue;
		return strchr(from->routes[i], ':') == NULL ? err_prefix(err, "--routes: ") : -1;
	}
	return 0;
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct lft lft = {.switches = {0}};
	struct ibnet *net;
	int status;

	if (ibnet_read(&net, from->paths, err) != 0)
		return -1;
	status = read_routes(&lft, from, err);
	if (status == 0)
		status = ib_machine(topo, net, from, from->nroutes > 0 ? &lft : NULL, err);
	lft_free(&lft);
	ibnet_free(net);
	return status;
}

static const struct param params[] = {
	IB_PARAMS,
	{.key = NULL},
};

const struct topo_importer topo_importer_ibnetdiscover = {
	.entry =
		{
			.name = "ibnetdiscover",
			.summary = "an InfiniBand fabric, from ibnetdiscover (whole, or a ports "
				   "report with -p) or a net file of ibsim",
			.example = "ibnetdiscover",
			.params = params,
		},
	.read = read,
	.takes_names = true,
	.takes_routes = true,
};
