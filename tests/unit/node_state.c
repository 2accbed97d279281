/* node_state.c - the state of a node: what the checker finds, and that the same bytes are decided
 * alike anywhere */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"
#include "check.h"
#include "cosched/policy/node_check.h"
#include "cosched/policy/node_policy.h"
#include "cosched/state/set_time.h"

static const struct node_policy *set_policy(struct node_state *state, const char *text)
{
	struct pick pick;
	struct err err;

	if (pick_parse(&pick, &node_policies, text, &err) != 0) {
		printf("%s\n", err.msg);
		exit(1);
	}
	node_policy_set(&pick, &state->rules);
	pick_free(&pick);
	return node_policy_of(state);
}

static void make_node(struct node_state *state, int ndevices)
{
	node_state_init(state, ndevices);
	for (int d = 0; d < ndevices; d++)
		state->devices[d].name[0] = (char)('a' + d);
}

/* Slices of 10 slices; slice_ns [ndevices] */
static int arrive(struct node_state *state, const int64_t *slice_ns)
{
	struct node_job job = {.id = -1,
			       .kernel = -1,
			       .arrival_ns = state->now_ns,
			       .profile = {.slices = 10, .launches = 1}};

	for (int d = 0; d < state->ndevices; d++)
		job.profile.slice_ns[d] = slice_ns[d];
	return node_arrive(state, &job);
}

/* A job runs on a, another waits. */
static const struct node_policy *make_two(struct node_state *state, int *first, int *second)
{
	const struct node_policy *policy;
	struct err err;

	make_node(state, 2);
	policy = set_policy(state, "greedy-up");
	*first = arrive(state, (int64_t[]){10, 1000});
	*second = arrive(state, (int64_t[]){10, 1000});
	CHECK(node_decide(state, policy, &err) == 0);
	CHECK(node_may_take(state, *first) && !node_may_take(state, *second));
	node_take(state, *first);
	state->jobs[*first].phase = NODE_RUNNING;
	CHECK_INT(state->jobs[*first].held, 1);
	CHECK(node_check_state(state, &err) == 0);
	return policy;
}

#define REFUSED(text, ...)                                                                         \
	do {                                                                                       \
		const struct node_policy *policy = make_two(state, &first, &second);               \
		(void)policy;                                                                      \
		__VA_ARGS__;                                                                       \
		CHECK(node_check_state(state, &err) == -1);                                        \
		CHECK_TEXT(err.msg, text);                                                         \
	} while (0)

static void broken_states(struct node_state *state)
{
	struct err err;
	int first, second;

	REFUSED("a has two holders, one of them job 1", state->jobs[second].held = 1;
		state->jobs[second].phase = NODE_RUNNING; state->jobs[second].runs_on = 1);
	REFUSED("job 1 waits and holds b", state->jobs[second].held = 2);
	REFUSED("job 0 holds b, which it was not assigned", state->jobs[first].held = 3);
	REFUSED("job 0 runs on b, which it does not hold", state->jobs[first].runs_on = 2);
	REFUSED("a is assigned twice, once to job 1", state->jobs[second].assigned = 1);
	REFUSED("job 1 was assigned b by no decision", state->jobs[second].assigned = 2);
	REFUSED("job 1 has devices that the node lacks", state->jobs[second].assigned = 4);
	REFUSED("job 0 follows job 1", state->order[0] = (uint16_t)second;
		state->order[1] = (uint16_t)first);
	REFUSED("job 1 follows job 0", state->jobs[second].priority = 1);
	REFUSED("1 slots are used by 2 jobs", state->used[0] = 1);
	REFUSED("job 0 has 11 slices left of 10", state->jobs[first].left = 11);
	REFUSED("b is held by job 7, which is not there", state->held_by[1] = 7);
	REFUSED("job 0 runs without a device", state->jobs[first].runs_on = 0);
}

