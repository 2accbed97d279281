/* overlay.h - what a drawing of a machine shows of other tables: jobs, traffic, loads of links */
#ifndef MACHINE_EXPORT_OVERLAY_H
#define MACHINE_EXPORT_OVERLAY_H

#include "machine/export/exporter.h"
#include "machine/export/heat.h"
#include "machine/export/placed.h"

struct overlay_paths {
	const char *jobs, *traffic, *links; /* NULL: not given */
	const char *at;                     /* a time, as text; NULL: not given */
	bool accepts_partial;
};

struct overlay {
	struct placed placed;
	struct router_heat routers;
	struct link_heat links;
	struct topo_export how; /* points into the others */
	int ncut;               /* tables that were truncated */
};

/* Reads them for an exporter, and refuses what it does not draw. To be freed in any case. */
int overlay_read(struct overlay *overlay, const struct topo *topo,
		 const struct overlay_paths *paths, const struct pick *pick, struct err *err);
void overlay_free(struct overlay *overlay);

#endif
