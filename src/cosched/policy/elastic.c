/* elastic.c - the best set of what is free, and a better one as devices become free */
#include "cosched/policy/choice.h"

static void set(const struct pick *pick, struct node_rules *rules)
{
	choice_set(pick, rules);
	rules->contract = pick_is(pick, "contract", "arrival");
	rules->max_devices = (int32_t)pick_int(pick, "max");
}

const struct node_policy node_policy_elastic = {
	.entry =
		{
			.name = "elastic",
			.example = "elastic:contract=arrival",
			.summary = "jobs share their work among all devices that make them faster",
			.paper = "Khetawat, dissertation, §4.3.3",
			.params =
				(const struct param[]){
					{.key = "max",
					 .type = PARAM_INT,
					 .min = 0,
					 .max = NODE_DEVICES,
					 .def = "0",
					 .meaning = "most devices of one job; 0: any number"},
					CHOICE_START_LIMIT,
					CHOICE_GAIN,
					CHOICE_FIRST,
					CHOICE_CONTRACT,
					{0}},
		},
	.promise = PROMISE_FIFO,
	.set = set,
	.decide = choice_greedy,
};
