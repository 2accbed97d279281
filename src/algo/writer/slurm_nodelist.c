/* slurm_nodelist.c - node lists sorted as Slurm itself writes them */
#include <stdlib.h>
#include <string.h>

#include "algo/writer/nodelist.h"
#include "formats/hostlist.h"

/* A name as letters and the number at its end: nid00012 is "nid", 12, 5 digits. */
struct name {
	const char *text;
	size_t prefix; /* letters before the number */
	uint64_t number;
	size_t width;
};

static struct name split(const char *text)
{
	struct name name = {.text = text};
	size_t n = strlen(text);

	/* at most 18 digits, which fit the number */
	while (n - name.prefix > 0 && name.width < 18 && text[n - name.width - 1] >= '0' &&
	       text[n - name.width - 1] <= '9') {
		name.width++;
		if (name.width == n)
			break;
	}
	name.prefix = n - name.width;
	for (const char *p = text + name.prefix; *p != '\0'; p++)
		name.number = name.number * 10 + (uint64_t)(*p - '0');
	return name;
}

/* By letters, then number of digits, then number: what folds into one bracket stands together. */
static int compare(const void *a, const void *b)
{
	const struct name *left = a, *right = b;
	size_t n = left->prefix < right->prefix ? left->prefix : right->prefix;
	int order = memcmp(left->text, right->text, n);

	if (order != 0)
		return order;
	if (left->prefix != right->prefix)
		return left->prefix < right->prefix ? -1 : 1;
	if (left->width != right->width)
		return left->width < right->width ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

static void print(struct nodelist_writer *writer, const struct nodelist *list)
{
	struct name *names = xcalloc(list->nodes.n, sizeof(*names));
	struct hostlist folded = {0};

	for (size_t i = 0; i < list->nodes.n; i++)
		names[i] = split(list->nodes.at[i].name);
	qsort(names, list->nodes.n, sizeof(*names), compare);
	for (size_t i = 0; i < list->nodes.n; i++)
		hostlist_add(&folded, names[i].text, strlen(names[i].text));
	out_printf(writer->out, "%s\n", hostlist_text(&folded));
	hostlist_free(&folded);
	free(names);
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return nodelist_start(input, print, false);
}

static const struct param params[] = {NODELIST_PARAMS, {0}};

const struct writer writer_slurm_nodelist = {
	.entry = {.name = "slurm-nodelist",
		  .example = "slurm-nodelist",
		  .summary =
			  "a sorted hostlist for each job, one a line, as sbatch -w and scontrol "
			  "write it",
		  .params = params},
	.takes = nodelist_takes,
	.start = start,
	.taker = {nodelist_begin, nodelist_row, nodelist_end},
	.stop = nodelist_stop,
};
