/* ldms.c - CSV as LDMS writes it: where its header is, and its names */
#include "formats/ldms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "formats/csv.h"

bool ldms_is_header(const char *line, size_t n)
{
	size_t at = 0;

	at += at < n && line[at] == '"';
	at += at < n && line[at] == '#';
	at += at < n && line[at] == '"';
	return n - at >= 4 && memcmp(line + at, "Time", 4) == 0;
}

int ldms_names(const char *line, size_t n, struct arena *arena, char ***result)
{
	int nnames = csv_split(line, n, arena, result);
	char **names = *result;

	for (int i = 0; i < nnames; i++) {
		names[i] = str_trim(names[i]);
		if (i == 0 && names[i][0] == '#') /* and before a quoted name: #"Time" */
			names[i] = str_trim(names[i] + 1);
		if (i == 0 && names[i][0] == '"') {
			names[i]++;
			names[i][strcspn(names[i], "\"")] = '\0';
		}
	}
	return nnames;
}

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

char *ldms_header_path(const char *path)
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
