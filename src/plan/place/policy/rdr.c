/* rdr.c - random routers: all idle nodes of a router that is drawn, until the job has enough */
#include <stdlib.h>

#include "place/policy/random_domains.h"

static int rdr_open(struct alloc *alloc, struct err *err)
{
	return random_domains_open(alloc, false, "rdr", err);
}

const struct alloc_policy alloc_policy_rdr = {
	.entry =
		{
			.name = "rdr",
			.example = "rdr",
			.summary = "random routers (with replacement): all idle nodes of "
				   "each, in label order, until the job has enough",
			.paper = "Zhang et al., Level-Spread, §IV",
		},
	.open = rdr_open,
	.close = random_domains_close,
	.choose = random_domains_choose,
};
