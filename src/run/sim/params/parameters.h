/* parameters.h - the table of parameters, for the files that fill it */
#ifndef SIM_PARAMS_PARAMETERS_H
#define SIM_PARAMS_PARAMETERS_H

#include "sim/params/params.h"

#define SIM_PS_MOST 9e3 /* s: as picoseconds far within an int64_t */

static inline int64_t sim_to_ps(double seconds)
{
	return (int64_t)(seconds * 1e12 + .5);
}

extern const struct entry sim_parameters_entry; /* its params are the rows */

/* The value of a row, checked. */
int sim_parameter_keep(struct sim_params *kept, int row, const struct value *value,
		       struct err *err);

/* What is missing for a row to change anything: the parameter that it acts with, as its `with`
 * says, or "storage"; NULL: it acts. */
const char *sim_parameter_lacks(const struct sim_params *kept, const struct sim_params *defaults,
				bool has_storage, int row);

#endif
