/* traffic_order.h - the nodes of a machine in the order of what their routers carry */
#ifndef PLACE_POLICY_TRAFFIC_ORDER_H
#define PLACE_POLICY_TRAFFIC_ORDER_H

#include "place/policy/policy.h"
#include "place/state/idle_order.h"

/*
 * Nodes by (value of their router, label), made once for each window of traffic. Routers without a
 * sample are at one end together. Ties go to the lowest label.
 */
struct traffic_order {
	const struct traffic_window *window; /* what the order was made from; NULL: not made yet */
	int *nodes;                          /* [nnodes] */
	int first_sampled, nsampled;         /* where the nodes of routers with samples are */
	struct idle_order idle;
};

void traffic_order_free(struct traffic_order *order);
/* value [nrouters]: traffic or stall of the window; NAN is no sample. */
void traffic_order_make(struct traffic_order *order, struct machine *machine,
			const struct traffic_window *window, const double *value, bool descending,
			bool unsampled_first);
/* Takes idle nodes from the beginning of this order on. */
void traffic_order_take(const struct traffic_order *order, const struct alloc_request *request,
			int_vec *nodes);
/*
 * Takes consecutive idle nodes among those with samples, from part (0 … 1) of the way on: 0 are the
 * first ones, 1 the last ones. Those without samples come before (unsampled=first) or when the
 * others do not suffice.
 */
void traffic_order_take_part(const struct traffic_order *order, const struct alloc_request *request,
			     double part, int_vec *nodes);

/* The parameters that all policies with such an order have. */
#define PARAMS_OF_TRAFFIC                                                                          \
	{.key = "unsampled",                                                                       \
	 .type = PARAM_WORD,                                                                       \
	 .choices = "first|last",                                                                  \
	 .def = "last",                                                                            \
	 .meaning = "position of nodes whose routers have no sample"},                             \
	{                                                                                          \
		.key = "max-age", .type = PARAM_DURATION, .unit = "s", .optional = true,           \
		.meaning = "older windows of traffic are not used: jobs wait for a newer one. "    \
			   "Default: a hundred windows, an hour at least"                          \
	}

/*
 * For policies with one order: state is a struct traffic_order. choose takes the first idle nodes
 * by traffic or by stalls, or the last ones.
 */
enum traffic_order_by { BY_TRAFFIC, BY_TRAFFIC_DESCENDING, BY_STALL };
int traffic_order_choose(struct alloc *alloc, const struct alloc_request *request,
			 enum traffic_order_by by, int_vec *nodes, struct buf *reason);
int traffic_order_open(struct alloc *alloc, struct err *err);
void traffic_order_close(struct alloc *alloc);
/* Says that no window has ended yet, or none of late; returns 0. */
int traffic_order_none(const struct alloc_request *request, struct buf *reason);
/* Says so where no router of the nodes has a sample; value as traffic_order_make's. */
void traffic_order_tell(const struct alloc_request *request, const double *value,
			const int_vec *nodes, struct buf *reason);

#endif
