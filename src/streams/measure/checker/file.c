/* file.c - whether a job's nodes are one of the sets that a file permits */
#include <stdlib.h>
#include <string.h>

#include "measure/checker/geometry.h"
#include "base/names.h"
#include "formats/in.h"

struct permitted {
	struct map sets; /* the bytes of sorted nodes */
	int_vec sorted;
};

static int by_label(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void sort(struct permitted *permitted, const int *nodes, int n)
{
	permitted->sorted.n = 0;
	for (int i = 0; i < n; i++)
		vec_push(&permitted->sorted, nodes[i]);
	qsort(permitted->sorted.at, (size_t)n, sizeof(int), by_label);
}

/* One node list on each line; empty lines and # do not count. */
static int read_sets(struct permitted *permitted, struct in *in, const struct topo *topo,
		     struct err *err)
{
	int_vec nodes = {0};
	char *line;
	size_t length;
	int status;

	while ((status = in_line(in, &line, &length, err)) == 1) {
		struct err why;

		line = str_trim(line);
		if (*line == '\0' || *line == '#')
			continue;
		nodes.n = 0;
		if (topo_nodelist_read(topo, line, &nodes, &why) != 0) {
			status = in_error(in, err, "%s", why.msg);
			break;
		}
		sort(permitted, nodes.at, (int)nodes.n);
		map_add(&permitted->sets, (const char *)permitted->sorted.at,
			permitted->sorted.n * sizeof(int), 1);
	}
	free(nodes.at);
	return status;
}

static int file_open(struct checker *checker, struct err *err)
{
	struct permitted *permitted = xcalloc(1, sizeof(*permitted));
	struct in *in;
	int status;

	checker->state = permitted;
	if (in_open(&in, pick_word(checker->pick, "path"), err) != 0)
		return -1;
	status = read_sets(permitted, in, checker->geometry->topo, err);
	in_close(in);
	return status;
}

static void close(struct checker *checker)
{
	struct permitted *permitted = checker->state;

	map_free(&permitted->sets);
	free(permitted->sorted.at);
	free(permitted);
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	struct permitted *permitted = checker->state;

	sort(permitted, region->nodes, region->n);
	if (map_get(&permitted->sets, (const char *)permitted->sorted.at,
		    permitted->sorted.n * sizeof(int)) >= 0)
		return VERDICT_HOLDS;
	buf_printf(witness, "these %d nodes are no line of %s", region->n,
		   pick_word(checker->pick, "path"));
	return VERDICT_BROKEN;
}

const struct param geometry_params_file[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "a node list on each line"},
	CHECKER_PARAMS,
	{0}};

const struct checker_type checker_file = {
	.entry = {.name = "file",
		  .example = "file:path=permitted.txt",
		  .summary = "the nodes of one line of a file, all of them",
		  .params = geometry_params_file},
	.open = file_open,
	.close = close,
	.check = check,
};
