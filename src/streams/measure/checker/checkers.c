/* checkers.c - the registry of checks of geometric constraints */
#include "measure/checker/geometry.h"

#define REGISTRY "place/constraint/constraints.def"
#define REGISTRY_TYPE struct checker_type
#define REGISTRY_PREFIX checker_
#include "base/registry_entries.h"

const struct registry checkers = REGISTRY_OF("constraints", "constraint");

int checker_open_as(struct checker *checker, const struct checker_type *type,
		    const struct pick *pick, struct geometry *geometry, struct err *err)
{
	*checker = (struct checker){.type = type, .pick = pick, .geometry = geometry};
	if (type->open == NULL || type->open(checker, err) == 0)
		return 0;
	checker_close(checker);
	return err_prefix(err, "%s: ", pick->entry->name);
}

int checker_open(struct checker *checker, const struct pick *pick, struct geometry *geometry,
		 struct err *err)
{
	return checker_open_as(checker, (const struct checker_type *)pick->entry, pick, geometry,
			       err);
}

void checker_close(struct checker *checker)
{
	if (checker->type != NULL && checker->type->close != NULL)
		checker->type->close(checker);
	*checker = (struct checker){0};
}

enum verdict checker_check(struct checker *checker, const struct region *region,
			   struct buf *witness)
{
	buf_clear(witness);
	if (region->n == 0) {
		buf_str(witness, "not placed");
		return VERDICT_OPEN;
	}
	geometry_mark(checker->geometry, region);
	return checker->type->check(checker, region, witness);
}
