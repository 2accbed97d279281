/* net_priv.h - what the parts of the simulated network share */
#ifndef SIM_NETWORK_NET_PRIV_H
#define SIM_NETWORK_NET_PRIV_H

#include <stddef.h>

#include "base/str.h"
#include "base/umap.h"
#include "sim/network/forward.h"
#include "sim/network/net.h"
#include "sim/network/stall.h"
#include "sim/network/wheel.h"

enum { NOBODY = -1, VCS_MOST = 16, RING_BITS = 2, NICS_MOST = 255 };

/*
 * What an event is about; the upper bits of its text, and below the place: a channel, an input
 * (channel · nvcs + vc), a node. What happens there is the first of a queue at that place. In this
 * order events of one time happen.
 */
enum event_kind {
	ARRIVE, /* channel: the head of its next packet is where it leads, the router's delay is
		   over */
	READY,  /* channel: enough of a packet that came by it is there for a faster link */
	WAKE,   /* port: credits have come that something waits for */
	PUMP,   /* port of a node: it may take further packets */
	HEAD,   /* input: the next packet there may cross */
	NODE,   /* node: the next of its items */
};
enum { KIND_SHIFT = 29 };
#define EVENT(kind, place) ((uint32_t)(kind) << KIND_SHIFT | (uint32_t)(place))

/*
 * A packet. It is in the input buffer of vc at the far end of its channel, or on the way there.
 * detour and rest are the routing's (forward.h); as long as a packet IS_UNDECIDED, detour is its
 * key, which its draws are made of.
 */
struct packet {
	int32_t next;   /* in a queue, in flight, or among the free ones */
	int32_t onward; /* on its way to a router: forward.h; READY: the channel it waits for */
	int32_t message;
	int32_t router; /* the last one */
	int32_t detour;
	int32_t rest;
	int32_t channel;
	int32_t bytes; /* on a channel */
	int32_t out;   /* the last channel, to the destination */
	uint8_t vc, phase, nhops, flags;
	int64_t ready_ps; /* READY */
};
_Static_assert(sizeof(struct packet) == 48, "three quarters of a cache line");
enum packet_flags {
	IS_NONMINIMAL = 1,
	IS_SECOND_LEG = 2,
	IS_ANSWER = 4, /* of class 1 */
	IS_UNDECIDED = 8
};
enum { VC_SHIFT = 4 }; /* in flags: the VC that a packet will take when it is ready */

/* What waits for its time at a node. */
enum item_kind {
	LEFT,  /* message: its last byte has left the node */
	COME,  /* message: the NIC has it */
	START, /* message: its injection queue begins with it */
	TIMER, /* cookie */
	NOTICE /* cookie; behind the others of its time */
};
struct item {
	int64_t time;
	uint64_t cookie;
	int32_t message;
	int32_t next; /* later ones, or among the free ones */
	enum item_kind kind;
};

struct message {
	uint64_t cookie;
	int64_t ready_ps;
	int64_t bytes;
	int64_t left; /* with the message's header, of which no packet was made yet */
	int32_t src, dst;
	union {
		int32_t up;      /* before it is in a queue: the first channel, of the first NIC */
		uint32_t serial; /* then, of one to another partition: mail.c */
	};
	int32_t out;      /* the last channel, to dst */
	int32_t next;     /* in the NIC's queue, or among the free ones */
	int32_t npending; /* packets made that have not come */
	int32_t owner;
	uint8_t traffic_class, queue;
	uint8_t nic; /* of both ends */
	bool wants_left : 1, has_left : 1, has_come : 1;
	bool skips_injected : 1; /* with wants_left: the event is for the NIC */
	bool holds : 1, releases : 1;
	bool is_home : 1, is_transit : 1; /* mail.c */
};

_Static_assert(sizeof(struct message) <= 64, "a cache line");

/* A credit on its way back. */
struct credit {
	int64_t time;
	int32_t bytes;
	int32_t vc;
};

