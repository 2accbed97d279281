/* live_check.c - slices of a kernel one by one: what each writes, and all of them merged */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "live/live_run.h"

/*
 * Each slice runs alone, from the same contents, twice: what it writes is filled with zeros, then
 * with ones before, so that a byte that it changes shows in one of the two. A buffer that is read,
 * too, keeps its contents: there, what it leaves as it was can't be seen. What slices wrote is
 * merged as the description says, and must be what the whole writes.
 */
struct check {
	struct work *work;
	const struct live_device *device;
	struct worker *worker;
	unsigned char *kept[WORK_ARGS];  /* the host's contents before */
	unsigned char *first[WORK_ARGS]; /* a slice's output of the first fill */
	int32_t *writer[WORK_ARGS];      /* by byte: slice + 1; 0: none */
	unsigned char *merged[WORK_ARGS];
};

static void fill(struct check *check, int with)
{
	for (int i = 0; i < check->work->nargs; i++) {
		struct work_arg *arg = &check->work->args[i];

		if (!arg->is_written || arg->merge->is_sum)
			continue;
		if (arg->is_read)
			memcpy(arg->host, check->kept[i], arg->bytes);
		else
			memset(arg->host, with, arg->bytes);
	}
}

static int run_slice(struct check *check, int64_t number, int with, struct err *err)
{
	const struct runtime *runtime = check->device->runtime;
	int64_t start_ns, end_ns;

	fill(check, with);
	return runtime->copy_in(check->worker, err) != 0 ||
			       runtime->run(check->worker, number, &start_ns, &end_ns, err) != 0 ||
			       runtime->copy_out(check->worker, err) != 0
		       ? -1
		       : 0;
}

/* Bytes that the slice wrote belong to it after its second run. */
static int claim(struct check *check, int i, int64_t number, struct err *err)
{
	const struct work_arg *arg = &check->work->args[i];
	const unsigned char *second = check->worker->copy[i], *kept = check->kept[i];

	for (size_t b = 0; b < arg->bytes; b++) {
		bool is_written = arg->is_read ? second[b] != kept[b]
					       : check->first[i][b] != 0 || second[b] != 0xff;

		if (!is_written)
			continue;
		if (check->writer[i][b] != 0) {
			err_set(err, "%s: %s: slices %d and %lld both write byte %zu",
				check->work->file, arg->name, check->writer[i][b] - 1,
				(long long)number, b);
			return 1;
		}
		if (!arg->is_read && check->first[i][b] != second[b]) {
			err_set(err,
				"%s: %s: what slice %lld writes in byte %zu depends on what was "
				"there; expected buffer: inout",
				check->work->file, arg->name, (long long)number, b);
			return 1;
		}
		check->writer[i][b] = (int32_t)number + 1;
	}
	return 0;
}

/* After the first run, in which what was filled was as it is in a true one. */
static void merge(struct check *check)
{
	struct work *work = check->work;
	unsigned char *host[WORK_ARGS];

	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].is_written) {
			memcpy(check->first[i], check->worker->copy[i], work->args[i].bytes);
			host[i] = work->args[i].host;
			work->args[i].host = check->merged[i];
		}
	worker_gather(check->worker);
	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].is_written)
			work->args[i].host = host[i];
}

static int check_slice(struct check *check, int64_t number, struct err *err)
{
	int status = run_slice(check, number, 0, err);

	if (status != 0)
		return -1;
	merge(check);
	if (run_slice(check, number, 0xff, err) != 0)
		return -1;
	for (int i = 0; i < check->work->nargs && status == 0; i++)
		if (check->work->args[i].is_written && !check->work->args[i].merge->is_sum)
			status = claim(check, i, number, err);
	return status;
}

static void prepare(struct check *check)
{
	for (int i = 0; i < check->work->nargs; i++) {
		const struct work_arg *arg = &check->work->args[i];

		if (!arg->is_written)
			continue;
		check->kept[i] = xmalloc(arg->bytes);
		memcpy(check->kept[i], arg->host, arg->bytes);
		check->merged[i] = xmalloc(arg->bytes);
		memcpy(check->merged[i], arg->host, arg->bytes);
		check->first[i] = xmalloc(arg->bytes);
		check->writer[i] = xcalloc(arg->bytes, sizeof(*check->writer[i]));
	}
}

static void forget(struct check *check)
{
	for (int i = 0; i < WORK_ARGS; i++) {
		free(check->kept[i]);
		free(check->merged[i]);
		free(check->first[i]);
		free(check->writer[i]);
	}
}

static int check_all(struct check *check, struct live_node *node,
		     const struct live_options *options, struct err *err)
{
	struct work *work = check->work, whole;
	int device = __builtin_ctz(node->use), status;

	check->device = &node->at[device];
	status = check->device->runtime->open(check->device->device, work, &check->worker, err);
	for (int64_t number = 0; number < work->slicing.n && status == 0; number++)
		status = check_slice(check, number, err);
	if (check->worker != NULL)
		check->device->runtime->close(check->worker);
	if (status != 0 || live_whole(node, options, device, &whole, err) != 0)
		return status != 0 ? status : -1;
	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].is_written)
			memcpy(work->args[i].host, check->merged[i], work->args[i].bytes);
	work_add_parts(work);
	status = live_compare(work, &whole, err);
	work_free(&whole);
	return status;
}

int live_check(const struct live_options *options, struct err *err)
{
	struct live_node node;
	struct work work;
	struct check check = {.work = &work};
	int status;

	if (work_load(&work, options->kernel, &options->work, err) != 0)
		return -1;
	status = work_may_share(&work, 2, err) != 0 ? 1 : live_node_open(&node, options, err);
	if (status == 0) {
		prepare(&check);
		status = check_all(&check, &node, options, err);
		forget(&check);
		live_node_close(&node);
	}
	work_free(&work);
	return status;
}
