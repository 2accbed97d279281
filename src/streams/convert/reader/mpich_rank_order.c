/* mpich_rank_order.c - MPICH_RANK_ORDER of Cray MPICH as a mapping */
#include <string.h>

#include "convert/reader/rankmap.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"

struct mpich_rank_order_reader {
	struct rankmap map;
	struct in *in;
	int64_t ranks_of_a_node, nplaced;
};

/* The next slot is the rank's: nodes are filled one after the other. */
static int put_rank(struct mpich_rank_order_reader *reading, int64_t rank, struct err *err)
{
	int64_t node = reading->nplaced / reading->ranks_of_a_node;
	int64_t core = reading->nplaced % reading->ranks_of_a_node;

	if (node >= (int64_t)reading->map.nodes.n)
		return in_error(reading->in, err, "more ranks than %zu nodes of %lld have slots",
				reading->map.nodes.n, (long long)reading->ranks_of_a_node);
	reading->nplaced++;
	return rankmap_put(&reading->map, reading->in, rank, reading->map.nodes.at[node], core,
			   err);
}

/* "3" or "8-15" */
static int read_range(struct mpich_rank_order_reader *reading, char *text, struct err *err)
{
	char *dash = strchr(text, '-');
	int64_t first, last;

	if (dash != NULL)
		*dash++ = '\0';
	if (num_int(text, 0, INT32_MAX - 1, &first) != 0 ||
	    num_int(dash != NULL ? dash : text, first, INT32_MAX - 1, &last) != 0)
		return in_error(reading->in, err, "'%s%s%s' is not a rank or a range of ranks",
				text, dash != NULL ? "-" : "", dash != NULL ? dash : "");
	for (int64_t rank = first; rank <= last; rank++)
		if (put_rank(reading, rank, err) != 0)
			return -1;
	return 0;
}

/* Ranks between commas, blanks or line ends; '#' begins a comment. */
static int read_line(void *context, struct in *in, char *line, struct err *err)
{
	struct mpich_rank_order_reader *reading = context;

	reading->in = in;
	line[strcspn(line, "#")] = '\0';
	while (*(line += strspn(line, ", \t")) != '\0') {
		size_t n = strcspn(line, ", \t");
		bool more = line[n] != '\0';

		line[n] = '\0';
		if (read_range(reading, line, err) != 0)
			return -1;
		line += n + more;
	}
	return 0;
}

static int read_order(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct mpich_rank_order_reader reading = {.ranks_of_a_node =
							  pick_int(input->pick, "ranks-per-node")};
	int status = rankmap_begin(&reading.map, flow, true, pick_word(input->pick, "nodes"), err);

	(void)whole;
	if (status == 0)
		status = text_read_lines(input->paths, read_line, &reading, err);
	rankmap_end(&reading.map);
	return status;
}

static const struct param params[] = {{.key = "nodes",
				       .type = PARAM_TEXT,
				       .meaning = "hostlist of the job's nodes, as the "
						  "launcher fills them"},
				      {.key = "ranks-per-node",
				       .type = PARAM_INT,
				       .min = 1,
				       .max = 1e6,
				       .meaning = "ranks on each node"},
				      {0}};
static const struct table_kind *const makes[] = {&kind_mapping, NULL};

const struct reader reader_mpich_rank_order = {
	.entry = {.name = "mpich-rank-order",
		  .example = "mpich-rank-order:nodes=nid[00001-00004],ranks-per-node=4",
		  .summary = "MPICH_RANK_ORDER files of Cray MPICH, as grid_order writes them",
		  .feed = "grid_order -R -c 32 -g 4,4,4",
		  .params = params},
	.makes = makes,
	.read = read_order,
};
