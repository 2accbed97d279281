/* work.c - a kernel, its range and its arguments: what devices do slices of */
#include "live/kernel/work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/yaml.h"
#include "live/kernel/work_contents.h"
#include "live/slice/cl_compiled.h"
#include "live/slice/cl_text.h"

enum { SOURCE_LIMIT = 64 << 20 };
static const int64_t buffer_limit = INT64_C(1) << 36;

struct loading {
	struct work *work;
	const struct yaml_file *file;
	const struct work_options *options;
	char *folder; /* ends in /, or is "" */
	struct err *err;
};

static int read_parameters(struct loading *loading, const struct yaml *map)
{
	struct work *work = loading->work;
	const struct work_options *options = loading->options;

	if (map != NULL && (map->type != YAML_MAP || map->n > WORK_PARAMETERS))
		return yaml_error(loading->file, map, loading->err,
				  "expected parameters: {NAME: NUMBER, …}, at most %d",
				  WORK_PARAMETERS);
	for (size_t i = 0; map != NULL && i < map->n; i++) {
		struct formula_name *name = &work->parameters[work->nparameters];
		int64_t value;

		if (work_formula(work, loading->file, map->items[i], &value, loading->err) != 0)
			return -1;
		for (int s = 0; s < options->nset; s++) {
			size_t n = strcspn(options->set[s], "=");

			if (options->set[s][n] == '=' && n == map->keys[i]->n &&
			    memcmp(options->set[s], map->keys[i]->text, n) == 0 &&
			    num_int(options->set[s] + n + 1, INT64_MIN, INT64_MAX, &value) != 0)
				return err_set(loading->err, "--set %s: expected a whole number",
					       options->set[s]);
		}
		*name = (struct formula_name){xstrdup(map->keys[i]->text), value};
		work->nparameters++;
	}
	for (int s = 0; s < options->nset; s++) {
		size_t n = strcspn(options->set[s], "=");
		bool is_known = false;

		for (int i = 0; i < work->nparameters; i++)
			is_known = is_known ||
				   (strlen(work->parameters[i].name) == n &&
				    memcmp(work->parameters[i].name, options->set[s], n) == 0);
		if (!is_known || options->set[s][n] != '=')
			return err_set(loading->err,
				       "--set %s: expected NAME=NUMBER, a parameter of %s",
				       options->set[s], work->file);
	}
	return 0;
}

static int read_program(struct loading *loading, const struct yaml *map)
{
	struct work *work = loading->work;
	const char *name = yaml_text(map, "source"), *binary = yaml_text(map, "binary");
	const struct yaml *argument = yaml_get(map, "slice_argument");
	struct buf what = {0};
	char *path;
	int64_t number = -1;

	if (map == NULL || (name == NULL) == (binary == NULL))
		return yaml_error(loading->file, map != NULL ? map : yaml_root(loading->file),
				  loading->err, "expected program: {source: FILE.cl}, or binary");
	work->is_binary = binary != NULL;
	name = work->is_binary ? binary : name;
	path = name[0] == '/' ? xstrdup(name) : xasprintf("%s%s", loading->folder, name);
	work->source = work_read_file(path, SOURCE_LIMIT, &work->source_bytes, loading->err);
	free(path);
	if (work->source == NULL)
		return -1;
	work->options = xstrdup(yaml_text(map, "options") != NULL ? yaml_text(map, "options") : "");
	if (argument != NULL &&
	    work_formula(work, loading->file, argument, &number, loading->err) != 0)
		return -1;
	if (number < -1 || number >= WORK_ARGS)
		return yaml_error(loading->file, argument, loading->err,
				  "slice_argument: expected the number of an argument, from 0");
	work->slice_argument = (int)number;
	if (work->is_binary && number < 0)
		return yaml_error(loading->file, map, loading->err,
				  "a binary needs slice_argument: the argument that takes the "
				  "first work item of a slice");
	if (!work->is_binary) {
		work->doubts = cl_compiled_doubts(work->source, work->options, &what);
		work->doubt_text = xstrdup(buf_text(&what));
		buf_free(&what);
	}
	return 0;
}

