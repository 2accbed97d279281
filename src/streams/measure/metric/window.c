/* window.c - the time from since to until that a metric's values are of */
#include "measure/metric/window.h"

#include "base/time.h"

static int read_time(const struct pick *pick, const char *key, int64_t *ns, struct err *err)
{
	return time_read(pick_word(pick, key), ns, err) == 0
		       ? 0
		       : err_prefix(err, "%s: %s: ", pick->entry->name, key);
}

int metric_window_read(struct metric_window *window, const struct pick *pick, struct err *err)
{
	*window = (struct metric_window){.is_given = pick_has(pick, "since")};
	if (pick_has(pick, "until") != window->is_given)
		return err_set(err, "%s: expected since and until, or none of them",
			       pick->entry->name);
	if (!window->is_given)
		return 0;
	if (read_time(pick, "since", &window->since_ns, err) != 0 ||
	    read_time(pick, "until", &window->until_ns, err) != 0)
		return -1;
	return window->since_ns <= window->until_ns
		       ? 0
		       : err_set(err, "%s: until is before since", pick->entry->name);
}

bool metric_window_clip(const struct metric_window *window, const struct job_times *times,
			int64_t *from_ns, int64_t *to_ns)
{
	bool has_ended = times->has_end && !times->is_running && times->end < window->until_ns;

	*from_ns = times->start > window->since_ns ? times->start : window->since_ns;
	*to_ns = has_ended ? times->end : window->until_ns;
	return times->has_start && *from_ns < *to_ns;
}

bool metric_window_starts(const struct metric_window *window, const struct job_times *times)
{
	return times->has_start && times->start >= window->since_ns &&
	       times->start <= window->until_ns;
}
