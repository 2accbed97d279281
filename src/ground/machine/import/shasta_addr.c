/* shasta_addr.c - a machine from the places of its Slingshot NICs: HPE's shasta_addr on
 * every node */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/import/listing.h"
#include "base/mem.h"
#include "formats/in.h"
#include "formats/scan.h"
#include "model/topo_build.h"

/*
 * frontier00001 NIC 0 macaddr 02:00:00:00:12:34 logaddr 01234 location GGG.SS.PP
 *
 * The group, the switch in it and the port. Where no location is given, the algorithmic MAC address
 * has it in its last 24 bits: group (13), switch (5), port (6). Which switches are cabled to each
 * other the listing is silent: those of a group are all to all in Slingshot, and the cables between
 * groups are spread evenly, which is assumed. (No listing of a real machine was at hand.)
 */
enum { GROUPS = 512, SWITCHES = 32, PORTS = 64 };

struct nic {
	const char *node;
	int group, sw, port;
	const char *file;
	long line;
};

struct nic_listing {
	struct listing text;
	VEC(struct nic) nics;
	struct map nodes; /* by name → handle */
	int *routers;     /* [GROUPS · SWITCHES] handles; -1: not there */
	int ngroups;      /* that are there */
	int *groups;      /* [ngroups] */
};

static bool read_mac(const char *text, size_t n, struct nic *nic)
{
	uint64_t address = 0;
	int ndigits = 0;

	for (size_t i = 0; i < n; i++) {
		const char *digits = "0123456789abcdef0123456789ABCDEF", *at;

		if (text[i] == ':')
			continue;
		at = strchr(digits, text[i]);
		if (at == NULL || ++ndigits > 12)
			return false;
		address = address << 4 | (uint64_t)((at - digits) % 16);
	}
	nic->group = (int)(address >> 11 & (GROUPS - 1));
	nic->sw = (int)(address >> 6 & (SWITCHES - 1));
	nic->port = (int)(address & (PORTS - 1));
	return ndigits == 12;
}

static bool read_location(const char *at, struct nic *nic)
{
	return scan_int(&at, 0, GROUPS - 1, &nic->group) && scan_char(&at, '.') &&
	       scan_int(&at, 0, SWITCHES - 1, &nic->sw) && scan_char(&at, '.') &&
	       scan_int(&at, 0, PORTS - 1, &nic->port);
}

static int read_line(void *context, char *line, struct err *err)
{
	struct nic_listing *listing = context;
	const char *at = line;
	struct nic nic = {.file = listing->text.file, .line = in_lineno(listing->text.in)};
	const char *word, *value;
	bool has_place = false;
	size_t n, nvalue;

	scan_blanks(&at);
	if (*at == '\0' || *at == '#')
		return 0;
	scan_word(&at, &word, &n);
	nic.node = arena_strndup(&listing->text.arena, word, n);
	scan_blanks(&at);
	if (!scan_word(&at, &word, &n) || n != 3 || memcmp(word, "NIC", 3) != 0)
		return in_error(listing->text.in, err,
				"expected a NIC: NODE NIC 0 macaddr 02:… logaddr N location G.S.P");
	scan_blanks(&at);
	scan_word(&at, &word, &n); /* its number */
	for (scan_blanks(&at); scan_word(&at, &word, &n); scan_blanks(&at)) {
		scan_blanks(&at);
		if (!scan_word(&at, &value, &nvalue))
			return in_error(listing->text.in, err, "'%.*s' has no value", (int)n, word);
		if (n == 8 && memcmp(word, "location", n) == 0) {
			has_place = read_location(value, &nic);
			if (!has_place)
				return in_error(listing->text.in, err,
						"'%.*s' is not a location "
						"GROUP.SWITCH.PORT (0 … %d, %d, %d)",
						(int)nvalue, value, GROUPS - 1, SWITCHES - 1,
						PORTS - 1);
		} else if (n == 7 && memcmp(word, "macaddr", n) == 0 && !has_place) {
			has_place = read_mac(value, nvalue, &nic);
		}
	}
	if (!has_place)
		return in_error(listing->text.in, err, "neither a location nor a MAC address");
	vec_push(&listing->nics, nic);
	return 0;
}

/* ---- the machine ---- */

static int by_place(const void *va, const void *vb)
{
	const struct nic *a = va, *b = vb;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->sw != b->sw)
		return a->sw < b->sw ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static int *router_at(struct nic_listing *listing, int group, int sw)
{
	return &listing->routers[group * SWITCHES + sw];
}