/*
 * The sending end of a channel: at a router's output, or at a node's NIC. Everything that a hop
 * needs lies in the first cache line. credit[vc]: bytes free in the input buffer at the far end, as
 * far as credits that have come back were counted. The others stand at credits[ring], in any order,
 * until they are needed or there is no room for more.
 */
struct port {
	int64_t free_ps;     /* when everything committed so far will have left */
	int64_t bytes;       /* sent: statistics */
	int32_t npackets;    /* the same */
	int32_t first, last; /* packets in flight */
	int32_t to;          /* router at the far end; −1 − node */
	int32_t queued;      /* bytes waiting for credits */
	uint32_t ring;
	uint16_t nring;
	uint16_t blocked;  /* VCs where packets wait */
	uint8_t ring_bits; /* capacity 2^ring_bits */
	uint8_t level;
	uint8_t turn : 6; /* the VC that is served first next time */
	uint8_t is_touched : 1, is_nic : 1;
	bool is_cut;      /* the far end is in another partition, which reads this byte */
	int32_t credit[]; /* [nvcs] */
};
_Static_assert(offsetof(struct port, credit) == 48, "four VCs in the first cache line");

struct queue {
	int32_t first, last;
};

/*
 * Routers with output buffers: a packet crosses from its input buffer to the output buffer of a
 * link, and leaves from there. The crossbar's end at link c is port nchannels + c, which is like a
 * link's; its credits are room in the output buffer. Input buffers are queues of each VC then: who
 * is first there keeps the others waiting.
 */
struct input {
	struct queue queue;
	int64_t free_ps; /* when the last one that was first has crossed */
	bool is_waiting; /* the one that was first waits for a port */
};

/* What is seldom needed of a port. */
struct port_rest {
	int64_t wake_ps; /* the event that counts; < 0: none */
};

struct nic {
	int64_t pump_ps;   /* the event that counts; < 0: none */
	int32_t turn;      /* the queue that is served first next time */
	struct queue kept; /* packets that have come and are not taken: nic_requests.c */
	int64_t nwaiting;  /* bytes of messages of which no packet was made; with several NICs */
};

/* Several NICs of a node, and planes: copies.c */
enum nic_choice { NIC_IN_TURN, NIC_OF_RANK, NIC_OF_DESTINATION, NIC_LEAST };
struct copies {
	int nplanes, nrails, nnics; /* nrails: NICs of a node in one plane */
	enum nic_choice choice;
	int32_t graph_channels, plane_channels;
	int32_t base; /* the first channel of the plane that a routing is asked about */
	int32_t *terminals, nterminals; /* links of nodes */
	int32_t *terminal_of;           /* [nlinks] */
	uint8_t *turn;                  /* [nnodes]; NULL: there is one NIC */
};

/* What messages wait for at their node: injection.c */
struct injection {
	int nqueues, nslots; /* of a node; the slot behind the queues is its turn */
	int64_t *free_ps;    /* [nnodes · nslots] */
	bool *is_used;       /* [nnodes] in this run */
	int32_t *used, nused;
};

struct net_level {
	double ps_per_byte, bytes_per_ps;
	int64_t latency_ps;
	int64_t router_ps; /* the same, and a router's delay behind it */
	int64_t credit_ps; /* until a credit is back */
};

/*
 * A network, or a partition of one (crew.h), which has the ports of its routers and nodes. Arrays
 * over channels and nodes are shared by the partitions of one, each of which touches what is its
 * own; wheels, pools, lists of what was touched and counts are each partition's.
 */
struct net {
	struct crew *crew; /* NULL: not partitioned */
	int part;
	const int16_t *part_of; /* [nrouters] */
	struct umap coming;     /* messages from other partitions: mail.c */
	uint32_t serial;        /* of the last message to another one */
	int64_t enough_ps;      /* net_enough; < 0: not yet */
	bool awaits_enough;
	uint64_t trouble_at; /* round, kind and place of the event */

