/* ib_choice.c - which adapters of a fabric count, and which parts of it they leave */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "machine/import/ib_plan.h"

/* SHARP's adapters are in their switches, and no hosts. */
static bool is_aggregation(const struct ibnet_device *device)
{
	return strstr(device->description, "Aggregation Node") != NULL;
}

/* "node179 HCA-1": by the device, or by all of it. */
static bool is_chosen(const struct ibnet_device *device, const char *pattern)
{
	const char *last = strrchr(str_trim((char *)device->description), ' ');

	return fnmatch(pattern, device->description, 0) == 0 ||
	       (last != NULL && fnmatch(pattern, last + 1, 0) == 0);
}

static int root_of(int *root, int device)
{
	while (root[device] != device)
		device = root[device] = root[root[device]];
	return device;
}

/* Switches that are left in a part without any adapter go, too. */
static void drop_parts(const struct ibnet *net, bool *is_out)
{
	int n = (int)net->devices.n, *root = xmalloc(((size_t)n + 1) * sizeof(*root));
	bool *has_adapter = xcalloc((size_t)n + 1, sizeof(*has_adapter));

	for (int i = 0; i < n; i++)
		root[i] = i;
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (!is_out[cable->a] && !is_out[cable->b])
			root[root_of(root, cable->a)] = root_of(root, cable->b);
	}
	for (int i = 0; i < n; i++)
		if (!is_out[i] && net->devices.at[i].kind == IBNET_CA)
			has_adapter[root_of(root, i)] = true;
	for (int i = 0; i < n; i++)
		is_out[i] = is_out[i] || !has_adapter[root_of(root, i)];
	free(root);
	free(has_adapter);
}

static int drop(struct ibnet *net, const bool *is_out, struct err *err)
{
	int *number = xmalloc((net->devices.n + 1) * sizeof(*number)), n = 0;
	size_t ncables = 0;

	map_free(&net->ids);
	for (size_t i = 0; i < net->devices.n; i++) {
		const char *id = net->devices.at[i].id;

		number[i] = is_out[i] ? -1 : n;
		if (is_out[i])
			continue;
		map_add(&net->ids, id, strlen(id), n);
		net->devices.at[n++] = net->devices.at[i];
	}
	net->devices.n = (size_t)n;
	for (size_t i = 0; i < net->cables.n; i++) {
		struct ibnet_cable cable = net->cables.at[i];

		cable.a = number[cable.a];
		cable.b = number[cable.b];
		if (cable.a >= 0 && cable.b >= 0)
			net->cables.at[ncables++] = cable;
	}
	net->cables.n = ncables;
	free(number);
	return ibnet_index_lids(net, err);
}

int ib_choose(struct ibnet *net, const char *pattern, struct err *err)
{
	bool *is_out = xcalloc(net->devices.n + 1, sizeof(*is_out));
	int status = 0, nsharp = 0, nothers = 0, nleft = 0, nunnamed = 0;

	for (size_t i = 0; i < net->devices.n; i++) {
		const struct ibnet_device *device = &net->devices.at[i];

		if (device->kind != IBNET_CA)
			continue;
		nunnamed += device->description[0] == '\0';
		if (is_aggregation(device))
			is_out[i] = ++nsharp > 0;
		else if (pattern != NULL && !is_chosen(device, pattern))
			is_out[i] = ++nothers > 0;
		else
			nleft++;
	}
	if (nsharp > 0)
		say("%d SHARP aggregation nodes are in their switches, and no hosts", nsharp);
	if (nothers > 0)
		say("adapters=%s: %d other adapters were left out", pattern, nothers);
	if (nunnamed > 0)
		warn("%d adapters have no name: each is a node of its own", nunnamed);
	if (nsharp + nothers > 0 && nleft > 0) {
		if (pattern != NULL)
			drop_parts(net, is_out);
		status = drop(net, is_out, err);
	}
	free(is_out);
	return nleft > 0 || pattern == NULL
		       ? status
		       : err_set(err, "adapters=%s: no adapter has such a name", pattern);
}
