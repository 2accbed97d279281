/* checks.c - the registry of checks; a whole stream is checked */

#include "measure/check/check.h"

#define REGISTRY "measure/check/checks.def"
#define REGISTRY_TYPE struct check
#define REGISTRY_PREFIX check_
#include "base/registry_entries.h"

const struct registry checks = REGISTRY_OF("checks", "check of a kind of stream");

/* ---- cells: the table has checked their types, so what is there can be read ---- */

/* ---- a whole stream ---- */

static const struct check *check_of(const struct table_kind *kind)
{
	for (int i = 0; i < checks.n; i++) {
		const struct check *check = (const struct check *)checks.entries[i];

		if (check->kind == kind)
			return check;
	}
	return NULL;
}

static void tell_finding(void *context, const char *text)
{
	found(context, text);
}

int check_stream(struct table_in *in, const struct topo *topo, const struct node_states *states,
		 struct constraint_checks *constraints, const struct block_sizes *block_sizes,
		 bool is_about_waiting, struct findings *findings, struct err *err)
{
	struct checking checking = {.in = in,
				    .topo = topo,
				    .states = states,
				    .constraints = constraints,
				    .block_sizes = block_sizes,
				    .is_about_waiting = is_about_waiting,
				    .findings = findings};
	const struct check *check = check_of(table_kind(in));
	struct row row;
	int status;

	table_tolerate(in, tell_finding, findings);
	if (check == NULL || !check->has_own_key)
		table_unique(in);
	if (check != NULL && check->open != NULL)
		check->open(&checking);
	while ((status = table_next(in, &row, err)) == 1)
		if (check != NULL)
			check->row(&checking, &row);
	if (check != NULL && check->close != NULL)
		check->close(&checking);
	return status;
}
