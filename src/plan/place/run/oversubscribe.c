/* oversubscribe.c - how the jobs of a partition share nodes: Slurm's OverSubscribe */
#include "place/run/oversubscribe.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"

/* Slurm's, where no number is given. */
enum { JOBS_DEFAULT = 4, JOBS_MOST = 32767 };

static int read_word(const char *text, size_t n, struct sharing *sharing, struct err *err)
{
	static const char *const names[] = {"no", "yes", "force", "exclusive"};
	const char *colon = memchr(text, ':', n);
	size_t length = colon != NULL ? (size_t)(colon - text) : n;
	char digits[12] = "";
	int64_t njobs = JOBS_DEFAULT;

	for (int kind = SHARING_NO; kind <= SHARING_EXCLUSIVE; kind++) {
		bool counts = kind == SHARING_YES || kind == SHARING_FORCE;

		if (strlen(names[kind]) != length || strncasecmp(text, names[kind], length) != 0 ||
		    (colon != NULL && !counts) || n - length > sizeof(digits))
			continue;
		if (colon != NULL)
			memcpy(digits, colon + 1, n - length - 1);
		if (colon != NULL && num_int(digits, 1, JOBS_MOST, &njobs) != 0)
			break;
		*sharing = (struct sharing){(enum sharing_kind)kind, counts ? (int)njobs : 1};
		return 0;
	}
	return err_set(err, "oversubscribe: '%.*s' is not no, yes:N, force:N or exclusive", (int)n,
		       text);
}

static int add_one(struct sharings *sharings, const char *name, size_t n, struct sharing sharing,
		   struct err *err)
{
	int64_t id = map_add(&sharings->ids, name, n, (int64_t)sharings->of.n);

	if (id == (int64_t)sharings->of.n) {
		vec_push(&sharings->of, sharing);
		return 0;
	}
	if (sharings->of.at[id].kind != sharing.kind || sharings->of.at[id].njobs != sharing.njobs)
		return err_set(err,
			       "oversubscribe: a node before shares the partition %.*s otherwise",
			       (int)n, name);
	return 0;
}

int sharings_add(struct sharings *sharings, const char *partitions, const char *words,
		 struct err *err)
{
	bool is_one = words != NULL && strchr(words, ',') == NULL;
	struct sharing sharing = {SHARING_NO, 1};

	if (words == NULL || partitions == NULL)
		return 0;
	while (*partitions != '\0') {
		size_t n = strcspn(partitions, ","), length = strcspn(words, ",");

		if (read_word(words, length, &sharing, err) != 0 ||
		    add_one(sharings, partitions, n, sharing, err) != 0)
			return -1;
		partitions += n;
		words += is_one ? 0 : length;
		if (!is_one && (*partitions == ',') != (*words == ','))
			return err_set(err, "oversubscribe: expected a word for each of the "
					    "partitions, or one for all");
		partitions += *partitions == ',';
		words += !is_one && *words == ',';
	}
	return 0;
}

int sharings_find(const struct sharings *sharings, const char *name, size_t n)
{
	return sharings->of.n > 0 ? (int)map_get(&sharings->ids, name, n) : -1;
}

void sharings_free(struct sharings *sharings)
{
	map_free(&sharings->ids);
	vec_free(&sharings->of);
}
