/* parameters.h - the table of parameters, for the files that fill it */
#ifndef SIM_PARAMS_PARAMETERS_H
#define SIM_PARAMS_PARAMETERS_H

#include "sim/params/params.h"

#define SIM_PS_MOST 9e3 /* s: as picoseconds far within an int64_t */

static inline int64_t sim_to_ps(double seconds)
{
	return (int64_t)(seconds * 1e12 + .5);
}

/* Of struct nccl_settings, in its order. */
#define NCCL_PARAMS                                                                                   \
	{.key = "nccl-algorithm",                                                                     \
	 .type = PARAM_WORD,                                                                          \
	 .choices = "auto|ring|tree|nvls|hierarchical",                                               \
	 .def = "auto",                                                                               \
	 .meaning =                                                                                   \
		 "of an allreduce, as NCCL_ALGO says it; auto: the one of ring, tree and, with "      \
		 "nvls=yes, nvls that is expected to take least",                                     \
	 .with = "collectives=nccl"},                                                                 \
		{.key = "nccl-protocol",                                                              \
		 .type = PARAM_WORD,                                                                  \
		 .choices = "auto|ll|ll128|simple",                                                   \
		 .def = "auto",                                                                       \
		 .meaning = "as NCCL_PROTO says it; auto: the one that is expected to take least",    \
		 .with = "collectives=nccl"},                                                         \
		{.key = "nccl-channels",                                                              \
		 .type = PARAM_INT,                                                                   \
		 .min = 0,                                                                            \
		 .max = 1024,                                                                         \
		 .def = "0",                                                                          \
		 .meaning =                                                                           \
			 "rings of an operation on several domains; 0: as many as a domain has GPUs", \
		 .with = "collectives=nccl"},                                                         \
	{                                                                                             \
		.key = "nvls", .type = PARAM_BOOL, .def = "no",                                       \
		.meaning = "the switches of NVLink domains add up what GPUs send",                    \
		.with = "collectives=nccl"                                                            \
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
