/* source_list.c - lists of column names in a pick: NAME+NAME */
#include "traffic/source/source_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct match {
	int column;
	const char *instance;
};

static int by_instance(const void *a, const void *b)
{
	return strcmp(((const struct match *)a)->instance, ((const struct match *)b)->instance);
}

/* The columns of one name, ordered by instance. */
static int use_name(const struct counter_names *names, const char *name, list_use_fn *use,
		    void *context)
{
	VEC(struct match) matches = {0};
	size_t n = strlen(name);
	int count, column = names_find(names, "%s", name);

	if (column >= 0)
		vec_push(&matches, (struct match){column, ""});
	for (int i = 0; i < names->n; i++)
		if (strncmp(names->at[i], name, n) == 0 && names->at[i][n] == '#')
			vec_push(&matches, (struct match){i, names->at[i] + n + 1});
	if (matches.n > 0)
		qsort(matches.at, matches.n, sizeof(*matches.at), by_instance);
	for (size_t i = 0; i < matches.n; i++)
		use(context, matches.at[i].column, name, matches.at[i].instance);
	count = (int)matches.n;
	vec_free(&matches);
	return count;
}

int list_columns(const struct counter_names *names, const char *list, bool may_lack,
		 list_use_fn *use, void *context, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy;
	int total = 0;

	while (rest != NULL) {
		char *name = strsep(&rest, "+");
		int n = *name != '\0' ? use_name(names, name, use, context) : 0;

		if (n == 0 && *name != '\0' && !may_lack) {
			err_set(err, "there is no column %s", name);
			free(copy);
			return -1;
		}
		total += n;
	}
	free(copy);
	return total;
}
