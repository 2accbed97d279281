/* ibnet_join.c - from what each side reports to cables, subnets and LIDs */
#include <stdlib.h>

#include "base/die.h"
#include "formats/ib/ibnet_priv.h"
#include "formats/scan.h"

/* ---- cables ---- */

static int by_port(const void *va, const void *vb)
{
	const struct ibnet_end *a = va, *b = vb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static const char *id_of(const struct ibnet *net, int device)
{
	return net->devices.at[device].id;
}

static int twice(const struct ibnet_read *read, const char *file, long line, int device, int port,
		 const char *other_file, long other_line, struct err *err)
{
	return err_set(err, "%s:%ld: port %d of %s has another cable at %s:%ld", file, line, port,
		       id_of(read->net, device), other_file, other_line);
}

/* The end at a port; NULL: its device does not report it. */
static const struct ibnet_end *find_end(const struct ibnet_read *read, int device, int port)
{
	struct ibnet_end key = {.device = device, .port = port};
	size_t low = 0, high = read->ends.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_port(&read->ends.at[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < read->ends.n && read->ends.at[low].device == device &&
	    read->ends.at[low].port == port)
		return &read->ends.at[low];
	return NULL;
}

/* What both sides know of a LID must agree; 0 is unknown. */
static int agree(const struct ibnet_end *end, int told, int *lid, struct err *err)
{
	if (*lid != 0 && told != 0 && *lid != told)
		return err_set(err, "%s:%ld: LID %d, where the other side has LID %d", end->file,
			       end->line, told, *lid);
	if (*lid == 0)
		*lid = told;
	return 0;
}

static int add_cable(struct ibnet_read *read, const struct ibnet_end *end,
		     const struct ibnet_end *back, struct err *err)
{
	struct ibnet_cable cable = {.a = end->device,
				    .b = end->peer,
				    .port_a = end->port,
				    .port_b = end->peer_port,
				    .lid_a = end->lid,
				    .lid_b = end->peer_lid,
				    .lmc_a = end->lmc,
				    .rate = end->rate,
				    .bandwidth = end->bandwidth,
				    .subnet = -1,
				    .file = end->file,
				    .line = end->line};

	if (back != NULL) {
		if (agree(back, back->lid, &cable.lid_b, err) != 0 ||
		    agree(back, back->peer_lid, &cable.lid_a, err) != 0)
			return -1;
		cable.lmc_b = back->lmc;
		if (cable.bandwidth <= 0 ||
		    (back->bandwidth > 0 && back->bandwidth < cable.bandwidth)) {
			cable.rate = back->rate;
			cable.bandwidth = back->bandwidth;
		}
	}
	vec_push(&read->net->cables, cable);
	return 0;
}

/* Each end with its other one: a cable is made by the end that comes first. */
static int make_cables(struct ibnet_read *read, struct err *err)
{
	const struct ibnet_end *one_sided = NULL;

	if (read->ends.n > 0)
		qsort(read->ends.at, read->ends.n, sizeof(*read->ends.at), by_port);
	for (size_t i = 0; i < read->ends.n; i++) {
		const struct ibnet_end *end = &read->ends.at[i], *back;

		if (i > 0 && end[-1].device == end->device && end[-1].port == end->port)
			return twice(read, end->file, end->line, end->device, end->port,
				     end[-1].file, end[-1].line, err);
		back = find_end(read, end->peer, end->peer_port);
		if (back != NULL && (back->peer != end->device || back->peer_port != end->port))
			return err_set(err,
				       "%s:%ld: port %d of %s leads to port %d of %s, "
				       "which leads elsewhere at %s:%ld",
				       end->file, end->line, end->port,
				       id_of(read->net, end->device), end->peer_port,
				       id_of(read->net, end->peer), back->file, back->line);
		if (back == NULL && read->net->none_sided++ == 0)
			one_sided = end;
		if ((back == NULL || end <= back) && add_cable(read, end, back, err) != 0)
			return -1;
	}
	if (one_sided != NULL)
		warn("%s:%ld: port %d of %s has a cable that port %d "
		     "of %s does not report (%d such)",
		     one_sided->file, one_sided->line, one_sided->port,
		     id_of(read->net, one_sided->device), one_sided->peer_port,
		     id_of(read->net, one_sided->peer), read->net->none_sided);
	return 0;
}

/* A port reported only by others may not be the end of two of them. */
static int check_far_ports(const struct ibnet_read *read, struct err *err)
{
	VEC(struct ibnet_end) far = {0};
	int status = 0;

	for (size_t i = 0; i < read->ends.n; i++) {
		struct ibnet_end end = read->ends.at[i];

		end.device = read->ends.at[i].peer;
		end.port = read->ends.at[i].peer_port;
		vec_push(&far, end);
	}
	if (far.n > 0)
		qsort(far.at, far.n, sizeof(*far.at), by_port);
	for (size_t i = 1; i < far.n && status == 0; i++)
		if (far.at[i].device == far.at[i - 1].device &&
		    far.at[i].port == far.at[i - 1].port)
			status = twice(read, far.at[i].file, far.at[i].line, far.at[i].device,
				       far.at[i].port, far.at[i - 1].file, far.at[i - 1].line, err);
	vec_free(&far);
	return status;
}

/* A device without lines is accepted if its key contains its kind. */
static int check_devices(const struct ibnet_read *read, struct err *err)
{
	const struct ibnet_device *first = NULL;
	int n = 0;

	for (size_t i = 0; i < read->net->devices.n; i++) {
		const struct ibnet_device *d = &read->net->devices.at[i];
		const char *hex = d->id + 2;
		uint64_t guid;

		if (d->is_described)
			continue;
		if ((d->id[0] != 'S' && d->id[0] != 'H' && d->id[0] != 'R') || d->id[1] != '-' ||
		    !scan_hex(&hex, &guid) || *hex != '\0')
			return err_set(err, "%s:%ld: \"%s\" is named here and described nowhere",
				       d->file, d->line, d->id);
		first = first == NULL ? d : first;
		n++;
	}
	if (first != NULL)
		warn("%s:%ld: %s is named here and described nowhere (%d such): is the file whole?",
		     first->file, first->line, first->id, n);
	return 0;
}

/* The GUID is in the key where no line contains it. */
static void take_guids(struct ibnet *net)
{
	for (size_t i = 0; i < net->devices.n; i++) {
		struct ibnet_device *d = &net->devices.at[i];
		const char *hex = d->id + 2;
		uint64_t guid;

		if (d->guid == 0 && d->id[0] != '\0' && d->id[1] == '-' && scan_hex(&hex, &guid) &&
		    *hex == '\0')
			d->guid = guid;
	}
}

/* ---- subnets ---- */

static bool is_switch(const struct ibnet *net, int device)
{
	return net->devices.at[device].kind == IBNET_SWITCH;
}

static void find_subnets(struct ibnet *net)
{
	int *root = xmalloc(net->devices.n * sizeof(*root));

	for (size_t i = 0; i < net->devices.n; i++)
		root[i] = (int)i;
	for (size_t i = 0; i < net->cables.n; i++)
		if (is_switch(net, net->cables.at[i].a) && is_switch(net, net->cables.at[i].b))
			ibnet_unite(root, net->cables.at[i].a, net->cables.at[i].b);
	for (size_t i = 0; i < net->devices.n; i++) {
		int r = ibnet_root(root, (int)i);

		if (is_switch(net, (int)i))
			net->devices.at[i].subnet =
				r == (int)i ? net->nsubnets++ : net->devices.at[r].subnet;
	}
	for (size_t i = 0; i < net->cables.n; i++) {
		struct ibnet_cable *cable = &net->cables.at[i];

		if (is_switch(net, cable->a))
			cable->subnet = net->devices.at[cable->a].subnet;
		else if (is_switch(net, cable->b))
			cable->subnet = net->devices.at[cable->b].subnet;
	}
	free(root);
}

/* ---- LIDs ---- */

struct ibnet_lid {
	int subnet, lid, device;
	int cable; /* of a port's own LID (not one of those that its LMC adds); else -1 */
};
typedef VEC(struct ibnet_lid) lid_vec;

static int by_lid(const void *va, const void *vb)
{
	const struct ibnet_lid *a = va, *b = vb;

	if (a->subnet != b->subnet)
		return a->subnet < b->subnet ? -1 : 1;
	if (a->lid != b->lid)
		return a->lid < b->lid ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

static void add_lids(lid_vec *lids, int subnet, int lid, int lmc, int device, int cable)
{
	for (int i = 0; lid != 0 && subnet >= 0 && i < 1 << lmc; i++)
		vec_push(lids, (struct ibnet_lid){subnet, lid + i, device, i == 0 ? cable : -1});
}

/* The LID of a cable's end: of the switch there, which may learn it here, or of the port. */
static int end_lid(struct ibnet *net, lid_vec *lids, const struct ibnet_cable *cable, bool is_b,
		   struct err *err)
{
	struct ibnet_device *d = &net->devices.at[is_b ? cable->b : cable->a];
	int lid = is_b ? cable->lid_b : cable->lid_a;

	if (d->kind != IBNET_SWITCH) {
		add_lids(lids, cable->subnet, lid, is_b ? cable->lmc_b : cable->lmc_a,
			 is_b ? cable->b : cable->a, (int)(cable - net->cables.at));
		return 0;
	}
	if (lid != 0 && d->lid != 0 && lid != d->lid)
		return err_set(err, "%s:%ld: LID %d of %s, which has LID %d at %s:%ld", cable->file,
			       cable->line, lid, d->id, d->lid, d->file, d->line);
	if (d->lid == 0)
		d->lid = lid;
	return 0;
}

static int collect_lids(struct ibnet *net, lid_vec *lids, struct err *err)
{
	for (size_t i = 0; i < net->cables.n; i++)
		if (end_lid(net, lids, &net->cables.at[i], false, err) != 0 ||
		    end_lid(net, lids, &net->cables.at[i], true, err) != 0)
			return -1;
	for (size_t i = 0; i < net->devices.n; i++) {
		const struct ibnet_device *d = &net->devices.at[i];

		if (d->kind == IBNET_SWITCH)
			add_lids(lids, d->subnet, d->lid, d->lmc, (int)i, -1);
	}
	if (lids->n > 0)
		qsort(lids->at, lids->n, sizeof(*lids->at), by_lid);
	for (size_t i = 1; i < lids->n; i++) {
		const struct ibnet_lid *a = &lids->at[i - 1], *b = &lids->at[i];
		const struct ibnet_device *da = &net->devices.at[a->device];
		const struct ibnet_device *db = &net->devices.at[b->device];

		if (a->subnet == b->subnet && a->lid == b->lid && a->device != b->device)
			return err_set(err, "%s:%ld: %s has LID %d, which %s at %s:%ld has too",
				       db->file, db->line, db->id, b->lid, da->id, da->file,
				       da->line);
	}
	return 0;
}

static const struct ibnet_lid *find_lid(const struct ibnet *net, int subnet, int lid)
{
	int64_t low = 0, high = net->nlids;
	struct ibnet_lid key = {subnet, lid, -1, -1};

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (by_lid(&net->lids[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < net->nlids && net->lids[low].subnet == subnet && net->lids[low].lid == lid)
		return &net->lids[low];
	return NULL;
}

int ibnet_find_lid(const struct ibnet *net, int subnet, int lid)
{
	const struct ibnet_lid *found = find_lid(net, subnet, lid);

	return found != NULL ? found->device : -1;
}

int ibnet_find_cable(const struct ibnet *net, int subnet, int lid)
{
	const struct ibnet_lid *found = find_lid(net, subnet, lid);

	return found != NULL ? found->cable : -1;
}

int ibnet_index_lids(struct ibnet *net, struct err *err)
{
	lid_vec lids = {0};
	int status = collect_lids(net, &lids, err);

	free(net->lids);
	net->lids = lids.at;
	net->nlids = (int64_t)lids.n;
	return status;
}

int ibnet_join(struct ibnet_read *read, struct err *err)
{
	ibnet_join_ports(read);
	if (make_cables(read, err) != 0 || check_far_ports(read, err) != 0 ||
	    check_devices(read, err) != 0)
		return -1;
	take_guids(read->net);
	find_subnets(read->net);
	return ibnet_index_lids(read->net, err);
}
