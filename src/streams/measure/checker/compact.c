/* compact.c - whether no as many nodes have a smaller sum of distances (Def. 8) */
#include <stdlib.h>

#include "measure/checker/minimal_routes.h"

static int compact_open(struct checker *checker, struct err *err)
{
	(void)err;
	minimal_open(checker, LEAST_SUM);
	return 0;
}

const struct param geometry_params_compact[] = {MINIMAL_PARAM, CHECKER_PARAMS, {0}};

const struct checker_type checker_compact = {
	.entry = {.name = "compact",
		  .example = "compact",
		  .summary = "nodes with the smallest possible sum of distances",
		  .paper = "Bleuse et al., Def. 8",
		  .params = geometry_params_compact},
	.open = compact_open,
	.close = minimal_close,
	.check = minimal_check,
};
