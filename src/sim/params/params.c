/* params.c - the parameters of a simulation: the table, and where values come from */
#include "sim/params/params.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "machine/route/route.h"
#include "mpi/collective/collective.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "model/topo_type.h"
#include "sim/params/sim_profile.h"

/* ---- the table: what a user sees, and where it is kept; both in the same order ---- */

#define PS_MOST 9e3 /* s: as picoseconds far within an int64_t */

static const struct param params[] = {
	{.key = "packet",
	 .type = PARAM_BYTES,
	 .def = "1024",
	 .unit = "B",
	 .meaning = "payload of a packet at most"},
	{.key = "header",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "what each packet carries besides"},
	{.key = "message-header",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "what each message carries besides its bytes"},
	{.key = "flit",
	 .type = PARAM_BYTES,
	 .def = "1",
	 .unit = "B",
	 .meaning = "a packet takes a whole number of these on a link, at least one; 1: bytes, "
		    "and a message of nothing takes none"},
	{.key = "input-buffer",
	 .type = PARAM_BYTES,
	 .def = "16KiB",
	 .unit = "B",
	 .meaning = "input buffer of each port and virtual channel"},
	{.key = "output-buffer",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "output buffer of each port and virtual channel; 0: packets wait in the input "
		    "buffers until the link takes them"},
	{.key = "crossbar",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1e6,
	 .def = "0",
	 .meaning = "where there are output buffers: how many times as fast as the fastest link "
		    "packets cross to one of them; 0: at once"},
	{.key = "vcs",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 16,
	 .def = "0",
	 .meaning = "virtual channels of a port; 0: as many as the "
		    "routing needs to be free of deadlock"},
	{.key = "router-delay",
	 .type = PARAM_DURATION,
	 .def = "50ns",
	 .unit = "s",
	 .meaning = "from the head's arrival at a router to when it may leave"},
	{.key = "credit-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "what the return of a credit takes besides the link's latency"},
	{.key = "nic-send",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "from a message's hand-over to when its first packet may leave the node"},
	{.key = "nic-receive",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "from a message's arrival at the node to its delivery"},
	{.key = "nic-requests",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 24,
	 .def = "0",
	 .meaning =
		 "requests for data that a node works on until the answer has left; more of them "
		 "wait in the network; 0: any number"},
	{.key = "request",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "what a request for data carries, for each packet of the answer"},
	{.key = "switching",
	 .type = PARAM_WORD,
	 .choices = "cut-through|store-and-forward",
	 .def = "cut-through",
	 .meaning = "whether a packet may leave a router before its tail has come"},
	{.key = "delivery",
	 .type = PARAM_WORD,
	 .choices = "tail|head",
	 .def = "tail",
	 .meaning = "a message has come with its last packet's tail, or head already"},
	{.key = "copy-servers",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1024,
	 .def = "1",
	 .meaning = "copies inside a node at one time"},
	{.key = "copy-overhead",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time of a copy inside a node besides its bytes"},
	{.key = "call-enter",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of each MPI call, before it does anything"},
	{.key = "call-exit",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of each MPI call, when it is complete"},
	{.key = "send-setup",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of each message, before it is handed to the NIC"},
	{.key = "receive-setup",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of each message that has found its receive"},
	{.key = "match",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of each posted receive that a message is compared with, and each unexpected "
		    "message that a receive is"},
	{.key = "eager",
	 .type = PARAM_BYTES,
	 .def = "8KiB",
	 .unit = "B",
	 .meaning = "messages up to this go at once; for larger ones the receiver is asked first"},
	{.key = "pin-base",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "registering the memory of a message that is not eager"},
	{.key = "pin-page",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "the same for each 4096 bytes of it"},
	{.key = "short-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "what a message of one packet takes besides: a receiving NIC's search, which "
		    "hides behind the packets of longer ones"},
	{.key = "local-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of a message between ranks of one node, whatever its size; 0: it is a copy "
		    "over the links of level node"},
	{.key = "local-send",
	 .type = PARAM_WORD,
	 .choices = "eager|synchronous",
	 .def = "eager",
	 .meaning = "with a local delay: such a send is complete as "
		    "others are, or when it is matched"},
	{.key = "eager-send",
	 .type = PARAM_WORD,
	 .choices = "injected|buffered",
	 .def = "injected",
	 .meaning = "an eager send is complete when its last packet has "
		    "left the node, or when the NIC has it"},
	{.key = "large-send",
	 .type = PARAM_WORD,
	 .choices = "injected|acknowledged",
	 .def = "injected",
	 .meaning = "a send that is not eager is complete when its last packet has left the node, "
		    "or when the receiver has said that it came"},
	{.key = "patterns",
	 .type = PARAM_WORD,
	 .choices = "ours|sst",
	 .def = "ours",
	 .meaning = "where a pattern has a choice it does as SST's motif does: broadcast has "
		    "tree=yes, halo3d26 n=8, unless the job says otherwise"},
	{.key = "collectives",
	 .type = PARAM_WORD,
	 .choices = COLLECTIVE_LIBRARIES,
	 .def = "mpich",
	 .meaning = "whose algorithms of collective operations"},
	{.key = NULL},
};

/* How the value of a row is kept. */
enum kept { KEPT_INT, KEPT_PS, KEPT_BYTES, KEPT_REAL, KEPT_SECOND_WORD, KEPT_LIBRARY };

#define ROW(kept, field)                                                                           \
	{                                                                                          \
		kept, offsetof(struct sim_params, field)                                           \
	}
static const struct {
	enum kept kept;
	size_t offset;
} rows[] = {
	ROW(KEPT_BYTES, packet_bytes),
	ROW(KEPT_BYTES, header_bytes),
	ROW(KEPT_BYTES, message_header_bytes),
	ROW(KEPT_BYTES, flit_bytes),
	ROW(KEPT_BYTES, input_buffer_bytes),
	ROW(KEPT_BYTES, output_buffer_bytes),
	ROW(KEPT_REAL, crossbar_speedup),
	ROW(KEPT_INT, vcs),
	ROW(KEPT_PS, router_delay_ps),
	ROW(KEPT_PS, credit_delay_ps),
	ROW(KEPT_PS, nic_send_ps),
	ROW(KEPT_PS, nic_receive_ps),
	ROW(KEPT_INT, nic_requests),
	ROW(KEPT_BYTES, request_bytes),
	ROW(KEPT_SECOND_WORD, is_store_and_forward), /* true: the second of the choices */
	ROW(KEPT_SECOND_WORD, is_delivered_by_head),
	ROW(KEPT_INT, copy_servers),
	ROW(KEPT_PS, copy_overhead_ps),
	ROW(KEPT_PS, call_enter_ps),
	ROW(KEPT_PS, call_exit_ps),
	ROW(KEPT_PS, send_setup_ps),
	ROW(KEPT_PS, receive_setup_ps),
	ROW(KEPT_PS, match_ps),
	ROW(KEPT_BYTES, eager_bytes),
	ROW(KEPT_PS, pin_base_ps),
	ROW(KEPT_PS, pin_page_ps),
	ROW(KEPT_PS, short_delay_ps),
	ROW(KEPT_PS, local_delay_ps),
	ROW(KEPT_SECOND_WORD, is_local_synchronous),
	ROW(KEPT_SECOND_WORD, is_eager_buffered),
	ROW(KEPT_SECOND_WORD, has_rendezvous_ack),
	ROW(KEPT_SECOND_WORD, does_as_sst),
	ROW(KEPT_LIBRARY, collectives),
};
_Static_assert(sizeof(rows) / sizeof(*rows) == sizeof(params) / sizeof(*params) - 1,
	       "one place for each parameter");

static const struct entry parameters_entry = {
	.name = "parameters",
	.summary = "of the network and of the software on its nodes; beside these, LEVEL-bandwidth "
		   "and LEVEL-latency of each level of links, bandwidth and latency of all",
	.example = "parameters:packet=2KiB,router-delay=100ns",
	.params = params,
};
static const struct entry *const parameter_entries[] = {&parameters_entry};
const struct registry sim_parameters = {
	.name = "parameters",
	.noun = "set of parameters",
	.entries = parameter_entries,
	.n = 1,
};

/* ---- one source of values after the other, the strongest last ---- */

static int64_t to_ps(double seconds)
{
	return (int64_t)(seconds * 1e12 + .5);
}

static int keep(struct sim_params *kept, int row, const struct value *value, struct err *err)
{
	char *at = (char *)kept + rows[row].offset;
	const char *second;
	int64_t whole;
	bool is_second;

	switch (rows[row].kept) {
	case KEPT_INT:
		memcpy(at, &value->number, sizeof(value->number));
		return 0;
	case KEPT_PS:
		if (value->real > PS_MOST)
			return err_set(err, "%s: '%s' is more than %g s", params[row].key,
				       value->text, PS_MOST);
		whole = to_ps(value->real);
		memcpy(at, &whole, sizeof(whole));
		return 0;
	case KEPT_BYTES:
		if (value->real > 1 << 30 || value->real != floor(value->real))
			return err_set(err, "%s: '%s' is not a whole number of bytes up to 1 GiB",
				       params[row].key, value->text);
		whole = (int64_t)value->real;
		memcpy(at, &whole, sizeof(whole));
		return 0;
	case KEPT_REAL:
		memcpy(at, &value->real, sizeof(value->real));
		return 0;
	case KEPT_LIBRARY:
		for (int i = 0; collective_libraries[i] != NULL; i++)
			if (str_eq(value->text, collective_libraries[i]))
				memcpy(at, &collective_libraries[i],
				       sizeof(collective_libraries[i]));
		return 0;
	case KEPT_SECOND_WORD:
		break;
	}
	second = strchr(params[row].choices, '|') + 1;
	is_second = str_eq(value->text, second);
	memcpy(at, &is_second, sizeof(is_second));
	return 0;
}

/* What keys and texts [n] say is kept, and nothing else (with_defaults: the defaults too). */
static int keep_all(struct sim_params *kept, const char *const *keys, const char *const *texts,
		    int n, bool with_defaults, struct err *err)
{
	struct pick pick;
	int status = 0;

	if (pick_make(&pick, &sim_parameters, parameters_entry.name, keys, texts, n, err) != 0)
		return -1;
	for (int i = 0; params[i].key != NULL && status == 0; i++) {
		const struct value *value = &pick.values[i];

		if (value->is_given || (with_defaults && value->is_set))
			status = keep(kept, i, value, err);
	}
	pick_free(&pick);
	return status;
}

enum strength { BY_PROFILE, BY_COMMAND };

/* A level as the profile or the command line names it; what the topology file says stands against
 * a profile. bandwidth and latency may be NULL. */
static int set_level(struct sim_params *kept, const struct topo *topo, int level,
		     enum strength strength, const char *bandwidth, const char *latency,
		     struct err *err)
{
	double rate, seconds;

	if (bandwidth != NULL && (num_bandwidth(bandwidth, &rate) != 0 || rate <= 0))
		return err_set(err, "'%.80s' is not a bandwidth such as 8Gbit/s or 1GB/s",
			       bandwidth);
	if (latency != NULL && (num_duration(latency, &seconds) != 0 || seconds > PS_MOST))
		return err_set(err, "'%.80s' is not a time such as 100ns", latency);
	if (bandwidth != NULL &&
	    (strength == BY_COMMAND || !topo->levels[level].is_bandwidth_written))
		kept->levels[level].bandwidth = rate;
	if (latency != NULL && (strength == BY_COMMAND || !topo->levels[level].is_latency_written))
		kept->levels[level].latency_ps = to_ps(seconds);
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
	int status;
	bool is_known;

	if (sim_profile_open(&profile, text, err) != 0)
		return -1;
	status = keep_all(kept, profile.keys.at, profile.texts.at, (int)profile.keys.n, false, err);
	for (size_t i = 0; i < profile.levels.n && status == 0; i++) {
		const struct sim_profile_level *level = &profile.levels.at[i];

		status = set_levels(kept, topo, level->name, strlen(level->name), BY_PROFILE,
				    level->bandwidth, level->latency, &is_known, err);
	}
	if (status == 0) {
		if (routing == NULL)
			routing = topo->routing;
		if (routing == NULL)
			routing = sim_profile_routing(&profile, topo->type->family);
		kept->routing = sim_profile_refine(
			&profile, routing != NULL ? routing : routing_default->name, err);
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
		status = keep_all(kept, keys, texts, nkeys, false, err);
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

int sim_params_open(struct sim_params *kept, const struct topo *topo, const char *profile,
		    const char *const *settings, int n, const char *routing, struct err *err)
{
	*kept = (struct sim_params){0};
	for (int level = 0; level < topo->nlevels; level++)
		kept->levels[level] = (struct sim_level){topo->levels[level].bandwidth,
							 to_ps(topo->levels[level].latency)};
	if (keep_all(kept, NULL, NULL, 0, true, err) != 0 ||
	    use_profile(kept, topo, profile != NULL ? profile : "default", routing, err) != 0 ||
	    use_settings(kept, topo, settings, n, err) != 0 || check(kept, err) != 0) {
		sim_params_close(kept);
		return -1;
	}
	return 0;
}

void sim_params_close(struct sim_params *kept)
{
	free(kept->routing);
	kept->routing = NULL;
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
