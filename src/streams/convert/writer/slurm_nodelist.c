/* slurm_nodelist.c - node lists sorted as Slurm itself writes them */
#include <stdlib.h>
#include <string.h>

#include "convert/writer/nodelist.h"
#include "convert/writer/nodename.h"
#include "formats/hostlist.h"

static void print(struct nodelist_writer *writer, const struct nodelist *list)
{
	const char **names = xcalloc(list->nodes.n, sizeof(*names));
	struct hostlist folded = {0};

	for (size_t i = 0; i < list->nodes.n; i++)
		names[i] = list->nodes.at[i].name;
	nodename_sort(names, list->nodes.n);
	for (size_t i = 0; i < list->nodes.n; i++)
		hostlist_add(&folded, names[i], strlen(names[i]));
	out_printf(writer->out, "%s\n", hostlist_text(&folded));
	hostlist_free(&folded);
	free(names);
}

/* ---- by ranges ---- */

/* Names that count up, and the name of the first. */
struct name_run {
	const char *name;
	struct node_range range;
};

static int by_name(const void *a, const void *b)
{
	return nodename_compare(((const struct name_run *)a)->name,
				((const struct name_run *)b)->name);
}

/* The runs of a list (each name alone, if they must be), sorted by their first names: [*n], to be
 * freed. */
static struct name_run *sort_runs(const struct name_numbers *numbers,
				  const struct node_ranges *ranges, bool each_alone, size_t *n)
{
	VEC(struct name_run) runs = {0};

	for (size_t i = 0; i < ranges->of.n; i++)
		for (int at = ranges->of.at[i].first; at <= ranges->of.at[i].last; at++) {
			const struct numbered_name *name = &numbers->names.at[at];

			if (at > ranges->of.at[i].first && name->counts_on && !each_alone)
				runs.at[runs.n - 1].range.last = at;
			else
				vec_push(&runs, (struct name_run){name->text, {at, at}});
		}
	if (runs.n > 1)
		qsort(runs.at, runs.n, sizeof(*runs.at), by_name);
	*n = runs.n;
	return runs.at;
}

/* Whether no run is among the names of another one. */
static bool are_apart(const struct name_numbers *numbers, const struct name_run *runs, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (nodename_compare(numbers->names.at[runs[i - 1].range.last].text, runs[i].name) >
		    0)
			return false;
	return true;
}

static void print_ranges(struct nodelist_writer *writer, const struct node_ranges *ranges)
{
	struct node_ranges sorted = {0};
	struct buf folded = {0};
	size_t n;
	struct name_run *runs = sort_runs(&writer->numbers, ranges, false, &n);

	if (!are_apart(&writer->numbers, runs, n)) {
		free(runs);
		runs = sort_runs(&writer->numbers, ranges, true, &n);
	}
	for (size_t i = 0; i < n; i++)
		node_ranges_add(&sorted, runs[i].range.first, runs[i].range.last);
	name_numbers_print(&writer->numbers, &sorted, &folded);
	out_printf(writer->out, "%s\n", buf_text(&folded));
	free(runs);
	node_ranges_free(&sorted);
	buf_free(&folded);
}

static void *start(const struct writer_input *input, struct err *err)
{
	struct nodelist_writer *writer = nodelist_start(input, print, false);

	(void)err;
	writer->print_ranges = print_ranges;
	return writer;
}

static const struct param params[] = {NODELIST_PARAMS, {0}};

const struct writer writer_slurm_nodelist = {
	.entry = {.name = "slurm-nodelist",
		  .example = "slurm-nodelist",
		  .summary = "a sorted hostlist per job, one per line, as sbatch -w and "
			     "scontrol write it",
		  .params = params},
	.takes = nodelist_takes,
	.start = start,
	.taker = {nodelist_begin, nodelist_row, nodelist_end},
	.is_no = nodelist_is_no,
	.stop = nodelist_stop,
};
