/* table_unite.c - streams with different columns, read as one table with the columns of all */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "formats/table_priv.h"

/* The columns seen so far. */
struct united {
	VEC(char *) names;
	struct map seen;
	struct arena arena;
};

static void add_line(struct united *united, const char *line)
{
	for (const char *p = line;; p++) {
		size_t n = strcspn(p, "\t");
		char *name = arena_strndup(&united->arena, p, n);

		if (map_get(&united->seen, name, n) == -1) {
			map_add(&united->seen, name, n, 1);
			vec_push(&united->names, name);
		}
		p += n;
		if (*p == '\0')
			break;
	}
}

/* A column line is the first one behind a ##placetools line that does not begin with ##. */
static int scan(struct united *united, const struct table_kind *kind, struct in *in,
		struct err *err)
{
	bool expects_columns = false, is_first = true;
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1) {
		if (line[0] == '#' && line[1] == '#') {
			expects_columns |= str_starts(line, "##placetools=");
		} else if (expects_columns) {
			if (is_first || table_is_column_line(kind, line))
				add_line(united, line);
			expects_columns = is_first = false;
		}
	}
	return status;
}

static int scan_paths(struct united *united, const struct table_kind *kind, char *const *paths,
		      struct err *err)
{
	for (; *paths != NULL; paths++) {
		struct in *in;

		if (in_hold(*paths, err) != 0 || in_open(&in, *paths, err) != 0)
			return -1;
		if (scan(united, kind, in, err) != 0) {
			in_close(in);
			return -1;
		}
		if (in_again(in, err) != 0)
			return -1;
	}
	return 0;
}

int table_open_united(struct table_in **in, const struct table_kind *const *kinds,
		      char *const *paths, bool accepts_partial, struct err *err)
{
	struct united united = {0};
	int status = scan_paths(&united, kinds[0], in_paths(paths), err);

	*in = NULL;
	vec_push(&united.names, NULL);
	if (status == 0)
		status = table_open_with(in, kinds, paths, united.names.at, accepts_partial, err);
	vec_free(&united.names);
	map_free(&united.seen);
	arena_free(&united.arena);
	return status;
}
