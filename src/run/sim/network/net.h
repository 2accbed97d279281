/* net.h - messages through a simulated network: what the software on the nodes sees of it */
#ifndef SIM_NETWORK_NET_H
#define SIM_NETWORK_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/processes.h"
#include "model/topo.h"
#include "sim/params/params.h"

/*
 * A discrete-event simulation in whole picoseconds. Messages go from one node to another (a
 * message inside a node takes the node's own link, one at a time) as packets through NICs, routers
 * and channels; who sends them gets called back when they have left and when they have come.
 *
 * What happens is a function of simulated time alone, not of the order in which the program gets to
 * it. Events of one time happen in the order of (round, kind, place): those made before that time
 * first, then those that they make at it, and so on; kinds in the order of enum event_kind; places
 * are channels and nodes. Draws are a function of the seed, the run, the source's NIC, which of its
 * packets it is, and which draw of the packet.
 */
struct net;

/*
 * Rules for services (MPI, I/O, GPUs: whatever sends), so that a simulation can run in several
 * partitions at once, with the same bytes for any number of them. A partition has some of the
 * routers, their nodes, and what the services keep there.
 *
 * - State belongs to a node, or to what lives on one (a rank, a disk). Only what happens at that
 *   node touches it: injected (at the source), delivered (at the destination), a timer, a notice.
 * - Another node learns of it by a message, or by a notice (net_notice) where no message would be
 *   sent. Never look at its state, and never set a timer there.
 * - What nothing changes during a run may be read by everybody: parameters, programs, places.
 * - Pools (records of messages, requests) are a partition's. What a message needs at its
 *   destination travels with it: see enter and leave below.
 * - Counts over all nodes are kept per partition and added up when the run is over; only sums of
 *   whole numbers, and maxima. Nothing may be asked of them while it runs.
 * - Draws are keyed by what is drawn for, not taken from a stream; nothing depends on the number of
 *   a record in its pool or on which of two nodes came first in the program.
 */

/* Messages wait in the order of their making in an injection queue of the source node's NIC. */
struct net_message {
	int32_t src, dst; /* nodes; equal: a copy inside the node */
	int64_t bytes;    /* of the payload; the parameters say what headers come on top */
	int64_t ready_ps; /* not before; ≤ now: at once */
	uint64_t cookie;  /* net_cookie; comes back in the callbacks, without the service */
	int32_t owner;    /* to which packets and hops are charged (a job), 0 … nowners - 1 */
	int32_t rank;     /* of the sender: what chooses its NIC where that goes by rank */
	int32_t slot;     /* of the sender on its node: what may choose the server of a copy */
	uint8_t traffic_class, queue; /* 0 … of the parameters */
	bool skips_injected;          /* injected is not called for it, which saves an event */
	bool asks_left;               /* net_send may say when it leaves */
	/* Where NICs take few requests at a time (params: nic_requests): a request holds a place at
	 * its destination from its arrival until the one message from there that releases it has
	 * left, which must be of class 1. */
	bool holds, releases;
	bool goes_first; /* before what waits at its NIC, except those that go first, too */
};

/*
 * Who uses the network: each service has separate callbacks and counts. The upper bits of a
 * cookie name it, the lower NET_COOKIE_BITS are the service's.
 */
enum net_service { NET_MPI, NET_IO, NET_GPU, NET_SERVICES };
enum { NET_COOKIE_BITS = 60 };

static inline uint64_t net_cookie(enum net_service service, uint64_t cookie)
{
	return (uint64_t)service << NET_COOKIE_BITS | cookie;
}

static inline uint64_t net_cookie_value(uint64_t cookie)
{
	return cookie & (((uint64_t)1 << NET_COOKIE_BITS) - 1);
}

/* How far a look at what will come has got. */
enum net_step {
	NET_STEP_MESSAGE, /* the record of the message; not of timers */
	NET_STEP_RANK,    /* what that names */
	NET_STEP_MORE     /* and what that names */
};

