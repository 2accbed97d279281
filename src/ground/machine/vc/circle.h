/* circle.h - whether packets could wait for each other in a circle */
#ifndef MACHINE_VC_CIRCLE_H
#define MACHINE_VC_CIRCLE_H

#include "machine/route/routing.h"

/*
 * Whether with one virtual channel the paths of a routing form a cycle of channels, each of which
 * is followed by the next on some path (Dally and Seitz, 1987). Tries every pair of nodes of small
 * machines; larger ones are taken to have one.
 */
bool circle_is_possible(struct routing *routing);

#endif
