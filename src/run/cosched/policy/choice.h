/* choice.h - what policies share: the best set of some devices, and the passes of the
 * greedy ones */
#ifndef COSCHED_POLICY_CHOICE_H
#define COSCHED_POLICY_CHOICE_H

#include "cosched/policy/node_policy.h"

/* What a policy goes by: times in nanoseconds, NODE_NEVER where the job can't run. */
struct choice_times {
	/* T of the whole job on a set: by which waiting jobs start. */
	int64_t (*whole_ns)(const struct node_state *state, const struct node_job *job,
			    uint32_t set);
	/* By which a job that has devices compares sets: the same, or what remains of it. */
	int64_t (*rest_ns)(const struct node_state *state, const struct node_job *job,
			   uint32_t set);
	/* One slice on a device alone. */
	int64_t (*slice_ns)(const struct node_state *state, const struct node_job *job, int device);
};
/* From the profile that the job brought. */
extern const struct choice_times choice_profiled;

/* The devices a decision is made on: those that no job holds or was given, as the decision so far
 * leaves them. */
struct choice {
	const struct node_state *state;
	const struct choice_times *times;
	struct node_assignment *assignment;
	uint32_t free;
};

/* Begins a decision. What was reserved for a job whose bag is empty by now is free again,
 * unless all that it runs on is assigned to others. */
struct choice choice_begin(const struct node_state *state, const struct choice_times *times,
			   struct node_assignment *assignment);
void choice_give(struct choice *choice, int slot, uint32_t set);

/*
 * The set with the least T among the subsets of what is free that a waiting job can run on, of at
 * most rules.max_devices (0: any number): of equal ones the smallest, then the one with the
 * smallest mask. All subsets are tried up to eight devices; beyond, the fastest device, the two
 * fastest, … and the measured sets. 0: none. *ns is its T.
 */
uint32_t choice_of_free(const struct choice *choice, int slot, int64_t *ns);
/* T on the best device of all, free or not. */
int64_t choice_best_ns(const struct choice *choice, int slot);
/* T is low enough, beside that of the job's best device, for the job to start. */
bool choice_may_start(const struct choice *choice, int slot, int64_t ns);

/* Jobs that have devices, by priority and arrival, of these phases (1 << NODE_RUNNING | …) move to
 * a set that is better by more than rules.gain. */
void choice_improve(struct choice *choice, unsigned phases);
/* Waiting jobs start on the best set of what is free, in strict order, until one finds none: its
 * slot, or -1. */
int choice_start(struct choice *choice);
/* A job gives up a device for the slot, which found none. */
void choice_contract(struct choice *choice, int slot);

enum { CHOICE_ALL_PHASES = ~0 };

/*
 * The passes of Greedy+Up and Elastic (§4.3.3): jobs that have devices move to a better set;
 * waiting ones start; with rules.contract a job gives up a device for the first that finds none.
 * With rules.queue_first waiting ones go first.
 */
void choice_passes(const struct node_state *state, const struct choice_times *times,
		   struct node_assignment *assignment);
/* The same by the profiles of jobs. */
void choice_greedy(const struct node_state *state, struct node_assignment *assignment);

/* The parameters that these read, as rows of an entry; and from a pick to the rules. */
#define CHOICE_START_LIMIT                                                                         \
	{                                                                                          \
		.key = "start-limit", .type = PARAM_REAL, .min = 1, .max = 1e9, .def = "30",       \
		.meaning =                                                                         \
			"a job starts on a set only if T is at most this many times that of its "  \
			"best device"                                                              \
	}
#define CHOICE_GAIN                                                                                \
	{                                                                                          \
		.key = "gain", .type = PARAM_REAL, .min = 0, .max = 1, .def = "0.02",              \
		.meaning = "a job changes to a set only if that saves more than this part of T"    \
	}
#define CHOICE_FIRST                                                                               \
	{                                                                                          \
		.key = "first", .type = PARAM_WORD, .choices = "expand|queue", .def = "expand",    \
		.meaning = "who chooses first: jobs that have devices, or the queue"               \
	}
#define CHOICE_MAX(most)                                                                           \
	{                                                                                          \
		.key = "max", .type = PARAM_INT, .min = 0, .max = NODE_DEVICES, .def = most,       \
		.meaning = "most devices of one job; 0: any number"                                \
	}
#define CHOICE_CONTRACT                                                                            \
	{                                                                                          \
		.key = "contract", .type = PARAM_WORD, .choices = "no|arrival", .def = "no",       \
		.meaning = "whether a job gives up a device for the first of the queue that "      \
			   "finds none"                                                            \
	}
/* Of the first three. */
void choice_set(const struct pick *pick, struct node_rules *rules);
/* Of all five. */
void choice_set_all(const struct pick *pick, struct node_rules *rules);

#endif
