/* depend.c - jobs that wait for the end of others, and not for nodes alone */
#include "place/run/depend.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "place/run/arrays.h"

/* The jobs of each name, and of each array by the name before its last '_': chained lists. */
struct namesakes {
	struct map heads;
	int *next[2]; /* [jobs] of the name, of the array; -1: the last */
};

/* Links are job * 2 + (0: by its name, 1: by its array's). */
static void chain(struct namesakes *namesakes, const char *name, size_t n, int link)
{
	int64_t head = map_get(&namesakes->heads, name, n);

	namesakes->next[link % 2][link / 2] = (int)head;
	map_set(&namesakes->heads, name, n, link);
}

static void open_namesakes(struct namesakes *namesakes, const struct job *jobs, int n)
{
	*namesakes = (struct namesakes){0};
	for (int i = 0; i < 2; i++)
		namesakes->next[i] = xmalloc((size_t)(n + 1) * sizeof(int));
	for (int i = n - 1; i >= 0; i--) {
		size_t length = array_name(jobs[i].name);

		chain(namesakes, jobs[i].name, strlen(jobs[i].name), i * 2);
		if (length > 0)
			chain(namesakes, jobs[i].name, length, i * 2 + 1);
	}
}

static void close_namesakes(struct namesakes *namesakes)
{
	map_free(&namesakes->heads);
	free(namesakes->next[0]);
	free(namesakes->next[1]);
}

static void add_edges(struct depend *depend, const struct namesakes *namesakes, const char *names,
		      int job)
{
	while (*names != '\0') {
		size_t n = strcspn(names, ",");
		int link = (int)map_get(&namesakes->heads, names, n);

		for (; link >= 0; link = namesakes->next[link % 2][link / 2])
			if (link / 2 != job) {
				vec_push(&depend->edges, (struct depend_edge){link / 2, job});
				vec_push(&depend->before, link / 2);
				depend->nleft[job]++;
			}
		names += n + (names[n] == ',');
	}
}

static int by_before(const void *a, const void *b)
{
	const struct depend_edge *x = a, *y = b;

	if (x->before != y->before)
		return x->before < y->before ? -1 : 1;
	return (x->after > y->after) - (x->after < y->after);
}

void depend_init(struct depend *depend, const struct job *jobs, int n)
{
	struct namesakes namesakes;
	int first = 0;

	*depend = (struct depend){0};
	while (first < n && jobs[first].depends == NULL)
		first++;
	if (first == n)
		return;
	depend->nleft = xcalloc((size_t)n, sizeof(*depend->nleft));
	depend->first = xcalloc((size_t)n + 1, sizeof(*depend->first));
	depend->has_ended = xcalloc((size_t)n, sizeof(*depend->has_ended));
	depend->end_ns = xmalloc((size_t)n * sizeof(*depend->end_ns));
	for (int i = 0; i < n; i++)
		depend->end_ns[i] = INT64_MIN;
	open_namesakes(&namesakes, jobs, n);
	for (int i = first; i < n; i++) {
		if (jobs[i].depends != NULL)
			add_edges(depend, &namesakes, jobs[i].depends, i);
		depend->first[i + 1] = depend->before.n;
	}
	close_namesakes(&namesakes);
	if (depend->edges.n > 1)
		qsort(depend->edges.at, depend->edges.n, sizeof(*depend->edges.at), by_before);
}

void depend_free(struct depend *depend)
{
	free(depend->nleft);
	free(depend->first);
	free(depend->has_ended);
	free(depend->end_ns);
	vec_free(&depend->edges);
	vec_free(&depend->before);
	*depend = (struct depend){0};
}

/* The first edge of a job, or of one behind it. */
static size_t first_edge(const struct depend *depend, int job)
{
	size_t low = 0, high = depend->edges.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (depend->edges.at[middle].before < job)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void depend_end(struct depend *depend, int job, int64_t end_ns, int_vec *freed)
{
	if (depend->nleft == NULL || depend->has_ended[job])
		return;
	depend->has_ended[job] = true;
	for (size_t i = first_edge(depend, job);
	     i < depend->edges.n && depend->edges.at[i].before == job; i++) {
		int after = depend->edges.at[i].after;

		if (end_ns > depend->end_ns[after])
			depend->end_ns[after] = end_ns;
		if (--depend->nleft[after] == 0)
			vec_push(freed, after);
	}
}

int64_t depend_arrival(const struct depend *depend, const struct job *jobs, int job)
{
	int64_t time_ns;

	if (depend->end_ns == NULL || depend->end_ns[job] == INT64_MIN)
		return INT64_MIN;
	return __builtin_add_overflow(depend->end_ns[job], jobs[job].depends_delay_ns, &time_ns)
		       ? INT64_MAX
		       : time_ns;
}

int depend_blocker(const struct depend *depend, int job)
{
	for (size_t i = depend->first != NULL ? depend->first[job] : 0;
	     depend->first != NULL && i < depend->first[job + 1]; i++)
		if (!depend->has_ended[depend->before.at[i]])
			return depend->before.at[i];
	return -1;
}
