/* share.c - the data files that come with the tools */
#include "base/share.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#ifndef PLACETOOLS_SHARE
#error "PLACETOOLS_SHARE comes from the Makefile"
#endif

/* FOLDER BELOW/RELATIVE when it can be read, to be freed; else NULL. */
static char *look(const char *folder, const char *below, const char *relative)
{
	char *path = xasprintf("%s%s/%s", folder, below, relative);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

int share_program_folder(char *path, size_t size, int up)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n <= 0)
		return -1;
	path[n] = '\0';
	for (; up >= 0; up--) {
		char *slash = strrchr(path, '/');

		if (slash == NULL)
			return -1;
		*slash = '\0';
	}
	return 0;
}

char *share_find(const char *relative)
{
	const char *chosen = getenv("PLACETOOLS_SHARE");
	char folder[4096], *path;

	if (chosen != NULL && *chosen != '\0')
		return look(chosen, "", relative);
	if (share_program_folder(folder, sizeof(folder), 1) == 0) {
		if ((path = look(folder, "/share/placetools", relative)) != NULL)
			return path;
		if ((path = look(folder, "/share", relative)) != NULL)
			return path;
	}
	return look(PLACETOOLS_SHARE, "", relative);
}

void share_near(struct near_name *near, const char *folder)
{
	char *path = share_find(folder), name[NEAR_NAME];
	DIR *entries = path != NULL ? opendir(path) : NULL;
	const struct dirent *entry;

	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		int n = (int)strlen(entry->d_name) - (int)strlen(".yaml");

		if (n <= 0 || n > NEAR_NAME - 2 || strcmp(entry->d_name + n, ".yaml") != 0)
			continue;
		n = snprintf(name, sizeof(name), "@%.*s", n, entry->d_name);
		near_try(near, name, (size_t)n);
	}
	if (entries != NULL)
		closedir(entries);
	free(path);
}

char *share_named(const char *folder, const char *ref, struct err *err)
{
	char *name = xasprintf("%s/%.200s.yaml", folder, ref + 1);
	char *path = strchr(ref, '/') == NULL && ref[1] != '\0' ? share_find(name) : NULL;
	struct near_name near;

	if (path == NULL) {
		near_begin(&near, ref);
		share_near(&near, folder);
		if (ref[1] == '\0')
			err_set(err, "'@' needs a name of share/%s", folder);
		else if (strchr(ref, '/') != NULL)
			err_set(err, "'%.200s' is not a name of share/%s", ref, folder);
		else
			err_set(err, "'%.200s': there is no share/%s%s", ref, name,
				near_hint(&near));
	}
	free(name);
	return path;
}
