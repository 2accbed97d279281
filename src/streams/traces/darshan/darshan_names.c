/* darshan_names.c - names of the files of records, and notes on modules */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "traces/darshan/darshan_priv.h"

void darshan_name(const struct darshan_log *log, uint64_t id, const char **file, const char **mount,
		  const char **fs)
{
	int64_t place;

	*file = "";
	*mount = *fs = "UNKNOWN";
	if (!umap_get(&log->name_of, id, &place))
		return;
	*file = log->names.at[place];
	for (size_t i = 0; i < log->mounts.n; i++)
		if (strncmp(*file, log->mounts.at[i].path, log->mounts.at[i].n) == 0) {
			*mount = log->mounts.at[i].path;
			*fs = log->mounts.at[i].fs;
			return;
		}
}

void darshan_note(const struct darshan_log *log, const char *fmt, const char *module)
{
	char text[512];
	int n = snprintf(text, sizeof(text), "%s: ", log->path);

	if (n > 0 && (size_t)n < sizeof(text))
		snprintf(text + n, sizeof(text) - (size_t)n, fmt, module);
	if (log->taker->note != NULL)
		log->taker->note(log->context, text);
}
