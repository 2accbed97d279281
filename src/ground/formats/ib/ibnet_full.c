/* ibnet_full.c - the whole form of ibnetdiscover, and ibsim's net files, line by line */
#include <string.h>

#include "base/str.h"
#include "formats/ib/ibnet_priv.h"
#include "formats/scan.h"

/* What comes before a block's first line. 1: it was such a line; 0: it is another; -1: error. */
static int before_block(struct ibnet_read *read, const char *at, struct err *err)
{
	const char *word, *chassis;
	size_t n;

	if (scan_text(&at, "vendid=") || scan_text(&at, "devid="))
		return 1;
	if (scan_text(&at, "sysimgguid=")) {
		/* -g: sysimgguid=0x…		# Chassis 1 (name) */
		if ((chassis = strstr(at, "# Chassis ")) != NULL) {
			chassis += strlen("# Chassis ");
			if (scan_word(&chassis, &word, &n))
				read->chassis = arena_strndup(&read->net->arena, word, n);
		}
		return 1;
	}
	if (!scan_text(&at, "switchguid=") && !scan_text(&at, "caguid=") &&
	    !scan_text(&at, "rtguid="))
		return 0;
	if (!scan_hex(&at, &read->guid))
		return in_error(read->in, err, "expected a GUID at '%.40s'", at);
	return 1;
}

/* "base port 0 lid 6 lmc 0" behind the description of a switch. */
static int switch_lid(struct ibnet_read *read, int device, const char *at, struct err *err)
{
	const char *lid = strstr(at, " lid "), *lmc = strstr(at, " lmc ");
	int lid_value, lmc_value = 0;

	if (lid == NULL)
		return 0;
	lid += strlen(" lid ");
	if (!scan_int(&lid, 0, IBNET_LID_MOST, &lid_value))
		return in_error(read->in, err, "'%.20s' is not a LID (0 … %d)", lid,
				IBNET_LID_MOST);
	if (lmc != NULL) {
		lmc += strlen(" lmc ");
		if (!scan_int(&lmc, 0, 7, &lmc_value))
			return in_error(read->in, err, "'%.20s' is not an LMC (0 … 7)", lmc);
	}
	return ibnet_set_lid(read, device, lid_value, lmc_value, err);
}

/* The block of a device begins. A channel adapter may be in the file of each of its subnets. */
static int describe_device(struct ibnet_read *read, const char *id, size_t n, enum ibnet_kind kind,
			   int nports, struct err *err)
{
	struct ibnet_device *device;

	read->device = ibnet_device(read, id, n, kind);
	device = &read->net->devices.at[read->device];
	if (device->is_described && (device->file == read->file || device->kind != kind))
		return in_error(read->in, err, "\"%.*s\" was described at %s:%ld before", (int)n,
				id, device->file, device->line);
	device->is_described = true;
	device->kind = kind;
	device->file = read->file;
	device->line = in_lineno(read->in);
	device->nports = nports;
	if (read->guid != 0)
		device->guid = read->guid;
	if (read->chassis != NULL)
		device->chassis = read->chassis;
	read->guid = 0;
	read->chassis = NULL;
	return 0;
}

/* Switch	36 "S-00066a00ec002dbc"		# "description" base port 0 lid 238 lmc 0 */
static int open_block(struct ibnet_read *read, const char *at, enum ibnet_kind kind,
		      struct err *err)
{
	const char *id, *text;
	size_t n;
	int nports;

	scan_blanks(&at);
	if (scan_char(&at, ':'))
		return in_error(read->in, err,
				"this is a list (ibnetdiscover -l, -S or -H), which has no cables; "
				"expected the output without these or with -p");
	if (!scan_int(&at, 1, IBNET_PORT_MOST, &nports))
		return in_error(read->in, err, "expected a number of ports (1 … %d)",
				IBNET_PORT_MOST);
	scan_blanks(&at);
	if (!scan_quoted(&at, '"', false, &id, &n) || n == 0)
		return in_error(read->in, err, "expected a name in quotes at '%.40s'", at);
	if (describe_device(read, id, n, kind, nports, err) != 0)
		return -1;
	scan_blanks(&at);
	if (!scan_char(&at, '#'))
		return 0;
	scan_blanks(&at);
	if (scan_quoted(&at, '"', true, &text, &n))
		ibnet_describe(read, read->device, text, n);
	return kind == IBNET_SWITCH ? switch_lid(read, read->device, at, err) : 0;
}

/* The words lid N, lmc N and 4xQDR of a tail that ends at end. */
static int read_tail(struct ibnet_read *read, struct ibnet_end *end, const char *at,
		     const char *stop, int *lid, int *lmc, struct err *err)
{
	const char *word, *number;
	size_t n;
	int nlanes;

	for (scan_blanks(&at); at < stop && scan_word(&at, &word, &n); scan_blanks(&at)) {
		number = word;
		if (n == 3 && memcmp(word, "lid", 3) == 0) {
			scan_blanks(&at);
			if (!scan_int(&at, 0, IBNET_LID_MOST, lid))
				return in_error(read->in, err, "'%.20s' is not a LID (0 … %d)", at,
						IBNET_LID_MOST);
		} else if (n == 3 && memcmp(word, "lmc", 3) == 0) {
			scan_blanks(&at);
			if (!scan_int(&at, 0, 7, lmc))
				return in_error(read->in, err, "'%.20s' is not an LMC (0 … 7)", at);
		} else if (scan_int(&number, 1, 12, &nlanes) && scan_char(&number, 'x')) {
			ibnet_rate(read, end, nlanes, number, n - (size_t)(number - word));
		}
	}
	return 0;
}

