/* pick.c - NAME[:key=value,…]: a choice from a registry with its parameters */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/name_hint.h"
#include "base/num.h"
#include "base/registry.h"
#include "base/str.h"

/* One key=value as it was written. */
struct pick_pair {
	char *key, *text;
	bool used;
};

struct pick_pairs {
	struct pick_pair *at;
	int n;
};

static int nparams(const struct entry *entry)
{
	int n = 0;

	while (entry->params != NULL && entry->params[n].key != NULL)
		n++;
	return n;
}

static int list_names(const struct registry *registry, char *text, size_t size)
{
	size_t n = 0;

	for (int i = 0; i < registry->n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " " : "",
				      registry->entries[i]->name);
	return 0;
}

static int unknown_name(const struct registry *registry, const char *name, struct err *err)
{
	char names[600];
	struct near_name near;

	list_names(registry, names, sizeof(names));
	near_begin(&near, name);
	registry_near(registry, &near);
	return err_set(err, "'%s' is not %s %s%s; expected one of: %s", name,
		       strchr("aeioAEIO", registry->noun[0]) != NULL ? "an" : "a", registry->noun,
		       near_hint(&near), names);
}

static int unknown_key(const struct entry *entry, const char *key, struct err *err)
{
	char keys[400] = "";
	struct near_name near;
	size_t n = 0;

	near_begin(&near, key);
	for (int i = 0; i < nparams(entry) && n < sizeof(keys); i++) {
		near_try(&near, entry->params[i].key, strlen(entry->params[i].key));
		n += (size_t)snprintf(keys + n, sizeof(keys) - n, " %s", entry->params[i].key);
	}
	if (n == 0)
		return err_set(err, "%s has no parameter '%s'; it takes none", entry->name, key);
	return err_set(err, "%s has no parameter '%s'%s; it has:%s", entry->name, key,
		       near_hint(&near), keys);
}

static int wanted(const struct entry *entry, const struct param *param, const char *text,
		  const char *what, struct err *err)
{
	return err_set(err, "%s: %s: '%s' is not %s", entry->name, param->key, text, what);
}

static bool has_range(const struct param *param)
{
	return param->min != 0 || param->max != 0;
}

static const char *range_text(const struct param *param, const char *noun, char *text, size_t size)
{
	if (!has_range(param))
		snprintf(text, size, "%s", noun);
	else if (param->max >= 9e15)
		snprintf(text, size, "%s of at least %.15g", noun, param->min);
	else
		snprintf(text, size, "%s from %.15g to %.15g", noun, param->min, param->max);
	return text;
}

static int read_sizes(struct value *value, const struct param *param, const char *text)
{
	char *copy = xstrdup(text), *parts[64];
	int n = str_split(copy, 'x', parts, 64);
	int status = 0;

	value->sizes = xcalloc((size_t)n, sizeof(*value->sizes));
	value->nsizes = n;
	for (int i = 0; i < n && status == 0; i++)
		status = num_int(parts[i], has_range(param) ? (int64_t)param->min : 1,
				 has_range(param) ? (int64_t)param->max : INT32_MAX,
				 &value->sizes[i]);
	free(copy);
	return status;
}

static int not_a_choice(const struct entry *entry, const struct param *param, const char *text,
			struct err *err)
{
	struct near_name near;

	near_begin(&near, text);
	near_try_all(&near, param->choices, '|');
	return err_set(err, "%s: %s: '%s' is not %s%s", entry->name, param->key, text,
		       param->choices, near_hint(&near));
}

int param_choice(const struct param *param, const char *text)
{
	size_t n = strlen(text);
	int i = 0;

	for (const char *p = param->choices;; p += strcspn(p, "|") + 1, i++) {
		if (strcspn(p, "|") == n && memcmp(p, text, n) == 0)
			return i;
		if (p[strcspn(p, "|")] == '\0')
			return -1;
	}
}

/* A whole number, which may have a unit where the parameter has one: 2min, 4KiB. */
static int read_whole(const struct param *param, const char *text, int64_t *number)
{
	bool limits = has_range(param);
	int64_t min = limits ? (int64_t)param->min : INT64_MIN / 2;
	int64_t max = limits && param->max < 9e15 ? (int64_t)param->max : INT64_MAX / 2;
	double real;

	if (num_int(text, min, max, number) == 0)
		return 0;
	if (param->unit == NULL ||
	    num_real_of(text, param->unit, (double)min, (double)max, &real) != 0 ||
	    real != (double)(int64_t)real || real >= 9e15)
		return -1;
	*number = (int64_t)real;
	return 0;
}

