/* barrier.c - threads that wait for each other, again and again */
#include "base/barrier.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

enum { LOOKS = 400 };

struct barrier {
	_Atomic uint32_t round;
	_Atomic int narrived, nsleeping;
	_Atomic int nthreads;
	pthread_mutex_t lock;
	pthread_cond_t is_over;
};

struct barrier *barrier_open(int nthreads)
{
	struct barrier *barrier = xcalloc(1, sizeof(*barrier));

	barrier->nthreads = nthreads;
	pthread_mutex_init(&barrier->lock, NULL);
	pthread_cond_init(&barrier->is_over, NULL);
	return barrier;
}

void barrier_close(struct barrier *barrier)
{
	if (barrier == NULL)
		return;
	pthread_mutex_destroy(&barrier->lock);
	pthread_cond_destroy(&barrier->is_over);
	free(barrier);
}

void barrier_shrink(struct barrier *barrier, int nthreads)
{
	barrier->nthreads = nthreads;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#else
	atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void sleep_through(struct barrier *barrier, uint32_t round)
{
	pthread_mutex_lock(&barrier->lock);
	atomic_fetch_add(&barrier->nsleeping, 1);
	while (atomic_load(&barrier->round) == round)
		pthread_cond_wait(&barrier->is_over, &barrier->lock);
	atomic_fetch_sub(&barrier->nsleeping, 1);
	pthread_mutex_unlock(&barrier->lock);
}

void barrier_wait(struct barrier *barrier, void (*alone)(void *context), void *context)
{
	uint32_t round = atomic_load(&barrier->round);

	if (atomic_fetch_add(&barrier->narrived, 1) + 1 == barrier->nthreads) {
		if (alone != NULL)
			alone(context);
		atomic_store(&barrier->narrived, 0);
		atomic_store(&barrier->round, round + 1);
		if (atomic_load(&barrier->nsleeping) > 0) {
			pthread_mutex_lock(&barrier->lock);
			pthread_cond_broadcast(&barrier->is_over);
			pthread_mutex_unlock(&barrier->lock);
		}
		return;
	}
	for (int i = 0; i < LOOKS; i++) {
		if (atomic_load_explicit(&barrier->round, memory_order_acquire) != round)
			return;
		relax();
	}
	sleep_through(barrier, round);
}
