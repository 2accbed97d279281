/* exporter.h - machines in the forms that people and other programs read */
#ifndef MACHINE_EXPORT_EXPORTER_H
#define MACHINE_EXPORT_EXPORTER_H

#include "base/registry.h"
#include "formats/out.h"
#include "model/topo.h"

struct router_heat;
struct link_heat;

/* The jobs of one run and policy. */
struct topo_export_panel {
	const char *run, *policy; /* "." where the table has none */
	int njobs;
	const char *const *job_names; /* [njobs], in the order of the table */
	const int *job_of;            /* [nnodes] index of its job, or -1 */
};

/* The options of topogen --to. */
struct topo_export {
	const struct pick *pick; /* of the exporter, with its parameters */
	/* --jobs FILE: the jobs that are placed; NULL: none was given. A node that several jobs of
	 * a panel hold in turn shows the first. */
	const struct topo_export_panel *panels; /* [npanels] */
	int npanels;
	const struct router_heat *routers; /* --traffic; NULL: not given */
	const struct link_heat *links;     /* --links; NULL: not given */
};

/* One file: src/ground/machine/export/NAME.c ends in topo_exporter_NAME; one line in exporters.def.
 */
struct topo_exporter {
	struct entry entry;
	bool shows_jobs;   /* whether --jobs changes what it writes */
	bool draws_panels; /* and heat: else one panel is the most, and heat is refused */
	int (*write)(struct topo *topo, struct out *out, const struct topo_export *how,
		     struct err *err);
};

extern const struct registry topo_exporters; /* "exporters" */

#endif
