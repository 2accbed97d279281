/* rdg.c - random groups: all idle nodes of a group that is drawn, until the job has enough */
#include <stdlib.h>

#include "place/policy/random_domains.h"

static int rdg_open(struct alloc *alloc, struct err *err)
{
	return random_domains_open(alloc, true, "rdg", err);
}

const struct alloc_policy alloc_policy_rdg = {
	.entry =
		{
			.name = "rdg",
			.example = "rdg",
			.summary = "random groups (with replacement): all idle nodes of "
				   "each, in label order, until the job has enough",
			.paper = "Zhang et al., Level-Spread, §IV",
		},
	.open = rdg_open,
	.close = random_domains_close,
	.choose = random_domains_choose,
};