static int read_sizes(struct loading *loading, const struct yaml *root, const char *key,
		      int64_t *sizes)
{
	const struct yaml *list = yaml_get(root, key);
	struct range *range = &loading->work->range;

	if (list == NULL)
		return 0;
	if (list->type != YAML_LIST || list->n < 1 || list->n > RANGE_DIMS ||
	    (range->dims != 0 && (int)list->n != range->dims))
		return yaml_error(loading->file, list, loading->err,
				  "%s: expected as many sizes as dimensions, 1 to 3", key);
	range->dims = (int)list->n;
	for (size_t i = 0; i < list->n; i++) {
		if (work_formula(loading->work, loading->file, list->items[i], &sizes[i],
				 loading->err) != 0)
			return -1;
		if (sizes[i] < 0 || (sizes[i] == 0 && !str_eq(key, "offset")) ||
		    sizes[i] > buffer_limit)
			return yaml_error(loading->file, list->items[i], loading->err,
					  "%s: %lld work items; expected 1 to 2^36", key,
					  (long long)sizes[i]);
	}
	return 0;
}

static int read_range(struct loading *loading, const struct yaml *root)
{
	struct work *work = loading->work;
	const struct yaml *dimension = yaml_get(root, "dimension");
	int64_t number = -1;

	if (yaml_get(root, "global") == NULL)
		return yaml_error(loading->file, root, loading->err,
				  "global is missing; expected its sizes, as [1024, 1024]");
	for (int d = 0; d < RANGE_DIMS; d++)
		work->range.global[d] = 1;
	if (read_sizes(loading, root, "global", work->range.global) != 0 ||
	    read_sizes(loading, root, "local", work->range.local) != 0 ||
	    read_sizes(loading, root, "offset", work->range.offset) != 0)
		return -1;
	for (int d = work->range.dims; d < RANGE_DIMS; d++)
		work->range.local[d] = 1;
	if (dimension != NULL &&
	    !(dimension->type == YAML_SCALAR && str_eq(dimension->text, "auto")) &&
	    work_formula(work, loading->file, dimension, &number, loading->err) != 0)
		return -1;
	if (number < -1 || number >= work->range.dims)
		return yaml_error(loading->file, dimension, loading->err,
				  "dimension: expected auto or 0 to %d", work->range.dims - 1);
	work->dimension = (int)number;
	return 0;
}

static int read_merge(struct loading *loading, struct work_arg *arg, const struct yaml *map)
{
	const char *name = yaml_text(map, "merge"), *of = yaml_text(map, "map");
	struct work *work = loading->work;

	if (name == NULL)
		return yaml_error(loading->file, map, loading->err,
				  "%s is written, but merge is missing; expected one of rows, sum, "
				  "owner, difference",
				  arg->name);
	arg->merge = (const struct merge *)registry_find(&merges, name);
	if (arg->merge == NULL)
		return yaml_error(loading->file, yaml_get(map, "merge"), loading->err,
				  "'%s' is not a merge; expected one of rows, sum, owner, "
				  "difference",
				  name);
	if (arg->merge->is_sum && arg->is_read)
		return yaml_error(loading->file, map, loading->err,
				  "%s: a buffer that is added up begins at 0: expected buffer: out",
				  arg->name);
	for (int i = 0; of != NULL && i < work->nargs - 1; i++)
		if (str_eq(work->args[i].name, of))
			arg->map = i;
	if (arg->merge->has_map &&
	    (arg->map < 0 || work->args[arg->map].kind != ARG_BUFFER ||
	     work->args[arg->map].element->size != 4 || work->args[arg->map].element->is_real ||
	     work->args[arg->map].bytes / 4 != arg->bytes / arg->element->size))
		return yaml_error(loading->file, map, loading->err,
				  "%s: expected map: an int buffer before it with as many elements",
				  arg->name);
	return 0;
}

/* Before anything is filled. The host keeps all buffers, too. */
static int check_host(const struct loading *loading, const struct yaml *map)
{
	double room = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	if (work_bytes(loading->work) <= room)
		return 0;
	return yaml_error(loading->file, map, loading->err,
			  "%.0f bytes of buffers up to here; this machine has %.0f",
			  work_bytes(loading->work), room);
}

