/* cli_outputs.c - two outputs of one command never go to one file */
#include "base/cli_outputs.h"

#include "base/die.h"
#include "base/file.h"
#include "base/str.h"

/* Devices such as /dev/null take what several write. */
static bool is_one(const char *a, const char *b)
{
	if (str_starts(a, "/dev/") || str_starts(b, "/dev/"))
		return false;
	return str_eq(a, b) || (!str_eq(a, "-") && !str_eq(b, "-") && file_paths_same(a, b));
}

void cli_check_outputs(const struct tool *tool, const char *output)
{
	const char *names[16], *paths[16];
	int n = 0;

	if ((tool->common & CLI_NO_OUTPUT) == 0) {
		names[n] = "output";
		paths[n++] = output != NULL ? output : "-";
	}
	for (const struct option_def *option = tool->options; option->name != NULL; option++) {
		const char *path = option->is_output ? *(const char **)option->target : NULL;

		if (path == NULL || n == 16)
			continue;
		for (int i = 0; i < n; i++)
			if (is_one(paths[i], path))
				die("--%s: %s is where --%s goes already", option->name,
				    str_eq(path, "-") ? "standard output" : path, names[i]);
		names[n] = option->name;
		paths[n++] = path;
	}
}
