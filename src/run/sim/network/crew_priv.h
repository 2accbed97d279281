/* crew_priv.h - what the files of the crew share */
#ifndef SIM_NETWORK_CREW_PRIV_H
#define SIM_NETWORK_CREW_PRIV_H

#include <pthread.h>

#include "base/barrier.h"
#include "base/parcel.h"
#include "sim/network/crew.h"

/* Of a partition; written by its thread, read while all wait. */
struct member {
	int64_t next_ps; /* no event of its own comes before */
	int64_t nevents; /* in the window */
	/* of all windows, where times are taken: events; those of the windows that were timed */
	int64_t nall, ntimed;
	double timed_s;
} __attribute__((aligned(64)));

/* What goes to other processes and comes from them between two windows, kept from one to the next.
 */
struct crew_post {
	struct parcel out;
	size_t *sizes;    /* [count · count] bytes from each process to each */
	size_t *in_sizes; /* [count] */
	char *mine, *all; /* reports, with sizes */
};

struct crew {
	struct net **parts; /* [nparts] the first is the network itself */
	struct member *members;
	int16_t *part_of;         /* [nrouters] */
	int16_t *part_of_channel; /* [nchannels] */
	struct mail_bag *bags;    /* [2 · nparts · nparts] parity, from, to */
	int nparts, nthreads;
	struct processes *processes; /* NULL: there is one */
	struct crew_post post;
	int first, behind; /* partitions that this process simulates */
	/* INT64_MAX: partitions have nothing to do with each other; long: while no short packet is
	 * where its credit goes back to another partition */
	int64_t window_ps, long_ps;

	/* the plan: the window that comes */
	int64_t until_ps, limit_ps;
	uint64_t window;
	bool is_over, is_shared, is_left, has_stopped; /* has_stopped: a signal asked */
	int64_t latest_ps;                             /* that a partition's clock shows */
	int64_t average;                               /* events of a window, · 2^AVERAGED_BITS */

	struct barrier *barrier;
	pthread_t *threads; /* [nthreads − 1] */
	int nstarted;
	bool quits, measures;
	struct net_work work;
};

static inline struct mail_bag *bag_of(struct crew *crew, uint64_t window, int from, int to)
{
	size_t n = (size_t)crew->nparts;

	return &crew->bags[((window & 1) * n + (size_t)from) * n + (size_t)to];
}

static inline bool crew_has(const struct crew *crew, int part)
{
	return part >= crew->first && part < crew->behind;
}

/* CPU seconds of the calling thread. */
double crew_cpu_s(void);

/* Whether this window is timed: asking for the time takes as long as several events. */
enum { TIMED = 8 };
static inline bool crew_times(const struct crew *crew, uint64_t window)
{
	return crew->measures && (window < TIMED || window % TIMED == 0);
}

/* Fewer where no more can be had. */
void crew_start_threads(struct crew *crew, int nthreads);
void crew_stop_threads(struct crew *crew); /* which wait at the barrier */

/* The partition of the sending end of a port. */
int crew_part_of_port(const struct net *net, int32_t port);

/* What partitions say of the window that is over. */
struct crew_report {
	int64_t first_ps;  /* no event is left before, nor in what was sent */
	int64_t latest_ps; /* that a clock shows */
	int64_t enough_ps; /* the latest net_enough; INT64_MAX: one has said nothing */
	bool must_stop;    /* a signal asks */
	bool has_failed;
	int64_t failed_ps; /* then: where; of several the first */
	uint64_t failed_at;
	int32_t process;          /* whose error that is */
	int64_t nshort;           /* see struct net_partition */
	int64_t nevents, nmost;   /* of the window: all, and of the partition with the most */
	double busy_s, busiest_s; /* up to now: of all threads, and of the one that worked most */
};
/* a then is the report of both. */
void crew_report_add(struct crew_report *a, const struct crew_report *b);

/*
 * ---- crew_processes.c ----
 * Where there are several processes, all come here between two windows. The
 * report becomes that of all of them, and the bags to the partitions of this one are filled.
 */
/* The first partition of a process; of the one behind the last: how many there are. */
int crew_first_of(const struct crew *crew, int process);
void crew_meet(struct crew *crew, struct crew_report *report);
void crew_post_open(struct crew *crew);
void crew_post_close(struct crew *crew);

#endif