static int read_buffer(struct loading *loading, struct work_arg *arg, const struct yaml *map)
{
	const char *how = yaml_text(map, "buffer");
	int64_t count;

	arg->kind = ARG_BUFFER;
	if (how == NULL || !(str_eq(how, "in") || str_eq(how, "out") || str_eq(how, "inout")))
		return yaml_error(loading->file, map, loading->err,
				  "buffer: expected in, out or inout");
	arg->is_read = !str_eq(how, "out");
	arg->is_written = !str_eq(how, "in");
	if (yaml_get(map, "count") == NULL)
		return yaml_error(loading->file, map, loading->err,
				  "count is missing; expected the number of elements of %s",
				  arg->name);
	if (work_formula(loading->work, loading->file, yaml_get(map, "count"), &count,
			 loading->err) != 0)
		return -1;
	if (count < 1 || count > buffer_limit / (int64_t)arg->element->size)
		return yaml_error(loading->file, yaml_get(map, "count"), loading->err,
				  "%lld elements; expected 1 to 2^36 bytes of them",
				  (long long)count);
	arg->bytes = (size_t)count * arg->element->size;
	if (check_host(loading, map) != 0)
		return -1;
	/* the program's memory is there before a kernel begins: no time of a kernel has its making
	 */
	arg->host = xmalloc(arg->bytes);
	memset(arg->host, 0, arg->bytes);
	if (arg->is_read && work_contents(loading->work, arg, loading->file, map, loading->folder,
					  loading->options->seed, loading->err) != 0)
		return -1;
	return arg->is_written ? read_merge(loading, arg, map) : 0;
}

static int read_value(struct loading *loading, struct work_arg *arg, const struct yaml *map)
{
	int status;

	/* filled as a buffer of one element is */
	arg->kind = ARG_VALUE;
	arg->bytes = arg->element->size;
	arg->host = arg->value;
	status = work_contents(loading->work, arg, loading->file, map, loading->folder, 0,
			       loading->err);
	arg->host = NULL;
	return status;
}

static int read_arg(struct loading *loading, const struct yaml *map)
{
	static const char *const keys[] = {"name",  "buffer", "type",  "count",  "merge",
					   "map",   "value",  "local", "file",   "random",
					   "below", "start",  "step",  "period", NULL};
	struct work *work = loading->work;
	struct work_arg *arg = &work->args[work->nargs++];
	const char *type = yaml_text(map, "type"), *name = yaml_text(map, "name");
	int64_t bytes;

	*arg = (struct work_arg){.map = -1, .line = map->line};
	if (map->type != YAML_MAP)
		return yaml_error(loading->file, map, loading->err,
				  "expected an argument: {name: a, buffer: in, …}");
	for (size_t i = 0; i < map->n; i++) {
		int k = 0;

		while (keys[k] != NULL && !str_eq(keys[k], map->keys[i]->text))
			k++;
		if (keys[k] == NULL)
			return yaml_error(
				loading->file, map->keys[i], loading->err,
				"'%s' is not a key of an argument; expected name, buffer, "
				"value, local, type, count, merge, map, file, random, "
				"below, start, step or period",
				map->keys[i]->text);
	}
	arg->name = name != NULL ? xstrdup(name) : xasprintf("%d", work->nargs - 1);
	arg->element = element_find(type != NULL ? type : "int");
	if (arg->element == NULL)
		return yaml_error(loading->file, yaml_get(map, "type"), loading->err,
				  "'%s' is not a type; expected one of %s", type, element_names());
	if (yaml_get(map, "buffer") != NULL)
		return read_buffer(loading, arg, map);
	if (yaml_get(map, "value") != NULL)
		return read_value(loading, arg, map);
	if (yaml_get(map, "local") == NULL)
		return yaml_error(loading->file, map, loading->err,
				  "%s: expected buffer, value or local", arg->name);
	arg->kind = ARG_LOCAL;
	if (work_formula(work, loading->file, yaml_get(map, "local"), &bytes, loading->err) != 0)
		return -1;
	if (bytes < 1 || bytes > 1 << 30)
		return yaml_error(loading->file, yaml_get(map, "local"), loading->err,
				  "local: expected 1 to 2^30 bytes");
	arg->bytes = (size_t)bytes;
	return 0;
}

