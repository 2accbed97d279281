/* live_apps.c - share/kernels on OpenCL devices: against the host's own, sliced in all manners */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "live/runtime/dealing.h"
#include "live/live_run.h"

/* ---- the same computations on the host; they return how many elements differ ---- */

static const void *buffer(const struct work *work, int i)
{
	return work->args[i].host;
}

static int32_t value(const struct work *work, int i)
{
	int32_t number;

	memcpy(&number, work->args[i].value, sizeof(number));
	return number;
}

/* Steps until it is clear that the point of a picture of that size is outside. */
static uint32_t escape(int x, int y, int width, int height, int limit)
{
	float cr = -2.0f + 3.0f * (float)x / (float)width;
	float ci = -1.5f + 3.0f * (float)y / (float)height, r = 0, i = 0;
	int n = 0;

	for (; n < limit && r * r + i * i <= 4.0f; n++) {
		float t = r * r - i * i + cr;

		i = 2 * r * i + ci;
		r = t;
	}
	return (uint32_t)n;
}

static int mandelbrot(const struct work *work)
{
	const uint32_t *out = buffer(work, 0);
	int width = value(work, 1), height = value(work, 2), limit = value(work, 3), nwrong = 0;

	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			nwrong += out[y * width + x] != escape(x, y, width, height, limit);
	return nwrong;
}

static int gemm(const struct work *work)
{
	const float *a = buffer(work, 0), *b = buffer(work, 1), *c = buffer(work, 2);
	int n = value(work, 3), nwrong = 0;

	for (int row = 0; row < n; row++)
		for (int column = 0; column < n; column++) {
			float sum = 0;

			for (int k = 0; k < n; k++)
				sum += a[row * n + k] * b[k * n + column];
			nwrong += c[row * n + column] != sum;
		}
	return nwrong;
}

static int spmv(const struct work *work)
{
	const int32_t *start = buffer(work, 0), *column = buffer(work, 1);
	const float *entry = buffer(work, 2), *x = buffer(work, 3), *y = buffer(work, 4);
	int rows = value(work, 5), nwrong = 0;

	for (int row = 0; row < rows; row++) {
		float sum = 0;

		for (int32_t i = start[row]; i < start[row + 1]; i++)
			sum += entry[i] * x[column[i]];
		nwrong += y[row] != sum;
	}
	return nwrong;
}

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

static int find(const float *grid, int points, float energy)
{
	int low = 0;

	/* one after the other, as bisection finds it */
	while (low + 2 < points && grid[low + 1] <= energy)
		low++;
	return low;
}

static uint64_t lookup(const struct work *work, uint64_t id)
{
	const float *energy = buffer(work, 0), *section = buffer(work, 1);
	int nuclides = value(work, 3), points = value(work, 4), per_material = value(work, 5);
	uint64_t state = id * UINT64_C(2654435761) + 12345;
	float e = (float)(draw(&state) & 0xffffff) / 16777216.0f, total[5] = {0};
	int material = (int)(draw(&state) % (uint64_t)nuclides), best = 0;

	for (int i = 0; i < per_material; i++) {
		int nuclide = (material + i * 7) % nuclides;
		const float *grid = energy + nuclide * points;
		int at = find(grid, points, e);
		float f = (grid[at + 1] - e) / (grid[at + 1] - grid[at]);
		const float *low = section + (nuclide * points + at) * 5;

		for (int k = 0; k < 5; k++)
			total[k] += low[5 + k] - f * (low[5 + k] - low[k]);
	}
	for (int k = 1; k < 5; k++)
		best = total[k] > total[best] ? k : best;
	return (uint64_t)best + 1;
}

static int xsbench(const struct work *work)
{
	const uint64_t *hash = buffer(work, 2);
	uint64_t sum = 0;

	for (int64_t id = 0; id < work->range.global[0]; id++)
		sum += lookup(work, (uint64_t)id);
	return hash[0] != sum;
}

/* ---- the devices ---- */

static const struct app {
	const char *path;
	int (*wrong)(const struct work *work);
	const char *set[3]; /* odd sizes */
	int nset;
} apps[] = {
	{"share/kernels/mandelbrot.yaml", mandelbrot, {"width=61", "height=97", "limit=50"}, 3},
	{"share/kernels/gemm.yaml", gemm, {"n=53"}, 1},
	{"share/kernels/spmv.yaml", spmv, {"rows=1531", "entries=7"}, 2},
	{"share/kernels/xsbench.yaml", xsbench, {"lookups=1021", "points=61"}, 2},
};

static void one_way(const struct app *app, struct live_node *node, struct work_options options,
		    uint32_t set, const char *deal)
{
	struct work work;
	struct dealing dealing = {
		.work = &work, .devices = node->at, .ndevices = node->devices.n, .set = set};
	struct dealing_costs costs;
	struct err err = {0};
	int64_t *order;

	CHECK_INT(work_load(&work, app->path, &options, &err), 0);
	dealing.order = order = live_order(deal, work.slicing.n, 3);
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	if (err.msg[0] != '\0')
		printf("%s: %s\n", app->path, err.msg);
	else
		CHECK_INT(app->wrong(&work), 0);
	free(order);
	work_free(&work);
}

