/* pattern_file.c - the files that patterns name */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"
#include "formats/named.h"

char *pattern_file(const struct pattern_part *part, const char *param, struct err *err)
{
	const struct pattern_job *job = part->job;
	char *path = named_path(pick_word(part->pick, param), job->folder);

	if (!job->is_from_stream)
		return path;
	if (named_is_regular(path, err) == 0) {
		if (named_is_below(path, job->folder, job->allowed, job->nallowed))
			return path;
		err_set(err,
			"%s: is neither below the folder of the jobs nor in one of --allow-paths",
			path);
	}
	free(path);
	return NULL;
}

int pattern_open_file(struct pattern_part *part,
		      int (*load)(struct pattern_part *part, const char *path, struct err *err),
		      struct err *err)
{
	char *path = pattern_file(part, "path", err);
	int status;

	if (path == NULL)
		return -1;
	status = load(part, path, err);
	free(path);
	if (status != 0)
		part->pattern->close(part);
	return status;
}
