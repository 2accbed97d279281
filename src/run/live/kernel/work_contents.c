/* work_contents.c - what a buffer holds before the kernel runs */
#include "live/kernel/work_contents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"

int work_formula(const struct work *work, const struct yaml_file *file, const struct yaml *node,
		 int64_t *value, struct err *err)
{
	struct err why = {0};

	if (node->type != YAML_SCALAR)
		return yaml_error(file, node, err, "expected a number or a formula");
	if (formula_value(node->text, work->parameters, (size_t)work->nparameters, value, &why) !=
	    0)
		return yaml_error(file, node, err, "%s", why.msg);
	return 0;
}

char *work_read_file(const char *path, size_t limit, size_t *n, struct err *err)
{
	FILE *in = fopen(path, "rb");
	struct buf text = {0};
	char block[1 << 16], *result;
	size_t got;

	if (in == NULL) {
		err_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	while ((got = fread(block, 1, sizeof(block), in)) > 0 && text.n <= limit)
		buf_add(&text, block, got);
	if (ferror(in) || text.n > limit) {
		if (ferror(in))
			err_set(err, "%s: %s", path, strerror(errno));
		else
			err_set(err, "%s: more than %zu bytes", path, limit);
		fclose(in);
		buf_free(&text);
		return NULL;
	}
	fclose(in);
	*n = text.n;
	result = xmalloc(text.n + 1);
	memcpy(result, buf_text(&text), text.n);
	result[text.n] = '\0';
	buf_free(&text);
	return result;
}

static void store(const struct element *element, void *at, double real, int64_t whole)
{
	float single = (float)real;

	if (element->is_real)
		memcpy(at, element->size == 4 ? (const void *)&single : (const void *)&real,
		       element->size);
	else
		memcpy(at, &whole, element->size); /* the low bytes come first */
}

static int fill_random(const struct work *work, struct work_arg *arg, const struct yaml_file *file,
		       const struct yaml *map, int64_t seed, struct err *err)
{
	const struct yaml *below = yaml_get(map, "below");
	int64_t stream, limit = 0;
	size_t n = arg->bytes / arg->element->size;
	struct rng rng;

	if (work_formula(work, file, yaml_get(map, "random"), &stream, err) != 0 ||
	    (below != NULL && work_formula(work, file, below, &limit, err) != 0))
		return -1;
	if (below == NULL ? !arg->element->is_real : limit < 1)
		return yaml_error(file, map, err,
				  "below is missing; expected what random integers are less than");
	rng = rng_make((uint64_t)(stream + seed), "kernel", arg->name, NULL);
	for (size_t i = 0; i < n; i++) {
		if (arg->element->is_real) {
			double real = (double)(float)rng_unit(&rng);

			store(arg->element, arg->host + i * arg->element->size,
			      below != NULL ? real * (double)limit : real, 0);
		} else {
			store(arg->element, arg->host + i * arg->element->size, 0,
			      (int64_t)rng_below(&rng, (uint64_t)limit));
		}
	}
	return 0;
}

static int read_real(const struct work *work, const struct yaml_file *file, const struct yaml *node,
		     double *real, struct err *err)
{
	int64_t whole;

	if (node == NULL ||
	    (node->type == YAML_SCALAR && num_real(node->text, -1e300, 1e300, real) == 0))
		return 0;
	if (work_formula(work, file, node, &whole, err) != 0)
		return -1;
	*real = (double)whole;
	return 0;
}

/* start + step · (i mod period) */
static int fill_steps(const struct work *work, struct work_arg *arg, const struct yaml_file *file,
		      const struct yaml *map, struct err *err)
{
	double start = 0, step = 0;
	int64_t period = INT64_MAX;
	const struct yaml *every = yaml_get(map, "period");
	const struct yaml *value = yaml_get(map, "value");

	if (read_real(work, file, value != NULL ? value : yaml_get(map, "start"), &start, err) !=
		    0 ||
	    read_real(work, file, yaml_get(map, "step"), &step, err) != 0 ||
	    (every != NULL && work_formula(work, file, every, &period, err) != 0))
		return -1;
	if (period < 1)
		return yaml_error(file, every, err, "period: expected 1 or more");
	for (size_t i = 0; i < arg->bytes / arg->element->size; i++) {
		int64_t at = (int64_t)i % period;
		double real = start + step * (double)at;

		store(arg->element, arg->host + i * arg->element->size, real,
		      (int64_t)start + (int64_t)step * at);
	}
	return 0;
}

static int fill_file(struct work_arg *arg, const struct yaml_file *file, const struct yaml *node,
		     const char *folder, struct err *err)
{
	char *path, *bytes;
	struct err why;
	size_t n = 0;

	if (node->type != YAML_SCALAR)
		return yaml_error(file, node, err, "expected the name of a file");
	path = node->text[0] == '/' ? xstrdup(node->text) : xasprintf("%s%s", folder, node->text);
	bytes = work_read_file(path, arg->bytes, &n, &why);
	free(path);
	if (bytes == NULL)
		return yaml_error(file, node, err, "%s", why.msg);
	memcpy(arg->host, bytes, n);
	free(bytes);
	if (n != arg->bytes)
		return yaml_error(file, node, err, "%zu bytes; expected %zu", n, arg->bytes);
	return 0;
}

int work_contents(struct work *work, struct work_arg *arg, const struct yaml_file *file,
		  const struct yaml *map, const char *folder, int64_t seed, struct err *err)
{
	if (yaml_get(map, "file") != NULL)
		return fill_file(arg, file, yaml_get(map, "file"), folder, err);
	if (yaml_get(map, "random") != NULL)
		return fill_random(work, arg, file, map, seed, err);
	return fill_steps(work, arg, file, map, err);
}
