/* best_fit.c - the job that a free device suits best, in whatever order jobs came */
#include <math.h>

#include "cosched/policy/choice.h"

/* A waiting job on the best set of what is free. */
struct offer {
	int slot; /* -1: none */
	uint32_t set;
	int64_t ns, best_ns; /* T on the set, and on the job's best device */
};

/* Whether a suits better: T of its best device over T of the set. */
static bool suits_better(const struct offer *a, const struct offer *b)
{
	return b->slot < 0 || (__int128)a->best_ns * b->ns > (__int128)b->best_ns * a->ns;
}

static bool has_aged(const struct node_state *state, int slot)
{
	return state->now_ns - state->jobs[slot].arrival_ns >= state->rules.age_ns;
}

/* The next job to start. A job that has aged is not overtaken: while it finds nothing, no later one
 * starts. */
static struct offer choose(const struct choice *choice)
{
	const struct node_state *state = choice->state;
	struct offer best = {.slot = -1};

	for (int at = 0; at < state->njobs; at++) {
		struct offer offer = {.slot = state->order[at]};
		bool aged = has_aged(state, offer.slot);

		if (state->jobs[offer.slot].phase != NODE_WAITING ||
		    choice->assignment->devices[offer.slot] != 0)
			continue;
		offer.set = choice_of_free(choice, offer.slot, &offer.ns);
		if (offer.set != 0 && choice_may_start(choice, offer.slot, offer.ns)) {
			offer.best_ns = choice_best_ns(choice, offer.slot);
			if (aged && best.slot < 0)
				return offer;
			if (suits_better(&offer, &best))
				best = offer;
		}
		if (aged)
			break;
	}
	return best;
}

static void decide(const struct node_state *state, struct node_assignment *assignment)
{
	struct choice choice = choice_begin(state, &choice_profiled, assignment);
	struct offer offer;

	if (!state->rules.queue_first)
		choice_improve(&choice, CHOICE_ALL_PHASES);
	while ((offer = choose(&choice)).slot >= 0)
		choice_give(&choice, offer.slot, offer.set);
	if (state->rules.queue_first)
		choice_improve(&choice, CHOICE_ALL_PHASES);
}

static void set(const struct pick *pick, struct node_rules *rules)
{
	choice_set(pick, rules);
	rules->max_devices = (int32_t)pick_int(pick, "max");
	rules->age_ns = llround(pick_real(pick, "age") * 1e9);
}

const struct node_policy node_policy_best_fit = {
	.entry =
		{
			.name = "best-fit",
			.example = "best-fit:age=10",
			.summary = "the waiting job that a free device suits best starts there; "
				   "jobs migrate as with greedy-up",
			.paper = "Khetawat, dissertation, §4.5.2, future work 1",
			.params =
				(const struct param[]){
					CHOICE_MAX("1"),
					CHOICE_START_LIMIT,
					CHOICE_GAIN,
					CHOICE_FIRST,
					{.key = "age",
					 .type = PARAM_REAL,
					 .min = 0,
					 .max = 1e9,
					 .def = "60",
					 .unit = "seconds",
					 .meaning = "a job that has waited as long is overtaken "
						    "no more"},
					{0}},
		},
	.promise = PROMISE_NONE,
	.set = set,
	.decide = decide,
};