	struct topo *topo;
	const struct topo_graph *graph;
	const struct sim_params *params;
	struct forward forward;

	/* now */
	int64_t now;
	int64_t stop_ps;  /* the run ends there */
	int64_t limit_ps; /* events are taken up to there without looking up */
	uint32_t happens; /* the present event */
	bool is_drained;  /* the last run left nothing over */
	bool is_troubled; /* trouble says why */
	struct err trouble;
	/* Masks of what sending a packet takes: until it is at a router, at a node */
	int64_t router_takes, node_takes;
	bool has_lag; /* links have different bandwidths, and packets cut through */
	void (*arrive)(struct net *net, int32_t channel); /* hop.h */
	bool is_plain;                                    /* it needs nothing special */
	bool is_general; /* no special functions: for tests, the results are the same */
	struct wheel wheel;
	uint64_t draw_key; /* of the seed and the run */
	struct net_events events[NET_SERVICES];

	struct copies copies;
	struct injection injection;

	/* ports, one per directed channel */
	int nvcs;
	int class_vcs;  /* class 1 has the VCs from here on, where there are two */
	int port_shift; /* bytes of a port: 2^port_shift */
	char *ports;
	size_t ports_bytes;
	struct port_rest *rests;
	struct queue *queues; /* [channel · nvcs + vc]: waiting for credits */
	struct input *inputs; /* [channel · nvcs + vc]; NULL: there are no output buffers */
	int32_t nchannels;
	struct net_level levels[TOPO_LEVELS + 1]; /* the last one is the crossbar */
	int32_t *touched;
	int32_t ntouched;
	struct vc_count {
		int64_t bytes, packets;
	} * vc_counts; /* [channel · nvcs + vc]; NULL: nobody wants them */

	struct stall *stalls;        /* [channel]; NULL: nobody wants them */
	struct published *published; /* NULL: the routing knows its own router only */

	/* rings of credits; that of port p begins as credits[p · 2^RING_BITS] */
	struct credit *credits;
	uint32_t ncredits, credits_cap;
	uint32_t free_rings[16]; /* lists by size: the next one stands in the first credit */

	/* packets and messages: so many were needed at one time, and the free ones among them */
	struct packet *packets;
	int32_t npackets, packets_cap, free_packet;
	struct queue *lagging; /* [channel] packets that will be READY, by time; NULL: none ever */
	struct message *messages;
	int32_t nmessages, messages_cap, free_message;
	int32_t whole_packet; /* bytes of a full one on a channel */
	int64_t nmade, ncome; /* packets of this run */
	int64_t nopen;        /* messages of this run that have not come */
	int32_t asking;       /* the message that net_send is to say of when it leaves, or NOBODY */
	int64_t asked_ps;     /* when it leaves; −1: not known yet */

	/* nodes */
	int nqueues;              /* injection queues of a NIC, of all classes */
	int class_queues;         /* of a class */
	int32_t *nheld;           /* [nnodes] places that requests hold; NULL: any number may */
	struct nic *nics;         /* [channel] of the nodes' channels, by nic_of */
	int32_t *nic_of;          /* [channel] of a node; NOBODY elsewhere */
	struct queue *nic_queues; /* [nic · nqueues + queue] of messages */
	int32_t *up, *first_up;   /* channels out of node n: up[first_up[n]] … */
	int32_t *next_up;         /* [nnodes] whose turn it is, round-robin; NULL: by destination */
	int64_t *copy_free_ps;    /* [nnodes · copy_servers] */

	struct item *items; /* what nodes wait for */
	int32_t nitems, items_cap, free_item;
	struct queue *agendas; /* [nnodes] of items, by time; those of one time in their order */

	bool counts_hops;
	struct net_hops *hops_of; /* [hops_cap] of messages, where they are counted */
	int32_t hops_cap;
	struct net_hops came_hops;

	struct net_totals *totals; /* [service · nowners + owner] */
	int nowners;
	int64_t nevents;
	int32_t *copiers; /* nodes that have copied in this run */
	int32_t ncopiers;
};

