/* ibnet_names.c - a site's names for the devices of its fabric */
#include <string.h>

#include "formats/ib/ibnet.h"
#include "formats/in.h"
#include "formats/scan.h"

/* 0x0008f10400411f56 "ISR 9024 leaf 3"	# comment */
static int read_line(struct ibnet *net, struct in *in, const char *at, struct err *err)
{
	const char *name;
	uint64_t guid;
	size_t n;
	int device;

	scan_blanks(&at);
	if (*at == '\0' || *at == '#')
		return 0;
	if (strncmp(at, "0x", 2) != 0 || !scan_hex(&at, &guid))
		return in_error(in, err, "expected a GUID (0x…) at '%.40s'", at);
	scan_blanks(&at);
	if (!scan_quoted(&at, '"', false, &name, &n) || n == 0)
		return in_error(in, err, "expected a name in quotes behind the GUID");
	device = ibnet_find_guid(net, guid);
	if (device >= 0) {
		net->devices.at[device].description = arena_strndup(&net->arena, name, n);
		net->devices.at[device].is_mapped = true;
	}
	return 0;
}

int ibnet_map_names(struct ibnet *net, const char *path, struct err *err)
{
	struct in *in;
	char *line;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	while ((status = in_line(in, &line, NULL, err)) > 0) {
		status = read_line(net, in, line, err);
		if (status != 0)
			break;
	}
	in_close(in);
	return status;
}
