/* ib_names.c - which adapters are one host, and what the devices of a fabric are called */
#include <stdlib.h>
#include <string.h>

#include "machine/import/ib_plan.h"

/* What the description of an adapter says: "node179 HCA-1" is a host and its device. */
struct adapter {
	int device;
	const char *host;
	const char *rest; /* behind the host's name, without blanks in front */
};

static const char *after_word(const char *text)
{
	text += strspn(text, " \t");
	text += strcspn(text, " \t");
	return text + strspn(text, " \t");
}

/* HCA-1, qib0, mlx5_bond_0: one word that begins with a letter and ends with a digit. */
static bool is_device(const char *text)
{
	size_t n = strcspn(text, " \t");

	return n > 1 && text[n + strspn(text + n, " \t")] == '\0' && (text[0] | 0x20) >= 'a' &&
	       (text[0] | 0x20) <= 'z' && text[n - 1] >= '0' && text[n - 1] <= '9';
}

static int by_host(const void *va, const void *vb)
{
	const struct adapter *a = va, *b = vb;
	int order = strcmp(a->host, b->host);

	if (order == 0)
		order = strcmp(a->rest, b->rest);
	return order != 0 ? order : a->device - b->device;
}

/* Whether adapters [n] of one name are those of one host. */
static bool is_one_host(const struct adapter *adapters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_device(adapters[i].rest) ||
		    (i > 0 && str_eq(adapters[i].rest, adapters[i - 1].rest)))
			return false;
	return true;
}

static void join_run(struct ib_plan *plan, const struct adapter *adapters, size_t n)
{
	int first = adapters[0].device;

	if (n < 2 || !is_one_host(adapters, n))
		return;
	for (size_t i = 1; i < n; i++)
		if (adapters[i].device < first)
			first = adapters[i].device;
	for (size_t i = 0; i < n; i++)
		plan->host_of[adapters[i].device] = first;
}

static const char *first_word(struct ib_plan *plan, const char *description)
{
	char word[TOPO_NAME];
	size_t n = topo_clean_name(description, strlen(description), word);

	return arena_strndup(&plan->arena, word, n);
}

void ib_find_hosts(struct ib_plan *plan, bool is_joined)
{
	const struct ibnet *net = plan->net;
	struct adapter *adapters = xmalloc((net->devices.n + 1) * sizeof(*adapters));
	size_t n = 0, end;

	for (size_t i = 0; i < net->devices.n; i++) {
		const struct ibnet_device *d = &net->devices.at[i];

		plan->host_of[i] = (int)i;
		if (d->kind == IBNET_CA && d->description[0] != '\0')
			adapters[n++] = (struct adapter){(int)i, first_word(plan, d->description),
							 after_word(d->description)};
	}
	qsort(adapters, n, sizeof(*adapters), by_host);
	for (size_t i = 0; i < n && is_joined; i = end) {
		for (end = i + 1; end < n && str_eq(adapters[end].host, adapters[i].host);)
			end++;
		join_run(plan, adapters + i, end - i);
	}
	free(adapters);
}

static const char *last_word(const char *text)
{
	size_t n = strlen(text);

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	while (n > 0 && text[n - 1] != ' ' && text[n - 1] != '\t')
		n--;
	return text + n;
}

/* A switch that the site's map names has all words of that name. */
static const char *wanted_name(struct ib_plan *plan, const struct ibnet_device *d)
{
	char whole[TOPO_NAME];
	size_t n = 0;

	if (d->kind == IBNET_CA || (!d->is_mapped && plan->words == IB_FIRST_WORD))
		return first_word(plan, d->description);
	if (!d->is_mapped && plan->words == IB_LAST_WORD)
		return first_word(plan, last_word(d->description));
	for (const char *p = d->description; *p != '\0' && n < sizeof(whole) - 1; p++)
		whole[n++] = *p == ' ' || *p == '\t' ? '_' : *p;
	whole[n] = '\0';
	return first_word(plan, whole);
}

void ib_find_names(struct ib_plan *plan)
{
	const struct ibnet *net = plan->net;
	struct map counts = {0};

	for (size_t i = 0; i < net->devices.n; i++) {
		const char *name = wanted_name(plan, &net->devices.at[i]);
		int64_t n;

		if (plan->host_of[i] != (int)i)
			continue;
		plan->names[i] = name;
		n = map_get(&counts, name, strlen(name));
		map_set(&counts, name, strlen(name), n < 0 ? 1 : n + 1);
	}
	for (size_t i = 0; i < net->devices.n; i++) {
		const char *name = plan->names[i];

		if (name == NULL)
			continue;
		if (name[0] == '\0' || map_get(&counts, name, strlen(name)) > 1)
			plan->names[i] = first_word(plan, net->devices.at[i].id);
	}
	map_free(&counts);
}
