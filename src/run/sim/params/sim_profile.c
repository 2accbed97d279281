/* sim_profile.c - profiles of parameters: share/profiles/NAME.yaml, and files of the user */
#include "sim/params/sim_profile.h"

#include <stdlib.h>
#include <string.h>

#include "machine/route/route.h"
#include "base/share.h"
#include "base/str.h"
#include "sim/params/params.h"

/* ---- the registry ---- */

static const struct param file_params[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "a profile (YAML)"},
	{.key = NULL},
};
static const struct entry aries = {
	.name = "aries",
	.summary = "Cray's Aries within the limits of the model: requests and answers are"
		   " separate, and nodes process few requests at a time",
	.paper = "Alverson, Froese, Kaplan, Roweth: Cray XC series network, WP-Aries01-1112",
	.example = "aries",
};
static const struct entry bb = {
	.name = "bb",
	.summary = "burst buffers: packets of 16 KiB, which is within 7 % of bb-packet",
	.paper = "Khetawat 2022, chapter 2",
	.example = "bb",
};
static const struct entry bb_packet = {
	.name = "bb-packet",
	.summary = "burst buffers: packets of 4 KiB",
	.paper = "Khetawat 2022, chapter 2",
	.example = "bb-packet",
};
static const struct entry booksim = {
	.name = "booksim",
	.summary = "cycles of 1 ns and flits of one byte, as in BookSim 2",
	.paper = "Jiang et al.: A detailed and flexible cycle-accurate "
		 "network-on-chip simulator, ISPASS 2013",
	.example = "booksim",
};
static const struct entry codes = {
	.name = "codes",
	.summary = "store and forward of packets, as in the dragonfly model of CODES",
	.paper = "Mubarak et al.: Enabling parallel simulation of "
		 "large-scale HPC network systems, IEEE TPDS 2017",
	.example = "codes",
};
static const struct entry ours = {
	.name = "default",
	.summary = "virtual cut-through with credits; the built-in defaults",
	.example = "default",
};
static const struct entry from_file = {
	.name = "file",
	.summary = "a profile of your own",
	.example = "file:path=own.yaml",
	.params = file_params,
};
static const struct entry ib100 = {
	.name = "ib100",
	.summary = "InfiniBand of 100 Gbit/s, fitted on one pair of nodes; examples/measured",
	.paper = "StackHPC hpc-tests, 2020 (CSD3, Open MPI 3.1.6)",
	.example = "ib100",
};
static const struct entry roce25 = {
	.name = "roce25",
	.summary = "RoCE on Ethernet of 25 Gbit/s, fitted on one pair of nodes; examples/measured",
	.paper = "StackHPC hpc-tests, 2020 (AlaSKA, Open MPI 4.0.3)",
	.example = "roce25",
};
static const struct entry sst = {
	.name = "sst",
	.summary = "the settings of the Level-Spread study: SST with merlin, firefly and "
		   "ember",
	.paper = "Zhang et al.: Level-Spread, IPDPS 2018; SST 16",
	.example = "sst",
};
static const struct entry tracer = {
	.name = "tracer",
	.summary = "TraceR with CODES, with the parameters of Khetawat's study of GPUDirect",
	.paper = "Khetawat 2022, ch. 3",
	.example = "tracer",
};
static const struct entry *const entries[] = {&aries,  &bb,   &bb_packet, &booksim,
					      &codes,  &ours, &from_file, &ib100,
					      &roce25, &sst,  &tracer};
const struct registry sim_profiles = {
	.name = "profiles",
	.noun = "profile",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};

/* ---- reading ---- */

static const struct yaml *scalar(const struct yaml_file *file, const struct yaml *at,
				 const char *what, struct err *err)
{
	if (at->type == YAML_SCALAR && at->n > 0 && strlen(at->text) == at->n)
		return at;
	yaml_error(file, at, err, "%.80s: is not plain text", what);
	return NULL;
}