/* In the order of the places: routers, and nodes by their first NIC. */
static int add_places(struct nic_listing *listing, struct topo_build *build, struct err *err)
{
	int tier = topo_build_tier(build, "group", strlen("group"), err);

	if (tier < 0)
		return -1;
	for (size_t i = 0; i < listing->nics.n; i++) {
		const struct nic *nic = &listing->nics.at[i];
		int *router = router_at(listing, nic->group, nic->sw);
		char name[32], group[16];
		int64_t node;

		snprintf(name, sizeof(name), "g%ds%d", nic->group, nic->sw);
		snprintf(group, sizeof(group), "%d", nic->group);
		if (i > 0 && nic->group == nic[-1].group && nic->sw == nic[-1].sw &&
		    nic->port == nic[-1].port)
			return err_set(err, "%s:%ld: the port %d.%d.%d has another NIC at %s:%ld",
				       nic->file, nic->line, nic->group, nic->sw, nic->port,
				       nic[-1].file, nic[-1].line);
		if (*router < 0) {
			if (listing->ngroups == 0 ||
			    listing->groups[listing->ngroups - 1] != nic->group)
				listing->groups[listing->ngroups++] = nic->group;
			*router = topo_build_router(build, name, strlen(name), err);
			if (*router < 0 ||
			    topo_build_domain(build, *router, tier, group, strlen(group), err) != 0)
				return -1;
		}
		node = map_get(&listing->nodes, nic->node, strlen(nic->node));
		if (node < 0) {
			struct err why;

			node = topo_build_node(build, nic->node, strlen(nic->node), &why);
			if (node < 0)
				return err_set(err, "%s:%ld: %.900s", nic->file, nic->line,
					       why.msg);
			map_add(&listing->nodes, nic->node, strlen(nic->node), node);
		}
		if (topo_build_link(build, (int)node, *router, LINK_TERMINAL, err) != 0)
			return -1;
	}
	return 0;
}

/* The switches of a group that are there [SWITCHES]: their number. */
static int switches_of(struct nic_listing *listing, int group, int *routers)
{
	int n = 0;

	for (int sw = 0; sw < SWITCHES; sw++)
		if (*router_at(listing, group, sw) >= 0)
			routers[n++] = *router_at(listing, group, sw);
	return n;
}

/* The switch of a group's global port q of nports: they are spread evenly, as those
 * of dragonfly:. */
static int global_router(struct nic_listing *listing, int group, int q, int nports)
{
	int routers[SWITCHES];
	int n = switches_of(listing, group, routers);

	return routers[(int64_t)q * n / nports];
}

static int add_links(struct nic_listing *listing, struct topo_build *build, int ncables,
		     struct err *err)
{
	int local = topo_build_level(build, "local", strlen("local"), err);
	int global = topo_build_level(build, "global", strlen("global"), err);
	int others = listing->ngroups - 1;

	for (int i = 0; i < listing->ngroups; i++) {
		int routers[SWITCHES];
		int n = switches_of(listing, listing->groups[i], routers);

		for (int a = 0; a < n; a++)
			for (int b = a + 1; b < n; b++)
				if (topo_build_link(build, routers[a], routers[b], local, err) != 0)
					return -1;
	}
	for (int i = 0; i < listing->ngroups; i++)
		for (int k = i + 1; k < listing->ngroups; k++)
			for (int cable = 0; cable < ncables; cable++) {
				int a = global_router(listing, listing->groups[i],
						      cable * others + k - 1, ncables * others);
				int b = global_router(listing, listing->groups[k],
						      cable * others + i, ncables * others);

				if (topo_build_link(build, a, b, global, err) != 0)
					return -1;
			}
	return 0;
}

static int add_all(void *context, struct topo_build *build, const struct topo_import *from,
		   struct err *err)
{
	struct nic_listing *listing = context;

	qsort(listing->nics.at, listing->nics.n, sizeof(*listing->nics.at), by_place);
	listing->routers = xmalloc(GROUPS * SWITCHES * sizeof(*listing->routers));
	listing->groups = xmalloc(GROUPS * sizeof(*listing->groups));
	for (int i = 0; i < GROUPS * SWITCHES; i++)
		listing->routers[i] = -1;
	if (add_places(listing, build, err) != 0)
		return -1;
	return add_links(listing, build, (int)pick_int(from->pick, "global-links"), err);
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct nic_listing listing = {.text = {.in = NULL}};
	int status = listing_read(&listing.text, from, read_line, &listing, err);

	if (status == 0 && listing.nics.n == 0)
		status = err_set(err, "%s: no NIC: this is not output of shasta_addr",
				 listing.text.file);
	if (status == 0)
		status = listing_build(topo, from, add_all, &listing, err);
	free(listing.routers);
	free(listing.groups);
	map_free(&listing.nodes);
	vec_free(&listing.nics);
	arena_free(&listing.text.arena);
	return status;
}

static const struct param params[] = {
	{.key = "global-links",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1024,
	 .def = "1",
	 .meaning = "cables between two groups, which the listing does not contain"},
	LISTING_CORES,
	{.key = NULL},
};

const struct topo_importer topo_importer_shasta_addr = {
	.entry =
		{
			.name = "shasta-addr",
			.summary = "a Slingshot machine from the places of its NICs, as HPE's "
				   "shasta_addr prints them; not verified with a real listing",
			.example = "shasta-addr",
			.params = params,
		},
	.read = read,
};
