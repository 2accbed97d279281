/* team.c - those who work on one mapping: threads, and the processes that a launcher started */
#include "map/team/team.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "map/team/team_mpi.h"
#include "model/topo.h"

struct gift {
	const int *at;
	size_t n;
};

struct team {
	const struct team_mpi *mpi; /* NULL: one process */
	int nthreads, nprocesses, process;
	pthread_barrier_t barrier;
	struct team_offer *offers; /* [nthreads] of this process */
	struct team_offer best;
	struct gift *gifts;    /* [nthreads] of this process */
	int_vec own, all;      /* of this process, of all of them */
	pthread_mutex_t start; /* held until all threads are there */
	bool is_off;           /* they are not */
};

int team_open(struct team **team, int nthreads, struct err *err)
{
	struct team *t = xcalloc(1, sizeof(*t));

	*team = NULL;
	t->nthreads = nthreads;
	t->offers = xcalloc((size_t)nthreads, sizeof(*t->offers));
	t->gifts = xcalloc((size_t)nthreads, sizeof(*t->gifts));
	pthread_barrier_init(&t->barrier, NULL, (unsigned)nthreads);
	pthread_mutex_init(&t->start, NULL);
	if (team_mpi_join(&t->mpi, &t->nprocesses, &t->process, err) != 0) {
		team_close(t);
		return -1;
	}
	*team = t;
	return 0;
}

void team_close(struct team *team)
{
	if (team == NULL)
		return;
	if (team->mpi != NULL)
		team->mpi->leave();
	pthread_barrier_destroy(&team->barrier);
	pthread_mutex_destroy(&team->start);
	free(team->offers);
	free(team->gifts);
	vec_free(&team->own);
	vec_free(&team->all);
	free(team);
}

int team_nmembers(const struct team *team)
{
	return team->nthreads * team->nprocesses;
}

int team_nprocesses(const struct team *team)
{
	return team->nprocesses;
}

int team_process(const struct team *team)
{
	return team->process;
}

int team_speaker(struct team *team, bool is_well)
{
	struct team_offer mine = {0, is_well ? -1 : team->process};

	return (int)(team->mpi != NULL ? team->mpi->least(mine) : mine).number;
}

/* What one thread is about. */
struct member {
	struct team *team;
	team_work *work;
	void *context;
	int number, status;
	struct err err;
	pthread_t thread;
};

static void *work_alone(void *argument)
{
	struct member *member = argument;
	bool is_off;

	pthread_mutex_lock(&member->team->start);
	is_off = member->team->is_off;
	pthread_mutex_unlock(&member->team->start);
	if (!is_off)
		member->status = member->work(member->context, member->number, &member->err);
	return NULL;
}

/* Begins the threads 1 … nthreads - 1; returns how many threads there are with the caller. */
static int begin(struct team *team, struct member *members)
{
	int n = 1;

	pthread_mutex_lock(&team->start);
	while (n < team->nthreads &&
	       pthread_create(&members[n].thread, NULL, work_alone, &members[n]) == 0)
		n++;
	team->is_off = n < team->nthreads;
	pthread_mutex_unlock(&team->start);
	return n;
}

int team_run(struct team *team, team_work *work, void *context, struct err *err)
{
	struct member *members = xcalloc((size_t)team->nthreads, sizeof(*members));
	int nthreads, status = 0;

	for (int i = 0; i < team->nthreads; i++)
		members[i] = (struct member){
			.team = team,
			.work = work,
			.context = context,
			.number = team->process * team->nthreads + i,
		};
	nthreads = begin(team, members);
	work_alone(&members[0]);
	for (int i = 1; i < nthreads; i++)
		pthread_join(members[i].thread, NULL);
	for (int i = team->nthreads - 1; i >= 0; i--)
		if (members[i].status != 0) {
			*err = members[i].err;
			status = -1;
		}
	if (team->is_off)
		status = err_set(err, "only %d of %d threads can be had", nthreads, team->nthreads);
	free(members);
	return status;
}

static bool is_less(const struct team_offer *a, const struct team_offer *b)
{
	if (a->number < 0 || b->number < 0)
		return a->number >= 0;
	return a->value != b->value ? a->value < b->value : a->number < b->number;
}

struct team_offer team_least(struct team *team, int member, struct team_offer mine)
{
	struct team_offer best;

	if (team->nthreads == 1)
		return team->mpi == NULL ? mine : team->mpi->least(mine);
	team->offers[member % team->nthreads] = mine;
	if (pthread_barrier_wait(&team->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		team->best = team->offers[0];
		for (int i = 1; i < team->nthreads; i++)
			if (is_less(&team->offers[i], &team->best))
				team->best = team->offers[i];
		if (team->mpi != NULL)
			team->best = team->mpi->least(team->best);
	}
	pthread_barrier_wait(&team->barrier);
	best = team->best;
	return best;
}

/* The gifts of all threads, one after the other, then those of all processes. */
static void collect(struct team *team)
{
	team->own.n = 0;
	for (int i = 0; i < team->nthreads; i++)
		for (size_t k = 0; k < team->gifts[i].n; k++)
			vec_push(&team->own, team->gifts[i].at[k]);
	if (team->mpi != NULL) {
		int nall, *all = team->mpi->gather(team->own.at, (int)team->own.n, &nall);

		team->all.n = 0;
		for (int i = 0; i < nall; i++)
			vec_push(&team->all, all[i]);
		free(all);
	}
}

const int *team_gather(struct team *team, int member, const int *mine, size_t n, size_t *nall)
{
	const int_vec *all = team->mpi != NULL ? &team->all : &team->own;

	if (team->nthreads == 1 && team->mpi == NULL) {
		*nall = n;
		return mine;
	}
	team->gifts[member % team->nthreads] = (struct gift){mine, n};
	/* the last one to come finds all done with what was gathered before */
	if (pthread_barrier_wait(&team->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		collect(team);
	pthread_barrier_wait(&team->barrier);
	*nall = all->n;
	return all->at;
}
