/* named.c - files that a stream names: its author may be somebody else than who reads it */
#include "formats/named.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/str.h"

char *named_path(const char *name, const char *folder)
{
	if (name[0] == '/' || folder[0] == '\0')
		return xstrdup(name);
	return xasprintf("%s%s%s", folder, str_ends(folder, "/") ? "" : "/", name);
}

int named_is_regular(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err,
			       "%s: is not a regular file, and nothing else is "
			       "opened because a stream names it",
			       path);
	return st.st_size > 0 ? 0 : err_set(err, "%s: is empty", path);
}

bool named_is_below(const char *path, const char *folder, const char *const *allowed, int nallowed)
{
	char *real = realpath(path, NULL);
	bool is_below = false;

	for (int i = -1; i < nallowed && real != NULL && !is_below; i++) {
		const char *top = i >= 0 ? allowed[i] : *folder != '\0' ? folder : ".";
		char *above = realpath(top, NULL);
		size_t n = above != NULL ? strlen(above) : 0;

		if (n > 0 && above[n - 1] == '/') /* the root */
			n--;
		is_below = above != NULL && strncmp(real, above, n) == 0 && real[n] == '/';
		free(above);
	}
	free(real);
	return is_below;
}
