/* device.c - a storage device: memory in front, queues, threads, what a request takes */
#include "sim/storage/storage_priv.h"

/*
 * First come first served within a lane, by the first thread that is free (the lowest). A write
 * is stored when there is room for it (capacity), and answered when it is in the memory, or where
 * there is none when it is on the device. A sync is answered when nothing that came before it is
 * left. Service times and the rule for seeks are those of CODES' model of local storage: 512 bytes
 * off the last request's end count as sequential.
 */
enum { SEQUENTIAL = 512 };

/* ---- requests ---- */

static int32_t request_new(struct device *device)
{
	int32_t request = device->free_request;

	if (request == NONE) {
		vec_push(&device->requests, (struct request){0});
		return (int32_t)device->requests.n - 1;
	}
	device->free_request = device->requests.at[request].next;
	return request;
}

static void list_push(struct device *device, struct list *list, int32_t request)
{
	device->requests.at[request].next = NONE;
	if (list->first == NONE)
		list->first = request;
	else
		device->requests.at[list->last].next = request;
	list->last = request;
}

static int32_t list_take(struct device *device, struct list *list)
{
	int32_t request = list->first;

	list->first = device->requests.at[request].next;
	return request;
}

void device_open(struct device *device)
{
	const struct list empty = {NONE, NONE};

	device->requests.n = 0;
	device->free_request = NONE;
	for (int i = 0; i < LANES; i++)
		device->lanes[i] = empty;
	device->full = empty;
	for (int64_t i = 0; i < device->spec->nthreads; i++)
		device->serving[i] = NONE;
	device->nbusy = device->nqueued = 0;
	device->last_object = UINT64_MAX;
	device->last_end = 0;
	device->stored = device->buffered = 0;
	device->dirty.n = device->next_dirty = 0;
	device->drain_ps = 0;
	device->has_drain_timer = false;
	device->sums.bytes_read = device->sums.bytes_written = device->sums.ops = 0;
	device->sums.bytes_drained = device->sums.busy_ps = device->sums.wait_ps = 0;
	device->sums.queue_max = 0;
}

static struct list *lane_of(struct device *device, const struct request *request)
{
	enum storage_priority priority = device->spec->priority;

	if (request->what.kind == REQUEST_DRAIN)
		return &device->lanes[2];
	if (priority == PRIORITY_NONE)
		return &device->lanes[1];
	return &device->lanes[(request->what.kind == REQUEST_READ) == (priority == PRIORITY_READS)
				      ? 0
				      : 1];
}

bool device_is_idle(const struct device *device)
{
	if (device->lanes[0].first != NONE || device->lanes[1].first != NONE)
		return false;
	for (int64_t i = 0; i < device->spec->nthreads; i++)
		if (device->serving[i] != NONE &&
		    device->requests.at[device->serving[i]].what.kind != REQUEST_DRAIN)
			return false;
	return true;
}

/* ---- answers ---- */

/* To a write, a sync, or a read with its bytes. is_late: the client may be notified in
 * this event. */
static void answer(struct storage *storage, const struct device *device,
		   const struct request *request, bool is_late)
{
	int32_t client = request->client, node = storage->clients.at[client].node;

	if (node != device->node)
		io_send(storage, device->node, node,
			request->what.kind == REQUEST_READ ? request->what.bytes
							   : storage->params->io_control_bytes,
			client, request->slot, IO_DONE);
	else if (!is_late)
		io_timer(storage, node, net_now(storage->net), IO_DONE, client, request->slot);
	else if (storage->clients.at[client].device != NONE)
		drain_answered(storage, client, request->slot);
	else
		client_answered(storage, client, request->slot);
}

/* ---- serving ---- */

static int64_t service_ps(struct device *device, const struct slot *what)
{
	bool is_next = device->last_object == what->object &&
		       what->place - device->last_end <= SEQUENTIAL &&
		       device->last_end - what->place <= SEQUENTIAL;

	device->last_object = what->object;
	device->last_end = what->place + what->bytes;
	return storage_service_ps(device->spec, what->kind == REQUEST_WRITE, what->bytes,
				  what->is_first || !device->spec->is_overhead_per_op, !is_next);
}

/* The next one that may be served; NONE. A sync waits until all threads are free. */
static int32_t next_request(struct device *device)
{
	for (int i = 0; i < LANES; i++) {
		int32_t request = device->lanes[i].first;

		if (request == NONE)
			continue;
		if (device->requests.at[request].what.kind == REQUEST_SYNC && device->nbusy > 0)
			return NONE;
		return list_take(device, &device->lanes[i]);
	}
	return NONE;
}

