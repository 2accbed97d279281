/* hwloc_read.h - what hwloc's XML says about one host: its objects and how they nest */
#ifndef MACHINE_IMPORT_HWLOC_READ_H
#define MACHINE_IMPORT_HWLOC_READ_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/topo_inside.h"

/* A part of the host that has processors: Machine, Package, L3Cache, Core, PU, … (hwloc 1 has
 * Socket for Package); devices and memory that hangs aside are left out. */
struct hwloc_object {
	const char *type; /* "L3Cache" */
	int parent;       /* -1: none */
	int number;       /* among those of its type, as they come */
};

struct hwloc_host {
	/* The file's name up to its first dot, as HostName has been seen to be another host's; of
	 * standard input HostName, or "host". */
	const char *name;
	VEC(struct hwloc_object) objects; /* a parent comes before its children */
	int ncores;                       /* of the whole host; PUs where no cores are listed */
	bool is_part; /* taken inside a job: the objects are only those that the job had */
	/* How the cores nest; no levels: all are alike, or it is unknown. Parts that differ count
	 * as cores side by side. */
	struct topo_inside inside;
	struct arena arena;
};

/*
 * Reads what lstopo wrote as XML, or a difference to another host (topologydiff), which is read
 * from the file beside it. A listing made inside a job's cgroup shows the job's processors only,
 * but of the whole host it says the PUs (complete_cpuset), from which ncores is found. Refused is
 * what is no such XML, with FILE:LINE.
 */
int hwloc_read(struct hwloc_host *host, const char *path, struct err *err);
void hwloc_free(struct hwloc_host *host);

bool hwloc_is(const struct hwloc_object *object, const char *type);

/* Cores of the host of that name, and how they nest, from FOLDER/NAME.xml or FOLDER/NAME.diff.xml.
 * 1; 0: there is no such file; -1. */
int hwloc_cores(const char *folder, const char *name, int *ncores, struct topo_inside *inside,
		struct err *err);

#endif