/* # "node12" lid 19 4xSDR  or, of a channel adapter,  # lid 19 lmc 0 "leaf3" lid 6 4xSDR */
static int port_comment(struct ibnet_read *read, struct ibnet_end *end, const char *at,
			struct err *err)
{
	const char *text, *first = strchr(at, '"');
	size_t n;
	int ignored = 0;

	if (first == NULL)
		return read_tail(read, end, at, at + strlen(at), &end->lid, &end->lmc, err);
	if (read_tail(read, end, at, first, &end->lid, &end->lmc, err) != 0)
		return -1;
	at = first;
	if (!scan_quoted(&at, '"', true, &text, &n))
		return in_error(read->in, err, "a quote is not closed");
	ibnet_describe(read, end->peer, text, n);
	return read_tail(read, end, at, at + strlen(at), &end->peer_lid, &ignored, err);
}

/* [5]	"S-0000000000200004"[7]		# … ; after a number "[ext 3]" or "(10001f)" may be. */
static bool skip_extras(const char **at)
{
	uint64_t guid;
	int port;

	scan_blanks(at);
	if (scan_text(at, "[ext ") && (!scan_int(at, 0, 65535, &port) || !scan_char(at, ']')))
		return false;
	scan_blanks(at);
	return !scan_char(at, '(') || (scan_hex(at, &guid) && scan_char(at, ')'));
}

static bool port_number(const char **at, int *port)
{
	scan_blanks(at);
	return scan_char(at, '[') && scan_int(at, 1, IBNET_PORT_MOST, port) && scan_char(at, ']') &&
	       skip_extras(at);
}

/* What a key says about its kind: S- H- R-. ibsim's keys may be any words. */
static enum ibnet_kind kind_of_key(const char *id, size_t n)
{
	if (n > 2 && id[1] == '-' && id[0] == 'H')
		return IBNET_CA;
	return n > 2 && id[1] == '-' && id[0] == 'R' ? IBNET_ROUTER : IBNET_SWITCH;
}

static int port_line(struct ibnet_read *read, const char *at, struct err *err)
{
	struct ibnet_end end = {.device = read->device,
				.rate = "",
				.file = read->file,
				.line = in_lineno(read->in)};
	const char *id;
	size_t n;

	if (read->device < 0)
		return in_error(read->in, err, "a port before the first Switch, Ca or Rt");
	if (!port_number(&at, &end.port))
		return in_error(read->in, err, "expected a port: [N] \"remote\"[N], N from 1 to %d",
				IBNET_PORT_MOST);
	if (end.port > read->net->devices.at[read->device].nports)
		return in_error(read->in, err, "port %d of a device of %d ports", end.port,
				read->net->devices.at[read->device].nports);
	scan_blanks(&at);
	if (!scan_quoted(&at, '"', false, &id, &n) || n == 0 || !port_number(&at, &end.peer_port))
		return in_error(read->in, err, "expected the remote end \"name\"[port]");
	end.peer = ibnet_device(read, id, n, kind_of_key(id, n));
	scan_blanks(&at);
	if (scan_char(&at, '#') && port_comment(read, &end, at, err) != 0)
		return -1;
	vec_push(&read->ends, end);
	return 0;
}

int ibnet_full_line(struct ibnet_read *read, const char *line, struct err *err)
{
	static const struct {
		const char *word;
		enum ibnet_kind kind;
	} blocks[] = {{"Switch", IBNET_SWITCH},
		      {"Ca", IBNET_CA},
		      {"Hca", IBNET_CA},
		      {"Rt", IBNET_ROUTER},
		      {"Rtr", IBNET_ROUTER}};
	const char *word, *at = line;
	size_t n;
	int status;

	scan_blanks(&at);
	if (*at == '[')
		return port_line(read, at, err);
	status = before_block(read, at, err);
	if (status != 0)
		return status < 0 ? -1 : 0;
	line = at;
	if (!scan_word(&at, &word, &n))
		return 0;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (strlen(blocks[i].word) == n && memcmp(word, blocks[i].word, n) == 0)
			return open_block(read, at, blocks[i].kind, err);
	/* headings of -g; each device says again where it is */
	if (str_starts(line, "Chassis ") || str_starts(line, "Non-Chassis Nodes"))
		return 0;
	if (str_starts(line, "include ") || str_starts(line, "do ") || str_starts(line, "module "))
		return in_error(read->in, err, "ibsim's '%.*s' is not followed", (int)n, word);
	return in_error(read->in, err,
			"'%.40s' is not a line of ibnetdiscover (Switch, Ca, "
			"Rt, [port], or CA and SW lines of -p)",
			line);
}
