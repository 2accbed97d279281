/* params.c - the parameters of a simulation: where values come from */
#include "sim/params/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/route/route.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "model/topo_type.h"
#include "sim/params/sim_profile.h"

/* ---- one source of values after the other, the strongest last ---- */

static const char FROM_DEFAULT[] = "default", FROM_PROFILE[] = "profile",
		  FROM_TOPOLOGY[] = "topology", FROM_SETTING[] = "-s";

static void tell(struct sim_params *kept, int row, const char *text, const char *from)
{
	struct sim_told *told = &kept->told[row];

	free(told->text);
	*told = (struct sim_told){.text = xstrdup(text), .from = from};
}

/* What keys and texts [n] say is kept, and nothing else (FROM_DEFAULT: the defaults). */
static int keep_all(struct sim_params *kept, const char *const *keys, const char *const *texts,
		    int n, const char *from, struct err *err)
{
	const struct param *params = sim_parameters_entry.params;
	struct pick pick;
	int status = 0;

	if (pick_make(&pick, &sim_parameters, sim_parameters_entry.name, keys, texts, n, err) != 0)
		return -1;
	for (int i = 0; params[i].key != NULL && status == 0; i++) {
		const struct value *value = &pick.values[i];

		if (!value->is_given && !(from == FROM_DEFAULT && value->is_set))
			continue;
		status = sim_parameter_keep(kept, i, value, err);
		if (kept->told != NULL && status == 0)
			tell(kept, i, value->text, from);
	}
	pick_free(&pick);
	return status;
}

enum strength { BY_PROFILE, BY_STRONG_PROFILE, BY_COMMAND };

/* A level as the profile or the command line names it; what the topology file says overrides a
 * profile that does not override it. bandwidth and latency may be NULL. */
static int set_level(struct sim_params *kept, const struct topo *topo, int level,
		     enum strength strength, const char *bandwidth, const char *latency,
		     struct err *err)
{
	const char *from = strength == BY_COMMAND ? FROM_SETTING : FROM_PROFILE;
	struct sim_level *set = &kept->levels[level];
	double rate, seconds;

	if (bandwidth != NULL && (num_bandwidth(bandwidth, &rate) != 0 || rate <= 0))
		return err_set(err, "'%.80s' is not a bandwidth such as 8Gbit/s or 1GB/s",
			       bandwidth);
	if (latency != NULL && (num_duration(latency, &seconds) != 0 || seconds > SIM_PS_MOST))
		return err_set(err, "'%.80s' is not a time such as 100ns", latency);
	if (bandwidth != NULL &&
	    (strength != BY_PROFILE || !topo->levels[level].is_bandwidth_written)) {
		set->bandwidth = rate;
		set->is_guessed = false;
		set->bandwidth_from = from;
	}
	if (latency != NULL &&
	    (strength != BY_PROFILE || !topo->levels[level].is_latency_written)) {
		set->latency_ps = sim_to_ps(seconds);
		set->latency_from = from;
	}
	return 0;
}

/* name [n]: a level, or "" for all levels of links */
static int set_levels(struct sim_params *kept, const struct topo *topo, const char *name, size_t n,
		      enum strength strength, const char *bandwidth, const char *latency,
		      bool *is_known, struct err *err)
{
	*is_known = n == 0;
	for (int level = 0; level < topo->nlevels; level++) {
		bool is_it = strlen(topo->levels[level].name) == n &&
			     memcmp(topo->levels[level].name, name, n) == 0;

		if (!is_it && !(n == 0 && level != LINK_NODE))
			continue;
		*is_known = true;
		if (set_level(kept, topo, level, strength, bandwidth, latency, err) != 0)
			return -1;
	}
	return 0;
}

