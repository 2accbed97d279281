/* storage.h - storage devices on the simulated network: what the ranks of jobs see of them */
#ifndef SIM_STORAGE_STORAGE_H
#define SIM_STORAGE_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/registry.h"
#include "model/topo.h"
#include "sim/network/net.h"
#include "sim/params/params.h"

/*
 * Entries of the machine's io: that have a device. A rank is a client; its operations block it and
 * are cut into requests at the borders of stripes, of which params->io_window are under way. The
 * bytes of a write go to the device's node as a message, those of a read come back as one; a
 * request for a read and the answer to a write carry params->io_control_bytes, or are known after
 * net_notice_ps where that is 0. On the device's own node there is no message.
 *
 * What a client and a device know is their own: they change it only in events of their nodes.
 */
struct storage;

/* NULL: the machine has no storage. schedule: a pick of io_schedules, or NULL; all must outlive
 * it. keeps_ops: each operation is kept, with its hops where the network counts them. */
struct storage *storage_open(struct net *net, const struct sim_params *params,
			     const struct topo *topo, const struct pick *schedule, bool keeps_ops);
void storage_close(struct storage *storage); /* NULL is allowed */

/* Called when a client's operation is done. */
struct storage_events {
	void (*done)(void *context, int32_t client);
	void *context;
};

/* Of a run, after net_start with njobs + 1 owners: the last is what devices send each other. */
void storage_start(struct storage *storage, const struct storage_events *events, int32_t nclients,
		   int32_t njobs);
/* What a partition of the network has of it, after storage_start: its ranks' operations begin
 * there, and done gets this context. */
struct storage *storage_part(struct storage *storage, int part, void *context);
void storage_client(struct storage *storage, int32_t client, int32_t node, int32_t job,
		    int32_t rank, int32_t nranks);

enum storage_op_kind { STORAGE_READ, STORAGE_WRITE, STORAGE_SYNC };

struct storage_op {
	enum storage_op_kind kind;
	int32_t entry;    /* storage_entry() */
	const char *file; /* its name, which must live as long as the run; NULL: the client's own */
	int64_t offset, bytes;
};

/* The entry of that name, NULL: the first; -1: there is none. */
int32_t storage_entry(const struct storage *storage, const char *name);

/* Now, in an event of the client's node. True: it is done already, and done is not called. */
bool storage_begin(struct storage *storage, int32_t client, const struct storage_op *op);

/* Why a client's operation cannot end, where the network has nothing more to do. -1 */
int storage_stuck(const struct storage *storage, int32_t client, struct err *err);

/* ---- of the run so far ---- */

/* Two operations of a rank with more time between them belong to two of its phases, ps. */
#define STORAGE_GAP_PS ((int64_t)5000000000000)

struct storage_record {
	struct storage_op op;
	int64_t start_ps, end_ps;
	struct net_hops hops; /* of its requests and answers */
};

struct storage_phase {
	int64_t start_ps, end_ps;
};

struct storage_client_sums {
	int64_t io_ps; /* in operations */
	int64_t bytes_read, bytes_written;
	const struct storage_phase *phases; /* [nphases], of the run */
	int nphases;
	const struct storage_record *records; /* [nrecords], where ops are kept */
	int nrecords;
};
struct storage_client_sums storage_client_sums(const struct storage *storage, int32_t client);

struct storage_device_sums {
	const char *entry;
	int32_t node;
	int64_t bytes_read, bytes_written, ops; /* the drain's reads are not counted */
	int64_t bytes_drained;                  /* that have come where it drains to */
	int64_t busy_ps;                        /* serving one request or more */
	int64_t wait_ps;                        /* of all requests, before they were served */
	int64_t queue_max;                      /* requests that waited at one time */
};
int storage_ndevices(const struct storage *storage);
struct storage_device_sums storage_device_sums(const struct storage *storage, int device);
const char *storage_entry_name(const struct storage *storage, int32_t entry);

#endif