/* The same where ports are known to be of one cache line: up to four VCs. */
enum { PORT_SHIFT = 6 };
static inline struct port *small_port_of(const struct net *net, int32_t channel)
{
	return (struct port *)(net->ports + ((size_t)channel << PORT_SHIFT));
}

static inline struct port *port_of(const struct net *net, int32_t channel)
{
	return (struct port *)(net->ports + ((size_t)channel << net->port_shift));
}

/* What sending takes; bytes · ps per byte, rounded. */
static inline int64_t send_ps(const struct net *net, const struct port *port, int32_t bytes)
{
	return (int64_t)((double)bytes * net->levels[port->level].ps_per_byte + .5);
}

/* Bytes that have been given to a port and have not left: those with a time to leave, and those
 * that wait for credits. */
static inline int64_t port_backlog(const struct net *net, const struct port *port)
{
	int64_t ahead = port->free_ps - net->now;

	return port->queued +
	       (ahead > 0 ? (int64_t)((double)ahead * net->levels[port->level].bytes_per_ps) : 0);
}

/* The key of the packet that leaves a NIC by channel as its nth. */
static inline int32_t net_packet_key(const struct net *net, int32_t channel, int32_t nth)
{
	return (int32_t)(u64_mix(net->draw_key ^
				 ((uint64_t)(uint32_t)channel << 32 | (uint32_t)nth)) >>
			 32);
}

/* A number below n, number i of the packet that has key; what bias there is lies below n/2^32. */
static inline uint32_t net_draw(const struct net *net, int32_t key, int i, uint32_t n)
{
	uint64_t mixed = u64_mix(net->draw_key + ((uint64_t)(uint32_t)i << 32 | (uint32_t)key));

	return (uint32_t)((mixed >> 32) * n >> 32);
}

void net_touch(struct net *net, int32_t channel);

/* mail.c: to other partitions */
void net_mail_packet(struct net *net, int32_t packet, int32_t channel, int64_t arrive_ps);
void net_mail_credit(struct net *net, int32_t channel, int vc, int32_t bytes, int64_t time);
/* A message of this partition's that goes to another one. */
void net_mail_message(struct net *net, int32_t message);
void net_mail_notice(struct net *net, int32_t node, int64_t time, uint64_t cookie);
/* All packets of a message from another partition have come. */
void net_mail_is_whole(struct net *net, const struct message *message);

/* net.c: of one partition, but for what the partitions share */
void net_wheel_open(struct net *net);
void net_part_reset(struct net *net);
void net_part_run(struct net *net, int64_t limit_ps);
void net_part_close(struct net *net);
/* Where a channel of the graph leads: a router, or −1 − node. */
int32_t net_end_of(const struct net *net, int32_t channel);
/* Of each VC at the far end of a channel, or of a crossbar's. */
int32_t net_buffer_bytes(const struct net *net, int32_t channel);

/* When a run ends that needs nothing after at_ps. */
enum { NET_END_GRAIN = 1000000 };
static inline int64_t net_end_ps(int64_t at_ps)
{
	return (at_ps / NET_END_GRAIN + 1) * NET_END_GRAIN;
}

/* net_end.c: what went in has come out, and every buffer is empty */
int net_check_end(struct net *net, struct err *err);

/* hop.c: packets */
int32_t net_packet_new(struct net *net);
/* One that was made in another partition. */
int32_t net_packet_take_record(struct net *net);
void net_packet_free(struct net *net, int32_t packet);
void net_arrive(struct net *net, int32_t channel); /* for any network: hop.h has special ones */
void net_ready(struct net *net, int32_t channel);
void net_head(struct net *net, int32_t input);
/* Whether it was not in vain. At which other times somebody looks is not a matter of simulated
 * time, so these looks are not counted, and time does not go on to them. */
