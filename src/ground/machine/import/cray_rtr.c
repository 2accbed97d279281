/* cray_rtr.c - a machine from the links of a Cray XC's Aries routers: rtr --interconnect */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/import/listing.h"
#include "machine/import/switch_ranks.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "formats/in.h"
#include "formats/scan.h"
#include "model/topo_build.h"

/*
 * c0-0c0s0a0l00(0:0:0) green -> c0-0c0s6a0l10(0:0:6)
 * c0-0c0s0a0l45(0:0:0) blue -> unused
 * c0-0c0s0a0l50(0:0:0) ptile -> processor
 *
 * A tile lRC of a router, in parentheses its group, chassis and slot; the dimension; the other end.
 * Each link is reported by both of its ends. (As a parser of NERSC's reads it; no listing of a real
 * machine was at hand.)
 */
struct router {
	const char *name; /* "c0-0c0s0a0" */
	int place[3];     /* group, chassis, slot */
	bool has_nodes;
	int handle;
	const char *file;
	long line;
};

struct tile {
	const char *name, *peer; /* with their routers: "c0-0c0s0a0l00" */
	const char *colour;      /* "green" */
	int router, peer_router;
	const char *file;
	long line;
};

struct rtr_listing {
	struct listing text;
	struct map routers_by_name, tiles_by_name, names;
	VEC(struct router) routers;
	VEC(struct tile) tiles;
	int none_sided;
};

static const char *keep(struct rtr_listing *listing, const char *text, size_t n)
{
	return arena_strndup(&listing->text.arena, text, n);
}

/* c0-0c0s6a0l10(0:0:6): *tile is the name before the parenthesis. Its router, or -1. */
static int read_tile(struct rtr_listing *listing, const char **at, const char **tile)
{
	const char *text = *at;
	size_t n = strcspn(text, "( \t"), name_n = n;
	int place[3] = {0, 0, 0};
	int64_t number;

	while (name_n > 0 && text[name_n - 1] >= '0' && text[name_n - 1] <= '9')
		name_n--;
	if (name_n < 2 || name_n == n || text[name_n - 1] != 'l' || text[0] != 'c' ||
	    n >= TOPO_NAME)
		return -1;
	name_n--;
	*at += n;
	if (scan_char(at, '(') && (!scan_int(at, 0, 100000, &place[0]) || !scan_char(at, ':') ||
				   !scan_int(at, 0, 100000, &place[1]) || !scan_char(at, ':') ||
				   !scan_int(at, 0, 100000, &place[2]) || !scan_char(at, ')')))
		return -1;
	*tile = keep(listing, text, n);
	number = map_add(&listing->routers_by_name, text, name_n, (int64_t)listing->routers.n);
	if (number == (int64_t)listing->routers.n)
		vec_push(&listing->routers, (struct router){.name = keep(listing, text, name_n),
							    .place = {place[0], place[1], place[2]},
							    .file = listing->text.file,
							    .line = in_lineno(listing->text.in)});
	return (int)number;
}

static int read_line(void *context, char *line, struct err *err)
{
	struct rtr_listing *listing = context;
	const char *at = line;
	struct tile tile = {.file = listing->text.file, .line = in_lineno(listing->text.in)};
	const char *colour;
	size_t n;

	scan_blanks(&at);
	if (*at == '\0' || *at == '#')
		return 0;
	tile.router = read_tile(listing, &at, &tile.name);
	scan_blanks(&at);
	if (tile.router < 0 || !scan_word(&at, &colour, &n))
		return in_error(
			listing->text.in, err,
			"expected a link: c0-0c0s0a0l00(0:0:0) green -> c0-0c0s6a0l10(0:0:6)");
	tile.colour = keep(listing, colour, n);
	scan_blanks(&at);
	if (!scan_text(&at, "->"))
		return in_error(listing->text.in, err, "expected '->' behind '%.20s'", tile.colour);
	scan_blanks(&at);
	if (str_starts(at, "unused"))
		return 0;
	if (str_starts(at, "processor")) {
		listing->routers.at[tile.router].has_nodes = true;
		return 0;
	}
	tile.peer_router = read_tile(listing, &at, &tile.peer);
	if (tile.peer_router < 0)
		return in_error(listing->text.in, err,
				"expected the other end: a tile, 'unused' or 'processor'");
	if (tile.peer_router == tile.router)
		return in_error(listing->text.in, err, "a link from %s to its own router",
				tile.name);
	if (map_add(&listing->tiles_by_name, tile.name, strlen(tile.name),
		    (int64_t)listing->tiles.n) != (int64_t)listing->tiles.n)
		return in_error(listing->text.in, err, "the tile %s is there twice", tile.name);
	vec_push(&listing->tiles, tile);
	return 0;
}