static void all_ways(struct live_node *node)
{
	static const int64_t slices[] = {1, 2, 7, 64, 1024};
	static const char *const deals[] = {"forward", "backward", "shuffled"};
	uint32_t all = (UINT32_C(1) << node->devices.n) - 1;

	for (int a = 0; a < 4; a++)
		for (int s = 0; s < 5; s++)
			for (int p = 0; p < 2; p++) {
				struct work_options options = {.set = apps[a].set,
							       .nset = apps[a].nset,
							       .nslices = slices[s],
							       .by_parameter = p == 1};

				one_way(&apps[a], node, options, 1, deals[s % 3]);
				one_way(&apps[a], node, options, all & 3, deals[(s + 1) % 3]);
				one_way(&apps[a], node, options, all, deals[(s + 2) % 3]);
			}
}

/* ---- two paradigms: OpenCL's devices, and a function of this program ---- */

struct picture {
	int width, height, limit;
	int ndevices; /* OpenCL's; the function is the next */
	int64_t nslices;
};

/* The function alone, then all, then the others alone. */
static uint32_t poll_picture(void *context, int64_t left)
{
	const struct picture *picture = context;
	uint32_t others = (UINT32_C(1) << picture->ndevices) - 1;

	return left < picture->nslices / 2 ? others : others | (others + 1);
}

static void draw_rows(void *context, void *const *copies, struct slice slice)
{
	struct picture *picture = context;
	uint32_t *out = copies[0];

	for (int64_t y = slice.first; y < slice.first + slice.count; y++)
		for (int x = 0; x < picture->width; x++)
			out[y * picture->width + x] =
				escape(x, (int)y, picture->width, picture->height, picture->limit);
}

static void mixed(struct live_node *node)
{
	struct work_options options = {.set = apps[0].set, .nset = apps[0].nset, .nslices = 97};
	struct picture picture;
	struct host_device host = {draw_rows, &picture};
	struct live_device devices[DEVICES_MAX];
	struct work work;
	struct dealing dealing = {.work = &work,
				  .devices = devices,
				  .ndevices = node->devices.n + 1,
				  .set = UINT32_C(1) << node->devices.n,
				  .context = &picture,
				  .poll = poll_picture};
	struct dealing_costs costs = {0};
	struct err err;

	for (int d = 0; d < node->devices.n; d++)
		devices[d] = node->at[d];
	devices[node->devices.n] = (struct live_device){"function", &host_runtime, &host};
	CHECK_INT(work_load(&work, apps[0].path, &options, &err), 0);
	picture = (struct picture){value(&work, 1), value(&work, 2), value(&work, 3),
				   node->devices.n, work.slicing.n};
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	CHECK_INT(mandelbrot(&work), 0);
	CHECK(costs.nslices[node->devices.n] > 0);
	CHECK(costs.nslices[node->devices.n] < work.slicing.n);
	CHECK_INT(costs.nswitches, 2);
	work_free(&work);
}

/* ---- elastic ---- */

struct world {
	struct rng rng;
	uint32_t set, all;
};

static uint32_t poll_world(void *context, int64_t left)
{
	struct world *world = context;

	if (left > 0 && rng_below(&world->rng, 8) == 0)
		world->set = 1 + (uint32_t)rng_below(&world->rng, world->all);
	return world->set;
}

static int64_t elastic(struct live_node *node, const struct app *app, int number)
{
	struct work_options options = {.set = app->set, .nset = app->nset, .nslices = 40};
	struct world world = {.rng = rng_make((uint64_t)number, "elastic", NULL, NULL),
			      .all = (UINT32_C(1) << node->devices.n) - 1};
	struct work work;
	struct dealing dealing = {.work = &work,
				  .devices = node->at,
				  .ndevices = node->devices.n,
				  .keeps_open = number % 2 == 1,
				  .context = &world,
				  .poll = poll_world};
	struct dealing_costs costs = {0};
	struct err err;

	world.set = dealing.set = 1 + (uint32_t)rng_below(&world.rng, world.all);
	CHECK_INT(work_load(&work, app->path, &options, &err), 0);
	CHECK_INT(dealing_run(&dealing, &costs, &err), 0);
	CHECK_INT(app->wrong(&work), 0);
	work_free(&work);
	return costs.nswitches;
}

/* Three devices, two halves, or the one there is. */
static int open_some(struct live_node *node, struct err *err)
{
	static const char *const files[] = {"tests/live/three.yaml", "tests/live/halves.yaml",
					    NULL};

	for (int i = 0; i < 3; i++) {
		struct live_options options = {.devices = files[i]};

		if (live_node_open(node, &options, err) == 0)
			return 0;
	}
	return -1;
}

int main(void)
{
	struct live_node node;
	int64_t nswitches = 0;
	struct err err;

	setenv("POCL_DEVICES", "basic pthread", 0);
	if (open_some(&node, &err) != 0) {
		printf("skipped: %s\n", err.msg);
		return 0;
	}
	all_ways(&node);
	mixed(&node);
	for (int i = 0; i < 200; i++)
		nswitches += elastic(&node, &apps[i % 4], i);
	CHECK(node.devices.n == 1 || nswitches > 200);
	live_node_close(&node);
	return check_done();
}
