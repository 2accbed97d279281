/* heat.h - what routers and cables carried, for drawings of a machine */
#ifndef MACHINE_EXPORT_HEAT_H
#define MACHINE_EXPORT_HEAT_H

#include "base/names.h"
#include "model/topo.h"

/* A figure of each router: the mean over the windows of a traffic table, or one window of it. */
struct router_heat {
	double *of; /* [nrouters] NAN: no sample; NULL: no table was given */
	double most;
	const char *unit;
};

/* A figure of each two routers that cables join: the greatest of all their channels. */
struct link_heat {
	struct map ids; /* "policy\ta\tb", a < b → place in of */
	VEC(double) of;
	double most;
	const char *what, *unit; /* "utilization" and ""; NULL: no table was given */
	bool has_policy;
};

/* time_ns: the newest window that ended by then; INT64_MIN: the mean of all. 1: it
 * was truncated. */
int router_heat_read(struct router_heat *heat, const struct topo *topo, const char *path,
		     int64_t time_ns, bool accepts_partial, struct err *err);
void router_heat_free(struct router_heat *heat);

/* 1: the table was truncated. */
int link_heat_read(struct link_heat *heat, const struct topo *topo, const char *path,
		   bool accepts_partial, struct err *err);
/* Of two routers, and of a policy where the table has several; NAN: not there. */
double link_heat_of(const struct link_heat *heat, const char *policy, int a, int b);
void link_heat_free(struct link_heat *heat);

#endif
