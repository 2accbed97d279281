/* sim_counters.h - what the counters of the simulated routers show, as a monitoring system stores
 * it */
#ifndef SIM_SIM_COUNTERS_H
#define SIM_SIM_COUNTERS_H

#include <stdint.h>

#include "base/err.h"
#include "formats/out.h"
#include "model/topo.h"
#include "sim/network/net.h"

/*
 * LDMS's store_csv of the sets metric_set_rtr_* with the names of Aries: each node reports its NIC
 * and its part of the router's tiles. NIC flits are 16 bytes and one more a packet, those of
 * network tiles carry 20/3 bytes; a stall is a cycle of 800 MHz in which the tile's input queue
 * holds a packet that waits, for whatever. The counters are of network tiles; waiting in processor
 * tiles, which nodes' links end in, is apart from them (net_channel). Virtual channel k is counted
 * as the k-th of requests, or where answers have their own as the k-th of answers. A file of
 * several runs has a column `run` behind app_id, one of a machine with several planes a column
 * `plane`: each plane's routers have their own counters. The network must count its virtual
 * channels (net_count_vcs).
 */
struct sim_counters;

struct sim_counters *sim_counters_open(struct topo *topo, struct out *out);
void sim_counters_close(struct sim_counters *counters); /* NULL is allowed */
/* A run (NULL: it has no name) is to be simulated; samples are told apart by the name. -1: there
 * was one of this name. */
int sim_counters_admit(struct sim_counters *counters, const char *run, struct err *err);
/* Before the first sample: there are several runs. */
void sim_counters_name_runs(struct sim_counters *counters);
/* Samples of this run follow (NULL: it has no name), whose text must live as long. */
void sim_counters_begin(struct sim_counters *counters, const char *run);
/* Writes what the network has counted so far, at that time. The same time again: nothing. */
void sim_counters_sample(struct sim_counters *counters, const struct net *net, int64_t now_ps);

#endif
