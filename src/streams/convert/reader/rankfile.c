/* rankfile.c - Open MPI's rank files as mappings */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/rankmap.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"

/*
 * "rank 0=aa slot=1:0-2": host aa, socket 1, its cores 0 to 2. A plain number is a core of the
 * node; of a list or range of them the first one counts; what a socket's cores are only the node
 * knows.
 */
static int64_t core_of(const char *slot)
{
	char digits[12];
	size_t n = strspn(slot, "0123456789");
	int64_t core;

	if (strchr(slot, ':') != NULL || n == 0 || n >= sizeof(digits))
		return -1;
	memcpy(digits, slot, n);
	digits[n] = '\0';
	return num_int(digits, 0, INT32_MAX, &core) == 0 ? core : -1;
}

/* "+n2" is the third node of the job. */
static const char *node_of(const struct rankmap *map, struct in *in, const char *host,
			   struct err *err)
{
	int64_t n;

	if (!str_starts(host, "+n"))
		return host;
	if (num_int(host + 2, 0, INT32_MAX, &n) != 0) {
		in_error(in, err, "'%s' is not a node such as +n2", host);
		return NULL;
	}
	if (n >= (int64_t)map->nodes.n) {
		in_error(in, err, "'%s': the job's nodes must be given (rankfile:nodes=HOSTLIST)",
			 host);
		return NULL;
	}
	return map->nodes.at[n];
}

/* Takes the blanks around '=' away, which Open MPI allows. */
static void close_up(char *line)
{
	char *to = line;

	for (char *from = line; *from != '\0'; from++) {
		if (*from == ' ' || *from == '\t') {
			char *next = from + strspn(from, " \t");

			if (*next == '=' || (to > line && to[-1] == '='))
				continue;
		}
		*to++ = *from;
	}
	*to = '\0';
}

static int read_line(struct rankmap *map, struct in *in, char *line, struct err *err)
{
	char *words[4], *equals;
	const char *node;
	int64_t rank;
	int n;

	line[strcspn(line, "#")] = '\0';
	close_up(line);
	n = text_words(line, words, 4);
	if (n == 0)
		return 0;
	equals = n == 3 ? strchr(words[1], '=') : NULL;
	if (equals != NULL)
		*equals = '\0';
	if (equals == NULL || !str_eq(words[0], "rank") || equals[1] == '\0' ||
	    num_int(words[1], 0, INT32_MAX, &rank) != 0 || !str_starts(words[2], "slot="))
		return in_error(in, err, "expected 'rank N=HOST slot=SLOT'");
	node = node_of(map, in, equals + 1, err);
	if (node == NULL)
		return -1;
	return rankmap_put(map, in, rank, node, core_of(words[2] + strlen("slot=")), err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (read_line(context, in, line, err) != 0)
			return -1;
	return status;
}

static int read_rankfile(const struct reader_input *input, struct flow *flow, bool *whole,
			 struct err *err)
{
	struct rankmap map;
	int status = rankmap_begin(&map, flow, true, pick_word(input->pick, "nodes"), err);

	(void)whole;
	if (status == 0)
		status = text_read_files(input->paths, read_file, &map, err);
	rankmap_end(&map);
	return status;
}

static const struct param params[] = {{.key = "nodes",
				       .type = PARAM_TEXT,
				       .optional = true,
				       .meaning = "hostlist of the job's nodes, for hosts "
						  "that are written as +n0, +n1"},
				      {0}};
static const struct table_kind *const makes[] = {&kind_mapping, NULL};

const struct reader reader_rankfile = {
	.entry = {.name = "rankfile",
		  .example = "rankfile:nodes=n[0-3]",
		  .summary = "rank files of Open MPI; the first core of a slot's list is "
			     "used",
		  .params = params},
	.makes = makes,
	.read = read_rankfile,
};