static int read_simple(const struct entry *entry, const struct param *param, struct value *value,
		       const char *text, struct err *err)
{
	char range[128];
	bool limits = has_range(param);

	switch (param->type) {
	case PARAM_INT:
		if (read_whole(param, text, &value->number) != 0)
			return wanted(entry, param, text,
				      range_text(param, "a whole number", range, sizeof(range)),
				      err);
		value->real = (double)value->number;
		return 0;
	case PARAM_REAL:
		if (num_real_of(text, param->unit, limits ? param->min : -1e300,
				limits ? param->max : 1e300, &value->real) != 0)
			return wanted(entry, param, text,
				      range_text(param, "a number", range, sizeof(range)), err);
		return 0;
	case PARAM_BOOL:
		if (!str_eq(text, "yes") && !str_eq(text, "no"))
			return wanted(entry, param, text, "yes or no", err);
		value->number = str_eq(text, "yes");
		return 0;
	case PARAM_WORD:
		if (param_choice(param, text) < 0)
			return not_a_choice(entry, param, text, err);
		return 0;
	case PARAM_SIZES:
		if (read_sizes(value, param, text) != 0)
			return wanted(entry, param, text, "a list of sizes such as 4x4x2", err);
		return 0;
	case PARAM_BANDWIDTH:
		if (num_bandwidth(text, &value->real) != 0 || value->real <= 0)
			return wanted(entry, param, text, "a bandwidth such as 8Gbit/s or 1GB/s",
				      err);
		return 0;
	case PARAM_DURATION:
		if (num_duration(text, &value->real) != 0)
			return wanted(entry, param, text, "a time such as 100ns or 2s", err);
		if (value->real > 9e9) /* 285 years: its nanoseconds fit int64_t */
			return wanted(entry, param, text, "a time of at most 9e9 s", err);
		return 0;
	case PARAM_BYTES:
		if (num_bytes(text, &value->real) != 0)
			return wanted(entry, param, text, "a size such as 4KiB or 1000", err);
		return 0;
	case PARAM_TEXT:
	case PARAM_FILE:
		if (*text == '\0')
			return wanted(entry, param, text, "a text", err);
		return 0;
	case PARAM_PICK:
	case PARAM_REST:
		break;
	}
	return 0;
}

static int make(struct pick *pick, const struct registry *registry, const char *name,
		struct pick_pairs *pairs, const char *prefix, struct err *err);

/* The parameter's own text, or NULL; marks it as used. prefix is "" or "default." */
static const char *take(struct pick_pairs *pairs, const char *prefix, const char *key)
{
	size_t n = strlen(prefix);

	for (int i = 0; i < pairs->n; i++)
		if (strncmp(pairs->at[i].key, prefix, n) == 0 &&
		    str_eq(pairs->at[i].key + n, key)) {
			pairs->at[i].used = true;
			return pairs->at[i].text;
		}
	return NULL;
}

static int read_value(const struct entry *entry, const struct param *param, struct value *value,
		      struct pick_pairs *pairs, const char *prefix, struct err *err)
{
	const char *text = take(pairs, prefix, param->key);

	value->is_given = text != NULL;
	if (text == NULL)
		text = param->def;
	if (text == NULL) {
		if (!param->optional)
			return err_set(err, "%s needs %s= (%s)", entry->name, param->key,
				       param->meaning);
		return 0;
	}
	value->is_set = true;
	value->text = xstrdup(text);
	if (param->type == PARAM_PICK) {
		char *dotted = xasprintf("%s%s.", prefix, param->key);
		int status;

		value->pick = xcalloc(1, sizeof(*value->pick));
		status = make(value->pick, param->registry, text, pairs, dotted, err);
		free(dotted);
		return status;
	}
	return read_simple(entry, param, value, text, err);
}

static int make_entry(struct pick *pick, const struct entry *entry, struct pick_pairs *pairs,
		      const char *prefix, struct err *err)
{
	int n = nparams(entry);

	*pick = (struct pick){.entry = entry};
	pick->values = xcalloc((size_t)n, sizeof(*pick->values));
	for (int i = 0; i < n; i++)
		if (pick->entry->params[i].type != PARAM_REST &&
		    read_value(pick->entry, &pick->entry->params[i], &pick->values[i], pairs,
			       prefix, err) != 0)
			return -1;
	return 0;
}

