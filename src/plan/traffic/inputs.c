/* inputs.c - many files of samples as one stream, run by run in order of time */
#include "traffic/inputs.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/str.h"
#include "formats/in.h"

/* Beyond this many, a file is closed again after the look at its first sample. */
enum { OPEN_AT_ONCE = 64 };

struct input {
	const char *path;
	struct feed *feed; /* NULL: not open */
	struct sample head;
	int64_t run; /* of the head, counted as the runs appear; 0: without a column run */
	int number;  /* of the operand: decides between equal times */
};

struct inputs {
	struct input *all; /* [n] */
	int n;
	struct input **heap; /* [nheap] those with a head, the earliest first */
	int nheap;
	bool is_whole, handed_out, accepts_partial;
	const char *header_path;
	struct header_set *set;
	struct feed_counts *counts;
	struct map runs;           /* → struct input's run */
	struct feed_counts unused; /* what the first look counts is counted again later */
};

static bool is_before(const struct input *a, const struct input *b)
{
	if (a->run != b->run)
		return a->run < b->run;
	if (a->head.time_ns != b->head.time_ns)
		return a->head.time_ns < b->head.time_ns;
	return a->number < b->number;
}

static void sift_down(struct inputs *inputs, int at)
{
	struct input *input = inputs->heap[at];

	for (;;) {
		int child = 2 * at + 1;

		if (child >= inputs->nheap)
			break;
		if (child + 1 < inputs->nheap &&
		    is_before(inputs->heap[child + 1], inputs->heap[child]))
			child++;
		if (!is_before(inputs->heap[child], input))
			break;
		inputs->heap[at] = inputs->heap[child];
		at = child;
	}
	inputs->heap[at] = input;
}

/* Time starts again with each run: samples of one do not go between those of another. */
static void number_run(struct inputs *inputs, struct input *input)
{
	int column = input->head.header->run;
	const struct csv_cell *cell = column >= 0 ? &input->head.cells[column] : NULL;

	input->run = cell == NULL ? 0
				  : map_add(&inputs->runs, cell->text, cell->n,
					    (int64_t)inputs->runs.n + 1);
}

/* Reads the input's next sample, opening it where needed. 1, 0: it has no more; -1. */
static int read_head(struct inputs *inputs, struct input *input, struct feed_counts *counts,
		     struct err *err)
{
	int status;

	if (input->feed == NULL &&
	    feed_open(&input->feed, input->path, inputs->header_path, inputs->set, counts,
		      inputs->accepts_partial, err) != 0)
		return -1;
	status = feed_next(input->feed, &input->head, err);
	if (status == 0) {
		inputs->is_whole &= feed_is_whole(input->feed);
		feed_close(input->feed);
		input->feed = NULL;
	}
	if (status == 1)
		number_run(inputs, input);
	return status;
}

/* A file that can be opened and read once more: no standard input, no named pipe. */
static bool is_read_again(const char *path)
{
	struct stat st;

	return !str_eq(path, "-") && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A first look at every file: its first sample says when it is its turn. */
static int look(struct inputs *inputs, struct err *err)
{
	for (int i = 0; i < inputs->n; i++) {
		struct input *input = &inputs->all[i];
		bool is_kept = inputs->n <= OPEN_AT_ONCE || !is_read_again(input->path);
		int status =
			read_head(inputs, input, is_kept ? inputs->counts : &inputs->unused, err);

		if (status < 0)
			return -1;
		if (status == 0)
			continue;
		inputs->heap[inputs->nheap++] = input;
		if (!is_kept) {
			feed_close(input->feed);
			input->feed = NULL;
		}
	}
	for (int i = inputs->nheap / 2; i-- > 0;)
		sift_down(inputs, i);
	return 0;
}

/* As many open files as the system lets us have without asking. */
static void allow_files(int n)
{
	struct rlimit limit;

	if (n < OPEN_AT_ONCE || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int inputs_open(struct inputs **result, char *const *paths, const char *header_path,
		struct header_set *set, struct feed_counts *counts, bool accepts_partial,
		struct err *err)
{
	struct inputs *inputs = xcalloc(1, sizeof(*inputs));

	*result = NULL;
	paths = in_paths(paths);
	while (paths[inputs->n] != NULL)
		inputs->n++;
	inputs->all = xcalloc((size_t)inputs->n, sizeof(*inputs->all));
	inputs->heap = xcalloc((size_t)inputs->n, sizeof(struct input *));
	for (int i = 0; i < inputs->n; i++)
		inputs->all[i] = (struct input){.path = paths[i], .number = i};
	inputs->is_whole = true;
	inputs->header_path = header_path;
	inputs->set = set;
	inputs->counts = counts;
	inputs->accepts_partial = accepts_partial;
	allow_files(inputs->n);
	if (look(inputs, err) != 0) {
		inputs_close(inputs);
		return -1;
	}
	*result = inputs;
	return 0;
}

void inputs_close(struct inputs *inputs)
{
	if (inputs == NULL)
		return;
	for (int i = 0; i < inputs->n; i++)
		feed_close(inputs->all[i].feed);
	free(inputs->all);
	free(inputs->heap);
	map_free(&inputs->runs);
	free(inputs);
}

/*
 * The earliest head is handed out; it is replaced at the next call, when its texts are no longer
 * needed. A file that was closed after the first look is read from its start again.
 */
int inputs_next(struct inputs *inputs, struct sample *sample, struct err *err)
{
	struct input *input;
	int status;

	if (inputs->handed_out) {
		input = inputs->heap[0];
		status = read_head(inputs, input, inputs->counts, err);
		if (status < 0)
			return -1;
		if (status == 0)
			inputs->heap[0] = inputs->heap[--inputs->nheap];
		if (inputs->nheap > 1 || (inputs->nheap == 1 && status == 0))
			sift_down(inputs, 0);
	}
	inputs->handed_out = inputs->nheap > 0;
	if (inputs->nheap == 0)
		return 0;
	input = inputs->heap[0];
	if (input->feed == NULL && read_head(inputs, input, inputs->counts, err) != 1)
		return -1;
	*sample = input->head;
	return 1;
}

const struct table_in *inputs_table(const struct inputs *inputs)
{
	for (int i = 0; i < inputs->n; i++)
		if (inputs->all[i].feed != NULL && feed_table(inputs->all[i].feed) != NULL)
			return feed_table(inputs->all[i].feed);
	return NULL;
}

bool inputs_are_whole(const struct inputs *inputs)
{
	return inputs->is_whole;
}

int inputs_newest(char *const *paths, const char *header_path, struct header_set *set,
		  int64_t *time_ns, struct err *err)
{
	struct feed_counts counts = {0};
	int found = 0;

	for (int i = 0; i == 0 || paths[i] != NULL; i++)
		if (paths[i] == NULL || !is_read_again(paths[i]))
			return err_set(err, "a time before the last sample needs files: "
					    "a pipe is read only once");
	for (int i = 0; paths[i] != NULL; i++) {
		struct sample sample;
		struct feed *feed;
		int status;

		if (feed_open(&feed, paths[i], header_path, set, &counts, true, err) != 0)
			return -1;
		while ((status = feed_next(feed, &sample, err)) == 1)
			if (!found || sample.time_ns > *time_ns) {
				*time_ns = sample.time_ns;
				found = 1;
			}
		feed_close(feed);
		if (status != 0)
			return -1;
	}
	return found;
}
