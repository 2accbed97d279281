/* ibroute.c - tables as ibroute, dump_lfts and opensm's opensm-lfts.dump print them */
#include <string.h>

#include "machine/lft/lft.h"
#include "base/die.h"
#include "base/str.h"
#include "formats/ib/ibnet.h"
#include "formats/scan.h"

struct ibroute_reader {
	struct lft *lft;
	struct in *in;
	const char *file;
	int sw; /* -1: no table is open */
	bool is_multicast;
	int ncut; /* tables that ended in an error */
};

/*
 * Unicast lids [0x0-0x132] of switch Lid 24 guid 0x00066a00ec002ded (name):
 * Unicast lids [0x0-0x132] of switch DR path slid 0; dlid 0; 0,1,19,33 guid 0x00066a00ec002dbc
 * (name): Unicast lids [0-22] of switch Lid 2 guid 0x0000000000200000 ('leaf0'):
 */
static int open_table(struct ibroute_reader *reading, const char *line, struct err *err)
{
	const char *at = strstr(line, " guid ");
	const char *lid_at = strstr(line, " of switch Lid ");
	uint64_t guid;
	int lid = 0;

	if (at != NULL)
		at += strlen(" guid ");
	if (lid_at != NULL)
		lid_at += strlen(" of switch Lid ");
	if (at == NULL || !scan_hex(&at, &guid) ||
	    (lid_at != NULL && !scan_int(&lid_at, 0, IBNET_LID_MOST, &lid)))
		return in_error(reading->in, err,
				"expected '… of switch Lid N guid 0x…' at the head of a table");
	reading->sw =
		lft_add_switch(reading->lft, guid, lid, reading->file, in_lineno(reading->in));
	reading->is_multicast = false;
	return 0;
}

/* 0x0001 032 : (Switch portguid 0x…: 'name')  or  0x0001 001 # Channel Adapter … */
static int read_entry(struct ibroute_reader *reading, const char *at, struct err *err)
{
	uint64_t lid;
	int port;

	if (!scan_hex(&at, &lid) || lid == 0 || lid > IBNET_LID_MOST)
		return in_error(reading->in, err, "expected a LID (0x0001 … 0x%x)", IBNET_LID_MOST);
	scan_blanks(&at);
	if (!scan_int(&at, 0, LFT_NONE, &port))
		return in_error(reading->in, err, "expected an output port (0 … %d) behind the LID",
				LFT_NONE);
	if (reading->sw < 0)
		return in_error(reading->in, err, "an entry before the head of the first table");
	lft_add_entry(reading->lft, reading->sw, (int)lid, port, in_lineno(reading->in));
	return 0;
}

static int read_line(struct ibroute_reader *reading, char *line, struct err *err)
{
	line = str_trim(line);
	if (str_starts(line, "Unicast lids "))
		return open_table(reading, line, err);
	if (str_starts(line, "Multicast mlids ")) {
		reading->is_multicast = true;
		return 0;
	}
	if (strstr(line, "iberror: ") != NULL) {
		if (reading->ncut++ == 0)
			say("%s:%ld: the table ends in an error; what "
			    "came before it is taken: %.200s",
			    reading->file, in_lineno(reading->in), line);
		return 0;
	}
	if (line[0] == '\0' || line[0] == '#' || str_starts(line, "Lid ") ||
	    str_starts(line, "Port ") || strstr(line, " lids dumped") != NULL ||
	    str_starts(line, "ibwarn: ") || str_starts(line, "*** WARNING") ||
	    reading->is_multicast)
		return 0;
	return read_entry(reading, line, err);
}

static int read(struct lft *lft, struct in *in, const char *file, struct err *err)
{
	struct ibroute_reader reading = {.lft = lft, .in = in, .file = file, .sw = -1};
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) > 0) {
		status = read_line(&reading, line, err);
		if (status != 0)
			return -1;
	}
	if (status == 0 && reading.sw < 0)
		return err_set(err, "%s: no table: this is not output of ibroute", file);
	return status;
}

const struct lft_reader lft_reader_ibroute = {
	.entry =
		{
			.name = "ibroute",
			.aliases = "dump_lfts,dump-lfts,opensm-lfts",
			.summary = "what ibroute, dump_lfts or dump_fts print of each switch, one "
				   "after the other, or opensm-lfts.dump",
			.example = "ibroute",
		},
	.read = read,
};
