/* greedy_up.c - the best device that is free, and a better one when it becomes free */
#include "cosched/policy/choice.h"

static void set(const struct pick *pick, struct node_rules *rules)
{
	choice_set(pick, rules);
	rules->max_devices = 1;
}

const struct node_policy node_policy_greedy_up = {
	.entry =
		{
			.name = "greedy-up",
			.example = "greedy-up:gain=0.05",
			.summary = "jobs start on the best free device and migrate to a better one",
			.paper = "Khetawat, dissertation, §4.3.3",
			.params =
				(const struct param[]){
					CHOICE_START_LIMIT, CHOICE_GAIN, CHOICE_FIRST, {0}},
		},
	.promise = PROMISE_FIFO,
	.set = set,
	.decide = choice_greedy,
};
