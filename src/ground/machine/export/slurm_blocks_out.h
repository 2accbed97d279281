/* slurm_blocks_out.h - the blocks of a machine as Slurm wants them */
#ifndef MACHINE_EXPORT_SLURM_BLOCKS_OUT_H
#define MACHINE_EXPORT_SLURM_BLOCKS_OUT_H

#include "base/registry.h"
#include "formats/out.h"
#include "model/hierarchy.h"

/* Whether the network shows no more than the blocks do: each is one router of its name. */
bool slurm_blocks_are_routers(const struct level_ref *ref);

/* topology.conf, or a topology of topology.yaml with that name. Refuses names and sizes that Slurm
 * does not take. */
int slurm_blocks_conf(const struct level_ref *ref, struct out *out, struct err *err);
int slurm_blocks_yaml(const struct level_ref *ref, struct out *out, const char *name,
		      bool is_default, struct err *err);

/* as=tree|blocks of both exporters. */
extern const struct param slurm_out_params[];

#endif
