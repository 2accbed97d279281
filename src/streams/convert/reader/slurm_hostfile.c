/* slurm_hostfile.c - SLURM_HOSTFILE as a mapping: line i is the node of task i */
#include <string.h>

#include "convert/reader/rankmap.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"

struct slurm_hostfile_reader {
	struct rankmap map;
	struct in *in;
	int64_t rank;
	int64_t count; /* tasks on each node of the list that is walked */
};

static int put_node(void *context, const char *name, size_t n, struct err *err)
{
	struct slurm_hostfile_reader *reading = context;

	(void)n;
	for (int64_t i = 0; i < reading->count; i++)
		if (rankmap_put(&reading->map, reading->in, reading->rank++, name, -1, err) != 0)
			return -1;
	return 0;
}

/* A name, a list of them, or either with "*4": the number of tasks on each. */
static int read_line(void *context, struct in *in, char *line, struct err *err)
{
	struct slurm_hostfile_reader *reading = context;
	char *star;
	struct err why;

	reading->in = in;
	line = str_trim(line);
	if (*line == '\0' || *line == '#')
		return 0;
	star = strrchr(line, '*');
	reading->count = 1;
	if (star != NULL) {
		*star = '\0';
		if (num_int(star + 1, 1, 1000000, &reading->count) != 0)
			return in_error(reading->in, err, "'*%s' is not a number of tasks",
					star + 1);
	}
	if (hostlist_walk(line, put_node, reading, &why) != 0)
		return in_error(reading->in, err, "%s", why.msg);
	return 0;
}

static int read_hostfile(const struct reader_input *input, struct flow *flow, bool *whole,
			 struct err *err)
{
	struct slurm_hostfile_reader reading = {0};
	int status = rankmap_begin(&reading.map, flow, false, NULL, err);

	(void)whole;
	if (status == 0)
		status = text_read_lines(input->paths, read_line, &reading, err);
	rankmap_end(&reading.map);
	return status;
}

static const struct table_kind *const makes[] = {&kind_mapping, NULL};

const struct reader reader_slurm_hostfile = {
	.entry = {.name = "slurm-hostfile",
		  .example = "slurm-hostfile",
		  .summary = "a SLURM_HOSTFILE: line i is the node of task i"},
	.makes = makes,
	.read = read_hostfile,
};
