/* choice.h - what policies share: the best set of some devices, and the passes of the greedy ones
 */
#ifndef COSCHED_POLICY_CHOICE_H
#define COSCHED_POLICY_CHOICE_H

#include "cosched/policy/node_policy.h"

/*
 * The set with the least T among the subsets of some devices that the job can run on, of at most
 * max (0: any number): of equal ones the smallest, then the one with the smallest mask. All subsets
 * are tried up to eight devices; beyond, the fastest device, the two fastest, … and the measured
 * sets. 0: none. *ns is its T.
 */
uint32_t choice_best(const struct node_state *state, const struct node_job *job, uint32_t devices,
		     int max, int64_t *ns);

/* T is low enough, beside that of the job's best device, for the job to start. */
bool choice_may_start(const struct node_state *state, const struct node_job *job, int64_t ns);
/* ns is less than from_ns by more than rules.gain. */
bool choice_gains(const struct node_state *state, int64_t ns, int64_t from_ns);

/* What a decision is made in: devices that nobody holds or was given, as the decision so far leaves
 * them. */
struct choice {
	const struct node_state *state;
	struct node_assignment *assignment;
	uint32_t free;
};

/* Begins a decision. What was reserved for a job whose bag is empty by now is free again,
 * unless all that it runs on is promised to others. */
struct choice choice_begin(const struct node_state *state, struct node_assignment *assignment);
void choice_give(struct choice *choice, int slot, uint32_t set);
/* What a job may choose from: what it holds or was given, and what is free. */
uint32_t choice_devices(const struct choice *choice, int slot);

/*
 * The passes of Greedy+Up and Elastic (§4.3.3): jobs that have devices, by priority and arrival,
 * move to a better set; waiting ones start on the best set of what is free, in strict order; with
 * rules.contract a job gives up a device for the first that finds none.
 */
void choice_greedy(const struct node_state *state, struct node_assignment *assignment);

/* The parameters that these read, but max, as rows of an entry; and from a pick to the rules. */
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
#define CHOICE_CONTRACT                                                                            \
	{                                                                                          \
		.key = "contract", .type = PARAM_WORD, .choices = "no|arrival", .def = "no",       \
		.meaning = "whether a job gives up a device for the first of the queue that "      \
			   "finds none"                                                            \
	}
/* Of the first three. */
void choice_set(const struct pick *pick, struct node_rules *rules);

#endif
