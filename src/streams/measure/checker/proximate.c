/* proximate.c - whether no as many nodes are closer together (Def. 7) */
#include <stdlib.h>

#include "measure/checker/minimal_routes.h"

static int proximate_open(struct checker *checker, struct err *err)
{
	(void)err;
	minimal_open(checker, LEAST_MAX);
	return 0;
}

const struct param geometry_params_proximate[] = {MINIMAL_PARAM, CHECKER_PARAMS, {0}};

const struct checker_type checker_proximate = {
	.entry = {.name = "proximate",
		  .example = "proximate",
		  .summary = "nodes with the smallest possible largest distance",
		  .paper = "Bleuse et al., Def. 7",
		  .params = geometry_params_proximate},
	.open = proximate_open,
	.close = minimal_close,
	.check = minimal_check,
};
