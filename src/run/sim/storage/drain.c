/* drain.c - written data go on from a device to the entry behind it */
#include <math.h>

#include "sim/storage/storage_priv.h"

/*
 * A device's drain is a client on its node: it reads what was written, in that order and after
 * everything else that waits, and writes it to the entry behind, with the window of a rank.
 */

static int32_t client_of(const struct storage *storage, const struct device *device)
{
	return storage->nranks + (int32_t)(device - storage->devices);
}

/* In the stripes of where it goes to. */
void drain_wrote(const struct storage *storage, struct device *device, const struct slot *slot)
{
	struct slot piece = *slot;
	int64_t left = slot->bytes, width;

	if (device->drain_entry == NONE)
		return;
	width = storage->entries[device->drain_entry].spec->stripe_width;
	if (device->next_dirty == device->dirty.n)
		device->next_dirty = device->dirty.n = 0;
	while (left > 0) {
		piece.bytes = left;
		if (width > 0 && left > width - piece.offset % width)
			piece.bytes = width - piece.offset % width;
		vec_push(&device->dirty, piece);
		piece.offset += piece.bytes;
		piece.place += piece.bytes;
		left -= piece.bytes;
	}
}

/* Whether the rate allows it; else a timer is set. */
static bool is_due(struct storage *storage, struct device *device, int64_t bytes)
{
	double bandwidth = device->spec->drain_bandwidth;
	int64_t now = net_now(storage->net);

	if (bandwidth <= 0)
		return true;
	if (device->drain_ps > now) {
		if (!device->has_drain_timer)
			io_timer(storage, device->node, device->drain_ps, IO_DRAIN,
				 (int32_t)(device - storage->devices), 0);
		device->has_drain_timer = true;
		return false;
	}
	device->drain_ps = now + llround((double)bytes / bandwidth * 1e12);
	return true;
}

void drain_go_on(struct storage *storage, struct device *device)
{
	int32_t which = client_of(storage, device);
	struct client *client = &storage->clients.at[which];

	while (device->next_dirty < device->dirty.n && client->free_slots != 0) {
		const struct slot *dirty = &device->dirty.at[device->next_dirty];
		int32_t number;

		if (device->spec->drains_when_idle && !device_is_idle(device))
			return;
		if (!is_due(storage, device, dirty->bytes))
			return;
		number = slot_take(client);
		*slot_at(storage, which, number) = *dirty;
		slot_at(storage, which, number)->kind = REQUEST_DRAIN;
		device->next_dirty++;
		device_drain(storage, device, which, number);
	}
}

void drain_was_read(struct storage *storage, int32_t which, int32_t number)
{
	const struct client *client = &storage->clients.at[which];
	const struct device *device = &storage->devices[client->device];
	const struct entry_state *entry = &storage->entries[device->drain_entry];
	struct slot *slot = slot_at(storage, which, number);

	slot->kind = REQUEST_WRITE;
	slot->is_first = true;
	slot_place(entry, home_of(storage, entry, client, slot->object), slot);
	slot_send(storage, which, number);
}

void drain_answered(struct storage *storage, int32_t which, int32_t number)
{
	struct client *client = &storage->clients.at[which];
	struct device *device = &storage->devices[client->device];
	int64_t bytes = slot_at(storage, which, number)->bytes;

	client->free_slots |= UINT64_C(1) << number;
	device->sums.bytes_drained += bytes;
	device_leave(storage, device, bytes);
	drain_go_on(storage, device);
}