static int read_parameters(struct sim_profile *profile, const struct yaml *map, struct err *err)
{
	if (map != NULL && map->type != YAML_MAP)
		return yaml_error(profile->file, map, err, "parameters: is not a mapping");
	for (size_t i = 0; map != NULL && i < map->n; i++) {
		const struct yaml *value =
			scalar(profile->file, map->items[i], map->keys[i]->text, err);

		if (value == NULL)
			return -1;
		vec_push(&profile->keys, map->keys[i]->text);
		vec_push(&profile->texts, value->text);
	}
	return 0;
}

static int read_level(struct sim_profile *profile, const char *name, const struct yaml *map,
		      struct err *err)
{
	struct sim_profile_level level = {.name = name};

	if (map->type != YAML_MAP)
		return yaml_error(profile->file, map, err, "%.80s: is not a mapping", name);
	for (size_t i = 0; i < map->n; i++) {
		const char *key = map->keys[i]->text;
		const struct yaml *value = scalar(profile->file, map->items[i], key, err);

		if (value == NULL)
			return -1;
		if (str_eq(key, "bandwidth"))
			level.bandwidth = value->text;
		else if (str_eq(key, "latency"))
			level.latency = value->text;
		else
			return yaml_error(profile->file, map->keys[i], err,
					  "'%.80s' is neither bandwidth nor latency", key);
	}
	vec_push(&profile->levels, level);
	return 0;
}

static int read_levels(struct sim_profile *profile, const struct yaml *map, struct err *err)
{
	if (map != NULL && map->type != YAML_MAP)
		return yaml_error(profile->file, map, err, "links: is not a mapping of levels");
	for (size_t i = 0; map != NULL && i < map->n; i++)
		if (read_level(profile, map->keys[i]->text, map->items[i], err) != 0)
			return -1;
	return 0;
}

static int read_routing(struct sim_profile *profile, const struct yaml *at, struct err *err)
{
	profile->routing = at;
	if (at == NULL)
		return 0;
	if (at->type == YAML_SCALAR)
		return scalar(profile->file, at, "routing", err) != NULL ? 0 : -1;
	if (at->type != YAML_MAP)
		return yaml_error(profile->file, at, err,
				  "routing: is neither a routing nor one for each kind of network");
	for (size_t i = 0; i < at->n; i++)
		if (scalar(profile->file, at->items[i], at->keys[i]->text, err) == NULL)
			return -1;
	return 0;
}

/* routings: {ugal: {threshold: 2}} */
static int read_routings(struct sim_profile *profile, const struct yaml *map, struct err *err)
{
	profile->routings = map;
	if (map != NULL && map->type != YAML_MAP)
		return yaml_error(profile->file, map, err,
				  "routings: is not a mapping of routings");
	for (size_t i = 0; map != NULL && i < map->n; i++) {
		const struct yaml *params = map->items[i];
		const char *name = map->keys[i]->text;

		if (registry_find(&routings, name) == NULL)
			return yaml_error(profile->file, map->keys[i], err,
					  "'%.80s' is not a routing", name);
		if (params->type != YAML_MAP)
			return yaml_error(profile->file, params, err, "%.80s: is not a mapping",
					  name);
		for (size_t k = 0; k < params->n; k++)
			if (scalar(profile->file, params->items[k], params->keys[k]->text, err) ==
			    NULL)
				return -1;
	}
	return 0;
}

