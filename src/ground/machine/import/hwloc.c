/* hwloc.c - a machine from hwloc's XML of hosts: their cores, or what nests in them */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/import/hwloc_read.h"
#include "machine/import/importer.h"
#include "base/die.h"
#include "formats/in.h"
#include "model/topo_build.h"

struct making {
	struct topo_build *build;
	const char *wanted; /* the type of the objects that are nodes; NULL: hosts are */
	int top;            /* the router above all hosts; -1: none */
	int tier;           /* "host" */
	const char *path;
};

static int blame(const struct making *making, const struct err *why, struct err *err)
{
	return err_set(err, "%s: %.900s", making->path, why->msg);
}

static int add_level(struct making *making, const char *type, struct err *err)
{
	char name[24];
	size_t n = 0;

	for (; n < sizeof(name) - 1 && type[n] != '\0'; n++)
		name[n] = (char)tolower((unsigned char)type[n]);
	return topo_build_level(making->build, name, n, err);
}

/* "miriel001-core3"; of the outermost object: the host's name. */
static int add_vertex(struct making *making, const struct hwloc_host *host, int i, bool is_node,
		      struct err *err)
{
	const struct hwloc_object *object = &host->objects.at[i];
	char host_name[TOPO_NAME], type[24];
	struct err why;
	char *name;
	size_t n = 0;
	int handle;

	if (topo_clean_name(host->name, strlen(host->name), host_name) == 0)
		return err_set(err, "%s: the host has no name", making->path);
	for (; n < sizeof(type) - 1 && object->type[n] != '\0'; n++)
		type[n] = (char)tolower((unsigned char)object->type[n]);
	type[n] = '\0';
	name = object->parent < 0 ? xstrdup(host_name)
				  : xasprintf("%s-%s%d", host_name, type, object->number);
	handle = is_node ? topo_build_node(making->build, name, strlen(name), &why)
			 : topo_build_router(making->build, name, strlen(name), &why);
	free(name);
	return handle < 0 ? blame(making, &why, err) : handle;
}

/* How many of the children of each object lead to nodes [objects]. */
static int *count_branches(const struct making *making, const struct hwloc_host *host)
{
	int *nbranches = xcalloc(host->objects.n + 1, sizeof(*nbranches));

	for (size_t i = host->objects.n; i-- > 1;) {
		const struct hwloc_object *object = &host->objects.at[i];

		if (hwloc_is(object, making->wanted) || nbranches[i] > 0)
			nbranches[object->parent]++;
	}
	return nbranches;
}

/* The nodes and routers of a host: a router where ways part, and for the host itself. */
static int add_objects(struct making *making, const struct hwloc_host *host, const int *nbranches,
		       int *handles, struct err *err)
{
	const struct hwloc_object *objects = host->objects.at;
	struct err why;

	for (int i = 0; i < (int)host->objects.n; i++) {
		bool is_node = i > 0 && hwloc_is(&objects[i], making->wanted);
		int up = objects[i].parent, level;

		handles[i] = -1;
		if (!is_node && i > 0 && nbranches[i] < 2)
			continue;
		handles[i] = add_vertex(making, host, i, is_node, err);
		if (handles[i] < 0)
			return -1;
		if (!is_node && making->tier > 0 &&
		    topo_build_domain(making->build, handles[i], making->tier, host->name,
				      strlen(host->name), &why) != 0)
			return blame(making, &why, err);
		while (up >= 0 && handles[up] < 0)
			up = objects[up].parent;
		if (up < 0)
			continue;
		level = is_node ? LINK_TERMINAL : add_level(making, objects[up].type, &why);
		if (level < 0 ||
		    topo_build_link(making->build, handles[i], handles[up], level, &why) != 0)
			return blame(making, &why, err);
	}
	return handles[0];
}

static int add_inside(struct making *making, const struct hwloc_host *host, struct err *err)
{
	int *nbranches, *handles, router, level;

	if (host->is_part)
		return err_set(err,
			       "%s: the listing was made inside a job and shows the processors of "
			       "the job only: for nodes=hosts it will do",
			       making->path);
	nbranches = count_branches(making, host);
	handles = xmalloc((host->objects.n + 1) * sizeof(*handles));
	router = nbranches[0] > 0 ? add_objects(making, host, nbranches, handles, err)
				  : err_set(err, "%s: it has no %s", making->path, making->wanted);
	free(nbranches);
	free(handles);
	if (router < 0 || making->top < 0)
		return router < 0 ? -1 : 0;
	level = topo_build_level(making->build, "network", strlen("network"), err);
	return level < 0 ? -1 : topo_build_link(making->build, router, making->top, level, err);
}

static int add_host(struct making *making, const struct hwloc_host *host, struct err *err)
{
	struct err why;
	int node;

	if (making->wanted != NULL)
		return add_inside(making, host, err);
	if (host->is_part)
		say("%s: made inside a job; the host's %d cores are found by its complete_cpuset",
		    making->path, host->ncores);
	node = add_vertex(making, host, 0, true, err);
	if (node < 0)
		return -1;
	topo_build_node_cores(making->build, node, host->ncores);
	if (host->inside.nlevels > 0)
		topo_build_node_nest(making->build, node, &host->inside);
	if (topo_build_link(making->build, node, making->top, LINK_TERMINAL, &why) != 0)
		return blame(making, &why, err);
	return 0;
}

static int add_files(struct making *making, char *const *paths, struct err *err)
{
	for (; *paths != NULL; paths++) {
		struct hwloc_host host;
		int status;

		making->path = str_eq(*paths, "-") ? "standard input" : *paths;
		if (hwloc_read(&host, *paths, err) != 0)
			return -1;
		status = add_host(making, &host, err);
		hwloc_free(&host);
		if (status != 0)
			return -1;
	}
	return 0;
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	char *const *paths = in_paths(from->paths);
	struct making making = {.top = -1};
	char name[TOPO_NAME];
	int status = 0;

	if (pick_is(from->pick, "nodes", "packages"))
		making.wanted = "Package";
	if (pick_is(from->pick, "nodes", "cores"))
		making.wanted = "Core";
	if (pick_is(from->pick, "nodes", "pus"))
		making.wanted = "PU";
	topo_import_name(from, name);
	making.build = topo_build_new(name);
	if (making.wanted == NULL || paths[1] != NULL) {
		making.top = topo_build_router(making.build, "network", strlen("network"), err);
		if (making.wanted != NULL)
			making.tier = topo_build_tier(making.build, "host", strlen("host"), err);
		status = making.top < 0 || making.tier < 0 ? -1 : 0;
	}
	if (status == 0)
		status = add_files(&making, paths, err);
	if (status == 0)
		return topo_build_finish(topo, making.build, err);
	topo_build_free(making.build);
	return -1;
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_WORD,
	 .def = "hosts",
	 .choices = "hosts|packages|cores|pus",
	 .meaning =
		 "hosts: each file is a node with its cores, all at one switch, as hwloc knows of "
		 "no network; else the packages, cores or hardware threads of the hosts are the "
		 "nodes, and what they share (a cache, a package, the host) are routers"},
	{.key = NULL},
};

const struct topo_importer topo_importer_hwloc = {
	.entry =
		{
			.name = "hwloc",
			.summary = "hosts from hwloc's XML (lstopo --of xml), or differences to it",
			.example = "hwloc",
			.params = params,
		},
	.read = read,
};