static int make(struct pick *pick, const struct registry *registry, const char *name,
		struct pick_pairs *pairs, const char *prefix, struct err *err)
{
	const struct entry *entry = registry_find(registry, name);

	*pick = (struct pick){0};
	if (entry == NULL)
		return unknown_name(registry, name, err);
	return make_entry(pick, entry, pairs, prefix, err);
}

static bool has_param(const struct entry *entry, const char *key)
{
	for (int i = 0; i < nparams(entry); i++)
		if (str_eq(entry->params[i].key, key))
			return true;
	return false;
}

static bool takes_rest(const struct entry *entry)
{
	for (int i = 0; i < nparams(entry); i++)
		if (entry->params[i].type == PARAM_REST)
			return true;
	return false;
}

static void add_rest(struct pick *pick, const struct pick_pair *pair)
{
	size_t n = (size_t)pick->nrest + 1;

	pick->rest = xrealloc(pick->rest, n, sizeof(*pick->rest));
	pick->rest[pick->nrest++] = (struct pick_rest){xstrdup(pair->key), xstrdup(pair->text)};
}

/* What no parameter took. */
static int take_rest(struct pick *pick, const struct pick_pair *pair, struct err *err)
{
	if (!takes_rest(pick->entry))
		return unknown_key(pick->entry, pair->key, err);
	add_rest(pick, pair);
	return 0;
}

/* Before what lacks: "node=8" is a misspelt nodes=, and a number after a comma was to be a further
 * size. */
static int find_misplaced(const struct entry *entry, const struct pick_pairs *pairs,
			  struct err *err)
{
	const struct param *sizes = NULL;

	if (entry == NULL)
		return 0;
	for (int i = 0; i < nparams(entry); i++)
		if (sizes == NULL && entry->params[i].type == PARAM_SIZES)
			sizes = &entry->params[i];
	for (int i = 0; i < pairs->n; i++) {
		const char *key = pairs->at[i].key;

		if (sizes != NULL && *key != '\0' && key[strspn(key, "0123456789")] == '\0')
			return err_set(
				err,
				"%s: '%s' is not a parameter: several sizes are joined by x, as in %s=4x4",
				entry->name, key, sizes->key);
		if (!takes_rest(entry) && strchr(key, '.') == NULL && !has_param(entry, key))
			return unknown_key(entry, key, err);
	}
	return 0;
}

static int make_all(struct pick *pick, const struct registry *registry, const char *name,
		    struct pick_pairs *pairs, struct err *err)
{
	int status = find_misplaced(registry_find(registry, name), pairs, err);

	*pick = (struct pick){0};
	if (status == 0)
		status = make(pick, registry, name, pairs, "", err);
	for (int i = 0; i < pairs->n && status == 0; i++)
		for (int j = 0; j < i; j++)
			if (str_eq(pairs->at[i].key, pairs->at[j].key))
				status = err_set(err, "%s: %s is given twice", pick->entry->name,
						 pairs->at[i].key);
	for (int i = 0; i < pairs->n && status == 0; i++)
		if (!pairs->at[i].used)
			status = take_rest(pick, &pairs->at[i], err);
	if (status != 0)
		pick_free(pick);
	return status;
}

/* Cuts the next "key=value" off *rest, taking away the backslashes; commas inside [] stay. *rest is
 * NULL behind the last one. */
static struct pick_pair next_given(const char **rest)
{
	struct buf part = {0};
	const char *p = *rest;
	int depth = 0;
	char *equals;
	struct pick_pair pair;

	for (; *p != '\0' && (*p != ',' || depth > 0); p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		else if (*p == '[')
			depth++;
		else if (*p == ']' && depth > 0)
			depth--;
		buf_char(&part, *p);
	}
	*rest = *p == ',' ? p + 1 : NULL;
	equals = strchr(buf_text(&part), '=');
	pair = (struct pick_pair){0};
	if (equals == NULL) {
		pair.key = xstrdup(buf_text(&part));
		pair.text = xstrdup("yes");
	} else {
		pair.key = xstrndup(part.text, (size_t)(equals - part.text));
		pair.text = xstrdup(equals + 1);
	}
	buf_free(&part);
	return pair;
}

int pick_parse(struct pick *pick, const struct registry *registry, const char *text,
	       struct err *err)
{
	VEC(struct pick_pair) pairs = {0};
	size_t n = strcspn(text, ":");
	char *name = xstrndup(text, n);
	const char *rest = text[n] == ':' ? text + n + 1 : NULL;
	int status;

