/* expected.h - the loads that an adaptive routing is expected to put on links */
#ifndef MACHINE_ROUTE_EXPECTED_H
#define MACHINE_ROUTE_EXPECTED_H

#include "machine/route/route_split.h"
#include "machine/route/routing.h"

/*
 * Where a routing chooses packet by packet, a message is expected to be spread:
 * - of k equal minimal paths (ties=random, adaptive) each carries 1/k;
 * - a routing with detours sends the part minimal of it along the minimal paths, and the rest
 *   by every intermediate place that via= may choose, each as likely as netsim draws it; a draw
 *   that leads nowhere leaves the packet on its minimal path. valiant draws for every packet: its
 *   minimal is 0 whatever is given. What UGAL and the like decide by queues is so one number.
 * Other routings take their one path. What is a group elsewhere than on a dragonfly is not known
 * here: there detours go by the router of any node.
 */
struct expected;

/* routing must outlive it. minimal: 0 … 1 */
struct expected *expected_open(struct routing *routing, double minimal);
void expected_close(struct expected *expected); /* NULL is allowed */

/* The shares of the channels between node a and another node b, by ascending channels, each once;
 * shares are cleared first. -1: there is no route. */
int expected_shares(struct expected *expected, int a, int b, channel_shares *shares);

/* Whether the routing spreads messages; and whether the number minimal matters to it. */
bool expected_is_spread(const struct routing *routing);
bool expected_has_choice(const struct routing *routing);

#endif
