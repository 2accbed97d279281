/* params.h - the parameters of the simulated network and of the software on its nodes */
#ifndef SIM_PARAMS_PARAMS_H
#define SIM_PARAMS_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"
#include "formats/out.h"
#include "formats/table.h"
#include "mpi/collective/rank_places.h"
#include "model/topo.h"

/* GPU_TRACE: messages of buffers on GPUs, as the trace has them, without the host. */
enum gpu_mode { GPU_NONE, GPU_HOSTCOPY, GPU_GPUDIRECT, GPU_TRACE };
extern const char *const gpu_modes[]; /* their names; ends in NULL */

/*
 * One table (parameters.c) names each parameter: key, type, unit, default, meaning. A value comes
 * from the command line, else from what is written in the topology file, else from the profile,
 * else from the built-in default. Times are whole picoseconds, sizes bytes, rates bytes per second.
 */
struct sim_params {
	/* the network */
	int64_t packet_bytes;         /* payload of a packet at most */
	int64_t header_bytes;         /* on the wire besides, in each packet */
	int64_t message_header_bytes; /* counted to the payload, once a message */
	int64_t flit_bytes;           /* a packet takes whole flits on a channel; 1: bytes */
	int64_t input_buffer_bytes;   /* of each port and virtual channel */
	int64_t output_buffer_bytes;  /* the same; 0: packets wait in the input buffers */
	double crossbar_speedup;      /* of the fastest link, into output buffers; 0: at once */
	bool ports_cross_alone;       /* one packet at a time from a port; else from each VC */
	int64_t vcs;                  /* virtual channels of a port; 0: as many as are needed */
	int64_t router_delay_ps;      /* of a head, from input to output */
	int64_t credit_delay_ps;      /* besides the link's latency */
	int64_t nic_send_ps, nic_receive_ps; /* before the first packet, after the last byte */
	double nic_ps_per_byte;              /* of an eager message, before the NIC has it */
	bool has_nic_turns;    /* messages at a NIC take turns, a packet each; else in order */
	int64_t nic_requests;  /* that a node works on at a time; 0: any number, and one class */
	int64_t request_bytes; /* of a request for data, for each packet of them */
	bool is_store_and_forward; /* else virtual cut-through */
	int64_t packet_gap_ps;     /* of a NIC, after each packet */
	bool has_whole_empties;    /* a message of nothing takes a whole packet on links */
	int64_t message_gap_ps;    /* of a node, on each message before its first packet */
	bool has_serial_queues;    /* an injection queue makes packets at one link's rate */
	bool is_delivered_by_head; /* else a message has come with its last byte */
	/* copies inside a node: one queue, first come first served */
	int64_t copy_servers; /* copies at one time */
	int64_t copy_overhead_ps;
	int64_t copy_eager_bytes; /* a smaller copy does not wait for the receiver */
	bool has_copy_slots;      /* the sender's slot chooses the server */

	/* the software of the nodes: MPI */
	int64_t call_enter_ps, call_exit_ps;     /* of each call */
	int64_t send_setup_ps, receive_setup_ps; /* of each message */
	double copy_ps_per_byte;                 /* of an eager message, at both ends */
	int64_t send_delay_ps;                   /* from the rank's work on a message to the NIC */
	int64_t rdma_delay_ps;                   /* the same of data that were asked for, besides */
	int64_t receive_wait_ps;     /* of a receive that waited for its eager message */
	bool has_tracer_steps;       /* collectives cost what TraceR says, not what messages do */
	int64_t tree_delay_ps;       /* then: of a message along a tree, besides */
	bool has_early_answers;      /* no request: the receiver answers when it posts */
	enum gpu_mode gpu;           /* whose messages go from GPU to GPU */
	bool has_host_buffers;       /* GPU_TRACE: the host's buffers hold no data of GPUs */
	int64_t gpu_copy_delay_ps;   /* of a copy between GPU and host */
	double gpu_copy_ps_per_byte; /* the same for each byte */
	double gpu_flops,
		gpu_memory;         /* operations, and bytes of its memory, a second; 0: unknown */
	int64_t gpudirect_delay_ps; /* until a GPU knows what to send */
	bool copies_at_both;        /* else where it is sent only */
	bool has_serial_copies;     /* copies of a node one after the other */
	bool has_tracer_artefacts;  /* collectives are what TraceR's reader makes of them */
	int64_t control_bytes;      /* of a request or an answer that carries no data */
	int64_t match_ps;           /* of each entry of a list that is looked at */
	int64_t eager_bytes;        /* messages up to here go without asking */
	int64_t pin_base_ps, pin_page_ps; /* registering memory of larger ones */
	int64_t short_delay_ps;           /* of a message of one packet, on its way to the NIC */
	int64_t local_delay_ps;           /* inside a node; 0: a copy, as the level "node" says */
	bool is_local_synchronous;        /* with a local delay: a send waits for its match */
	bool is_eager_buffered;           /* an eager send is done at its hand-over to the NIC */
	bool has_answers_in_turn;         /* they wait at their NIC for what came before */
	bool has_rendezvous_ack;          /* larger ones are done when the receiver says so */
	bool does_as_sst;                 /* patterns do as SST's motifs where they have a choice */
	const char *collectives;          /* of collective_libraries */
	struct nccl_settings nccl;        /* with collectives=nccl */

	/* the software of the nodes: storage */
	int64_t io_window;        /* requests of a rank that are under way */
	int64_t io_control_bytes; /* of a request for a read, of a write's answer; 0: notices */

	/* of each level of links, as topo->levels */
	struct sim_level {
		double bandwidth; /* bytes per second; LINK_NODE: of a copy */
		int64_t latency_ps;
		bool is_guessed; /* nothing says its bandwidth */
		const char *bandwidth_from, *latency_from;
	} levels[TOPO_LEVELS];
	bool accepts_guesses;
	char *routing; /* owned */
	const char *routing_from;

	/* where values come from: "default", "profile", "topology", or "-s" and "-r" */
	struct sim_told {
		char *text; /* as written; NULL: the parameter has no value */
		const char *from;
	} * told; /* of each row of sim_parameters; owned */
};

extern const struct registry sim_profiles;   /* "profiles": default, sst, …, and file:path= */
extern const struct registry sim_parameters; /* "parameters": one entry, whose keys they are */

/*
 * profile: a pick of sim_profiles, or NULL: default. settings [n]: KEY=VALUE of the command line;
 * beside the keys of the table LEVEL-bandwidth and LEVEL-latency ("global-latency=1us"), and
 * bandwidth and latency of all levels but "node". routing: -r of the command line, or NULL. A
 * level whose bandwidth is a guess (topo.h) is refused, unless one of them says it or
 * guesses=accept.
 */
int sim_params_open(struct sim_params *params, const struct topo *topo, const char *profile,
		    const char *const *settings, int n, const char *routing, struct err *err);
void sim_params_close(struct sim_params *params);

/* All values, each with where it comes from, as a profile that gives the same simulation. */
void sim_params_show(const struct sim_params *params, const struct topo *topo, struct out *out);
/* The same as ##netsim.KEY=VALUE FROM. */
void sim_params_record(const struct sim_params *params, const struct topo *topo,
		       struct table_out *table);

/* One line where the input buffers are less than what a link sends until a credit is back: the
 * level that loses most. */
void sim_params_warn_buffers(const struct sim_params *params, const struct topo *topo);

/* Bytes that a message of payload takes on the wire: with its header and those of its packets, each
 * in whole flits. */
int64_t sim_wire_bytes(const struct sim_params *params, int64_t payload);

#endif