	while (rest != NULL)
		vec_push(&pairs, next_given(&rest));
	status = make_all(pick, registry, name, &(struct pick_pairs){pairs.at, (int)pairs.n}, err);
	for (size_t i = 0; i < pairs.n; i++) {
		free(pairs.at[i].key);
		free(pairs.at[i].text);
	}
	free(pairs.at);
	free(name);
	return status;
}

int pick_make(struct pick *pick, const struct registry *registry, const char *name,
	      const char *const *keys, const char *const *texts, int n, struct err *err)
{
	struct pick_pairs pairs = {xcalloc((size_t)n, sizeof(struct pick_pair)), n};
	int status;

	for (int i = 0; i < n; i++)
		pairs.at[i] = (struct pick_pair){(char *)keys[i], (char *)texts[i], false};
	status = make_all(pick, registry, name, &pairs, err);
	free(pairs.at);
	return status;
}

int pick_entry(struct pick *pick, const struct entry *entry, struct err *err)
{
	int status = make_entry(pick, entry, &(struct pick_pairs){0}, "", err);

	if (status != 0)
		pick_free(pick);
	return status;
}

void pick_free(struct pick *pick)
{
	int n = pick->entry != NULL && pick->values != NULL ? nparams(pick->entry) : 0;

	for (int i = 0; i < n; i++) {
		free(pick->values[i].text);
		free(pick->values[i].sizes);
		if (pick->values[i].pick != NULL)
			pick_free(pick->values[i].pick);
		free(pick->values[i].pick);
	}
	free(pick->values);
	for (int i = 0; i < pick->nrest; i++) {
		free(pick->rest[i].key);
		free(pick->rest[i].text);
	}
	free(pick->rest);
	*pick = (struct pick){0};
}

/* Whether every bracket has its partner, so that commas inside need no backslash. */
static bool is_balanced(const char *text)
{
	int depth = 0;

	for (; *text != '\0' && depth >= 0; text++)
		depth += (*text == '[') - (*text == ']');
	return depth == 0;
}

static void add_value(struct buf *out, const char *text)
{
	bool balanced = is_balanced(text);
	int depth = 0;

	for (; *text != '\0'; text++) {
		if (balanced)
			depth += (*text == '[') - (*text == ']');
		if (*text == '\\' || (*text == ',' && depth == 0) ||
		    (!balanced && (*text == '[' || *text == ']')))
			buf_char(out, '\\');
		buf_char(out, *text);
	}
}

static void add_text(struct buf *out, const struct pick *pick, const char *prefix, int *ngiven)
{
	for (int i = 0; i < nparams(pick->entry); i++) {
		const struct value *value = &pick->values[i];
		const char *key = pick->entry->params[i].key;

		if (value->is_given) {
			buf_printf(out, "%c%s%s=", (*ngiven)++ ? ',' : ':', prefix, key);
			add_value(out, value->text);
		}
		if (value->pick != NULL) {
			char *dotted = xasprintf("%s%s.", prefix, key);

			add_text(out, value->pick, dotted, ngiven);
			free(dotted);
		}
	}
	for (int i = 0; i < pick->nrest; i++) {
		buf_printf(out, "%c%s%s=", (*ngiven)++ ? ',' : ':', prefix, pick->rest[i].key);
		add_value(out, pick->rest[i].text);
	}
}

char *pick_text(const struct pick *pick)
{
	struct buf out = {0};
	int ngiven = 0;

	buf_str(&out, pick->entry->name);
	add_text(&out, pick, "", &ngiven);
	return out.text;
}

const struct value *pick_value(const struct pick *pick, const char *key)
{
	for (int i = 0; i < nparams(pick->entry); i++)
		if (str_eq(pick->entry->params[i].key, key))
			return &pick->values[i];
	fprintf(stderr, "%s has no parameter %s\n", pick->entry->name, key);
	abort();
}

bool pick_has(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->is_set;
}

int64_t pick_int(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->number;
}

double pick_real(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->real;
}

bool pick_bool(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->number != 0;
}

const char *pick_word(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->text;
}

bool pick_is(const struct pick *pick, const char *key, const char *word)
{
	const char *text = pick_value(pick, key)->text;

	return text != NULL && str_eq(text, word);
}

const struct pick *pick_pick(const struct pick *pick, const char *key)
{
	return pick_value(pick, key)->pick;
}