static int use_profile(struct sim_params *kept, const struct topo *topo, const char *text,
		       const char *routing, struct err *err)
{
	struct sim_profile profile;
	const char *own;
	int status;
	bool is_known;

	if (sim_profile_open(&profile, text, err) != 0)
		return -1;
	status = keep_all(kept, profile.keys.at, profile.texts.at, (int)profile.keys.n,
			  FROM_PROFILE, err);
	for (size_t i = 0; i < profile.levels.n && status == 0; i++) {
		const struct sim_profile_level *level = &profile.levels.at[i];

		status = set_levels(kept, topo, level->name, strlen(level->name),
				    profile.is_stronger ? BY_STRONG_PROFILE : BY_PROFILE,
				    level->bandwidth, level->latency, &is_known, err);
	}
	if (status == 0) {
		own = sim_profile_routing(&profile, topo->type->family);
		kept->routing_from = "-r";
		if (routing == NULL && topo->routing != NULL &&
		    !(profile.is_stronger && own != NULL)) {
			routing = topo->routing;
			kept->routing_from = FROM_TOPOLOGY;
		} else if (routing == NULL) {
			routing = own != NULL ? own : routing_default->name;
			kept->routing_from = own != NULL ? FROM_PROFILE : FROM_DEFAULT;
		}
		kept->routing = sim_profile_refine(&profile, routing, err);
		status = kept->routing != NULL ? 0 : -1;
	} else {
		err_prefix(err, "%s: ", text);
	}
	sim_profile_close(&profile);
	return status;
}

/* "global-latency", or "latency" of all; *value_of_level becomes whether key is such a one. */
static int set_level_key(struct sim_params *kept, const struct topo *topo, const char *key,
			 const char *text, bool *is_level, struct err *err)
{
	static const char *const ends[] = {"bandwidth", "latency"};

	*is_level = false;
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(key), tail = strlen(ends[i]);
		bool is_all = str_eq(key, ends[i]), is_known;

		if (!str_ends(key, ends[i]) || (!is_all && (n <= tail || key[n - tail - 1] != '-')))
			continue;
		*is_level = true;
		if (set_levels(kept, topo, key, is_all ? 0 : n - tail - 1, BY_COMMAND,
			       i == 0 ? text : NULL, i == 0 ? NULL : text, &is_known, err) != 0)
			return err_prefix(err, "%s: ", key);
		if (!is_known)
			return err_set(err, "%s: the network has no such level of links", key);
	}
	return 0;
}

static int use_settings(struct sim_params *kept, const struct topo *topo,
			const char *const *settings, int n, struct err *err)
{
	const char **keys = xcalloc((size_t)n + 1, sizeof(*keys));
	const char **texts = xcalloc((size_t)n + 1, sizeof(*texts));
	int nkeys = 0, status = 0;
	bool is_level;

	for (int i = 0; i < n && status == 0; i++) {
		const char *equals = strchr(settings[i], '=');

		if (equals == NULL) {
			status = err_set(err, "'%.80s' is not KEY=VALUE", settings[i]);
			break;
		}
		keys[nkeys] = xstrndup(settings[i], (size_t)(equals - settings[i]));
		texts[nkeys++] = equals + 1;
		status = set_level_key(kept, topo, keys[nkeys - 1], equals + 1, &is_level, err);
		if (status == 0 && is_level)
			free((char *)keys[--nkeys]);
	}
	if (status == 0)
		status = keep_all(kept, keys, texts, nkeys, FROM_SETTING, err);
	for (int i = 0; i < nkeys; i++)
		free((char *)keys[i]);
	free(keys);
	free(texts);
	return status;
}

/* What must hold between parameters. */
static int check(const struct sim_params *kept, struct err *err)
{
	int64_t largest = kept->packet_bytes + kept->header_bytes;

	if (kept->packet_bytes < 1 || kept->packet_bytes > 1 << 20)
		return err_set(err, "packet: %lld bytes; expected 1 to 1 MiB",
			       (long long)kept->packet_bytes);
	if (kept->flit_bytes < 1 || kept->flit_bytes > 1 << 20)
		return err_set(err, "flit: %lld bytes; expected 1 to 1 MiB",
			       (long long)kept->flit_bytes);
	largest = (largest + kept->flit_bytes - 1) / kept->flit_bytes * kept->flit_bytes;
	if (kept->input_buffer_bytes < largest)
		return err_set(err,
			       "input-buffer: %lld bytes do not hold a packet of "
			       "%lld with its header in whole flits",
			       (long long)kept->input_buffer_bytes, (long long)largest);
	if (kept->output_buffer_bytes > 0 && kept->output_buffer_bytes < largest)
		return err_set(err, "output-buffer: %lld bytes do not hold a packet of %lld",
			       (long long)kept->output_buffer_bytes, (long long)largest);
	return 0;
}