/* What xtprocadmin prints: "    4      0x4  c0-0c0s1n0  compute  up  batch" names c0-0c0s1n0
 * nid00004. */
static int read_names(struct rtr_listing *listing, const char *path, struct err *err)
{
	struct in *in;
	char *line;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	while ((status = in_line(in, &line, NULL, err)) == 1) {
		const char *at = line, *hex, *cname;
		size_t nhex, n;
		int nid;

		scan_blanks(&at);
		if (*at == '\0' || *at == '#' || str_starts(at, "NID"))
			continue;
		if (!scan_int(&at, 0, INT32_MAX, &nid) ||
		    (scan_blanks(&at), !scan_word(&at, &hex, &nhex)) ||
		    (scan_blanks(&at), !scan_word(&at, &cname, &n))) {
			status = in_error(in, err,
					  "expected a line of xtprocadmin: NID (HEX) NODENAME …");
			break;
		}
		map_add(&listing->names, cname, n, nid);
	}
	in_close(in);
	return status;
}

/* ---- the machine ---- */

static int by_place(const void *va, const void *vb)
{
	const struct router *a = *(struct router *const *)va, *b = *(struct router *const *)vb;

	for (int i = 0; i < 3; i++)
		if (a->place[i] != b->place[i])
			return a->place[i] < b->place[i] ? -1 : 1;
	return compare_natural(a->name, b->name);
}

static int refuse(const char *file, long line, const struct err *why, struct err *err)
{
	return err_set(err, "%s:%ld: %.900s", file, line, why->msg);
}

static int add_domains(struct topo_build *build, const struct router *router, const int *tiers,
		       struct err *err)
{
	char chassis[32], group[16];

	snprintf(chassis, sizeof(chassis), "%d:%d", router->place[0], router->place[1]);
	snprintf(group, sizeof(group), "%d", router->place[0]);
	if (topo_build_domain(build, router->handle, tiers[0], chassis, strlen(chassis), err) != 0)
		return -1;
	return topo_build_domain(build, router->handle, tiers[1], group, strlen(group), err);
}

/* c0-0c0s1a0 has the nodes c0-0c0s1n0 to n3; with a map, those of them that it names. */
static int add_nodes(struct rtr_listing *listing, struct topo_build *build,
		     const struct router *router, int nnodes, struct err *err)
{
	size_t n = strlen(router->name);

	while (n > 0 && router->name[n - 1] != 'a')
		n--;
	for (int i = 0; i < nnodes; i++) {
		char name[TOPO_NAME + 16];
		int node;
		int64_t nid;

		snprintf(name, sizeof(name), "%.*sn%d", (int)(n > 0 ? n - 1 : 0), router->name, i);
		nid = map_get(&listing->names, name, strlen(name));
		if (nid < 0 && listing->names.n > 0)
			continue;
		if (nid >= 0)
			snprintf(name, sizeof(name), "nid%05d", (int)nid);
		node = topo_build_node(build, name, strlen(name), err);
		if (node < 0 ||
		    topo_build_link(build, node, router->handle, LINK_TERMINAL, err) != 0)
			return -1;
	}
	return 0;
}

