/* copies.h - several NICs of a node, and several planes: copies of the channels */
#ifndef SIM_NETWORK_COPIES_H
#define SIM_NETWORK_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { NICS_MOST = 255 };

enum nic_choice { NIC_IN_TURN, NIC_OF_RANK, NIC_OF_DESTINATION, NIC_LEAST };
struct copies {
	int nplanes, nrails, nnics; /* nrails: NICs of a node in one plane */
	enum nic_choice choice;
	int32_t graph_channels, plane_channels;
	int32_t base; /* the first channel of the plane that a routing is asked about */
	/* [nnics] the first channel of its plane; those of its nodes' links, by terminal_of (of the
	 * first NIC of a plane −1: they are the graph's) */
	struct nic_channels {
		int32_t base, terminals;
	} * of_nic;
	int32_t *terminals, nterminals; /* links of nodes, where nrails > 1 */
	int32_t *terminal_of;           /* [nlinks] the same */
	uint8_t *turn;                  /* [nnodes]; NULL: there is one NIC */
};

struct net;
struct net_message;
/* The routings' channels, and where they are for one NIC. */
int net_copies_open(struct net *net, struct err *err); /* counts the channels */
void net_copies_close(struct net *net);
void net_copies_reset(struct net *net);
int32_t net_copy_original(const struct net *net, int32_t channel);
int32_t net_rail_channel(const struct net *net, int32_t channel, int nic);
/* A message chooses when its turn has come, not when it is handed over. */
bool net_chooses_late(const struct net *net);
int net_nic_choose(struct net *net, const struct net_message *message, int32_t up);

#endif
