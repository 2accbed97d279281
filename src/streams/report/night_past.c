/* night_past.c - what was before a night, and who its people are: times out of service, numbers,
 * pseudonyms */
#include "report/night_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct night *night, const char *text)
{
	return text != NULL ? arena_strndup(&night->arena, text, strlen(text)) : NULL;
}

const char *night_person(struct night *night, struct map *people, const char *what,
			 const char *name)
{
	int64_t number;
	char *text;
	const char *kept;

	if (people == NULL || name == NULL)
		return keep(night, name);
	number = map_get(people, name, strlen(name));
	if (number < 0) {
		number = ++night->npeople[what[0] == 'u'];
		map_add(people, name, strlen(name), number);
	}
	text = xasprintf("%s%lld", what, (long long)number);
	kept = keep(night, text);
	free(text);
	return kept;
}

int night_read_events(struct night *night, struct table_in *in, struct err *err)
{
	int name = table_find(in, "node"), start = table_find(in, "start_s");
	int end = table_find(in, "end_s"), state = table_find(in, "state");
	int reason = table_find(in, "reason");
	struct row row;
	int status;

	night->has_events = true;
	night->events_since = keep(night, table_meta(in, "known_since"));
	while ((status = table_next(in, &row, err)) == 1) {
		struct night_event event = {.name = keep(night, row_text(&row, name)),
					    .state = keep(night, row_text(&row, state)),
					    .reason = keep(night, row_text(&row, reason)),
					    .end_ns = JOB_NO_TIME};

		if (row_seconds(&row, start, "start_s", &event.start_ns, err) != 1 ||
		    row_seconds(&row, end, "end_s", &event.end_ns, err) < 0)
			return -1;
		vec_push(&night->events, event);
	}
	return status;
}

static int by_until(const void *a, const void *b)
{
	const struct night_past *x = a, *y = b;

	return (x->until_ns > y->until_ns) - (x->until_ns < y->until_ns);
}

int night_read_past(struct night *night, struct table_in *in, struct err *err)
{
	int number = table_find(in, "number"), until = table_find(in, "until_s");
	int value = table_find(in, "value");
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1) {
		struct night_past past = {.number = keep(night, row_text(&row, number)),
					  .value = NAN};

		if (row_seconds(&row, until, "until_s", &past.until_ns, err) != 1 ||
		    row_real(&row, value, "value", -1e300, 1e300, &past.value, err) < 0)
			return -1;
		vec_push(&night->past, past);
	}
	if (night->past.n > 1)
		qsort(night->past.at, night->past.n, sizeof(*night->past.at), by_until);
	return status;
}
