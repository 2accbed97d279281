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
	int32_t *spare, *top /* [cap], and behind the last one that is free */

static inline void *pool_double(void *at, int32_t *cap, int32_t **spare, int32_t **top, size_t size)
{
	size_t old = (size_t)*cap * sizeof(**spare);

	at = xlarge_double(at, cap, size);
	*top = *spare = xlarge_grow(*spare, old, (size_t)*cap * sizeof(**spare)); /* none is free */
	return at;
}

/* A record, with what was left in it. */
#define pool_take(pool)                                                                            \
	((pool)->top != (pool)->spare                                                              \
		 ? *--(pool)->top                                                                  \
		 : ((pool)->n == (pool)->cap                                                       \
			    ? (void)((pool)->at =                                                  \
					     pool_double((pool)->at, &(pool)->cap, &(pool)->spare, \
							 &(pool)->top, sizeof(*(pool)->at)))       \
			    : (void)0,                                                             \
		    (pool)->n++))
#define pool_give(pool, i) ((void)(*(pool)->top++ = (i)))
/* Fetches the record that will be taken after k others into the cache. */
#define pool_fetch(pool, k)                                                                        \
	((pool)->top - (pool)->spare > (k) ? fetch_ahead((pool)->at, (pool)->top[-1 - (k)])        \
					   : (void)0)
/* No record is in use. */
#define pool_drop(pool) ((void)((pool)->n = 0), (void)((pool)->top = (pool)->spare))
#define pool_close(pool)                                                                           \
	(xlarge_free((pool)->at, (size_t)(pool)->cap * sizeof(*(pool)->at)),                       \
	 xlarge_free((pool)->spare, (size_t)(pool)->cap * sizeof(*(pool)->spare)))

/*
 * The same of records that have a next, by which the free ones are linked: they take no memory of
 * their own, but only the first one can be fetched before.
 */
#define LINKED_POOL(type)                                                                          \
	type *at;                                                                                  \
	int32_t n, cap;                                                                            \
	int32_t spare, taken /* 1 + the first that is free, or 0; the last that was taken of them  \
			      */

#define linked_take(pool)                                                                          \
	((pool)->spare != 0                                                                        \
		 ? ((pool)->taken = (pool)->spare - 1,                                             \
		    (pool)->spare = (pool)->at[(pool)->taken].next, (pool)->taken)                 \
		 : ((pool)->n == (pool)->cap                                                       \
			    ? (void)((pool)->at = xlarge_double((pool)->at, &(pool)->cap,          \
								sizeof(*(pool)->at)))              \
			    : (void)0,                                                             \
		    (pool)->n++))
#define linked_give(pool, i)                                                                       \
	((void)((pool)->at[i].next = (pool)->spare), (void)((pool)->spare = (i) + 1))
#define linked_fetch(pool)                                                                         \
	((pool)->spare != 0 ? fetch_ahead((pool)->at, (pool)->spare - 1) : (void)0)
#define linked_drop(pool) ((void)((pool)->n = (pool)->spare = 0))
#define linked_close(pool) xlarge_free((pool)->at, (size_t)(pool)->cap * sizeof(*(pool)->at))

#endif