static int read_args(struct loading *loading, const struct yaml *list)
{
	if (list == NULL || list->type != YAML_LIST || list->n > WORK_ARGS - 1)
		return yaml_error(loading->file, list != NULL ? list : yaml_root(loading->file),
				  loading->err, "expected a list of at most %d arguments",
				  WORK_ARGS - 1);
	for (size_t i = 0; i < list->n; i++)
		if (read_arg(loading, list->items[i]) != 0)
			return -1;
	return 0;
}

/* "n=512,k=4": a name of the size where the file gives none. */
static char *size_name(const struct work *work)
{
	struct buf text = {0};
	char *result;

	for (int i = 0; i < work->nparameters; i++)
		buf_printf(&text, "%s%s=%lld", i > 0 ? "," : "", work->parameters[i].name,
			   (long long)work->parameters[i].value);
	result = xstrdup(text.n > 0 ? buf_text(&text) : ".");
	buf_free(&text);
	return result;
}

static int read_root(struct loading *loading)
{
	static const char *const keys[] = {"placetools", "name",      "size",      "parameters",
					   "program",    "kernel",    "global",    "local",
					   "offset",     "dimension", "arguments", NULL};
	const struct yaml *root = yaml_root(loading->file);
	struct work *work = loading->work;
	const char *version = yaml_text(root, "placetools"), *kernel = yaml_text(root, "kernel");

	if (root->type != YAML_MAP || version == NULL || !str_eq(version, "kernel/1"))
		return yaml_error(loading->file, root, loading->err,
				  "expected 'placetools: kernel/1' and a kernel's description");
	for (size_t i = 0; i < root->n; i++) {
		int k = 0;

		while (keys[k] != NULL && !str_eq(keys[k], root->keys[i]->text))
			k++;
		if (keys[k] == NULL)
			return yaml_error(loading->file, root->keys[i], loading->err,
					  "'%s' is not a key of kernel/1", root->keys[i]->text);
	}
	if (kernel == NULL)
		return yaml_error(loading->file, root, loading->err,
				  "kernel is missing; expected the name of a kernel");
	work->kernel = xstrdup(kernel);
	work->name = xstrdup(yaml_text(root, "name") != NULL ? yaml_text(root, "name") : kernel);
	if (read_parameters(loading, yaml_get(root, "parameters")) != 0 ||
	    read_program(loading, yaml_get(root, "program")) != 0 ||
	    read_range(loading, root) != 0 || read_args(loading, yaml_get(root, "arguments")) != 0)
		return -1;
	work->size = yaml_text(root, "size") != NULL && loading->options->nset == 0
			     ? xstrdup(yaml_text(root, "size"))
			     : size_name(work);
	return 0;
}

int work_load(struct work *work, const char *path, const struct work_options *options,
	      struct err *err)
{
	struct loading loading = {.work = work, .options = options, .err = err};
	struct yaml_file *file;
	const char *slash = strrchr(path, '/');
	int status;

	*work = (struct work){.slice_argument = -1, .dimension = -1};
	if (yaml_open(&file, path, err) != 0)
		return -1;
	work->file = xstrdup(path);
	loading.file = file;
	loading.folder = slash != NULL ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup("");
	status = read_root(&loading);
	yaml_close(file);
	free(loading.folder);
	work->manner = options->by_parameter   ? PRELUDE_PARAMETER
		       : work->range.dims == 3 ? PRELUDE_FIXED
					       : PRELUDE_MARK;
	if (status == 0)
		status = work_slice(work, options->nslices > 0 ? options->nslices : 16, err);
	if (status != 0)
		work_free(work);
	return status;
}

