/* constraints.c - the registry of constraints, and how one is opened */
#include "place/constraint/constraint.h"

#define REGISTRY "place/constraint/constraints.def"
#define REGISTRY_TYPE struct constraint_type
#define REGISTRY_PREFIX constraint_
#include "base/registry_entries.h"

const struct registry constraints = REGISTRY_OF("constraints", "constraint");

int constraint_open(struct constraint *constraint, const struct pick *pick,
		    const struct space *space, struct err *err)
{
	*constraint = (struct constraint){
		.type = (const struct constraint_type *)pick->entry, .pick = pick, .space = space};
	if (constraint->type->open == NULL || constraint->type->open(constraint, err) == 0)
		return 0;
	err_prefix(err, "%s: ", pick->entry->name);
	constraint_close(constraint);
	return -1;
}

void constraint_close(struct constraint *constraint)
{
	if (constraint->type != NULL && constraint->type->close != NULL)
		constraint->type->close(constraint);
	*constraint = (struct constraint){0};
}
