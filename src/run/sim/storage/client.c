/* client.c - operations of ranks: cut into requests, sent to the devices of their stripes */
#include "base/rng.h"
#include "sim/storage/storage_priv.h"

void client_open(struct storage *storage, int32_t which, int32_t node)
{
	struct client *client = &storage->clients.at[which];
	int64_t window = storage->params->io_window;

	client->phases.n = client->records.n = 0;
	client->node = node;
	client->device = NONE;
	client->nout = 0;
	client->free_slots = window == 64 ? UINT64_MAX : (UINT64_C(1) << window) - 1;
	client->has_token = client->is_busy = false;
	client->io_ps = client->bytes_read = client->bytes_written = 0;
	client->last_end_ps = INT64_MIN / 2;
}

int32_t slot_take(struct client *client)
{
	int32_t slot = __builtin_ctzll(client->free_slots);

	client->free_slots &= client->free_slots - 1;
	return slot;
}

void slot_place(const struct entry_state *entry, int32_t home, struct slot *slot)
{
	const struct storage_spec *spec = entry->spec;
	int64_t count = spec->stripe_count < entry->n ? spec->stripe_count : entry->n;
	int64_t stripe = spec->stripe_width > 0 ? slot->offset / spec->stripe_width : 0;

	slot->device = entry->first + (int32_t)((home + stripe % count) % entry->n);
	slot->place = spec->stripe_width > 0 ? stripe / count * spec->stripe_width +
						       slot->offset % spec->stripe_width
					     : slot->offset;
}

void slot_send(struct storage *storage, int32_t which, int32_t number)
{
	const struct client *client = &storage->clients.at[which];
	const struct slot *slot = slot_at(storage, which, number);
	int32_t node = storage->devices[slot->device].node;

	if (node == client->node)
		device_arrive(storage, which, number);
	else
		io_send(storage, client->node, node,
			slot->kind == REQUEST_WRITE ? slot->bytes
						    : storage->params->io_control_bytes,
			which, number, IO_ARRIVE);
}

/* The next request of the operation. */
static void send_next(struct storage *storage, int32_t which)
{
	struct client *client = &storage->clients.at[which];
	const struct entry_state *entry = &storage->entries[client->op.entry];
	int64_t width = entry->spec->stripe_width;
	int32_t number = slot_take(client);
	struct slot *slot = slot_at(storage, which, number);

	*slot = (struct slot){.object = client->object,
			      .offset = client->next,
			      .bytes = client->end - client->next,
			      .kind = client->op.kind == STORAGE_READ ? REQUEST_READ
								      : REQUEST_WRITE,
			      .is_first = client->is_first};
	client->is_first = false;
	client->nout++;
	if (client->op.kind == STORAGE_SYNC) {
		slot->kind = REQUEST_SYNC;
		slot->bytes = 0;
		slot->device = entry->first + (int32_t)((client->home + client->next) % entry->n);
		client->next++;
	} else {
		if (width > 0 && slot->bytes > width - slot->offset % width)
			slot->bytes = width - slot->offset % width;
		slot_place(entry, client->home, slot);
		client->next += slot->bytes;
	}
	slot_send(storage, which, number);
}

void client_issue(struct storage *storage, int32_t which)
{
	struct client *client = &storage->clients.at[which];

	while (client->next < client->end && client->nout < storage->params->io_window)
		send_next(storage, which);
}

/* The file's name decides, the same in all jobs; one without a name is the rank's own. */
static uint64_t object_of(const struct client *client, const char *file)
{
	struct rng rng;

	if (file == NULL)
		return (uint64_t)client->job << 32 | (uint32_t)client->rank;
	rng = rng_make(0, "storage file", file, NULL);
	return rng_u64(&rng);
}

static bool begins_phase(const struct storage *storage, const struct client *client)
{
	return net_now(storage->net) - client->last_end_ps > STORAGE_GAP_PS;
}

static void end(struct storage *storage, struct client *client)
{
	int64_t now = net_now(storage->net);

	client->is_busy = false;
	client->io_ps += now - client->start_ps;
	if (client->op.kind == STORAGE_READ)
		client->bytes_read += client->op.bytes;
	else
		client->bytes_written += client->op.bytes;
	client->phases.at[client->phases.n - 1].end_ps = now;
	client->last_end_ps = now;
	if (storage->keeps_ops)
		vec_push(&client->records, ((struct storage_record){client->op, client->start_ps,
								    now, client->hops}));
}

/* It waits for its turn; false: it need not. */
static bool must_wait(struct storage *storage, int32_t which, bool begins)
{
	struct client *client = &storage->clients.at[which];
	const struct io_schedule *schedule = storage->schedule;
	int64_t delay;

	if (schedule->writers != NULL) {
		client->has_token = true;
		token_ask(storage, which);
		return true;
	}
	delay = schedule->delay_ps == NULL
			? 0
			: schedule->delay_ps(storage->schedule_pick, client->rank, client->nranks,
					     begins);
	if (delay > 0)
		io_timer(storage, client->node, net_now(storage->net) + delay, IO_ISSUE, which, 0);
	return delay > 0;
}

bool storage_begin(struct storage *storage, int32_t which, const struct storage_op *op)
{
	struct client *client = &storage->clients.at[which];
	const struct entry_state *entry = &storage->entries[op->entry];
	bool begins = begins_phase(storage, client);
	int64_t now = net_now(storage->net);

	client->op = *op;
	client->object = object_of(client, op->file);
	client->home = home_of(storage, entry, client, client->object);
	client->start_ps = now;
	client->hops = (struct net_hops){0};
	client->next = op->offset;
	client->end = op->offset + op->bytes;
	client->is_first = client->is_busy = true;
	if (begins)
		vec_push(&client->phases, ((struct storage_phase){now, now}));
	if (op->kind == STORAGE_SYNC) { /* what is not in a memory is on the device */
		int64_t count = entry->spec->stripe_count;

		client->op.bytes = 0;
		client->next = 0;
		client->end = count < entry->n ? count : entry->n;
		if (entry->spec->memory == 0)
			client->end = 0;
	}
	if (client->next == client->end) {
		end(storage, client);
		return true;
	}
	if (!must_wait(storage, which, begins))
		client_issue(storage, which);
	return false;
}

void client_answered(struct storage *storage, int32_t which, int32_t slot)
{
	struct client *client = &storage->clients.at[which];
	const struct net_hops *hops = &slot_at(storage, which, slot)->hops;

	client->nout--;
	client->hops.packets += hops->packets;
	client->hops.packet_hops += hops->packet_hops;
	client->free_slots |= UINT64_C(1) << slot;
	client_issue(storage, which);
	if (client->nout > 0)
		return;
	if (client->has_token)
		token_give_back(storage, which);
	end(storage, client);
	storage->events.done(storage->events.context, which);
}

struct storage_client_sums storage_client_sums(const struct storage *storage, int32_t which)
{
	const struct client *client = &storage->clients.at[which];

	return (struct storage_client_sums){
		.io_ps = client->io_ps,
		.bytes_read = client->bytes_read,
		.bytes_written = client->bytes_written,
		.phases = client->phases.at,
		.nphases = (int)client->phases.n,
		.records = client->records.at,
		.nrecords = (int)client->records.n,
	};
}
