/* exporter.h - machines in the forms that people and other programs read */
#ifndef MACHINE_EXPORT_EXPORTER_H
#define MACHINE_EXPORT_EXPORTER_H

#include "base/registry.h"
#include "formats/out.h"
#include "model/topo.h"

/* What topogen --to was told. */
struct topo_export {
	const struct pick *pick; /* of the exporter, with its parameters */
	/* --jobs FILE: the jobs that are placed; njobs 0: none was given. A node that several jobs
	 * of the table hold in turn shows the first. */
	int njobs;
	const char *const *job_names; /* [njobs], in the order of the table */
	const int *job_of;            /* [nnodes] index of its job, or -1; NULL without --jobs */
};

/* One file: src/machine/export/NAME.c ends in topo_exporter_NAME; one line in exporters.def. */
struct topo_exporter {
	struct entry entry;
	bool shows_jobs; /* whether --jobs changes what it writes */
	int (*write)(struct topo *topo, struct out *out, const struct topo_export *how,
		     struct err *err);
};

extern const struct registry topo_exporters; /* "exporters" */

#endif
