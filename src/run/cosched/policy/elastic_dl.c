/* elastic_dl.c - elastic, with a limit on the devices of a job */
#include "cosched/policy/choice.h"

const struct node_policy node_policy_elastic_dl = {
	.entry =
		{
			.name = "elastic-dl",
			.example = "elastic-dl:max=2",
			.summary =
				"as elastic, with at most two devices for a job (device limiting)",
			.paper = "Khetawat, dissertation, §4.3.3",
			.params = (const struct param[]){{.key = "max",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = NODE_DEVICES,
							  .def = "2",
							  .meaning = "most devices of one job"},
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
