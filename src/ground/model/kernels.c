/* kernels.c - how fast applications are on the devices of a node: a kernels table */
#include "model/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "formats/table.h"
#include "model/kinds.h"

/* Three years: no time of a kernel is longer, so that sums fit. */
static const double longest_s = 1e8;

struct kernels_columns {
	int app, size, device, rate, time, slices, overhead, copy_in, copy_out, bytes, init;
};

static void bind(struct kernels_columns *columns, const struct table_in *in)
{
	columns->app = table_find(in, "app");
	columns->size = table_find(in, "size");
	columns->device = table_find(in, "device");
	columns->rate = table_find(in, "rate_slices_per_s");
	columns->time = table_find(in, "time_s");
	columns->slices = table_find(in, "slices");
	columns->overhead = table_find(in, "slice_overhead_s");
	columns->copy_in = table_find(in, "copy_in_s");
	columns->copy_out = table_find(in, "copy_out_s");
	columns->bytes = table_find(in, "bytes");
	columns->init = table_find(in, "init_s");
}

static struct kernel *find_or_add(struct kernels *kernels, const char *app, const char *size)
{
	char *key = xasprintf("%s\t%s", app, size);
	int64_t i = map_add(&kernels->by_name, key, strlen(key), (int64_t)kernels->all.n);

	free(key);
	if ((size_t)i == kernels->all.n) {
		struct kernel *kernel = xcalloc(1, sizeof(*kernel));

		kernel->app = xstrdup(app);
		kernel->size = xstrdup(size);
		kernel->init_ns = -1;
		kernel->bytes = -1;
		vec_push(&kernels->all, kernel);
	}
	return kernels->all.at[i];
}

/* What belongs to the kernel as a whole is the same in all of its rows that say it. */
static int read_whole(struct kernel *kernel, const struct kernels_columns *columns,
		      const struct row *row, struct err *err)
{
	int64_t slices, init_ns = -1;
	double bytes;
	int has;

	if ((has = row_int(row, columns->slices, "slices", 1, 1000000000, &slices, err)) < 0)
		return -1;
	if (has > 0 && kernel->slices != 0 && kernel->slices != slices)
		return row_error(row, err, "slices: %lld, but another row of %s %s has %lld",
				 (long long)slices, kernel->app, kernel->size,
				 (long long)kernel->slices);
	if (has > 0)
		kernel->slices = slices;
	if ((has = row_real(row, columns->bytes, "bytes", 0, 1e18, &bytes, err)) < 0)
		return -1;
	if (has > 0 && kernel->bytes >= 0 && fabs(kernel->bytes - bytes) > 0)
		return row_error(row, err, "bytes: %.17g, but another row of %s %s has %.17g",
				 bytes, kernel->app, kernel->size, kernel->bytes);
	if (has > 0)
		kernel->bytes = bytes;
	if ((has = row_seconds(row, columns->init, "init_s", &init_ns, err)) < 0)
		return -1;
	if (has > 0 && (init_ns < 0 || (double)init_ns > longest_s * 1e9))
		return row_error(row, err, "init_s: expected 0 to %g seconds", longest_s);
	if (has > 0 && kernel->init_ns >= 0 && kernel->init_ns != init_ns)
		return row_error(row, err, "init_s differs from that of another row of %s %s",
				 kernel->app, kernel->size);
	if (has > 0)
		kernel->init_ns = init_ns;
	return 0;
}

/* A length in seconds; 0 when it is not said. */
static int read_length(const struct row *row, int column, const char *name, double *seconds,
		       struct err *err)
{
	*seconds = 0;
	return row_real(row, column, name, 0, longest_s, seconds, err);
}

static int64_t slice_ns(const struct kernel *kernel, int d, int64_t slices)
{
	int64_t ns = llround((kernel->work_s[d] / (double)slices + kernel->overhead_s[d]) * 1e9);

	return ns > 0 ? ns : 1;
}

static int read_speed(struct kernel *kernel, const struct kernels_columns *columns,
		      const struct row *row, uint32_t set, struct err *err)
{
	double rate = 0, time_s = 0, overhead_s, slice_s;
	int has_rate = row_real(row, columns->rate, "rate_slices_per_s", 0, 1e9, &rate, err);
	int has_time = row_real(row, columns->time, "time_s", 0, longest_s, &time_s, err);
	int d = __builtin_ctz(set);

	if (has_rate < 0 || has_time < 0 ||
	    read_length(row, columns->overhead, "slice_overhead_s", &overhead_s, err) < 0)
		return -1;
	if (has_rate > 0 && has_time > 0)
		return row_error(
			row, err,
			"rate_slices_per_s and time_s are both given; expected one of them");
	if ((set & (set - 1)) != 0) {
		if (has_rate > 0)
			return row_error(row, err,
					 "a set of devices has a time_s, of the whole "
					 "kernel with its copies, and no rate");
		if (has_time == 0 || !(time_s > 0))
			return 0;
		if (kernel->nmeasured == KERNEL_SETS)
			return row_error(row, err, "more than %d measured sets of one kernel",
					 KERNEL_SETS);
		kernel->measured[kernel->nmeasured].devices = set;
		kernel->measured[kernel->nmeasured++].ns =
			llround(time_s * 1e9) > 0 ? llround(time_s * 1e9) : 1;
		return 0;
	}
	if (rate <= 0 && time_s <= 0)
		return 0; /* the job can't run there */
	if (kernel->slices == 0)
		return row_error(row, err, "the number of slices of %s %s is not given by now",
				 kernel->app, kernel->size);
	kernel->work_s[d] = has_rate > 0 ? (double)kernel->slices / rate : time_s;
	kernel->overhead_s[d] = overhead_s;
	slice_s = kernel->work_s[d] / (double)kernel->slices + overhead_s;
	if (!(slice_s * (double)kernel->slices <= longest_s))
		return row_error(row, err, "%lld slices of %g s are longer than %g s",
				 (long long)kernel->slices, slice_s, longest_s);
	kernel->slice_ns[d] = slice_ns(kernel, d, kernel->slices);
	return 0;
}

