/* listing.c - texts that importers read line by line, and the machine that is built of them */
#include "machine/import/listing.h"

#include <string.h>

#include "model/topo_build.h"

static int read_file(struct listing *listing, const char *path, listing_line_fn *read_line,
		     void *context, struct err *err)
{
	char *line;
	int status;

	if (in_open(&listing->in, path, err) != 0)
		return -1;
	listing->file =
		arena_strndup(&listing->arena, in_name(listing->in), strlen(in_name(listing->in)));
	while ((status = in_line(listing->in, &line, NULL, err)) == 1)
		if (read_line(context, line, err) != 0) {
			status = -1;
			break;
		}
	in_close(listing->in);
	return status;
}

int listing_read(struct listing *listing, const struct topo_import *from, listing_line_fn *line,
		 void *context, struct err *err)
{
	char *const *paths = in_paths(from->paths);
	int status = 0;

	for (; *paths != NULL && status == 0; paths++)
		status = read_file(listing, *paths, line, context, err);
	return status;
}

int listing_build(struct topo **topo, const struct topo_import *from, listing_build_fn *add,
		  void *context, struct err *err)
{
	struct topo_build *build;
	char name[TOPO_NAME];

	topo_import_name(from, name);
	build = topo_build_new(name);
	topo_build_cores(build, (int)pick_int(from->pick, "cores"));
	if (add(context, build, from, err) != 0) {
		topo_build_free(build);
		return -1;
	}
	return topo_build_finish(topo, build, err);
}