static int refuse_guesses(const struct sim_params *kept, const struct topo *topo, struct err *err)
{
	for (int level = 0; level < topo->nlevels && !kept->accepts_guesses; level++) {
		const char *name = topo->levels[level].name;

		if (kept->levels[level].is_guessed)
			return err_set(err,
				       "%s: the bandwidth of the %s links is a guess: expected "
				       "topogen --bandwidth %s=SPEED, -s %s-bandwidth=SPEED or -s "
				       "guesses=accept",
				       topo->source != NULL ? topo->source : topo->name, name, name,
				       name);
	}
	return 0;
}

static bool has_storage(const struct topo *topo)
{
	for (int i = 0; i < topo->nio; i++)
		if (topo->io[i].storage != NULL)
			return true;
	return false;
}

/* Settings that change nothing, as another parameter is or as the machine has no storage. */
static int warn_idle(const struct sim_params *kept, const struct topo *topo,
		     const char *const *settings, int n, struct err *err)
{
	const struct param *params = sim_parameters_entry.params;
	struct sim_params defaults = {0};

	if (keep_all(&defaults, NULL, NULL, 0, FROM_DEFAULT, err) != 0)
		return -1;
	for (int i = 0; i < n; i++) {
		size_t length = strcspn(settings[i], "=");
		const char *lacks = NULL;
		char option[64];

		for (int row = 0; params[row].key != NULL && lacks == NULL; row++)
			if (strlen(params[row].key) == length &&
			    memcmp(params[row].key, settings[i], length) == 0)
				lacks = sim_parameter_lacks(kept, &defaults, has_storage(topo),
							    row);
		snprintf(option, sizeof(option), "-s %.*s", (int)length, settings[i]);
		if (lacks != NULL)
			warn_no_effect(option, "it acts only with %s", lacks);
	}
	return 0;
}

int sim_params_open(struct sim_params *kept, const struct topo *topo, const char *profile,
		    const char *const *settings, int n, const char *routing, struct err *err)
{
	const struct param *params = sim_parameters_entry.params;
	int nrows = 0;

	while (params[nrows].key != NULL)
		nrows++;
	*kept = (struct sim_params){.told = xcalloc((size_t)nrows, sizeof(*kept->told))};
	for (int i = 0; i < topo->nlevels; i++) {
		const struct link_level *level = &topo->levels[i];

		kept->levels[i] = (struct sim_level){
			.bandwidth = level->bandwidth,
			.latency_ps = sim_to_ps(level->latency),
			.is_guessed = level->is_bandwidth_guessed,
			.bandwidth_from =
				level->is_bandwidth_written ? FROM_TOPOLOGY : FROM_DEFAULT,
			.latency_from = level->is_latency_written ? FROM_TOPOLOGY : FROM_DEFAULT};
	}
	if (keep_all(kept, NULL, NULL, 0, FROM_DEFAULT, err) != 0 ||
	    use_profile(kept, topo, profile != NULL ? profile : "default", routing, err) != 0 ||
	    use_settings(kept, topo, settings, n, err) != 0 || check(kept, err) != 0 ||
	    refuse_guesses(kept, topo, err) != 0 || warn_idle(kept, topo, settings, n, err) != 0) {
		sim_params_close(kept);
		return -1;
	}
	return 0;
}

void sim_params_close(struct sim_params *kept)
{
	const struct param *params = sim_parameters_entry.params;

	for (int row = 0; kept->told != NULL && params[row].key != NULL; row++)
		free(kept->told[row].text);
	free(kept->told);
	free(kept->routing);
	*kept = (struct sim_params){0};
}

int64_t sim_wire_bytes(const struct sim_params *kept, int64_t payload)
{
	int64_t bytes = payload + kept->message_header_bytes, flit = kept->flit_bytes;
	int64_t whole = (kept->packet_bytes + kept->header_bytes + flit - 1) / flit * flit;
	int64_t rest = bytes % kept->packet_bytes, wire = bytes / kept->packet_bytes * whole;

	if (rest > 0 || bytes == 0) {
		rest = (rest + kept->header_bytes + flit - 1) / flit * flit;
		wire += rest == 0 && flit > 1 ? flit : rest; /* a packet has a head */
	}
	return wire;
}
