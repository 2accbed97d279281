/* ibnet_ports.c - ports of one adapter that a report lists as devices become one */
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "formats/ib/ibnet_priv.h"

/* A port of an adapter, under the GUID of the port. */
struct port {
	uint64_t guid;
	int device, port;
};

static int by_guid(const void *va, const void *vb)
{
	const struct port *a = va, *b = vb;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->port - b->port;
}

static void collect(const struct ibnet_read *read, struct port *ports, size_t *nports)
{
	for (size_t i = 0; i < read->ends.n; i++) {
		const struct ibnet_end *end = &read->ends.at[i];
		const struct ibnet_device *d = &read->net->devices.at[end->device];

		if (d->kind == IBNET_CA && d->nports == 0)
			ports[(*nports)++] = (struct port){d->guid, end->device, end->port};
	}
}

/* The devices whose root is another go: they are the same adapter, named by its first port. */
static void join_devices(struct ibnet_read *read, int *root)
{
	struct ibnet *net = read->net;
	int *number = xmalloc(net->devices.n * sizeof(*number));
	size_t n = 0;

	for (size_t i = 0; i < net->devices.n; i++) {
		const struct ibnet_device *d = &net->devices.at[i];
		int r = ibnet_root(root, (int)i);

		/* roots are the lowest numbers: another one has its new place already */
		number[i] = r == (int)i ? (int)n++ : number[r];
		if (r == (int)i)
			net->devices.at[number[i]] = *d;
		net->devices.at[number[i]].is_described |= d->is_described;
		if (d->guid < net->devices.at[number[i]].guid) {
			net->devices.at[number[i]].guid = d->guid;
			net->devices.at[number[i]].id = d->id;
		}
	}
	net->devices.n = n;
	map_free(&net->ids);
	for (size_t i = 0; i < n; i++)
		map_add(&net->ids, net->devices.at[i].id, strlen(net->devices.at[i].id), (int)i);
	for (size_t i = 0; i < read->ends.n; i++) {
		read->ends.at[i].device = number[read->ends.at[i].device];
		read->ends.at[i].peer = number[read->ends.at[i].peer];
	}
	free(number);
}

static bool is_same_adapter(const struct ibnet *net, const struct port *a, const struct port *b)
{
	const char *description = net->devices.at[a->device].description;

	return b->guid == a->guid + 1 && b->port == a->port + 1 && description[0] != '\0' &&
	       str_eq(description, net->devices.at[b->device].description);
}

void ibnet_join_ports(struct ibnet_read *read)
{
	struct port *ports = xmalloc((read->ends.n + 1) * sizeof(*ports));
	int *root = xmalloc(read->net->devices.n * sizeof(*root));
	size_t nports = 0;
	bool is_joined = false;

	collect(read, ports, &nports);
	qsort(ports, nports, sizeof(*ports), by_guid);
	for (size_t i = 0; i < read->net->devices.n; i++)
		root[i] = (int)i;
	for (size_t i = 1; i < nports; i++) {
		if (!is_same_adapter(read->net, &ports[i - 1], &ports[i]))
			continue;
		ibnet_unite(root, ports[i - 1].device, ports[i].device);
		is_joined = true;
	}
	if (is_joined)
		join_devices(read, root);
	free(root);
	free(ports);
}

int ibnet_root(int *root, int device)
{
	while (root[device] != device)
		device = root[device] = root[root[device]];
	return device;
}

void ibnet_unite(int *root, int a, int b)
{
	a = ibnet_root(root, a);
	b = ibnet_root(root, b);
	root[a > b ? a : b] = a < b ? a : b;
}
