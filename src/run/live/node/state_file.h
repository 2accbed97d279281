/* state_file.h - the state of a node in memory that its jobs' processes share */
#ifndef LIVE_NODE_STATE_FILE_H
#define LIVE_NODE_STATE_FILE_H

/*
 * Khetawat, dissertation, §4.3.3: each instance of the scheduler's library uses a shared block of
 * memory. It is a file of the user's, placetools-clslice in $XDG_RUNTIME_DIR or, where that is
 * unset, in /dev/shm/placetools-UID. There is no daemon: each caller decides, and cleans up after
 * jobs that died.
 *
 * A change is made to the spare one of two copies and becomes true by one store, so whoever is
 * killed at whatever instant leaves a whole state. Processes may be stopped while they hold the
 * lock; others wait for them.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cosched/state/state.h"
#include "live/node/process.h"

/* Of the ring of events the oldest may be overwritten by a change that never became true. */
enum { LIVE_EVENTS = 4096, LIVE_SHOWN = 3000, LIVE_VERSION = 2 };

enum live_event_kind {
	EVENT_ARRIVE,   /* job: as it came */
	EVENT_TAKE,     /* it took what it was assigned */
	EVENT_RELEASE,  /* devices */
	EVENT_COMPLETE, /* */
	EVENT_DEAD,     /* its process ended before it had completed */
};

/* What happened, in its order; decisions follow all but takes. */
struct live_event {
	int64_t time_ns;
	uint32_t kind;    /* enum live_event_kind */
	uint32_t devices; /* released, or taken */
	int64_t job;      /* id */
	/* Of the jobs on each device when it was decided; and the decision. */
	int64_t left[NODE_DEVICES], assigned_to[NODE_DEVICES];
	struct node_job arrived; /* EVENT_ARRIVE */
};

struct live_copy {
	uint64_t checksum;                     /* of what follows, as far as it is used */
	uint64_t nevents;                      /* of the file's, all that have been */
	struct live_process owners[NODE_JOBS]; /* by slot */
	char jobs[NODE_JOBS][NODE_NAME];       /* by slot: names for people */
	struct node_state state;
};

struct live_file {
	char magic[16];
	uint32_t version, bytes;
	char boot[40];      /* the machine's boot: an older state belongs to no process */
	uint64_t pid_space; /* processes of another one have other numbers */
	int64_t created_ns;
	pthread_mutex_t lock;
	_Atomic uint32_t serial;  /* grows with each change; a futex */
	_Atomic uint32_t current; /* the copy that is true */
	_Atomic uint32_t is_old;  /* another file has its place */
	_Atomic int64_t holder;   /* process that has, or had, the lock */
	/* By slot; each written by its job alone, without the lock. */
	_Atomic int64_t left[NODE_JOBS];
	_Atomic uint32_t runs[NODE_JOBS]; /* 1: initialised */
	struct live_copy copies[2];
	struct live_event events[LIVE_EVENTS]; /* a ring */
};

/* One process's view of it. */
struct live_state {
	struct live_file *file;
	int *mine; /* 0 in a child of the process that opened it */
	char *path;
	struct live_process self;
	/* Called when another process has held the lock for a second; NULL: not called. */
	void (*notice)(const char *text);
};

/* The path of the file, to be freed; makes the folder where it is ours to make. */
char *live_state_path(struct err *err);
/* A new one, without jobs, in the place of what is there. Those who have that open hear of it when
 * they look next. */
int live_state_create(const struct node_state *state, struct err *err);
/* The same, unless jobs live: -1. Nobody can come in between. */
int live_state_renew(const struct node_state *state, struct err *err);
/* 1: there is none. -1: it is another version's, older than the boot, or corrupt. */
int live_state_open(struct live_state *live, struct err *err);
void live_state_close(struct live_state *live);

/* Whether it is still the node's: not since another was put in its place. */
bool live_state_is_old(const struct live_state *live);
/*
 * A change begins: the lock is taken, the copy is as the state is now, with the time, what its jobs
 * have left, and without those whose process has ended. Ends with commit or abort.
 */
int live_state_begin(struct live_state *live, struct live_copy **copy, struct err *err);
/* The policy is asked, within a change, after what was noted last. */
int live_state_decide(struct live_state *live, struct err *err);
/* decides: asks it before. Others hear of the change. */
int live_state_commit(struct live_state *live, bool decides, struct err *err);
void live_state_abort(struct live_state *live);
/* Notes what happens within a change. */
void live_state_event(struct live_state *live, enum live_event_kind kind, int slot,
		      uint32_t devices);
/* Waits until the serial is another, at most so long. */
void live_state_wait(const struct live_state *live, uint32_t serial, int64_t ns);
/* The copy that is true; what a damaged file says, too, is one of the two. */
static inline struct live_copy *state_true_copy(struct live_file *file)
{
	return &file->copies[atomic_load(&file->current) & 1];
}
/* Nanoseconds since it was created. */
int64_t live_state_now(const struct live_state *live);

#endif
