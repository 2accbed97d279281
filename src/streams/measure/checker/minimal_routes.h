/* minimal_routes.h - checks of what is to be as small as it can be on the machine without jobs */
#ifndef MEASURE_CHECKER_MINIMAL_ROUTES_H
#define MEASURE_CHECKER_MINIMAL_ROUTES_H

#include "measure/checker/least.h"

void minimal_open(struct checker *checker, enum least_of measure);
void minimal_close(struct checker *checker);
enum verdict minimal_check(struct checker *checker, const struct region *region,
			   struct buf *witness);

/* How long allocate searches: nothing to a check. */
#define EFFORT_IGNORED_PARAM                                                                       \
	{                                                                                          \
		.key = "effort", .type = PARAM_INT, .min = 1, .max = 1000000000, .def = "1000000", \
		.unit = "steps", .meaning = "for allocate; ignored by checks"                      \
	}

#define MINIMAL_PARAM                                                                              \
	{.key = "distance",                                                                        \
	 .type = PARAM_WORD,                                                                       \
	 .choices = "hops|routes",                                                                 \
	 .def = "hops",                                                                            \
	 .meaning = "distance of two nodes: the fewest links between their routers, or "           \
		    "the links of their minimal route (on dragonflies at most one global "         \
		    "link)"},                                                                      \
		EFFORT_IGNORED_PARAM

#endif
