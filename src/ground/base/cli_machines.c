/* cli_machines.c - --list=machines: the machines that come with placetools */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_doc.h"
#include "base/mem.h"
#include "base/share.h"
#include "base/str.h"

static int is_machine(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && str_ends(entry->d_name, ".yaml");
}

/* What the comment at the beginning of the file says: until the first line without # that follows
 * it. */
static void read_comment(const char *path, struct buf *text)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	while (file != NULL && (n = getline(&line, &size, file)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (line[0] != '#' && !str_starts(line, "placetools:"))
			break;
		if (line[0] == '#')
			buf_printf(text, "%s%s", text->n > 0 ? " " : "", str_trim(line + 1));
	}
	free(line);
	if (file != NULL)
		fclose(file);
}

static void print_machine(const char *folder, const char *name, FILE *out)
{
	char *path = xasprintf("%s/%s", folder, name);
	struct buf text = {0};

	fprintf(out, "  @%.*s\n", (int)(strlen(name) - strlen(".yaml")), name);
	read_comment(path, &text);
	if (text.n > 0)
		cli_print_wrapped(out, text.text);
	buf_free(&text);
	free(path);
}

int cli_print_machines(FILE *out)
{
	char *folder = share_find("machines");
	struct dirent **entries;
	int n = folder != NULL ? scandir(folder, &entries, is_machine, alphasort) : -1;

	if (n < 0) {
		free(folder);
		return -1;
	}
	fprintf(out, "machines (for -t):\n");
	for (int i = 0; i < n; i++) {
		print_machine(folder, entries[i]->d_name, out);
		free(entries[i]);
	}
	free(entries);
	free(folder);
	return 0;
}