static int add_routers(struct rtr_listing *listing, struct topo_build *build, int nnodes,
		       struct err *err)
{
	size_t n = listing->routers.n;
	struct router **sorted = xmalloc((n + 1) * sizeof(struct router *));
	int tiers[2], status = 0;
	struct err why;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &listing->routers.at[i];
	qsort(sorted, n, sizeof(*sorted), by_place);
	tiers[0] = topo_build_tier(build, "chassis", strlen("chassis"), err);
	tiers[1] = topo_build_tier(build, "group", strlen("group"), err);
	if (tiers[0] < 0 || tiers[1] < 0)
		status = -1;
	for (size_t i = 0; i < n && status == 0; i++) {
		struct router *router = sorted[i];

		router->handle = topo_build_router(build, router->name, strlen(router->name), &why);
		if (router->handle < 0 || add_domains(build, router, tiers, &why) != 0 ||
		    (router->has_nodes && add_nodes(listing, build, router, nnodes, &why) != 0))
			status = refuse(router->file, router->line, &why, err);
	}
	free(sorted);
	return status;
}

/* A cable is added by the end that comes first. */
static int add_links(struct rtr_listing *listing, struct topo_build *build, struct err *err)
{
	for (size_t i = 0; i < listing->tiles.n; i++) {
		const struct tile *tile = &listing->tiles.at[i];
		int64_t back = map_get(&listing->tiles_by_name, tile->peer, strlen(tile->peer));
		struct err why;
		int level;

		if (back >= 0 && !str_eq(listing->tiles.at[back].peer, tile->name))
			return err_set(err, "%s:%ld: %s leads to %s, which leads to %s at %s:%ld",
				       tile->file, tile->line, tile->name, tile->peer,
				       listing->tiles.at[back].peer, listing->tiles.at[back].file,
				       listing->tiles.at[back].line);
		if (back < 0 && listing->none_sided++ == 0)
			warn("%s:%ld: %s leads to %s, which does not report it", tile->file,
			     tile->line, tile->name, tile->peer);
		if (back >= 0 && back < (int64_t)i)
			continue;
		level = topo_build_level(build, tile->colour, strlen(tile->colour), &why);
		if (level < 0 || topo_build_link(build, listing->routers.at[tile->router].handle,
						 listing->routers.at[tile->peer_router].handle,
						 level, &why) != 0)
			return refuse(tile->file, tile->line, &why, err);
	}
	if (listing->none_sided > 1)
		warn("%d links were reported by one end only", listing->none_sided);
	return 0;
}

static int add_all(void *context, struct topo_build *build, const struct topo_import *from,
		   struct err *err)
{
	struct rtr_listing *listing = context;

	if (add_routers(listing, build, (int)pick_int(from->pick, "nodes"), err) != 0)
		return -1;
	return add_links(listing, build, err);
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct rtr_listing listing = {.text = {.in = NULL}};
	int status = listing_read(&listing.text, from, read_line, &listing, err);

	if (status == 0 && listing.routers.n == 0)
		status = err_set(err, "%s: no tile: this is not output of rtr --interconnect",
				 listing.text.file);
	if (status == 0 && from->node_name_map != NULL)
		status = read_names(&listing, from->node_name_map, err);
	if (status == 0)
		status = listing_build(topo, from, add_all, &listing, err);
	map_free(&listing.routers_by_name);
	map_free(&listing.tiles_by_name);
	map_free(&listing.names);
	vec_free(&listing.routers);
	vec_free(&listing.tiles);
	arena_free(&listing.text.arena);
	return status;
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 64,
	 .def = "4",
	 .meaning = "nodes of a router that has processors"},
	LISTING_CORES,
	{.key = NULL},
};

const struct topo_importer topo_importer_cray_rtr = {
	.entry =
		{
			.name = "cray-rtr",
			.summary = "the links of a Cray XC, from rtr --interconnect; "
				   "not verified with a real listing",
			.example = "cray-rtr",
			.params = params,
		},
	.read = read,
	.takes_names = true,
};
