/* ibnet_report.c - the ports report of ibnetdiscover -p, line by line */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "formats/ib/ibnet_priv.h"
#include "formats/scan.h"

/* "CA   182  1 0x001175000077d284": a port of a device. */
struct place {
	enum ibnet_kind kind;
	int lid, port;
	uint64_t guid;
};

static bool scan_kind(const char **at, enum ibnet_kind *kind)
{
	if (scan_text(at, "CA "))
		*kind = IBNET_CA;
	else if (scan_text(at, "SW "))
		*kind = IBNET_SWITCH;
	else if (scan_text(at, "RT "))
		*kind = IBNET_ROUTER;
	else
		return false;
	return true;
}

bool ibnet_is_report(const char *line)
{
	enum ibnet_kind kind;

	scan_blanks(&line);
	return scan_kind(&line, &kind);
}

static bool scan_place(const char **at, struct place *place)
{
	scan_blanks(at);
	if (!scan_kind(at, &place->kind))
		return false;
	scan_blanks(at);
	if (!scan_int(at, 0, IBNET_LID_MOST, &place->lid))
		return false;
	scan_blanks(at);
	if (!scan_int(at, 0, IBNET_PORT_MOST, &place->port))
		return false;
	scan_blanks(at);
	return scan_hex(at, &place->guid) && place->guid != 0;
}

/* The device of a place, under the key that the whole form gives it. */
static int find_device(struct ibnet_read *read, const struct place *place, struct err *err)
{
	char id[24];
	int n = snprintf(id, sizeof(id), "%c-%016llx", "HSR"[place->kind],
			 (unsigned long long)place -> guid);
	int device = ibnet_device(read, id, (size_t)n, place->kind);

	read->net->devices.at[device].guid = place->guid;
	if (place->kind == IBNET_SWITCH && place->lid != 0 &&
	    ibnet_set_lid(read, device, place->lid, 0, err) != 0)
		return -1;
	return device;
}

/* ( 'node179 HCA-1' - 'leaf 1' ); the descriptions may hold quotes themselves. */
static void descriptions(struct ibnet_read *read, const struct ibnet_end *end, const char *at)
{
	const char *text, *middle;
	size_t n;

	scan_blanks(&at);
	if (!scan_char(&at, '('))
		return;
	scan_blanks(&at);
	if (!scan_quoted(&at, '\'', true, &text, &n) || (middle = strstr(text, "' - '")) == NULL)
		return;
	ibnet_describe(read, end->device, text, (size_t)(middle - text));
	middle += strlen("' - '");
	if (middle <= text + n)
		ibnet_describe(read, end->peer, middle, (size_t)(text + n - middle));
}

static int peer_place(struct ibnet_read *read, struct ibnet_end *end, const char *at,
		      struct err *err)
{
	struct place peer;

	if (!scan_place(&at, &peer) || peer.port == 0)
		return in_error(read->in, err,
				"expected the other end of the cable: CA|SW|RT LID PORT GUID");
	end->peer = find_device(read, &peer, err);
	if (end->peer < 0)
		return -1;
	end->peer_port = peer.port;
	end->peer_lid = peer.lid;
	descriptions(read, end, at);
	vec_push(&read->ends, *end);
	return 0;
}

int ibnet_report_line(struct ibnet_read *read, const char *at, struct err *err)
{
	struct ibnet_end end = {.rate = "", .file = read->file, .line = in_lineno(read->in)};
	struct place own;
	bool is_plugged;
	const char *speed, *text;
	size_t n, nspeed;
	int nlanes;

	if (!scan_place(&at, &own))
		return in_error(
			read->in, err,
			"expected a port: CA|SW|RT LID PORT GUID (LID up to %d, port up to %d)",
			IBNET_LID_MOST, IBNET_PORT_MOST);
	scan_blanks(&at);
	if (!scan_int(&at, 1, 12, &nlanes) || !scan_char(&at, 'x'))
		return in_error(read->in, err, "expected a link width (1x … 12x) at '%.20s'", at);
	scan_blanks(&at);
	if (!scan_word(&at, &speed, &nspeed))
		return in_error(read->in, err, "expected a link speed (SDR … XDR)");
	scan_blanks(&at);
	is_plugged = scan_text(&at, "- ");
	if (!is_plugged && !scan_quoted(&at, '\'', true, &text, &n))
		return in_error(read->in, err,
				"the line ends early: expected '- ' and the other "
				"end, or a description in quotes");
	if (!is_plugged && own.kind != IBNET_SWITCH)
		return 0; /* the second port of an adapter; its GUID is not the adapter's */
	end.device = find_device(read, &own, err);
	if (end.device < 0)
		return -1;
	read->net->devices.at[end.device].is_described = true;
	end.port = own.port;
	end.lid = own.lid;
	ibnet_rate(read, &end, nlanes, speed, nspeed);
	if (is_plugged)
		return own.port > 0 ? peer_place(read, &end, at, err)
				    : in_error(read->in, err, "a cable at port 0");
	ibnet_describe(read, end.device, text, n);
	return 0;
}

/* ---- ports of one adapter ---- */
