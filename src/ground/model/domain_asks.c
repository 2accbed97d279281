/* domain_asks.c - what a job asks of domains: within, slices, spread, balance, together */
#include "model/domain_asks.h"

#include <string.h>

#include "base/num.h"

bool domain_texts_any(const struct domain_texts *texts)
{
	return texts->within != NULL || texts->slices != NULL || texts->spread != NULL ||
	       texts->balance != NULL || texts->together != NULL;
}

/* "rack:16" */
static int read_sized(struct domain_ask *ask, const struct topo *topo, const char *text, size_t n,
		      struct err *err)
{
	const char *colon = memchr(text, ':', n);
	char digits[16];
	size_t ndigits = colon != NULL ? n - (size_t)(colon + 1 - text) : 0;
	int64_t size;

	if (ndigits == 0 || ndigits >= sizeof(digits))
		return err_set(err, "'%.*s': expected LEVEL:N", (int)n, text);
	memcpy(digits, colon + 1, ndigits);
	digits[ndigits] = '\0';
	if (num_int(digits, 1, INT32_MAX, &size) != 0)
		return err_set(err, "'%.*s': '%s' is not a positive number", (int)n, text, digits);
	ask->size = (int)size;
	return level_find(&ask->level, topo, text, (size_t)(colon - text), err);
}

/* "rack?" */
static int read_within(struct domain_ask *ask, const struct topo *topo, const char *text, size_t n,
		       struct err *err)
{
	ask->is_soft = n > 0 && text[n - 1] == '?';
	return level_find(&ask->level, topo, text, n - ask->is_soft, err);
}

typedef int read_ask_fn(struct domain_ask *ask, const struct topo *topo, const char *text, size_t n,
			struct err *err);

static int read_list(struct domain_ask *asks, int *nasks, const struct topo *topo, const char *text,
		     const char *column, read_ask_fn *read, struct err *err)
{
	size_t n;

	for (const char *at = text; at != NULL; at = at[n] == ',' ? at + n + 1 : NULL) {
		n = strcspn(at, ",");
		if (*nasks == DOMAIN_LEVELS_MOST)
			return err_set(err, "%s: more than %d levels", column, DOMAIN_LEVELS_MOST);
		if (read(&asks[(*nasks)++], topo, at, n, err) != 0)
			return err_prefix(err, "%s: ", column);
		for (int i = 0; i < *nasks - 1; i++)
			if (strcmp(level_name(&asks[i].level),
				   level_name(&asks[*nasks - 1].level)) == 0)
				return err_set(err, "%s: the level '%s' is there twice", column,
					       level_name(&asks[i].level));
	}
	return 0;
}

static int check_slices(const struct domain_asks *asks, struct err *err)
{
	for (int i = 1; i < asks->nslices; i++) {
		const struct domain_ask *outer = &asks->slices[i - 1], *inner = &asks->slices[i];

		if (outer->level.hierarchy != inner->level.hierarchy)
			return err_set(err, "slices: %s and %s are levels of two hierarchies",
				       level_name(&outer->level), level_name(&inner->level));
		if (level_depth(&outer->level) <= level_depth(&inner->level))
			return err_set(err,
				       "slices: %s is not outside %s: expected levels "
				       "outermost first",
				       level_name(&outer->level), level_name(&inner->level));
		if (outer->size % inner->size != 0)
			return err_set(err, "slices: %d does not divide the size before it, %d",
				       inner->size, outer->size);
	}
	return 0;
}

/* "svc-0:block" */
static int read_together(struct domain_asks *asks, const struct topo *topo, const char *text,
			 struct err *err)
{
	const char *colon = strrchr(text, ':');

	if (colon == NULL || colon == text)
		return err_set(err, "together: '%.80s': expected GROUP:LEVEL", text);
	asks->group = text;
	asks->ngroup = (size_t)(colon - text);
	asks->has_together = true;
	if (level_find(&asks->together, topo, colon + 1, strlen(colon + 1), err) != 0)
		return err_prefix(err, "together: ");
	return 0;
}

int domain_asks_read(struct domain_asks *asks, const struct topo *topo,
		     const struct domain_texts *texts, struct err *err)
{
	memset(asks, 0, sizeof(*asks));
	if (read_list(asks->within, &asks->nwithin, topo, texts->within, "within", read_within,
		      err) != 0 ||
	    read_list(asks->slices, &asks->nslices, topo, texts->slices, "slices", read_sized,
		      err) != 0 ||
	    read_list(asks->spread, &asks->nspread, topo, texts->spread, "spread", read_sized,
		      err) != 0 ||
	    check_slices(asks, err) != 0)
		return -1;
	if (texts->balance != NULL &&
	    level_find(&asks->balance, topo, texts->balance, strlen(texts->balance), err) != 0)
		return err_prefix(err, "balance: ");
	asks->has_balance = texts->balance != NULL;
	return texts->together != NULL ? read_together(asks, topo, texts->together, err) : 0;
}
