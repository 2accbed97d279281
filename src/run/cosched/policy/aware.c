/* aware.c - elastic, and jobs change sets only where what remains of them gains by it */
#include "cosched/policy/choice.h"
#include "cosched/state/remaining.h"
#include "cosched/state/set_time.h"

static int64_t slice_ns(const struct node_state *state, const struct node_job *job, int device)
{
	(void)state;
	return job->profile.slice_ns[device];
}

static const struct choice_times times = {node_set_ns, node_remaining_ns, slice_ns};

/* Jobs that initialise can use no other device yet: they choose after the queue. */
static void decide(const struct node_state *state, struct node_assignment *assignment)
{
	struct choice choice = choice_begin(state, &times, assignment);

	if (state->rules.queue_first)
		choice_start(&choice);
	choice_improve(&choice, ~(1U << NODE_INIT));
	choice_start(&choice);
	choice_improve(&choice, 1U << NODE_INIT);
}

static void set(const struct pick *pick, struct node_rules *rules)
{
	choice_set(pick, rules);
	rules->max_devices = (int32_t)pick_int(pick, "max");
}

const struct node_policy node_policy_aware = {
	.entry =
		{
			.name = "aware",
			.example = "aware",
			.summary = "as elastic, but a job changes sets only if that saves more "
				   "time than it costs, initialisation included",
			.paper = "Khetawat, dissertation, §4.5.2, future work 2",
			.params = (const struct param[]){CHOICE_MAX("0"),
							 CHOICE_START_LIMIT,
							 CHOICE_GAIN,
							 CHOICE_FIRST,
							 {0}},
		},
	.promise = PROMISE_FIFO,
	.set = set,
	.decide = decide,
};