/* A length that is given, or follows from bytes and the device's bandwidth. */
static int read_copy(const struct row *row, int column, const char *name, int64_t *ns,
		     struct err *err)
{
	double seconds;
	int has = read_length(row, column, name, &seconds, err);

	if (has > 0)
		*ns = llround(seconds * 1e9);
	return has < 0 ? -1 : 0;
}

static int read_row(struct kernels *kernels, const struct devices *devices,
		    const struct kernels_columns *columns, const struct row *row, struct err *err)
{
	const char *app = row_text(row, columns->app), *size = row_text(row, columns->size);
	const char *device = row_text(row, columns->device);
	struct kernel *kernel;
	struct err why;
	uint32_t set;
	int d;

	if (app == NULL || size == NULL || device == NULL)
		return row_error(row, err, "app, size and device must be given");
	set = devices_set(devices, device, &why);
	if (set == 0)
		return row_error(row, err, "device: %s", why.msg);
	kernel = find_or_add(kernels, app, size);
	if (read_whole(kernel, columns, row, err) != 0 ||
	    read_speed(kernel, columns, row, set, err) != 0)
		return -1;
	if ((set & (set - 1)) != 0)
		return 0;
	d = __builtin_ctz(set);
	kernel->copy_in_ns[d] = kernel->copy_out_ns[d] = -1;
	return read_copy(row, columns->copy_in, "copy_in_s", &kernel->copy_in_ns[d], err) != 0 ||
			       read_copy(row, columns->copy_out, "copy_out_s",
					 &kernel->copy_out_ns[d], err) != 0
		       ? -1
		       : 0;
}

static int64_t copy_ns(int64_t said_ns, double bytes, double bytes_per_s)
{
	if (said_ns >= 0)
		return said_ns;
	return bytes > 0 && bytes_per_s > 0 ? llround(fmin(bytes / bytes_per_s, longest_s) * 1e9)
					    : 0;
}

/* What needs all rows: copies by bandwidth, memory, sets of devices that the kernel can't
 * run on. */
static void finish(struct kernel *kernel, const struct devices *devices)
{
	int n = 0;

	for (int d = 0; d < devices->n; d++) {
		const struct device *device = &devices->at[d];

		if (kernel->slice_ns[d] > 0 && device->memory_bytes > 0 &&
		    kernel->bytes > device->memory_bytes) {
			kernel->too_small |= UINT32_C(1) << d;
			kernel->slice_ns[d] = 0;
		}
		if (kernel->slice_ns[d] == 0) {
			kernel->copy_in_ns[d] = kernel->copy_out_ns[d] = 0;
			continue;
		}
		kernel->copy_in_ns[d] =
			copy_ns(kernel->copy_in_ns[d], kernel->bytes, device->copy_in_Bps);
		kernel->copy_out_ns[d] =
			copy_ns(kernel->copy_out_ns[d], kernel->bytes, device->copy_out_Bps);
	}
	for (int i = 0; i < kernel->nmeasured; i++) {
		bool runs = true;

		for (int d = 0; d < devices->n; d++)
			runs = runs && ((kernel->measured[i].devices >> d & 1) == 0 ||
					kernel->slice_ns[d] > 0);
		if (runs)
			kernel->measured[n++] = kernel->measured[i];
	}
	kernel->nmeasured = n;
	kernel->slices = kernel->slices == 0 ? 1 : kernel->slices;
}

int kernels_read(struct kernels *kernels, const struct devices *devices, char *const *paths,
		 struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_kernels, NULL};
	struct kernels_columns columns;
	struct table_in *in = NULL;
	struct row row;
	int status;

	*kernels = (struct kernels){0};
	if (table_open(&in, kinds, paths, false, err) != 0)
		return -1;
	table_unique(in);
	bind(&columns, in);
	while ((status = table_next(in, &row, err)) == 1)
		if (read_row(kernels, devices, &columns, &row, err) != 0) {
			status = -1;
			break;
		}
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: the table was truncated", paths[0]);
	table_close(in);
	for (size_t i = 0; i < kernels->all.n && status == 0; i++)
		finish(kernels->all.at[i], devices);
	if (status != 0)
		kernels_free(kernels);
	return status;
}

void kernels_free(struct kernels *kernels)
{
	for (size_t i = 0; i < kernels->all.n; i++) {
		free(kernels->all.at[i]->app);
		free(kernels->all.at[i]->size);
		free(kernels->all.at[i]);
	}
	vec_free(&kernels->all);
	map_free(&kernels->by_name);
}

const struct kernel *kernels_find(const struct kernels *kernels, const char *app, const char *size)
{
	char *key = xasprintf("%s\t%s", app, size);
	int64_t i = map_get(&kernels->by_name, key, strlen(key));

	free(key);
	return i < 0 ? NULL : kernels->all.at[i];
}

struct kernel kernel_resliced(const struct kernel *kernel, int64_t slices)
{
	struct kernel resliced = *kernel;

	resliced.slices = slices;
	resliced.nmeasured = 0;
	for (int d = 0; d < DEVICES_MAX; d++)
		if (kernel->slice_ns[d] > 0)
			resliced.slice_ns[d] = slice_ns(kernel, d, slices);
	return resliced;
}