static void request_free(struct device *device, int32_t which)
{
	device->requests.at[which].next = device->free_request;
	device->free_request = which;
}

static void serve(struct storage *storage, struct device *device, int32_t which)
{
	const struct request *request = &device->requests.at[which];
	int64_t now = net_now(storage->net);
	int32_t thread = 0;

	device->nqueued--;
	device->sums.wait_ps += now - request->arrived_ps;
	if (request->what.kind == REQUEST_SYNC) {
		answer(storage, device, request, false);
		request_free(device, which);
		return;
	}
	while (device->serving[thread] != NONE)
		thread++;
	device->serving[thread] = which;
	if (device->nbusy++ == 0)
		device->busy_since_ps = now;
	io_timer(storage, device->node, now + service_ps(device, &request->what), IO_SERVED,
		 (int32_t)(device - storage->devices), thread);
}

static void go_on(struct storage *storage, struct device *device)
{
	int32_t request;

	while (device->nbusy < device->spec->nthreads && (request = next_request(device)) != NONE)
		serve(storage, device, request);
}

/* ---- arriving ---- */

static void enqueue(struct storage *storage, struct device *device, int32_t which)
{
	list_push(device, lane_of(device, &device->requests.at[which]), which);
	if (++device->nqueued > device->sums.queue_max)
		device->sums.queue_max = device->nqueued;
	go_on(storage, device);
}

static bool has_room(const struct device *device, int64_t bytes)
{
	const struct storage_spec *spec = device->spec;

	if (spec->capacity > 0 && bytes > spec->capacity - device->stored)
		return false;
	/* what is larger than the memory goes past it */
	return spec->memory == 0 || bytes > spec->memory ||
	       bytes <= spec->memory - device->buffered;
}

static void admit(struct storage *storage, struct device *device, int32_t which)
{
	struct request *request = &device->requests.at[which];
	int64_t bytes = request->what.bytes, memory = device->spec->memory;

	if (request->what.kind == REQUEST_WRITE) {
		device->stored += bytes;
		if (memory > 0 && bytes <= memory) {
			device->buffered += bytes;
			request->is_buffered = request->is_answered = true;
			answer(storage, device, request, false);
		}
	}
	enqueue(storage, device, which);
}

/* Writes for which there is room now; a sync goes in their order. */
static void admit_waiting(struct storage *storage, struct device *device)
{
	while (device->full.first != NONE &&
	       has_room(device, device->requests.at[device->full.first].what.bytes))
		admit(storage, device, list_take(device, &device->full));
}

void device_arrive(struct storage *storage, int32_t client, int32_t slot)
{
	const struct slot *what = slot_at(storage, client, slot);
	struct device *device = &storage->devices[what->device];
	int32_t which = request_new(device);

	device->requests.at[which] = (struct request){
		.what = *what,
		.arrived_ps = net_now(storage->net),
		.client = client,
		.slot = slot,
	};
	if (what->kind != REQUEST_READ &&
	    (device->full.first != NONE ||
	     (what->kind == REQUEST_WRITE && !has_room(device, what->bytes))))
		list_push(device, &device->full, which);
	else
		admit(storage, device, which);
}

void device_drain(struct storage *storage, struct device *device, int32_t client, int32_t slot)
{
	int32_t which = request_new(device);

	device->requests.at[which] = (struct request){
		.what = *slot_at(storage, client, slot),
		.arrived_ps = net_now(storage->net),
		.client = client,
		.slot = slot,
	};
	enqueue(storage, device, which);
}

void device_leave(struct storage *storage, struct device *device, int64_t bytes)
{
	device->stored -= bytes;
	admit_waiting(storage, device);
}

void device_served(struct storage *storage, int32_t number, int32_t thread)
{
	struct device *device = &storage->devices[number];
	int32_t which = device->serving[thread];
	struct request request = device->requests.at[which];
	struct storage_device_sums *sums = &device->sums;

	device->serving[thread] = NONE;
	if (--device->nbusy == 0)
		sums->busy_ps += net_now(storage->net) - device->busy_since_ps;
	request_free(device, which);
	if (request.what.kind == REQUEST_DRAIN) {
		go_on(storage, device);
		drain_was_read(storage, request.client, request.slot);
		return;
	}
	sums->ops++;
	if (request.what.kind == REQUEST_READ) {
		sums->bytes_read += request.what.bytes;
	} else {
		sums->bytes_written += request.what.bytes;
		drain_wrote(storage, device, &request.what);
	}
	if (request.is_buffered) {
		device->buffered -= request.what.bytes;
		admit_waiting(storage, device);
	}
	go_on(storage, device);
	if (!request.is_answered)
		answer(storage, device, &request, true);
	drain_go_on(storage, device);
}
