/* net_pool.h - records of one array, which are used again */
#ifndef SIM_NETWORK_NET_POOL_H
#define SIM_NETWORK_NET_POOL_H

#include "base/mem.h"
#include "sim/network/net_queue.h"

/*
 * A pool is a struct with at, n, cap and free: the most records that were needed at one time, with
 * the free ones among them, a list by their next. at moves when there are more.
 */
static inline int32_t pool_reuse(int32_t *free, int32_t next)
{
	int32_t i = *free;

	*free = next;
	return i;
}

/* A record, with what was left in it. */
#define pool_take(pool)                                                                            \
	((pool)->free != NOBODY                                                                    \
		 ? pool_reuse(&(pool)->free, (pool)->at[(pool)->free].next)                        \
		 : ((pool)->n == (pool)->cap                                                       \
			    ? (void)((pool)->at = xlarge_double((pool)->at, &(pool)->cap,          \
								sizeof(*(pool)->at)))              \
			    : (void)0,                                                             \
		    (pool)->n++))
#define pool_give(pool, i) ((pool)->at[i].next = (pool)->free, (void)((pool)->free = (i)))
/* Fetches the record that will be taken next into the cache. */
#define pool_fetch(pool) fetch_ahead((pool)->at, (pool)->free)
/* No record is in use. */
#define pool_drop(pool) ((pool)->n = 0, (void)((pool)->free = NOBODY))
#define pool_close(pool) xlarge_free((pool)->at, (size_t)(pool)->cap * sizeof(*(pool)->at))

#endif
