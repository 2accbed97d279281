/* params.h - the parameters of the simulated network and of the software on its nodes */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/topo.h"

/*
 * One table (params.c) names each parameter: key, type, unit, default, meaning. A value comes from
 * the command line, else from what is written in the topology file, else from the profile, else
 * from the built-in default. Times are whole picoseconds, sizes bytes, rates bytes per second.
 */
struct sim_params {
	/* the network */
	int64_t packet_bytes;         /* payload of a packet at most: 1024 */
	int64_t header_bytes;         /* on the wire besides, in each packet: 0 */
	int64_t message_header_bytes; /* once a message: 0 */
	int64_t flit_bytes;           /* a packet takes whole flits on a channel; 1: bytes */
	int64_t input_buffer_bytes;   /* of each port and virtual channel */
	int64_t output_buffer_bytes;  /* the same; 0: none */
	int64_t router_delay_ps, credit_delay_ps;
	bool is_store_and_forward; /* else virtual cut-through */
	bool is_delivered_by_head; /* else a message has come with its last byte */
	/* … G1 and G2 add theirs */
	char *routing;
};

#endif
