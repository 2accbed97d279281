/* storage_priv.h - what the files of the storage share */
#ifndef SIM_STORAGE_STORAGE_PRIV_H
#define SIM_STORAGE_STORAGE_PRIV_H

#include "model/storage_spec.h"
#include "sim/storage/io_schedule.h"
#include "sim/storage/storage.h"

/* Lists are of indices into a device's requests; NONE ends them. */
enum { NONE = -1 };

/* What a message or a timer of the storage is for; with a client or device, and a slot
 * or thread. */
enum io_event {
	IO_ARRIVE, /* a client's request is at its device */
	IO_DONE,   /* the answer is at the client */
	IO_SERVED, /* a device's thread is done */
	IO_ISSUE,  /* a client may begin its operation */
	IO_DRAIN,  /* a device may drain on */
	IO_ASK,    /* a client asks its job for a token */
	IO_RETURN  /* and gives it back */
};

enum request_kind { REQUEST_READ, REQUEST_WRITE, REQUEST_SYNC, REQUEST_DRAIN };

/* A request on its way: written by the client, read by the device once it has come. */
struct slot {
	uint64_t object;
	int64_t offset, bytes; /* in the file */
	int64_t place;         /* of offset among the file's bytes on that device */
	int32_t device;
	uint8_t kind;
	bool is_first; /* of its operation */
	/* of its messages so far: the device counts as one comes, the client once it is answered */
	struct net_hops hops;
};

/* The same at the device. */
struct request {
	struct slot what;
	int64_t arrived_ps;
	int32_t client, slot, next;
	bool is_answered; /* it is in the memory */
	bool is_buffered; /* the same, and its bytes are */
};

struct client {
	int32_t node, job, rank, nranks;
	int32_t device; /* whose drain it is; NONE: a rank */
	/* the operation; for a sync, next and end count devices */
	struct storage_op op;
	uint64_t object;
	int64_t next, end, start_ps;
	int32_t home;
	int nout; /* requests under way */
	uint64_t free_slots;
	bool is_first;  /* nothing of the operation was sent yet */
	bool has_token; /* or waits for one */
	bool is_busy;
	struct net_hops hops; /* of the operation's messages */
	/* sums */
	int64_t io_ps, bytes_read, bytes_written, last_end_ps;
	VEC(struct storage_phase) phases;
	VEC(struct storage_record) records;
};

/* Tokens of a job, kept at the node of its rank 0. */
struct token_desk {
	int32_t node, nfree;
	VEC(int32_t) waiting; /* clients, first come first served */
	size_t next;
};

enum { LANES = 3 }; /* what goes first, the others, reads of the drain */

struct device {
	const struct storage_spec *spec;
	int32_t entry, node;
	VEC(struct request) requests;
	int32_t free_request;
	struct list {
		int32_t first, last;
	} lanes[LANES], full; /* full: writes for which there is no room */
	int32_t *serving;     /* [nthreads] requests, or NONE */
	int64_t nbusy;
	uint64_t last_object; /* of what was served last */
	int64_t last_end;
	int64_t stored, buffered; /* bytes that count for capacity and memory */
	/* the drain */
	int32_t drain_entry; /* NONE: there is none */
	VEC(struct slot) dirty;
	size_t next_dirty;
	int64_t drain_ps; /* not before */
	bool has_drain_timer;
	int64_t nqueued, busy_since_ps;
	struct storage_device_sums sums;
};

struct entry_state {
	const struct topo_io *io;
	const struct storage_spec *spec;
	int32_t first, n; /* of its devices, which are in the order of their nodes */
};

struct storage {
	struct net *net; /* its partition */
	/* [net_nparts − 1] of the others: the same but for net and events, the arrays shared */
	struct storage *parts;
	const struct sim_params *params;
	const struct topo *topo;
	struct storage_events events;
	struct entry_state *entries; /* [nentries] */
	int nentries;
	struct device *devices; /* [ndevices] */
	int ndevices;
	int32_t *ncompute; /* [nnodes + 1] nodes before it that compute */
	int32_t nranks, njobs;
	bool keeps_ops;
	VEC(struct client) clients;         /* [nranks + ndevices], the drains behind the ranks */
	struct slot *slots;                 /* [clients · window] */
	const struct io_schedule *schedule; /* never NULL */
	const struct pick *schedule_pick;
	VEC(struct token_desk) desks; /* by job */
};

/* ---- storage.c ---- */
static inline struct slot *slot_at(const struct storage *storage, int32_t client, int32_t slot)
{
	return &storage->slots[(int64_t)client * storage->params->io_window + slot];
}
uint64_t io_cookie(enum io_event event, int32_t which, int32_t slot);
void io_timer(struct storage *storage, int32_t node, int64_t at_ps, enum io_event event,
	      int32_t which, int32_t slot);
/* A notification to another node: a message of n bytes, or for 0 a notice. */
void io_send(struct storage *storage, int32_t from, int32_t to, int64_t bytes, int32_t client,
	     int32_t slot, enum io_event event);

/* ---- clients (client.c) ---- */
void client_open(struct storage *storage, int32_t client, int32_t node);
void client_issue(struct storage *storage, int32_t client);
void client_answered(struct storage *storage, int32_t client, int32_t slot);
/* Fills device and place of a slot that has offset; home: of the file's first stripe. */
void slot_place(const struct entry_state *entry, int32_t home, struct slot *slot);
void slot_send(struct storage *storage, int32_t client, int32_t slot);
/* The client's first free slot; there must be one. */
int32_t slot_take(struct client *client);

/* ---- homes (home.c) ---- */
/* The place among the entry's devices of the first stripe. */
int32_t home_of(const struct storage *storage, const struct entry_state *entry,
		const struct client *client, uint64_t object);

/* ---- devices (device.c, drain.c) ---- */
void device_open(struct device *device);
void device_arrive(struct storage *storage, int32_t client, int32_t slot);
void device_served(struct storage *storage, int32_t device, int32_t thread);
/* Takes a request of the drain. */
void device_drain(struct storage *storage, struct device *device, int32_t client, int32_t slot);
/* Bytes have left the device. */
void device_leave(struct storage *storage, struct device *device, int64_t bytes);
bool device_is_idle(const struct device *device); /* but for its drain */
void drain_wrote(const struct storage *storage, struct device *device, const struct slot *slot);
void drain_go_on(struct storage *storage, struct device *device);
void drain_was_read(struct storage *storage, int32_t client, int32_t slot);
void drain_answered(struct storage *storage, int32_t client, int32_t slot);

/* ---- schedules ---- */
extern const struct io_schedule io_schedule_none;

/* ---- tokens (token.c) ---- */
void token_ask(struct storage *storage, int32_t client);
void token_asked(struct storage *storage, int32_t client);
void token_give_back(struct storage *storage, int32_t client);
void token_returned(struct storage *storage, int32_t client);

#endif