/* What the network calls; a callback may send and set timers. NULL: not called. */
struct net_events {
	void (*injected)(void *context, uint64_t cookie);  /* the source's buffer is free again */
	void (*delivered)(void *context, uint64_t cookie); /* it has come, as the parameters say
							      with its first or its last byte */
	void (*timer)(void *context, uint64_t cookie);     /* and notices */
	/* The message will come, or the timer ring, after a few events: what delivered or timer
	 * will need may be fetched into the cache, step by step. NULL: nothing is. */
	void (*ahead)(void *context, uint64_t cookie, enum net_step step);
	void (*timer_ahead)(void *context, uint64_t cookie, enum net_step step);
	/*
	 * What goes along to another partition, where it gets another cookie (both without the
	 * service), whose record is all that is known of the message there; at the source injected
	 * may still come. NULL: cookies mean the same everywhere.
	 */
	void (*leave)(void *context, uint64_t cookie, void *record); /* [NET_RECORD_BYTES] */
	uint64_t (*enter)(void *context, const void *record);
	void *context;
};
enum { NET_RECORD_BYTES = 64 };

/* Of one service and owner. */
struct net_totals {
	int64_t messages, packets, packet_hops; /* a packet-hop is one router traversed */
	int64_t nonminimal;                     /* packets that took a detour by choice */
	int64_t bytes;                          /* payload delivered, node-internal included */
};

/* Of one directed channel (model/topo.h: channels); 0 where nothing went. */
struct net_channel {
	int64_t packets, bytes; /* bytes with headers */
	int64_t busy_ps;        /* sending */
	/* a packet waited in the input buffer at its far end, whatever for (net_count_stalls) */
	int64_t stall_ps;
};

/*
 * Prepares a machine once; runs follow each other, and the next costs only what the last one
 * touched. topo and params must outlive it. Refuses a routing that could deadlock on the machine
 * with the virtual channels given.
 */
int net_open(struct net **net, struct topo *topo, const struct sim_params *params, struct err *err);
void net_close(struct net *net); /* NULL is allowed */

/* A run begins at time 0 with an empty network and without listeners. */
void net_start(struct net *net, uint64_t seed, const char *run, int nowners);
/* What messages and timers of the service call from now on. */
void net_listen(struct net *net, enum net_service service, const struct net_events *events);

int64_t net_now(const struct net *net); /* ps */
/* Its address, valid until the network changes its partitions. */
const int64_t *net_clock(const struct net *net);
/* Where the message asks, and it is known already, when its last byte leaves: injected is not
 * called for it then; else −1. */
int64_t net_send(struct net *net, const struct net_message *message);
/* Rings at the node that the present event is of (at any before the run), at_ps ≥ now. */
void net_timer(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie);
/* The same at at_ps > now, of a timer that does nothing but send a message from this node to
 * another one: it may save an event. */
void net_handover(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie);
/*
 * The same at any node, net_notice_ps from now: behind what else happens there at that time, and
 * among notices in the order of their cookies, which must say all that it needs to know there.
 */
void net_notice(struct net *net, int32_t node, uint64_t cookie);
/* The longest latency of a link and a router's delay. */
int64_t net_notice_ps(const struct net *net);
/*
 * The run ends when everything up to at_ps ≥ now has happened; what is under way is dropped. With
 * several partitions only for errors, as the others may be ahead: else net_enough.
 */
void net_stop(struct net *net, int64_t at_ps);
/* The run ends now, since something can't be simulated: what goes into the error that is returned.
 * NULL: another one was there before. */
struct err *net_fail(struct net *net);
/*
 * The run may end though something is left to happen: at the first whole microsecond after the
 * latest time that the partitions have given, when each has given one.
 */
void net_await_enough(struct net *net); /* before the run */
void net_enough(struct net *net, int64_t at_ps);
/* Before the run: it goes on until nothing is left to happen, and nobody asks for totals before. */
void net_runs_out(struct net *net);

/*
 * Until nothing is left to happen or net_stop, which return 0, or all up to until_ps has happened
 * (INT64_MAX: no limit), which returns 1, and it may go on. -1: packets that can't move (err names
 * the oldest and where it waits), or packets lost.
 */
int net_run(struct net *net, int64_t until_ps, struct err *err);
/* After net_run that returned 1: nothing happens before. All processes say the same. */
int64_t net_next(const struct net *net);

struct net_totals net_totals(const struct net *net, enum net_service service, int owner);
int64_t net_nevents(const struct net *net);
/* What the next-hop tables of a machine without a closed form take; 0: there are none. */
int64_t net_table_bytes(const struct net *net);
/* Of the run so far. channel: 0 … net_nchannels - 1; those of the graph come first */
struct net_channel net_channel(const struct net *net, int64_t channel);
/* The same of a channel of the graph, with those of all NICs of a plane. */
struct net_channel net_plane_channel(const struct net *net, int64_t channel, int plane);

