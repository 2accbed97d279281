/* opensm_fdbs.c - tables as opensm dumps them into opensm.fdbs */
#include <string.h>

#include "machine/lft/lft.h"
#include "base/str.h"
#include "formats/ib/ibnet.h"
#include "formats/scan.h"

/* 0x0001 : 005  : 03   : yes   or   0x0009 : UNREACHABLE */
static int read_entry(struct lft *lft, int sw, struct in *in, const char *at, struct err *err)
{
	uint64_t lid;
	int port = LFT_NONE;

	if (!scan_hex(&at, &lid) || lid == 0 || lid > IBNET_LID_MOST)
		return in_error(in, err, "expected a LID (0x0001 … 0x%x)", IBNET_LID_MOST);
	scan_blanks(&at);
	if (!scan_char(&at, ':'))
		return in_error(in, err, "expected LID : Port : Hops : Optimal");
	scan_blanks(&at);
	if (*at >= '0' && *at <= '9' && !scan_int(&at, 0, LFT_NONE, &port))
		return in_error(in, err, "expected an output port (0 … %d)", LFT_NONE);
	if (sw < 0)
		return in_error(in, err, "an entry before the first 'dump_ucast_routes: Switch'");
	lft_add_entry(lft, sw, (int)lid, port, in_lineno(in));
	return 0;
}

static int read(struct lft *lft, struct in *in, const char *file, struct err *err)
{
	int sw = -1, status;
	char *line;

	while ((status = in_line(in, &line, NULL, err)) > 0) {
		const char *at = line, *head;
		uint64_t guid;

		scan_blanks(&at);
		head = strstr(at, ": Switch ");
		if (head != NULL) {
			head += strlen(": Switch ");
			if (!scan_hex(&head, &guid))
				return in_error(in, err, "expected a GUID behind Switch");
			sw = lft_add_switch(lft, guid, 0, file, in_lineno(in));
		} else if (*at != '\0' && *at != '#' && !str_starts(at, "LID ") &&
			   read_entry(lft, sw, in, at, err) != 0) {
			return -1;
		}
	}
	if (status == 0 && sw < 0)
		return err_set(err, "%s: no table: this is not opensm.fdbs", file);
	return status;
}

const struct lft_reader lft_reader_opensm_fdbs = {
	.entry =
		{
			.name = "opensm-fdbs",
			.summary = "opensm.fdbs, as opensm dumps it (-D 0x43)",
			.example = "opensm-fdbs",
		},
	.read = read,
};
