/* plugin.c - code that is loaded when it is needed */
#include "base/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/share.h"

char *plugin_find(const char *name, struct err *err)
{
	char above[4096], *path;

	if (share_program_folder(above, sizeof(above), 1) != 0) {
		err_set(err, "the folder of this program is not known: is /proc mounted?");
		return NULL;
	}
	path = xasprintf("%s/lib/placetools/%s.so", above, name);
	if (access(path, R_OK) == 0)
		return path;
	err_set(err, "%s is not there", path);
	free(path);
	return NULL;
}

const void *plugin_load(const char *name, const char *symbol, struct err *err)
{
	char *path = plugin_find(name, err);
	const void *found = NULL;
	void *plugin;

	if (path == NULL)
		return NULL;
	/* global: libraries such as Open MPI load their own parts, which look for its symbols */
	if ((plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL)) == NULL)
		err_set(err, "%s", dlerror()); /* begins with the path of what is missing */
	else if ((found = dlsym(plugin, symbol)) == NULL)
		err_set(err, "%s: is not the plug-in that this program expects", path);
	free(path);
	return found;
}
