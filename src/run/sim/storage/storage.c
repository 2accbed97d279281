/* storage.c - storage devices on the simulated network: what the machine has, runs, events */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sim/storage/storage_priv.h"

/* ---- opening ---- */

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_devices(struct storage *storage, struct entry_state *entry)
{
	const struct topo_io *io = entry->io;
	int *nodes = xcalloc((size_t)io->nnodes, sizeof(*nodes));

	memcpy(nodes, io->nodes, (size_t)io->nnodes * sizeof(*nodes));
	qsort(nodes, (size_t)io->nnodes, sizeof(*nodes), by_number);
	entry->first = storage->ndevices;
	entry->n = io->nnodes;
	for (int i = 0; i < io->nnodes; i++) {
		struct device *device = &storage->devices[storage->ndevices++];

		*device = (struct device){
			.spec = entry->spec,
			.entry = (int32_t)(entry - storage->entries),
			.node = nodes[i],
			.serving = xcalloc((size_t)entry->spec->nthreads, sizeof(*device->serving)),
			.drain_entry = entry->spec->drain_to != NULL
					       ? storage_entry(storage, entry->spec->drain_to)
					       : NONE,
			.sums = {.entry = io->name, .node = nodes[i]},
		};
	}
	free(nodes);
}

/* How many nodes before each compute: those that are not separate I/O nodes. */
static int32_t *count_compute(const struct topo *topo)
{
	int32_t *before = xcalloc((size_t)topo->nnodes + 1, sizeof(*before));

	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; k < topo->io[i].nnodes && topo->io[i].is_separate; k++)
			before[topo->io[i].nodes[k] + 1] = 1;
	for (int node = 0; node < topo->nnodes; node++)
		before[node + 1] = before[node] + !before[node + 1];
	return before;
}

struct storage *storage_open(struct net *net, const struct sim_params *params,
			     const struct topo *topo, const struct pick *schedule, bool keeps_ops)
{
	struct storage *storage = xcalloc(1, sizeof(*storage));
	int ndevices = 0;

	*storage = (struct storage){.net = net,
				    .params = params,
				    .topo = topo,
				    .schedule = &io_schedule_none,
				    .schedule_pick = schedule,
				    .keeps_ops = keeps_ops};
	if (schedule != NULL)
		storage->schedule = (const struct io_schedule *)schedule->entry;
	storage->entries = xcalloc((size_t)topo->nio + 1, sizeof(*storage->entries));
	for (int i = 0; i < topo->nio; i++)
		if (topo->io[i].storage != NULL) {
			storage->entries[storage->nentries++] = (struct entry_state){
				.io = &topo->io[i], .spec = topo->io[i].storage};
			ndevices += topo->io[i].nnodes;
		}
	if (ndevices == 0) {
		storage_close(storage);
		return NULL;
	}
	storage->devices = xcalloc((size_t)ndevices, sizeof(*storage->devices));
	for (int i = 0; i < storage->nentries; i++)
		add_devices(storage, &storage->entries[i]);
	storage->ncompute = count_compute(topo);
	return storage;
}

static void free_clients(struct storage *storage)
{
	for (size_t i = 0; i < storage->clients.n; i++) {
		vec_free(&storage->clients.at[i].phases);
		vec_free(&storage->clients.at[i].records);
	}
	storage->clients.n = 0;
}

static void free_desks(struct storage *storage)
{
	for (size_t i = 0; i < storage->desks.n; i++)
		vec_free(&storage->desks.at[i].waiting);
	storage->desks.n = 0;
}

void storage_close(struct storage *storage)
{
	if (storage == NULL)
		return;
	free_clients(storage);
	free_desks(storage);
	for (int i = 0; i < storage->ndevices; i++) {
		vec_free(&storage->devices[i].requests);
		vec_free(&storage->devices[i].dirty);
		free(storage->devices[i].serving);
	}
	vec_free(&storage->clients);
	vec_free(&storage->desks);
	free(storage->devices);
	free(storage->entries);
	free(storage->ncompute);
	free(storage->slots);
	free(storage->parts);
	free(storage);
}

/* ---- messages and timers ---- */

/* 16 bits of slot or thread, 36 of client or device, the event above. */
uint64_t io_cookie(enum io_event event, int32_t which, int32_t slot)
{
	return net_cookie(NET_IO, (uint64_t)event << 52 | (uint64_t)(uint32_t)which << 16 |
					  (uint64_t)(uint16_t)slot);
}

void io_timer(struct storage *storage, int32_t node, int64_t at_ps, enum io_event event,
	      int32_t which, int32_t slot)
{
	net_timer(storage->net, node, at_ps, io_cookie(event, which, slot));
}

void io_send(struct storage *storage, int32_t from, int32_t to, int64_t bytes, int32_t which,
	     int32_t slot, enum io_event event)
{
	const struct client *client = &storage->clients.at[which];
	const struct net_message message = {
		.src = from,
		.dst = to,
		.bytes = bytes,
		.cookie = io_cookie(event, which, slot),
		.owner = client->job,
		.rank = client->rank,
		.skips_injected = true,
	};

	if (bytes > 0)
		net_send(storage->net, &message);
	else
		net_notice(storage->net, to, io_cookie(event, which, slot));
}

