/* header_file.c - where LDMS puts a header that is not in the data file */
#include "algo/traffic/header_file.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

/* prefix[n] ".HEADER" suffix, or that with .gz, if it can be read; else NULL. */
static char *try_name(const char *prefix, size_t n, const char *suffix)
{
	static const char *const endings[] = {"", ".gz"};

	for (int i = 0; i < 2; i++) {
		char *name = xasprintf("%.*s.HEADER%s%s", (int)n, prefix, suffix, endings[i]);

		if (access(name, R_OK) == 0)
			return name;
		free(name);
	}
	return NULL;
}

char *header_file_find(const char *path)
{
	char *plain = xstrdup(path), *found = NULL, *dot, *slash;
	size_t n = strlen(plain);

	if (str_ends(plain, ".gz"))
		plain[n -= 3] = '\0';
	slash = strrchr(plain, '/');
	dot = strrchr(slash != NULL ? slash : plain, '.');
	if (dot != NULL && dot[1] != '\0' && dot[1 + strspn(dot + 1, "0123456789")] == '\0') {
		found = try_name(plain, (size_t)(dot - plain), dot);
		if (found == NULL)
			found = try_name(plain, (size_t)(dot - plain), "");
	}
	if (found == NULL)
		found = try_name(plain, n, "");
	free(plain);
	return found;
}
