/* team.c - those who work on one mapping: threads, and the processes that a launcher started */
#include "map/team/team.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/processes.h"
#include "model/topo.h"

struct gift {
	const int *at;
	size_t n;
};

struct team {
	struct processes *processes;
	int nthreads;
	pthread_barrier_t barrier;
	struct team_offer *offers; /* [nthreads] of this process */
	struct team_offer best;
	struct gift *gifts;    /* [nthreads] of this process */
	int_vec own, all;      /* of this process, of all of them */
	pthread_mutex_t start; /* held until all threads are there */
	bool is_off;           /* they are not */
};

struct team *team_alone(int nthreads)
{
	struct team *t = xcalloc(1, sizeof(*t));

	t->nthreads = nthreads;
	t->offers = xcalloc((size_t)nthreads, sizeof(*t->offers));
	t->gifts = xcalloc((size_t)nthreads, sizeof(*t->gifts));
	pthread_barrier_init(&t->barrier, NULL, (unsigned)nthreads);
	pthread_mutex_init(&t->start, NULL);
	return t;
}

int team_open(struct team **team, int nthreads, struct err *err)
{
	struct team *t = team_alone(nthreads);

	*team = NULL;
	if (processes_join(&t->processes, err) != 0) {
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
	processes_leave(team->processes);
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
	return team->nthreads * team_nprocesses(team);
}

int team_nprocesses(const struct team *team)
{
	return processes_count(team->processes);
}

int team_process(const struct team *team)
{
	return processes_number(team->processes);
}

static bool is_less(const struct team_offer *a, const struct team_offer *b)
{
	if (a->number < 0 || b->number < 0)
		return a->number >= 0;
	return a->value != b->value ? a->value < b->value : a->number < b->number;
}

double *team_memory(struct team *team)
{
	double *bytes = xmalloc((size_t)team_nprocesses(team) * sizeof(*bytes)), own;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	own = (double)usage.ru_maxrss * 1024;
	bytes[0] = own;
	if (team->processes != NULL)
		processes_gather(team->processes, &own, sizeof(own), bytes);
	return bytes;
}

/* The best of all processes. */
static struct team_offer least_of_all(struct team *team, struct team_offer mine)
{
	size_t n = (size_t)processes_count(team->processes);
	struct team_offer *all;

	if (team->processes == NULL)
		return mine;
	all = xcalloc(n, sizeof(*all));
	processes_gather(team->processes, &mine, sizeof(mine), all);
	for (size_t i = 0; i < n; i++)
		if (is_less(&all[i], &mine))
			mine = all[i];
	free(all);
	return mine;
}

int team_agree(struct team *team, int status, struct err *err)
{
	return processes_agree(team->processes, status, err);
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
			.number = team_process(team) * team->nthreads + i,
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

struct team_offer team_least(struct team *team, int member, struct team_offer mine)
{
	struct team_offer best;

	if (team->nthreads == 1)
		return least_of_all(team, mine);
	team->offers[member % team->nthreads] = mine;
	if (pthread_barrier_wait(&team->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		team->best = team->offers[0];
		for (int i = 1; i < team->nthreads; i++)
			if (is_less(&team->offers[i], &team->best))
				team->best = team->offers[i];
		team->best = least_of_all(team, team->best);
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
	if (team->processes != NULL) {
		size_t n = (size_t)team_nprocesses(team), *sizes = xcalloc(n, sizeof(*sizes));
		int *all = processes_gather_any(team->processes, team->own.at,
						team->own.n * sizeof(*all), sizes);

		team->all.n = 0;
		for (size_t i = 0, at = 0; i < n; i++)
			for (size_t k = 0; k < sizes[i] / sizeof(*all); k++)
				vec_push(&team->all, all[at++]);
		free(all);
		free(sizes);
	}
}

const int *team_gather(struct team *team, int member, const int *mine, size_t n, size_t *nall)
{
	const int_vec *all = team->processes != NULL ? &team->all : &team->own;

	if (team->nthreads == 1 && team->processes == NULL) {
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