#define WRONG(text, name, set_of_first, set_of_second, ...)                                        \
	do {                                                                                       \
		struct node_assignment says = {0};                                                 \
		make_two(state, &first, &second);                                                  \
		__VA_ARGS__;                                                                       \
		says.devices[first] = set_of_first;                                                \
		says.devices[second] = set_of_second;                                              \
		CHECK(node_check_decision(state, set_policy(state, name), &says, &err) == -1);     \
		CHECK_TEXT(err.msg, text);                                                         \
	} while (0)

static void broken_decisions(struct node_state *state)
{
	struct err err;
	int first, second, third;

	WRONG("elastic gives a to two jobs, one of them job 1", "elastic", 1, 1, (void)0);
	WRONG("elastic takes all devices from job 0", "elastic", 0, 1, (void)0);
	WRONG("elastic gives job 1 a device that it can't run on", "elastic", 1, 4, (void)0);
	WRONG("elastic gives job 1 a device that it can't run on", "elastic", 1, 2,
	      state->jobs[second].profile.slice_ns[1] = 0);
	WRONG("greedy-up gives job 0 2 devices, at most 1 are allowed", "greedy-up", 3, 0, (void)0);
	WRONG("elastic gives b to job 0, whose slices are all taken", "elastic", 3, 0,
	      state->jobs[first].left = 0);
	WRONG("elastic starts job 2 before job 1, which came earlier", "elastic", 1, 0,
	      third = arrive(state, (int64_t[]){10, 10});
	      says.devices[third] = 2);
	WRONG("baseline starts job 2 before job 1, which came earlier", "baseline", 2, 0,
	      third = arrive(state, (int64_t[]){10, 1000});
	      says.devices[third] = 1);
	{
		/* the baseline may let one pass that prefers another device */
		struct node_assignment says = {0};

		make_two(state, &first, &second);
		third = arrive(state, (int64_t[]){1000, 10});
		says.devices[first] = 1;
		says.devices[third] = 2;
		CHECK(node_check_decision(state, set_policy(state, "baseline"), &says, &err) == 0);
	}
}

static void full(struct node_state *state)
{
	make_node(state, 1);
	for (int i = 0; i < NODE_JOBS; i++)
		CHECK(arrive(state, (int64_t[]){1}) >= 0);
	CHECK_INT(arrive(state, (int64_t[]){1}), -1);
	node_complete(state, 17);
	CHECK_INT(arrive(state, (int64_t[]){1}), 17);
}

static void learning(struct node_state *state)
{
	struct node_job job = {.id = -1, .profile = {.slices = 4, .launches = 1, .slice_ns = {1}}};
	int slot;

	make_node(state, 1);
	set_policy(state, "baseline");
	state->rules.alpha_ppm = 500000;
	job.kernel = node_kernel_find(state, "gemm 4096");
	CHECK_INT(node_kernel_find(state, "gemm 8192"), 1);
	CHECK_INT(node_kernel_find(state, "gemm 4096"), 0);
	slot = node_arrive(state, &job);
	node_observe(state, slot, 0, 1, 1000);
	CHECK_INT(state->kernels[0].slice_ns[0], 1000);
	node_observe(state, slot, 0, 1, 2000);
	CHECK_INT(state->kernels[0].slice_ns[0], 1500);
	node_observe(state, slot, 0, 2, 2000);
	CHECK_INT(state->kernels[0].slice_ns[0], 1875);
}

