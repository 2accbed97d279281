/* elastic.c - the best set of what is free, and a better one as devices become free */
#include "cosched/policy/choice.h"

const struct node_policy node_policy_elastic = {
	.entry =
		{
			.name = "elastic",
			.example = "elastic:contract=arrival",
			.summary = "jobs share their work among all devices that make them faster",
			.paper = "Khetawat, dissertation, §4.3.3",
			.params = (const struct param[]){CHOICE_MAX("0"),
							 CHOICE_START_LIMIT,
							 CHOICE_GAIN,
							 CHOICE_FIRST,
							 CHOICE_CONTRACT,
							 {0}},
		},
	.promise = PROMISE_FIFO,
	.set = choice_set_all,
	.decide = choice_greedy,
};
