/* speeds.h - bandwidths and latencies of a machine's links that a user gives */
#ifndef MACHINE_SPEEDS_H
#define MACHINE_SPEEDS_H

#include "model/topo.h"

/*
 * Each of texts [n] is LEVEL=VALUE, a level of links of the machine and its bandwidth ("100Gbit/s";
 * bytes/s) or latency ("100ns"; s). It replaces what the machine has, a guess too. Refused: a level
 * that the machine has not, a value that is none.
 */
int topo_set_bandwidths(struct topo *topo, const char *const *texts, int n, struct err *err);
int topo_set_latencies(struct topo *topo, const char *const *texts, int n, struct err *err);

#endif
