/* parameters.c - the table of parameters: what a user sees, and where it is kept */
#include "sim/params/parameters.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "mpi/collective/collective.h"
#include "base/str.h"

/* Both tables are in the same order. */

static const struct param params[] = {
	{.key = "packet",
	 .type = PARAM_BYTES,
	 .def = "1024",
	 .unit = "B",
	 .meaning = "largest payload of a packet"},
	{.key = "header",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "additional bytes of each packet"},
	{.key = "message-header",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "additional bytes of each message"},
	{.key = "flit",
	 .type = PARAM_BYTES,
	 .def = "1",
	 .unit = "B",
	 .meaning = "a packet takes a whole number of flits of this size on a link, at "
		    "least one; 1: bytes, and an empty message takes none"},
	{.key = "input-buffer",
	 .type = PARAM_BYTES,
	 .def = "16KiB",
	 .unit = "B",
	 .meaning = "input buffer of each port and virtual channel"},
	{.key = "output-buffer",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "output buffer of each port and virtual channel; 0: packets wait in "
		    "the input buffers until the link is free"},
	{.key = "crossbar",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1e6,
	 .def = "0",
	 .meaning = "with output buffers: speed of the crossbar relative to the fastest "
		    "link; 0: immediate",
	 .with = "output-buffer"},
	{.key = "crossbar-inputs",
	 .type = PARAM_WORD,
	 .choices = "vc|port",
	 .def = "vc",
	 .meaning = "with a crossbar: what has an input of it, where one packet crosses "
		    "at a time: each virtual channel of a port, or the port",
	 .with = "crossbar"},
	{.key = "vcs",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 16,
	 .def = "0",
	 .meaning = "virtual channels of a port; 0: as many as the routing needs to avoid"
		    " deadlock"},
	{.key = "router-delay",
	 .type = PARAM_DURATION,
	 .def = "50ns",
	 .unit = "s",
	 .meaning = "time from the head's arrival at a router until it may leave"},
	{.key = "credit-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time that the return of a credit takes in addition to the link's "
		    "latency"},
	{.key = "nic-send",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time from handing over a message until its first packet may leave "
		    "the node"},
	{.key = "nic-per-byte",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning =
		 "time until the NIC has an eager message, for each byte of it: memory and bus, which the rank does not wait for"},
	{.key = "nic-receive",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time from a message's arrival at the node until its delivery"},
	{.key = "nic-order",
	 .type = PARAM_WORD,
	 .choices = "message|turns",
	 .def = "message",
	 .meaning = "messages that wait at a NIC leave one after the other, or take turns, a "
		    "packet each"},
	{.key = "nic-requests",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 24,
	 .def = "0",
	 .meaning = "requests for data that a node processes at a time, until the answer has"
		    " left; others wait in the network; 0: any number"},
	{.key = "request",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "bytes of a request for data, per packet of the answer"},
	{.key = "switching",
	 .type = PARAM_WORD,
	 .choices = "cut-through|store-and-forward",
	 .def = "cut-through",
	 .meaning = "whether a packet may leave a router before its tail has arrived"},
	{.key = "packet-gap",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time in which a NIC sends nothing, after each packet"},
	{.key = "empty",
	 .type = PARAM_WORD,
	 .choices = "nothing|packet",
	 .def = "nothing",
	 .meaning =
		 "what a message without bytes takes on a link: its headers only, or a whole packet, as CODES has it"},
	{.key = "message-gap",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning =
		 "what a node works on each message before its first packet, one message after the other"},
	{.key = "injection",
	 .type = PARAM_WORD,
	 .choices = "nics|queues",
	 .def = "nics",
	 .meaning =
		 "NICs take what is ready; or each injection queue of a node makes the packets of one message after the other, at the rate of one link, whichever NIC they take"},
	{.key = "delivery",
	 .type = PARAM_WORD,
	 .choices = "tail|head",
	 .def = "tail",
	 .meaning = "a message has arrived with the tail, or already with the head, of "
		    "its last packet"},
	{.key = "copy-servers",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1024,
	 .def = "1",
	 .meaning = "simultaneous copies within a node"},
	{.key = "copy-overhead",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time of a copy within a node, in addition to its bytes"},
	{.key = "copy-eager",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "smaller copies inside a node do not wait for the receiver"},
	{.key = "copy-server",
	 .type = PARAM_WORD,
	 .choices = "free|slot",
	 .def = "free",
	 .meaning =
		 "a copy takes the server that is free first, or that of the sender's slot on its node (slot modulo copy-servers)",
	 .with = "copy-servers"},
	{.key = "call-enter",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of each MPI call, before it does anything"},
	{.key = "call-exit",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of each MPI call, when it is complete"},
	{.key = "send-setup",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of each message, before it is handed to the NIC"},
	{.key = "receive-setup",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of each message that has been matched with its receive"},
	{.key = "copy-per-byte",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning =
		 "copying an eager message, for each byte of it: before it leaves, and once more where a receive waited for it"},
	{.key = "send-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning =
		 "from the rank's own work on a message to its hand-over to the NIC; the rank goes on"},
	{.key = "rdma-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "the same, besides, of data that the receiver asked for"},
	{.key = "receive-wait",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning =
		 "of a receive that waited for its eager message, besides the copy of its bytes; 0: neither"},
	{.key = "step-costs",
	 .type = PARAM_WORD,
	 .choices = "messages|tracer",
	 .def = "messages",
	 .meaning =
		 "what a step of a collective operation costs its rank: send-setup for each message, or what TraceR says: messages along a tree leave at once, tree-delay apart, and each half of the operation ends with a send-setup"},
	{.key = "tree-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "with step-costs=tracer: between two messages along a tree",
	 .with = "step-costs=tracer"},
	{.key = "rts",
	 .type = PARAM_WORD,
	 .choices = "on|off",
	 .def = "on",
	 .meaning =
		 "messages that are not eager: a request goes first, and the receiver answers it; or off: the receiver answers when it posts a receive that names its sender and tag"},
	{.key = "gpu",
	 .type = PARAM_WORD,
	 .choices = "none|hostcopy|gpudirect|trace",
	 .def = "none",
	 .meaning =
		 "buffers are on GPUs: messages and the collective operations bcast, reduce, allreduce, allgather, alltoall are copied to the host first (hostcopy) or go from GPU to GPU (gpudirect); trace: from GPU to GPU where either buffer is on a GPU, and as host-buffers= says elsewhere"},
	{.key = "host-buffers",
	 .type = PARAM_WORD,
	 .choices = "copied|plain",
	 .def = "copied",
	 .meaning =
		 "with gpu=trace: buffers on the host, or of which nothing is known, hold data of a GPU, which are copied as with gpu=hostcopy; or the host's own",
	 .with = "gpu=trace"},
	{.key = "gpu-copy-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "of a copy between GPU and host",
	 .with = "gpu"},
	{.key = "gpu-copy-per-byte",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "the same for each byte",
	 .with = "gpu"},
	{.key = "gpudirect-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "until a GPU begins to send what its rank asks for",
	 .with = "gpu"},
	{.key = "copy",
	 .type = PARAM_WORD,
	 .choices = "sender|both",
	 .def = "sender",
	 .meaning =
		 "with gpu=hostcopy: copies at the sender only, as TraceR has them, or at the receiver too",
	 .with = "gpu"},
	{.key = "copy-serial",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "with gpu=hostcopy: the bytes of a node's copies go one after the other",
	 .with = "gpu"},
	{.key = "gpu-flops",
	 .type = PARAM_REAL,
	 .optional = true,
	 .meaning = "operations a second of a GPU, for the flops of graphs"},
	{.key = "gpu-memory",
	 .type = PARAM_BANDWIDTH,
	 .optional = true,
	 .meaning = "bytes a second that a GPU moves, for their memory_bytes"},
	{.key = "tracer-artefacts",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning =
		 "do as TraceR's reader of OTF2: a barrier is an allreduce of nothing, on GPUs as others are; scatterv, alltoallw, and gather, scan and reduce_scatter in all their forms are dropped"},
	{.key = "control",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "what a request to send, an answer and an acknowledgement carry"},
	{.key = "match",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of each posted receive that a message is compared with, and of "
		    "each unexpected message that a receive is compared with"},
	{.key = "eager",
	 .type = PARAM_BYTES,
	 .def = "8KiB",
	 .unit = "B",
	 .meaning = "messages up to this size are sent immediately; larger ones start "
		    "when the receive has been posted"},
	{.key = "pin-base",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "cost of registering the memory of a message that is not eager"},
	{.key = "pin-page",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "additional cost of registration per 4096 bytes"},
	{.key = "short-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "additional time of a message of one packet: the receiving NIC's "
		    "search, which overlaps with the packets of longer messages"},
	{.key = "local-delay",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time of a message between ranks of one node, whatever its size; 0: "
		    "it is a copy over the links of level node"},
	{.key = "local-send",
	 .type = PARAM_WORD,
	 .choices = "eager|synchronous",
	 .def = "eager",
	 .meaning = "with a local delay: such a send completes like others, or when it is"
		    " matched",
	 .with = "local-delay"},
	{.key = "eager-send",
	 .type = PARAM_WORD,
	 .choices = "injected|buffered",
	 .def = "injected",
	 .meaning = "an eager send completes when its last packet has left the node, or "
		    "when the NIC has it"},
	{.key = "large-send",
	 .type = PARAM_WORD,
	 .choices = "injected|acknowledged",
	 .def = "injected",
	 .meaning = "a send that is not eager completes when its last packet has left the"
		    " node, or when the receiver has acknowledged it"},
	{.key = "answers",
	 .type = PARAM_WORD,
	 .choices = "first|in-turn",
	 .def = "first",
	 .meaning =
		 "messages without data that answer others (the request for a large message's data, an acknowledgement) leave before what waits at their NIC, or in its order"},
	{.key = "patterns",
	 .type = PARAM_WORD,
	 .choices = "ours|sst",
	 .def = "ours",
	 .meaning = "patterns that have a choice follow SST's motifs: broadcast has "
		    "tree=yes, halo3d26 n=8, unless the job specifies otherwise"},
	{.key = "collectives",
	 .type = PARAM_WORD,
	 .choices = COLLECTIVE_LIBRARIES,
	 .def = "mpich",
	 .meaning = "whose algorithms collective operations use"},
	NCCL_PARAMS,
	{.key = "io-window",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 64,
	 .def = "8",
	 .meaning = "requests to storage that a rank has under way"},
	{.key = "io-control",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "size of a request for a read and of the answer to a write; 0: they are "
		    "not messages, but take the longest latency of a link and a router's "
		    "delay"},
	{.key = "guesses",
	 .type = PARAM_WORD,
	 .choices = "refuse|accept",
	 .def = "refuse",
	 .meaning = "what to do with a machine whose description does not say how fast its links "
		    "are: accept takes the default bandwidth for them"},
	{.key = NULL},
};

/* How the value of a row is kept. */
enum kept {
	KEPT_INT,
	KEPT_PS,
	KEPT_PS_REAL,
	KEPT_BYTES,
	KEPT_REAL,
	KEPT_SECOND_WORD,
	KEPT_LIBRARY,
	KEPT_CHOICE, /* which of the choices, as an enum that numbers them alike */
	KEPT_BOOL
};

#define ROW(kept, field)                                                                           \
	{                                                                                          \
		kept, offsetof(struct sim_params, field), false                                    \
	}
#define STORAGE_ROW(kept, field)                                                                   \
	{                                                                                          \
		kept, offsetof(struct sim_params, field), true                                     \
	}
static const struct {
	enum kept kept;
	size_t offset;
	bool needs_storage; /* else it changes nothing */
} rows[] = {
	ROW(KEPT_BYTES, packet_bytes),
	ROW(KEPT_BYTES, header_bytes),
	ROW(KEPT_BYTES, message_header_bytes),
	ROW(KEPT_BYTES, flit_bytes),
	ROW(KEPT_BYTES, input_buffer_bytes),
	ROW(KEPT_BYTES, output_buffer_bytes),
	ROW(KEPT_REAL, crossbar_speedup),
	ROW(KEPT_SECOND_WORD, ports_cross_alone),
	ROW(KEPT_INT, vcs),
	ROW(KEPT_PS, router_delay_ps),
	ROW(KEPT_PS, credit_delay_ps),
	ROW(KEPT_PS, nic_send_ps),
	ROW(KEPT_PS_REAL, nic_ps_per_byte),
	ROW(KEPT_PS, nic_receive_ps),
	ROW(KEPT_SECOND_WORD, has_nic_turns),
	ROW(KEPT_INT, nic_requests),
	ROW(KEPT_BYTES, request_bytes),
	ROW(KEPT_SECOND_WORD, is_store_and_forward), /* true: the second of the choices */
	ROW(KEPT_PS, packet_gap_ps),
	ROW(KEPT_SECOND_WORD, has_whole_empties),
	ROW(KEPT_PS, message_gap_ps),
	ROW(KEPT_SECOND_WORD, has_serial_queues),
	ROW(KEPT_SECOND_WORD, is_delivered_by_head),
	ROW(KEPT_INT, copy_servers),
	ROW(KEPT_PS, copy_overhead_ps),
	ROW(KEPT_BYTES, copy_eager_bytes),
	ROW(KEPT_SECOND_WORD, has_copy_slots),
	ROW(KEPT_PS, call_enter_ps),
	ROW(KEPT_PS, call_exit_ps),
	ROW(KEPT_PS, send_setup_ps),
	ROW(KEPT_PS, receive_setup_ps),
	ROW(KEPT_PS_REAL, copy_ps_per_byte),
	ROW(KEPT_PS, send_delay_ps),
	ROW(KEPT_PS, rdma_delay_ps),
	ROW(KEPT_PS, receive_wait_ps),
	ROW(KEPT_SECOND_WORD, has_tracer_steps),
	ROW(KEPT_PS, tree_delay_ps),
	ROW(KEPT_SECOND_WORD, has_early_answers),
	ROW(KEPT_CHOICE, gpu),
	ROW(KEPT_SECOND_WORD, has_host_buffers),
	ROW(KEPT_PS, gpu_copy_delay_ps),
	ROW(KEPT_PS_REAL, gpu_copy_ps_per_byte),
	ROW(KEPT_PS, gpudirect_delay_ps),
	ROW(KEPT_SECOND_WORD, copies_at_both),
	ROW(KEPT_BOOL, has_serial_copies),
	ROW(KEPT_REAL, gpu_flops),
	ROW(KEPT_REAL, gpu_memory),
	ROW(KEPT_BOOL, has_tracer_artefacts),
	ROW(KEPT_BYTES, control_bytes),
	ROW(KEPT_PS, match_ps),
	ROW(KEPT_BYTES, eager_bytes),
	ROW(KEPT_PS, pin_base_ps),
	ROW(KEPT_PS, pin_page_ps),
	ROW(KEPT_PS, short_delay_ps),
	ROW(KEPT_PS, local_delay_ps),
	ROW(KEPT_SECOND_WORD, is_local_synchronous),
	ROW(KEPT_SECOND_WORD, is_eager_buffered),
	ROW(KEPT_SECOND_WORD, has_rendezvous_ack),
	ROW(KEPT_SECOND_WORD, has_answers_in_turn),
	ROW(KEPT_SECOND_WORD, does_as_sst),
	ROW(KEPT_LIBRARY, collectives),
	ROW(KEPT_CHOICE, nccl.algorithm),
	ROW(KEPT_CHOICE, nccl.protocol),
	ROW(KEPT_INT, nccl.channels),
	ROW(KEPT_BOOL, nccl.has_nvls),
	STORAGE_ROW(KEPT_INT, io_window),
	STORAGE_ROW(KEPT_BYTES, io_control_bytes),
	ROW(KEPT_SECOND_WORD, accepts_guesses),
};
_Static_assert(sizeof(rows) / sizeof(*rows) == sizeof(params) / sizeof(*params) - 1,
	       "one place for each parameter");

const struct entry sim_parameters_entry = {
	.name = "parameters",
	.summary = "parameters of the network and of the software on its nodes; beside them "
		   "LEVEL-bandwidth and LEVEL-latency of each level, and those of all",
	.example = "parameters:packet=2KiB,router-delay=100ns",
	.params = params,
};
static const struct entry *const parameter_entries[] = {&sim_parameters_entry};
const struct registry sim_parameters = {
	.name = "parameters", .noun = "set of parameters", .entries = parameter_entries, .n = 1};

const char *const gpu_modes[] = {"none", "hostcopy", "gpudirect", "trace", NULL};

static size_t kept_size(enum kept kept)
{
	switch (kept) {
	case KEPT_PS_REAL:
	case KEPT_REAL:
		return sizeof(double);
	case KEPT_LIBRARY:
		return sizeof(const char *);
	case KEPT_CHOICE:
		return sizeof(int);
	case KEPT_SECOND_WORD:
	case KEPT_BOOL:
		return sizeof(bool);
	default:
		return sizeof(int64_t);
	}
}

static int row_named(const char *key, size_t n)
{
	int row = 0;

	while (strlen(params[row].key) != n || memcmp(params[row].key, key, n) != 0)
		row++;
	return row;
}

const char *sim_parameter_lacks(const struct sim_params *kept, const struct sim_params *defaults,
				bool has_storage, int row)
{
	const char *with = params[row].with;
	struct sim_params other = *defaults;
	size_t n, offset;
	int needed;
	bool is_equal;

	if (rows[row].needs_storage && !has_storage)
		return "storage";
	if (with == NULL)
		return NULL;
	n = strcspn(with, "=");
	needed = row_named(with, n);
	if (with[n] == '=') {
		struct value value = {.text = (char *)with + n + 1};

		sim_parameter_keep(&other, needed, &value, NULL);
	}
	offset = rows[needed].offset;
	is_equal = memcmp((const char *)kept + offset, (const char *)&other + offset,
			  kept_size(rows[needed].kept)) == 0;
	return is_equal == (with[n] == '=') ? NULL : with;
}

int sim_parameter_keep(struct sim_params *kept, int row, const struct value *value, struct err *err)
{
	char *at = (char *)kept + rows[row].offset;
	bool is_second = value->number != 0;
	int64_t whole;
	double real = value->real;
	int choice;

	switch (rows[row].kept) {
	case KEPT_INT:
		memcpy(at, &value->number, sizeof(value->number));
		return 0;
	case KEPT_PS:
		if (real > SIM_PS_MOST)
			return err_set(err, "%s: '%s' is more than %g s", params[row].key,
				       value->text, SIM_PS_MOST);
		whole = sim_to_ps(real);
		memcpy(at, &whole, sizeof(whole));
		return 0;
	case KEPT_BYTES:
		if (real > 1 << 30 || real != floor(real))
			return err_set(err, "%s: '%s' is not a whole number of bytes up to 1 GiB",
				       params[row].key, value->text);
		whole = (int64_t)real;
		memcpy(at, &whole, sizeof(whole));
		return 0;
	case KEPT_PS_REAL:
	case KEPT_REAL:
		real *= rows[row].kept == KEPT_REAL ? 1 : 1e12;
		memcpy(at, &real, sizeof(real));
		return 0;
	case KEPT_LIBRARY:
		choice = param_choice(&params[row], value->text);
		memcpy(at, &collective_libraries[choice], sizeof(*collective_libraries));
		return 0;
	case KEPT_CHOICE:
		choice = param_choice(&params[row], value->text);
		memcpy(at, &choice, sizeof(choice));
		return 0;
	case KEPT_SECOND_WORD:
		is_second = str_eq(value->text, strchr(params[row].choices, '|') + 1);
		break;
	case KEPT_BOOL:
		break;
	}
	memcpy(at, &is_second, sizeof(is_second));
	return 0;
}
