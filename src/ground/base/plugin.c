/* plugin.c - code that is loaded when it is needed */
#include "base/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/share.h"

/* FOLDER/BELOW/NAME.so when it is there, to be freed; else NULL. */
static char *look(const char *folder, const char *below, const char *name)
{
	char *path = xasprintf("%s/%s/%s.so", folder, below, name);

	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

const void *plugin_load(const char *name, const char *symbol, struct err *err)
{
	char beside[4096], above[4096], *path;
	const void *found = NULL;
	void *plugin;

	if (share_program_folder(beside, sizeof(beside), 0) != 0 ||
	    share_program_folder(above, sizeof(above), 1) != 0) {
		err_set(err, "the folder of this program is not known: is /proc mounted?");
		return NULL;
	}
	if ((path = look(beside, "plugins", name)) == NULL &&
	    (path = look(above, "lib/placetools", name)) == NULL) {
		err_set(err, "neither %s/plugins nor %s/lib/placetools has the plug-in %s.so",
			beside, above, name);
		return NULL;
	}
	/* global: libraries such as Open MPI load their own parts, which look for its symbols */
	if ((plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL)) == NULL)
		err_set(err, "%s", dlerror()); /* begins with the path of what is missing */
	else if ((found = dlsym(plugin, symbol)) == NULL)
		err_set(err, "%s: is not the plug-in that this program expects", path);
	free(path);
	return found;
}
