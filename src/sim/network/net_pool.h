/* net_pool.h - records of one array, which are used again */
#ifndef SIM_NETWORK_NET_POOL_H
#define SIM_NETWORK_NET_POOL_H

#include "base/mem.h"
#include "sim/network/net_queue.h"

/*
 * A pool is a struct with these; zeroed it is empty. at has the most records that were needed at
 * one time and moves when there are more. The free ones are a stack of their numbers, so that what
 * will be taken next can be fetched before.
 */
#define POOL(type)                                                                                 \
	type *at;                                                                                  \
	int32_t n, cap;                                                                            \
	int32_t nspare, *spare /* [cap] */

static inline void *pool_double(void *at, int32_t *cap, int32_t **spare, size_t size)
{
	size_t old = (size_t)*cap * sizeof(**spare);

	at = xlarge_double(at, cap, size);
	*spare = xlarge_grow(*spare, old, (size_t)*cap * sizeof(**spare));
	return at;
}

/* A record, with what was left in it. */
#define pool_take(pool)                                                                            \
	((pool)->nspare > 0 ? (pool)->spare[--(pool)->nspare]                                      \
			    : ((pool)->n == (pool)->cap                                            \
				       ? (void)((pool)->at = pool_double((pool)->at, &(pool)->cap, \
									 &(pool)->spare,           \
									 sizeof(*(pool)->at)))     \
				       : (void)0,                                                  \
			       (pool)->n++))
#define pool_give(pool, i) ((void)((pool)->spare[(pool)->nspare++] = (i)))
/* Fetches the record that will be taken after k others into the cache. */
#define pool_fetch(pool, k)                                                                        \
	((pool)->nspare > (k) ? fetch_ahead((pool)->at, (pool)->spare[(pool)->nspare - 1 - (k)])   \
			      : (void)0)
/* No record is in use. */
#define pool_drop(pool) ((pool)->n = (pool)->nspare = 0)
#define pool_close(pool)                                                                           \
	(xlarge_free((pool)->at, (size_t)(pool)->cap * sizeof(*(pool)->at)),                       \
	 xlarge_free((pool)->spare, (size_t)(pool)->cap * sizeof(*(pool)->spare)))

#endif
