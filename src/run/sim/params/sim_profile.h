/* sim_profile.h - a set of parameters that has a name: a YAML file */
#ifndef SIM_PARAMS_SIM_PROFILE_H
#define SIM_PARAMS_SIM_PROFILE_H

#include "base/err.h"
#include "base/mem.h"
#include "formats/yaml.h"

struct sim_profile_level {
	const char *name, *bandwidth, *latency; /* the latter as written, or NULL */
};

/* Everything in it is text of the file, which stays open with it. */
struct sim_profile {
	struct yaml_file *file;
	VEC(const char *) keys, texts; /* parameters; the same n */
	VEC(struct sim_profile_level) levels;
	const struct yaml *routing;  /* a scalar, or a mapping from kinds of network */
	const struct yaml *routings; /* of the parameters of routings, by name; or NULL */
	bool is_stronger;            /* than what the topology file says */
};

/* text: a pick of sim_profiles: sst, file:path=mine.yaml */
int sim_profile_open(struct sim_profile *profile, const char *text, struct err *err);
void sim_profile_close(struct sim_profile *profile);
/* The routing for a family of networks ("dragonfly"; or NULL), or NULL. */
const char *sim_profile_routing(const struct sim_profile *profile, const char *family);

/* The routing that text names, with the profile's parameters where it gives none; to be freed.
 * NULL: text is no routing. */
char *sim_profile_refine(const struct sim_profile *profile, const char *text, struct err *err);

#endif