static int read_profile(struct sim_profile *profile, struct err *err)
{
	const struct yaml *root = yaml_root(profile->file);
	const char *version = root != NULL ? yaml_text(root, "placetools") : NULL;
	static const char *const known[] = {"placetools", "name",    "summary",  "parameters",
					    "links",      "routing", "routings", "overrides"};
	const char *overrides = root != NULL ? yaml_text(root, "overrides") : NULL;

	if (root == NULL || root->type != YAML_MAP || version == NULL ||
	    !str_eq(version, "netsim-profile/1"))
		return yaml_error(
			profile->file, root, err,
			"is not a profile of netsim: it needs 'placetools: netsim-profile/1'");
	for (size_t i = 0; i < root->n; i++) {
		bool is_known = false;

		for (size_t j = 0; j < sizeof(known) / sizeof(*known); j++)
			is_known |= str_eq(root->keys[i]->text, known[j]);
		if (!is_known)
			return yaml_error(
				profile->file, root->keys[i], err,
				"'%.80s' is not a key of a profile; expected one of: "
				"name summary parameters links routing routings overrides",
				root->keys[i]->text);
	}
	profile->is_stronger = overrides != NULL && str_eq(overrides, "topology");
	if (yaml_get(root, "overrides") != NULL && !profile->is_stronger)
		return yaml_error(profile->file, yaml_get(root, "overrides"), err,
				  "overrides: expected topology");
	if (read_parameters(profile, yaml_get(root, "parameters"), err) != 0 ||
	    read_levels(profile, yaml_get(root, "links"), err) != 0)
		return -1;
	if (read_routing(profile, yaml_get(root, "routing"), err) != 0)
		return -1;
	return read_routings(profile, yaml_get(root, "routings"), err);
}

static char *path_of(const char *text, struct err *err)
{
	struct pick pick;
	char *path, *name;

	if (pick_parse(&pick, &sim_profiles, text, err) != 0)
		return NULL;
	if (pick.entry == &from_file) {
		path = xstrdup(pick_word(&pick, "path"));
	} else {
		name = xasprintf("profiles/%s.yaml", pick.entry->name);
		path = share_find(name);
		if (path == NULL)
			err_set(err, "there is no share/%s", name);
		free(name);
	}
	pick_free(&pick);
	return path;
}

int sim_profile_open(struct sim_profile *profile, const char *text, struct err *err)
{
	char *path = path_of(text, err);
	int status;

	*profile = (struct sim_profile){0};
	if (path == NULL)
		return -1;
	status = yaml_open(&profile->file, path, err);
	free(path);
	if (status == 0 && read_profile(profile, err) != 0) {
		sim_profile_close(profile);
		status = -1;
	}
	return status;
}

void sim_profile_close(struct sim_profile *profile)
{
	yaml_close(profile->file);
	vec_free(&profile->keys);
	vec_free(&profile->texts);
	vec_free(&profile->levels);
}

const char *sim_profile_routing(const struct sim_profile *profile, const char *family)
{
	if (profile->routing == NULL)
		return NULL;
	if (profile->routing->type == YAML_SCALAR)
		return profile->routing->text;
	return family != NULL ? yaml_text(profile->routing, family) : NULL;
}

/* The mapping of a routing's parameters, under any of its names; or NULL. */
static const struct yaml *params_of(const struct sim_profile *profile, const struct entry *routing)
{
	const struct yaml *map = profile->routings;

	for (size_t i = 0; map != NULL && i < map->n; i++)
		if (registry_find(&routings, map->keys[i]->text) == routing)
			return map->items[i];
	return NULL;
}

char *sim_profile_refine(const struct sim_profile *profile, const char *text, struct err *err)
{
	const struct yaml *params;
	struct pick pick, refined;
	struct buf buf = {0};
	char *whole;

	if (pick_parse(&pick, &routings, text, err) != 0)
		return NULL;
	params = params_of(profile, pick.entry);
	whole = pick_text(&pick);
	buf_str(&buf, whole);
	for (size_t k = 0; params != NULL && k < params->n; k++) {
		const char *key = params->keys[k]->text;
		bool is_given = false;

		for (int i = 0; pick.entry->params != NULL && pick.entry->params[i].key != NULL;
		     i++)
			is_given |=
				str_eq(pick.entry->params[i].key, key) && pick.values[i].is_given;
		if (!is_given)
			buf_printf(&buf, "%s%s=%s", strchr(buf.text, ':') == NULL ? ":" : ",", key,
				   params->items[k]->text);
	}
	free(whole);
	pick_free(&pick);
	if (pick_parse(&refined, &routings, buf_text(&buf), err) != 0) {
		buf_free(&buf);
		return NULL;
	}
	whole = pick_text(&refined);
	pick_free(&refined);
	buf_free(&buf);
	return whole;
}
