/* state.h - the state of one node whose jobs share its devices, as plain data */
#ifndef COSCHED_STATE_STATE_H
#define COSCHED_STATE_STATE_H

/*
 * Khetawat, dissertation (2022), §4.3.3. The same bytes are in an arena of the simulator and in
 * memory that processes share: no pointer, fixed size. Devices are numbered from 0, a set of
 * devices is a bit mask. A job is in a slot from its arrival to its completion. Times are
 * nanoseconds.
 *
 * What an engine does, be it the simulator or a library in each process (there under one lock):
 * - getPlatformId: node_arrive. When the slots are full the simulator lets jobs wait outside, a
 *   library refuses them.
 * - Before a decision it writes now_ns and, of each job that has started, phase and left.
 * - A decision, node_decide (node_policy.h): once for all that happened at one instant, after each
 *   arrival, device release and completion, and at no other time.
 * - A start: a waiting job that node_may_take takes its devices by node_take, initialises its host
 *   part (NODE_INIT: it gives up nothing), opens the devices, copies its input in, takes slices.
 * - pollPlatformUpdate: after each slice it asks node_is_changed. If so it starts no slice, waits
 *   for those that run, copies out, closes the devices (NODE_SWITCHING), and calls node_release
 *   (postDeviceRelease), after which comes a decision. As soon as node_may_take it takes the new
 *   set and opens that. So each set runs one slice at least. With rules.release_changed, devices
 *   that it keeps stay open and work on: it takes the new set at once, and releases the others.
 * - postJobComplete: all slices done, output copied out, devices closed: node_complete, after
 *   which comes a decision.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	NODE_DEVICES = 16,  /* most devices of a node */
	NODE_JOBS = 1024,   /* most jobs that the state knows at a time */
	NODE_SETS = 16,     /* most measured sets of a profile */
	NODE_KERNELS = 256, /* most kernels that are learnt */
	NODE_NAME = 32,
};

/* A time that is not known, or never comes. */
#define NODE_NEVER INT64_MAX

/* What a job sends with getPlatformId: how fast it is on each device and on sets of them. */
struct node_profile {
	int64_t slice_ns[NODE_DEVICES]; /* one slice with its overhead; 0: it can't run there */
	int64_t copy_in_ns[NODE_DEVICES], copy_out_ns[NODE_DEVICES];
	int64_t slices;   /* of one launch: a bag */
	int64_t launches; /* one after the other; at least 1 */
	int32_t nmeasured;
	struct {
		uint32_t devices;
		int64_t ns;          /* T of one launch on the set as measured */
		int64_t computed_ns; /* as computed from its members; node_arrive sets it */
		int64_t whole_ns;    /* of all launches, in the same ratio; node_arrive sets it */
	} measured[NODE_SETS];
	/* T of sets below 16, that is on nodes with up to four devices; 0: not a set. node_arrive
	 * sets it. */
	int64_t set_ns[16];
};

enum node_phase {
	NODE_WAITING,   /* holds nothing yet */
	NODE_INIT,      /* holds devices while the host part is initialised */
	NODE_RUNNING,   /* opens, copies in, takes slices */
	NODE_SWITCHING, /* has seen a new set: drains, copies out, or waits for the new devices */
};

struct node_job {
	int64_t id;         /* number of the arrival: 0, 1, … */
	int64_t arrival_ns; /* when it came */
	int64_t start_ns;   /* when it first took devices */
	int64_t init_ns;    /* length of its initialisation; -1: not known */
	int64_t left;       /* slices of all launches that no device has started */
	int32_t priority;   /* the highest goes first; then the earliest */
	int32_t kernel;     /* index in kernels; -1: none */
	uint32_t phase;     /* enum node_phase */
	uint32_t held;      /* what it holds */
	uint32_t assigned;  /* what the last decision gave it; 0: it waits */
	uint32_t runs_on;   /* the set whose slices it takes now; 0: none */
	struct node_profile profile;
};

struct node_device {
	char name[NODE_NAME];
	int64_t open_ns, close_ns;
};

/* What finished slices have taught, by kernel (application and size). */
struct node_kernel {
	char name[2 * NODE_NAME];
	int64_t slice_ns[NODE_DEVICES]; /* 0: not seen */
};

/* The parameters of a policy. */
struct node_rules {
	char policy[NODE_NAME];    /* its name: all processes follow the same */
	int64_t start_limit_milli; /* a job starts on a set if T ≤ this/1000 of its best device's */
	int64_t gain_ppm;          /* a change must save more than this of T */
	int64_t age_ns;            /* how long a job may be overtaken */
	int64_t alpha_ppm;         /* weight of a new observation */
	int32_t max_devices;       /* of one job */
	int32_t queue_first;       /* 1: waiting jobs before running ones that could do better */
	int32_t contract;          /* 1: a running job may have to give up a device */
	int32_t release_changed;   /* 1: devices that a job keeps are not released */
};

struct node_state {
	int64_t now_ns;
	int64_t narrived;
	int32_t ndevices;
	int32_t njobs;
	int32_t nkernels;
	int32_t unused;
	struct node_device devices[NODE_DEVICES];
	int64_t assigned_to[NODE_DEVICES]; /* id of the job that the last decision gave it; -1 */
	int64_t held_by[NODE_DEVICES];     /* id of the job that took it; -1 */
	struct node_rules rules;
	uint16_t order[NODE_JOBS];     /* [njobs] slots by priority, arrival and id */
	uint64_t used[NODE_JOBS / 64]; /* slots that hold a job */
	struct node_kernel kernels[NODE_KERNELS];
	struct node_job jobs[NODE_JOBS]; /* by slot; what is not used is anything */
};

/* What a policy says: the devices of each slot. */
struct node_assignment {
	uint32_t devices[NODE_JOBS];
};

/* A node without jobs; its devices and rules are the caller's to fill in. The state need not be
 * zeroed. */
void node_state_init(struct node_state *state, int ndevices);

/*
 * A job comes: its slot, or -1 when all are taken. Reads the profile, id (its own number when id is
 * below 0), priority and so on of job; phase, held, assigned and left are set here. The profile
 * must be node_profile_is_sound.
 */
int node_arrive(struct node_state *state, const struct node_job *job);
/* Its index among the kernels, which is new when the name is; -1 when there is no room. */
int node_kernel_find(struct node_state *state, const char *name);

/* Devices that no job holds and none was given. */
uint32_t node_free(const struct node_state *state);
/* It was given devices that it does not run on, and no other job holds one of them any more. */
bool node_may_take(const struct node_state *state, int slot);
/* It holds what it was given, and runs on that from now on. */
void node_take(struct node_state *state, int slot);
/* To be asked after each slice: it has to leave the set that it runs on. */
bool node_is_changed(const struct node_state *state, int slot);
void node_release(struct node_state *state, int slot, uint32_t devices);
void node_complete(struct node_state *state, int slot);
/* Slices of a job ended on a device after ns each: what is known of its kernel is updated. */
void node_observe(struct node_state *state, int slot, int device, int64_t nslices, int64_t ns);

static inline bool node_is_used(const struct node_state *state, int slot)
{
	return state->used[slot / 64] >> slot % 64 & 1;
}

static inline int node_count(uint32_t devices)
{
	return __builtin_popcount(devices);
}

#endif
