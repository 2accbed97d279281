/* level_spread_draw.c - sizes, numbers and patterns of the jobs in the study of Level-Spread */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/level_spread.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"

int study_sizes_parse(struct study_workload *workload, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *parts[STUDY_SIZES + 1];
	int n = str_split(copy, '+', parts, STUDY_SIZES + 1), status = 0;

	if (n > STUDY_SIZES)
		status = err_set(err, "level-spread: sizes: more than %d sizes", STUDY_SIZES);
	for (int i = 0; i < n && status == 0; i++) {
		int64_t nodes;

		if (num_int(parts[i], 1, INT32_MAX, &nodes) != 0 ||
		    (i > 0 && nodes <= workload->sizes[i - 1].nodes))
			status = err_set(err,
					 "level-spread: sizes: '%s' is not rising sizes such as "
					 "16+64, quarter or random",
					 text);
		else
			workload->sizes[i].nodes = (int)nodes;
	}
	workload->nsizes = n;
	free(copy);
	return status;
}

int study_patterns_parse(study_patterns *patterns, const char *text, struct err *err)
{
	static const char six[] = "[alltoall,broadcast,fft3d,halo2d,halo3d,halo3d26:n=8]";
	const char *list = str_eq(text, "all") ? six : text;
	size_t n = strlen(list);

	if (list[0] == '[' && list[n - 1] == ']') {
		list++;
		n -= 2;
	}
	for (size_t begin = 0, at = 0; at <= n; at++) {
		if (at < n && list[at] != ',')
			continue;
		if (at == begin)
			return err_set(err, "level-spread: patterns: '%s' names an empty one",
				       text);
		vec_push(patterns, xstrndup(list + begin, at - begin));
		begin = at + 1;
	}
	return 0;
}

void study_patterns_free(study_patterns *patterns)
{
	for (size_t i = 0; i < patterns->n; i++)
		free(patterns->at[i]);
	vec_free(patterns);
}

static int draw_within(struct rng *rng, int least, int most)
{
	return least + (int)rng_below(rng, (uint64_t)(most - least) + 1);
}

int study_draw(struct study_workload *workload, int nnodes, int group_size, bool is_large_first,
	       uint64_t seed, int64_t number, struct err *err)
{
	struct study_size *small = &workload->sizes[0], *large = &workload->sizes[1];
	struct study_size *first = is_large_first ? large : small;
	struct study_size *second = is_large_first ? small : large;
	struct rng rng;
	char name[32];

	if (group_size < 2 || nnodes / 2 <= group_size)
		return err_set(err,
			       "level-spread: random: the machine needs groups of two nodes or "
			       "more, and more than two of them");
	snprintf(name, sizeof(name), "%" PRId64, number);
	rng = rng_make(seed, "level-spread-sizes", name, NULL);
	workload->nsizes = 2;
	large->nodes = draw_within(&rng, group_size + 1, nnodes / 2);
	small->nodes = draw_within(&rng, 2, group_size);
	first->njobs = draw_within(&rng, 1, (nnodes - second->nodes) / first->nodes);
	second->njobs =
		draw_within(&rng, 1, (nnodes - first->njobs * first->nodes) / second->nodes);
	return 0;
}

void study_draw_patterns(struct study_workload *workload, const study_patterns *patterns,
			 uint64_t seed, int64_t number)
{
	struct rng rng;
	char name[32];

	snprintf(name, sizeof(name), "%" PRId64, number);
	rng = rng_make(seed, "level-spread-patterns", name, NULL);
	for (int k = 0; k < workload->nsizes; k++)
		workload->sizes[k].pattern = patterns->at[rng_below(&rng, patterns->n)];
}
