/* topo_hosts.c - the nodes that a user names: a host list, or a host file */
#include "model/topo_hosts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/names.h"
#include "formats/hostfile.h"

bool topo_hosts_is_file(const char *text)
{
	struct stat status;

	return strchr(text, '/') != NULL || stat(text, &status) == 0;
}

struct hosts {
	const struct topo *topo;
	int_vec *nodes;
	int_vec slots; /* [of the file's hosts] that lines say */
	int_vec lines; /* [of the file's hosts] lines without a number */
	size_t before; /* nodes that were there */
	struct map seen;
};

static int add_node(void *context, const char *name, size_t n, int64_t slots, struct err *err)
{
	struct hosts *hosts = context;
	int node = topo_node_find(hosts->topo, name, n);
	int64_t at;

	if (node < 0)
		return err_set(err, "there is no node '%.*s' on this machine",
			       n < 200 ? (int)n : 200, name);
	at = map_add(&hosts->seen, name, n, (int64_t)hosts->slots.n);
	if (at == (int64_t)hosts->slots.n) {
		vec_push(hosts->nodes, node);
		vec_push(&hosts->slots, 0);
		vec_push(&hosts->lines, 0);
	}
	if (hosts->slots.at[at] > INT32_MAX - slots || hosts->lines.at[at] == INT32_MAX)
		return err_set(err, "the node '%.*s' has more than %d slots",
			       n < 200 ? (int)n : 200, name, INT32_MAX);
	hosts->slots.at[at] += (int)slots;
	hosts->lines.at[at] += slots == 0;
	return 0;
}

/* What is counted in lines counts where a host comes again at all. */
static void count_slots(const struct hosts *hosts, int_vec *slots)
{
	bool repeats = false;

	for (size_t i = 0; i < hosts->lines.n; i++)
		repeats |= hosts->lines.at[i] > 1;
	for (size_t i = 0; i < hosts->slots.n; i++)
		vec_push(slots, hosts->slots.at[i] + (repeats ? hosts->lines.at[i] : 0));
}

int topo_hosts_read(const struct topo *topo, const char *text, int_vec *nodes, int_vec *slots,
		    struct err *err)
{
	struct hosts hosts = {.topo = topo, .nodes = nodes, .before = nodes->n};
	int status;

	if (!topo_hosts_is_file(text)) {
		status = topo_nodelist_read(topo, text, nodes, err);
		for (size_t i = hosts.before; status == 0 && slots != NULL && i < nodes->n; i++)
			vec_push(slots, 0);
		return status;
	}
	status = hostfile_read(text, add_node, &hosts, err);
	if (status == 0 && hosts.slots.n == 0)
		status = err_set(err, "%s: names no hosts", text);
	if (status == 0 && slots != NULL)
		count_slots(&hosts, slots);
	vec_free(&hosts.slots);
	vec_free(&hosts.lines);
	map_free(&hosts.seen);
	return status;
}

/* ---- names alone ---- */

struct names {
	hostlist_add_fn *add;
	void *context;
	struct map seen;
};

static int add_name(void *context, const char *name, size_t n, int64_t slots, struct err *err)
{
	struct names *names = context;
	int64_t nseen = (int64_t)names->seen.n;

	(void)slots;
	return map_add(&names->seen, name, n, nseen) == nseen
		       ? names->add(names->context, name, n, err)
		       : 0;
}

int hosts_walk(const char *text, hostlist_add_fn *add, void *context, struct err *err)
{
	struct names names = {.add = add, .context = context};
	int status;

	if (!topo_hosts_is_file(text))
		return hostlist_walk(text, add, context, err);
	status = hostfile_read(text, add_name, &names, err);
	map_free(&names.seen);
	return status;
}