bool net_wake(struct net *net, int32_t channel);
/* Whether channel has credits for bytes on vc. A credit counts when it is back. */
bool net_has_credit(struct net *net, struct port *port, int vc, int32_t bytes);
void net_commit(struct net *net, struct port *port, int32_t packet, int32_t channel, int vc,
		int64_t depart_ps);
void net_wait(struct net *net, int32_t channel, int vc, int32_t bytes);
/* The packet's place in the buffer that it is in gets free now. */
void net_give_back(struct net *net, const struct packet *packet);
int64_t net_credits_all(struct net *net, struct port *port, int vc);
/* Bytes that were sent and whose credits have not come back, of all VCs. */
int64_t net_unreturned(struct net *net, int32_t channel);
/* Free bytes where packets for a link and VC wait: its output buffer, or what an input buffer would
 * have left of them. */
int64_t net_room(struct net *net, int32_t channel, int vc);
/* Bytes for a link that wait in this router. */
int64_t net_waiting(const struct net *net, int32_t channel);

/* published.c: loads of other routers, as they were a while ago */
void net_published_open(struct net *net);
void net_published_close(struct net *net);
/* For a partition: shares the loads with the first one. */
void net_published_open_part(struct net *net, const struct net *first);
void net_published_close_part(struct net *net);
void net_published_reset(struct net *net);
/* Something waits for the channel. */
void net_published_note(struct net *net, int32_t channel);
/* The time of the next publication; INT64_MAX: nothing is published. */
int64_t net_published_next(const struct net *net);
/* Before the next event, which is at event_ps, not before the next publication. */
void net_publish(struct net *net, int64_t event_ps);
/* The load of a link of the graph, as the routing reads it, at the last publication. */
int64_t net_published_load(const struct net *net, int32_t channel);

/* nic.c: messages */
void net_nics_open(struct net *net);
void net_nics_close(struct net *net);
void net_nics_reset(struct net *net);
int32_t net_message_new(struct net *net);
void net_message_free(struct net *net, int32_t message);
void net_nic_pump(struct net *net, int32_t channel);      /* the link takes more */
void net_nic_due(struct net *net, int32_t channel);       /* the event PUMP */
void net_message_start(struct net *net, int32_t message); /* the event START */
void net_packet_come(struct net *net, int32_t packet);
void net_packet_take(struct net *net, int32_t packet);
void net_message_left(struct net *net, int32_t message);
void net_message_come(struct net *net, int32_t message);

/* agenda.c: what nodes wait for */
void net_agenda_open(struct net *net);
void net_agenda_reset(struct net *net);
void net_agenda_add(struct net *net, int32_t node, const struct item *item);
void net_agenda_next(struct net *net, int32_t node); /* the event NODE */

/* injection.c */
void net_injection_open(struct net *net);
void net_injection_close(struct net *net);
void net_injection_open_part(struct net *net); /* of a partition: the nodes that it has used */
void net_injection_close_part(struct net *net);
void net_injection_reset(struct net *net);
/* When a NIC may begin with a message that is handed over now and ready then; level: of its link.
 */
int64_t net_injection_ready(struct net *net, int32_t node, int queue, int level, int64_t bytes,
			    int64_t ready_ps);

/* copies.c: the routings' channels, and where they are for one NIC */
int net_copies_open(struct net *net, struct err *err); /* counts the channels */
void net_copies_close(struct net *net);
void net_copies_reset(struct net *net);
int32_t net_copy_original(const struct net *net, int32_t channel);
int32_t net_copy_of(const struct net *net, int32_t channel, int nic);
int net_nic_choose(struct net *net, const struct net_message *message, int32_t up);

/* nic_requests.c: nodes that take so many requests at a time */
void net_requests_open(struct net *net);
void net_requests_reset(struct net *net);
/* Whether the packet that has come stays in the NIC's input buffer. */
bool net_requests_keep(struct net *net, int32_t packet);
void net_requests_release(struct net *net, int node);
bool net_requests_are_done(const struct net *net);

#endif
