/* live_corpus.c - kernels as programs have them, in slices: each is right, or refused with
 * a reason */
#include <dirent.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "check.h"
#include "live/runtime/dealing.h"
#include "live/live_run.h"

/* tests/live/corpus/NAME.yaml begins with "# sliced" or "# refused: REASON". */
enum { NAME = 256, LINE = 512 };

static void first_line(const char *path, char line[LINE])
{
	FILE *in = fopen(path, "r");

	line[0] = '\0';
	if (in != NULL && fgets(line, LINE, in) == NULL)
		line[0] = '\0';
	if (in != NULL)
		fclose(in);
	line[strcspn(line, "\n")] = '\0';
}

/* The parameter doesn't reach helper functions: there the compiler says so. */
static bool is_out_of_reach(const char *message)
{
	return strstr(message, "clslice__slice") != NULL;
}

static void one_way(struct live_options options, const struct work *whole, struct live_node *node,
		    uint32_t set, const char *deal)
{
	struct work work;
	struct dealing dealing = {
		.work = &work, .devices = node->at, .ndevices = node->devices.n, .set = set};
	struct dealing_costs costs;
	struct err err = {0};
	int64_t *order, ndone = 0;
	int status;

	CHECK(work_load(&work, options.kernel, &options.work, &err) == 0);
	dealing.order = order = live_order(deal, work.slicing.n, 7);
	status = dealing_run(&dealing, &costs, &err);
	if (status != 0) {
		CHECK(options.work.by_parameter && is_out_of_reach(err.msg));
	} else {
		for (int d = 0; d < node->devices.n; d++)
			ndone += costs.nslices[d];
		CHECK_INT(ndone, work.slicing.n);
		status = live_compare(&work, whole, &err);
		CHECK_INT(status, 0);
	}
	if (status != 0 && !is_out_of_reach(err.msg))
		printf("%s, %lld slices: %s\n", options.kernel, (long long)options.work.nslices,
		       err.msg);
	free(order);
	work_free(&work);
}

static void sliced(struct live_options options, struct live_node *node)
{
	static const int64_t slices[] = {1, 3, 1024};
	struct work whole;
	struct err err = {0};

	options.work.nslices = 6;
	CHECK_INT(live_check(&options, &err), 0);
	if (err.msg[0] != '\0')
		printf("%s\n", err.msg);
	err.msg[0] = '\0';
	CHECK_INT(live_whole(node, &options, 0, &whole, &err), 0);
	if (err.msg[0] != '\0') {
		printf("%s\n", err.msg);
		return;
	}
	for (int s = 0; s < 3; s++) {
		options.work.nslices = slices[s];
		options.work.by_parameter = false;
		one_way(options, &whole, node, 1, s == 1 ? "backward" : "forward");
		one_way(options, &whole, node, (UINT32_C(1) << node->devices.n) - 1, "shuffled");
		options.work.by_parameter = true;
		one_way(options, &whole, node, 1, "shuffled");
	}
	work_free(&whole);
}

static void refused(struct live_options options, const char *reason)
{
	struct err err = {0};

	options.work.nslices = 6;
	CHECK_INT(live_check(&options, &err), 1);
	if (strstr(err.msg, reason) == NULL)
		printf("%s: '%s', expected '%s'\n", options.kernel, err.msg, reason);
	CHECK(strstr(err.msg, reason) != NULL);
}

static void corpus(struct live_node *node)
{
	struct dirent **names;
	int n = scandir("tests/live/corpus", &names, NULL, alphasort), nsliced = 0, nrefused = 0;

	for (int i = 0; i < n; i++) {
		char path[NAME + 32], line[LINE];
		struct live_options options = {.kernel = path};

		snprintf(path, sizeof(path), "tests/live/corpus/%s", names[i]->d_name);
		if (str_ends(path, ".yaml")) {
			first_line(path, line);
			if (str_eq(line, "# sliced")) {
				nsliced++;
				sliced(options, node);
			} else {
				nrefused++;
				CHECK(str_starts(line, "# refused: "));
				refused(options, line + strlen("# refused: "));
			}
		}
		free(names[i]);
	}
	free(names);
	CHECK(nsliced >= 20 && nrefused >= 8);
}

/* Two halves of the first device, or the whole of it alone where it can't be cut. */
static int open_halves(struct live_node *node, struct err *err)
{
	struct live_options options = {.devices = "tests/live/halves.yaml"};

	if (live_node_open(node, &options, err) == 0)
		return 0;
	options.devices = NULL;
	return live_node_open(node, &options, err);
}

int main(void)
{
	struct live_node node;
	struct err err;

	if (open_halves(&node, &err) != 0) {
		printf("skipped: %s\n", err.msg);
		return 0;
	}
	corpus(&node);
	live_node_close(&node);
	return check_done();
}