/* A state as it may come about: jobs that start, switch, end; each decision is checked. */
static void step(struct node_state *state, struct rng *rng, const struct node_policy *policy)
{
	struct err err;
	int64_t slice_ns[NODE_DEVICES];

	state->now_ns += 10;
	if (state->njobs < 12 && rng_below(rng, 3) > 0) {
		for (int d = 0; d < state->ndevices; d++)
			slice_ns[d] = (int64_t)rng_below(rng, 40);
		slice_ns[rng_below(rng, (uint64_t)state->ndevices)] = 20;
		arrive(state, slice_ns);
	}
	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		struct node_job *job = &state->jobs[slot];

		if (job->phase == NODE_INIT)
			job->phase = NODE_RUNNING;
		else if (job->phase == NODE_RUNNING && rng_below(rng, 2) == 0)
			job->left -= job->left > 0;
		if (job->phase == NODE_RUNNING && job->left == 0)
			node_complete(state, slot);
		else if (node_is_changed(state, slot) && rng_below(rng, 2) == 0) {
			job->phase = NODE_SWITCHING;
			node_release(state, slot,
				     state->rules.release_changed ? job->held & ~job->assigned
								  : job->held);
		}
	}
	if (node_decide(state, policy, &err) != 0) {
		printf("%s: %s\n", policy->entry.name, err.msg);
		CHECK(false);
	}
	for (int at = 0; at < state->njobs; at++) {
		const struct node_job *job = &state->jobs[state->order[at]];

		if ((job->phase == NODE_WAITING || job->phase == NODE_SWITCHING) &&
		    node_may_take(state, state->order[at]))
			node_take(state, state->order[at]);
	}
}

/* nsteps: of all policies, numbers of devices and ways of release together */
static void invariants(struct node_state *state, int64_t nsteps)
{
	int64_t nkinds = (int64_t)node_policies.n * 5 * 2;

	for (int i = 0; i < node_policies.n; i++)
		for (int ndevices = 1; ndevices <= 9; ndevices += 2)
			for (int changed = 0; changed < 2; changed++) {
				struct rng rng =
					rng_make(1, "node", node_policies.entries[i]->name, NULL);
				const struct node_policy *policy;

				make_node(state, ndevices);
				state->rules.release_changed = changed;
				policy = set_policy(state, node_policies.entries[i]->example);
				for (int64_t n = 0; n <= nsteps / nkinds; n++)
					step(state, &rng, policy);
			}
}

/* The bytes of a state go to another process, which has them elsewhere: it decides the same. */
static void two_processes(struct node_state *state)
{
	size_t size = sizeof(*state) + sizeof(struct node_assignment);
	char *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct node_assignment *theirs =
				       (struct node_assignment *)(void *)(shared + sizeof(*state)),
			       mine;
	struct rng rng = rng_make(1, "processes", NULL, NULL);
	const struct node_policy *policy;

	make_node(state, 3);
	policy = set_policy(state, "elastic:contract=arrival");
	for (int n = 0; n < 200; n++) {
		int status;
		pid_t child;

		step(state, &rng, policy);
		arrive(state, (int64_t[]){5, 6, 7});
		for (int at = 0; at < state->njobs; at++)
			mine.devices[state->order[at]] = theirs->devices[state->order[at]] =
				state->jobs[state->order[at]].assigned;
		memcpy(shared, state, sizeof(*state));
		child = fork();
		if (child == 0) {
			struct node_state *copy = mmap(NULL, sizeof(*copy), PROT_READ | PROT_WRITE,
						       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			memcpy(copy, shared, sizeof(*copy));
			memset(shared, 0xff, sizeof(*copy));
			node_policy_of(copy)->decide(copy, theirs);
			_exit(copy == state);
		}
		waitpid(child, &status, 0);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		policy->decide(state, &mine);
		for (int at = 0; at < state->njobs; at++)
			CHECK_INT(theirs->devices[state->order[at]],
				  mine.devices[state->order[at]]);
	}
	munmap(shared, size);
}

/* node_state [STEPS]: so many random states in all, instead of some ten thousand */
int main(int argc, char **argv)
{
	struct node_state *state = calloc(1, sizeof(*state));
	int64_t nsteps = 60000;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &nsteps) != 0)
		return 2;
	broken_states(state);
	broken_decisions(state);
	full(state);
	learning(state);
	invariants(state, nsteps);
	two_processes(state);
	free(state);
	return check_done();
}