/*
 * Of the run: where a table chooses among equal ports by the destination's number, routers at which
 * at most half of the ports carried anything that could have, being as many as the destinations or
 * all: the ports of these routers, those that were used, and the same of the first of them. All
 * zero: there is none.
 */
struct net_idle_ports {
	int64_t nports, nused;
	int64_t nuseful; /* of one router */
	int nrouters, router, nports_there, nused_there, ndestinations_there;
};
struct net_idle_ports net_idle_ports(struct net *net);

/*
 * What went by each virtual channel is counted from the next run on, on request.
 * Class c (0; 1: answers, where nodes take so many requests at a time) has the VCs from
 * c · net_class_vcs on. net_plane_vc: of a channel of the graph, with those of all NICs of a plane.
 */
void net_count_vcs(struct net *net);
/* The same of the time that packets wait in input buffers. */
void net_count_stalls(struct net *net);
/* The same of the packets of each message and their hops. */
void net_count_hops(struct net *net);

struct net_hops {
	int64_t packets, packet_hops;
};
/* Of the message that delivered is called for, where they are counted; else nothing. A message
 * within a node has none. */
struct net_hops net_came_hops(const struct net *net);
/* Injection queues of a node. */
int net_nqueues(const struct net *net);
int net_nclasses(const struct net *net);
int net_class_vcs(const struct net *net);
void net_plane_vc(const struct net *net, int64_t channel, int plane, int vc, int64_t *bytes,
		  int64_t *packets);

/*
 * Runs from the next one on have up to nparts partitions on up to nthreads threads; fewer where the
 * machine has not so many routers, or no latency between them. The results are the same. Services
 * listen at each partition (net_part), and call its functions from its events; all others are for
 * the network itself, which is partition 0. Returns how many there are; -1: the routing says why
 * not.
 *
 * processes (NULL: one): each simulates some of the partitions, and nothing happens in the others
 * (net_part_is_here). All of them call net_start, net_run and net_collect alike.
 */
int net_split(struct net *net, int nparts, int nthreads, struct processes *processes,
	      struct err *err);
int net_nparts(const struct net *net);
struct net *net_part(const struct net *net, int part);
int net_part_of(const struct net *net, int32_t node);
bool net_is_here(const struct net *net, int32_t node);  /* in this partition */
bool net_part_is_here(const struct net *net, int part); /* simulated by this process */
/* Those that simulate it together; NULL: this one alone. */
struct processes *net_processes(const struct net *net);
/* Whether a signal asked this process, or any of those, to stop: all are of one mind. */
bool net_must_stop(const struct net *net);
/* After net_run: what partitions have counted is known to every process. */
void net_collect(struct net *net);
/* The same of what was counted for each channel, of which every process then has a record. */
void net_collect_channels(struct net *net);

/* Of all runs since net_split. A window is a time that partitions need not hear of each other. */
struct net_work {
	int nparts, nthreads;
	int64_t window_ps;
	/* nlong: of these longer ones; nshared: with all threads */
	int64_t nwindows, nlong, nshared;
	int64_t nevents, nmost; /* nmost: sum over the windows of the partition with the most */
	double cpu_s;           /* of all threads but the calling one, waiting included */
	/* where that is measured, waiting left out: of all threads, and of the one that worked most
	 * (of all processes), by the events of all windows and the times of some */
	double busy_s, busiest_s;
};
struct net_work net_work(const struct net *net);
/* Threads share every window, few events or many, and times are taken. */
void net_measure(struct net *net);

/* Planes are copies of the network; a node has so many NICs, of all planes. */
int net_nplanes(const struct net *net);
int net_nnics(const struct net *net);
int64_t net_nchannels(const struct net *net);
/* What a channel is a copy of. */
struct net_copy {
	int32_t channel; /* of the graph */
	int32_t plane;
	int32_t nic; /* of the node; -1: between routers */
};
struct net_copy net_copy(const struct net *net, int64_t channel);
/* Bytes that went into and came out of the network at a node, with headers. */
void net_nic(const struct net *net, int node, int64_t *out_bytes, int64_t *in_bytes);

#endif
