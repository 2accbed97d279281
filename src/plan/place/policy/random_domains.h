/* random_domains.h - drawing routers or groups, and taking all that is idle there */
#ifndef PLACE_POLICY_RANDOM_DOMAINS_H
#define PLACE_POLICY_RANDOM_DOMAINS_H

#include "place/policy/policy.h"

/* Groups, which the machine must have, or routers. purpose names the random numbers. */
int random_domains_open(struct alloc *alloc, bool groups, const char *purpose, struct err *err);
void random_domains_close(struct alloc *alloc);
int random_domains_choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
			  struct buf *reason, struct err *err);

#endif