static void happen(void *context, uint64_t cookie)
{
	struct storage *storage = context;
	int32_t which = (int32_t)(cookie >> 16), slot = (int32_t)(uint16_t)cookie;

	switch ((enum io_event)(cookie >> 52)) {
	case IO_ARRIVE:
		device_arrive(storage, which, slot);
		break;
	case IO_DONE:
		if (storage->clients.at[which].device != NONE)
			drain_answered(storage, which, slot);
		else
			client_answered(storage, which, slot);
		break;
	case IO_SERVED:
		device_served(storage, which, slot);
		break;
	case IO_ISSUE:
		client_issue(storage, which);
		break;
	case IO_DRAIN:
		storage->devices[which].has_drain_timer = false;
		drain_go_on(storage, &storage->devices[which]);
		break;
	case IO_ASK:
		token_asked(storage, which);
		break;
	case IO_RETURN:
		token_returned(storage, which);
		break;
	}
}

/* A message has come: what its packets were, then the same. */
static void come(void *context, uint64_t cookie)
{
	struct storage *storage = context;
	struct net_hops came = net_came_hops(storage->net);
	struct slot *slot = slot_at(storage, (int32_t)(cookie >> 16), (int32_t)(uint16_t)cookie);

	slot->hops.packets += came.packets;
	slot->hops.packet_hops += came.packet_hops;
	happen(context, cookie);
}

/* ---- runs ---- */

/* All that a run shares is there. */
static void open_parts(struct storage *storage)
{
	int nparts = net_nparts(storage->net);

	free(storage->parts);
	storage->parts = xcalloc((size_t)nparts, sizeof(*storage->parts));
	for (int i = 1; i < nparts; i++) {
		struct storage *part = &storage->parts[i - 1];
		const struct net_events network = {
			.delivered = come, .timer = happen, .context = part};

		*part = *storage;
		part->net = net_part(storage->net, i);
		net_listen(part->net, NET_IO, &network);
	}
}

void storage_start(struct storage *storage, const struct storage_events *events, int32_t nclients,
		   int32_t njobs)
{
	const struct net_events network = {.delivered = come, .timer = happen, .context = storage};
	size_t n = (size_t)nclients + (size_t)storage->ndevices;
	const struct io_schedule *schedule = storage->schedule;

	net_listen(storage->net, NET_IO, &network);
	storage->events = *events;
	storage->nranks = nclients;
	storage->njobs = njobs;
	free_clients(storage);
	vec_reserve(&storage->clients, n);
	for (size_t i = 0; i < n; i++)
		vec_push(&storage->clients, (struct client){0});
	free(storage->slots);
	storage->slots = xcalloc(n * (size_t)storage->params->io_window, sizeof(*storage->slots));
	for (int i = 0; i < storage->ndevices; i++) {
		struct device *device = &storage->devices[i];
		struct client *drain = &storage->clients.at[nclients + i];

		device_open(device);
		client_open(storage, nclients + i, device->node);
		drain->device = i;
		drain->job = njobs;
		drain->rank = i;
	}
	free_desks(storage);
	for (int i = 0; i < njobs && schedule->writers != NULL; i++)
		vec_push(&storage->desks, ((struct token_desk){.nfree = (int32_t)schedule->writers(
								       storage->schedule_pick)}));
	open_parts(storage);
}

struct storage *storage_part(struct storage *storage, int part, void *context)
{
	struct storage *one = part == 0 ? storage : &storage->parts[part - 1];

	one->events.context = context;
	return one;
}

void storage_client(struct storage *storage, int32_t which, int32_t node, int32_t job, int32_t rank,
		    int32_t nranks)
{
	struct client *client = &storage->clients.at[which];

	client_open(storage, which, node);
	client->job = job;
	client->rank = rank;
	client->nranks = nranks;
	if (rank == 0 && storage->desks.n > 0)
		storage->desks.at[job].node = node;
}

int32_t storage_entry(const struct storage *storage, const char *name)
{
	for (int32_t i = 0; i < storage->nentries; i++)
		if (name == NULL || str_eq(storage->entries[i].io->name, name))
			return i;
	return -1;
}

const char *storage_entry_name(const struct storage *storage, int32_t entry)
{
	return storage->entries[entry].io->name;
}

int storage_stuck(const struct storage *storage, int32_t which, struct err *err)
{
	const struct entry_state *entry = &storage->entries[storage->clients.at[which].op.entry];
	char name[TOPO_NAME];

	for (int32_t i = 0; i < storage->ndevices; i++) {
		const struct device *device = &storage->devices[i];
		bool can_drain = device->drain_entry != NONE;

		if (device->full.first == NONE)
			continue;
		return err_set(err, "%s on %s is full (capacity: %lld bytes)%s",
			       storage->entries[device->entry].io->name,
			       topo_node_name(storage->topo, device->node, name),
			       (long long)device->spec->capacity,
			       can_drain ? " and cannot drain" : ", and there is no drain");
	}
	return err_set(err, "its I/O on %s does not end", entry->io->name);
}

/* ---- what came of it ---- */

int storage_ndevices(const struct storage *storage)
{
	return storage->ndevices;
}

struct storage_device_sums storage_device_sums(const struct storage *storage, int number)
{
	const struct device *device = &storage->devices[number];
	struct storage_device_sums sums = device->sums;

	if (device->nbusy > 0) /* the run ended before */
		sums.busy_ps += net_now(storage->net) - device->busy_since_ps;
	return sums;
}