void work_free(struct work *work)
{
	for (int i = 0; i < work->nargs; i++) {
		free(work->args[i].name);
		if (work->args[i].kind == ARG_BUFFER)
			free(work->args[i].host);
		free(work->args[i].parts);
	}
	for (int i = 0; i < work->nparameters; i++)
		free(work->parameters[i].name);
	free(work->name);
	free(work->size);
	free(work->file);
	free(work->source);
	free(work->options);
	free(work->kernel);
	free(work->doubt_text);
	*work = (struct work){0};
}

/* Each slice's part of sums whose order matters. */
static int make_parts(struct work *work, struct err *err)
{
	for (int i = 0; i < work->nargs; i++) {
		struct work_arg *arg = &work->args[i];

		if (!work_is_ordered(arg))
			continue;
		if (arg->bytes > (size_t)(INT64_C(1) << 32) / (size_t)work->slicing.n)
			return err_set(err,
				       "%s:%ld: %s: %zu bytes for each of %lld slices are more "
				       "than 4 GiB; expected fewer slices, or integers",
				       work->file, arg->line, arg->name, arg->bytes,
				       (long long)work->slicing.n);
		free(arg->parts);
		arg->parts = xcalloc((size_t)work->slicing.n, arg->bytes);
	}
	return 0;
}

void work_add_parts(struct work *work)
{
	for (int i = 0; i < work->nargs; i++) {
		struct work_arg *arg = &work->args[i];

		for (int64_t s = 0; work_is_ordered(arg) && s < work->slicing.n; s++)
			element_add(arg->element, arg->host, arg->parts + (size_t)s * arg->bytes,
				    arg->bytes / arg->element->size);
	}
}

int work_slice(struct work *work, int64_t nslices, struct err *err)
{
	int dimension = work->dimension, slowest = work->range.dims - 1;

	for (int i = 0; i < work->nargs && dimension < 0; i++)
		if (work->args[i].is_written && work->args[i].merge->is_contiguous)
			dimension = slowest;
	if (slicing_make(&work->slicing, &work->range, dimension, nslices, false, err) != 0)
		return err_prefix(err, "%s: ", work->file);
	if (work->manner == PRELUDE_MARK && !prelude_fits(&work->slicing))
		return err_set(err,
			       "%s: more than 2^30 work items in two dimensions; expected fewer, "
			       "or --offset parameter",
			       work->file);
	for (int i = 0; i < work->nargs; i++) {
		const struct work_arg *arg = &work->args[i];

		if (!arg->is_written)
			continue;
		if (arg->merge->is_contiguous && work->slicing.dimension != slowest)
			return err_set(
				err, "%s:%ld: %s: %s needs slices along the slowest dimension, %d",
				work->file, arg->line, arg->name, arg->merge->entry.name, slowest);
		if (arg->merge->check != NULL &&
		    arg->merge->check(&work->slicing, arg->element, arg->bytes, err) != 0)
			return err_prefix(err, "%s:%ld: %s: ", work->file, arg->line, arg->name);
	}
	return make_parts(work, err);
}

int work_may_share(const struct work *work, int ndevices, struct err *err)
{
	unsigned doubts = work->doubts;
	struct buf text = {0};
	bool adds = false;

	for (int i = 0; i < work->nargs; i++)
		adds = adds || (work->args[i].is_written && work->args[i].merge->is_sum);
	if (adds || ndevices == 1)
		doubts &= ~(unsigned)DOUBT_ATOMICS;
	if (ndevices == 1) /* slices follow each other in one memory, and the driver reports what it
			      can't build */
		doubts &= ~(unsigned)DOUBT_UNSEEN;
	if (work->slice_argument >= 0)
		doubts &= ~(unsigned)DOUBT_REDEFINED;
	if (doubts == 0)
		return 0;
	cl_doubts_text(doubts, &text);
	err_set(err, "%s: %s can't be sliced for %d device%s: %s (%s)", work->file, work->kernel,
		ndevices, ndevices == 1 ? "" : "s", buf_text(&text), work->doubt_text);
	buf_free(&text);
	return -1;
}

double work_bytes(const struct work *work)
{
	double bytes = 0;

	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].kind == ARG_BUFFER)
			bytes += (double)work->args[i].bytes;
	return bytes;
}
