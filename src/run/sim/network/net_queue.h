/* net_queue.h - records of a pool in a row, by their numbers */
#ifndef SIM_NETWORK_NET_QUEUE_H
#define SIM_NETWORK_NET_QUEUE_H

#include <stdint.h>

enum { NOBODY = -1 };

/* Each record has the number of the next one. */
struct queue {
	int32_t first, last;
};

#endif
