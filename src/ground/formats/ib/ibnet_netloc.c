/* ibnet_netloc.c - an InfiniBand fabric as netloc (of hwloc 2) keeps it in IB-SUBNET-nodes.txt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "base/umap.h"
#include "formats/ib/ibnet_priv.h"
#include "formats/scan.h"

/*
 * The text of version 1, line by line: the version; the subnet; a folder of hwloc's XML; a number
 * of devices n; n lines of devices; n lines of what is cabled to each; the names of partitions; and
 * then the routes between hosts, as the numbers of links in order.
 */
struct netloc {
	struct ibnet_read read;
	struct umap links;     /* number → device · 256 + port where it begins */
	struct umap lids;      /* device → LID */
	struct umap hops_told; /* (LID, device) of hops that were handed on → port */
	ibnet_hop_fn *hop;
	void *context;
};

/* Cuts the next field off: up to a comma that is in no quotes. NULL: there is none. */
static char *next_field(char **at)
{
	char *field = *at, *p = field;
	bool is_quoted = false;

	if (field == NULL)
		return NULL;
	for (; *p != '\0' && (is_quoted || *p != ','); p++)
		if (*p == '\'')
			is_quoted = !is_quoted;
	*at = *p == ',' ? p + 1 : NULL;
	*p = '\0';
	return str_trim(field);
}

/* 0011:7500:006f:39e6 */
static bool read_guid(const char *text, uint64_t *guid)
{
	int ndigits = 0;

	*guid = 0;
	for (; text != NULL && *text != '\0'; text++) {
		const char *digit, *digits = "0123456789abcdef";

		if (*text == ':')
			continue;
		digit = strchr(digits, *text);
		if (digit == NULL || ++ndigits > 16)
			return false;
		*guid = *guid << 4 | (uint64_t)(digit - digits);
	}
	return ndigits == 16;
}

static bool read_int(const char *text, int64_t max, int64_t *value)
{
	return text != NULL && num_int(text, 0, max, value) == 0;
}

/* The device that appeared before; -1. */
static int find_device(struct netloc *netloc, const char *text, struct err *err)
{
	uint64_t guid;
	int device = -1;

	if (read_guid(text, &guid))
		device = ibnet_find_guid(netloc->read.net, guid);
	if (device < 0)
		in_error(netloc->read.in, err, "'%.40s' is the GUID of no device above",
			 text != NULL ? text : "");
	return device;
}

/* GUID,LID,type (0: adapter, 1: switch),partitions,'description',host */
static int read_device(struct netloc *netloc, char *line, struct err *err)
{
	struct ibnet_read *read = &netloc->read;
	char *at = line, *guid_text = next_field(&at), *lid = next_field(&at);
	char *type = next_field(&at), *description;
	struct ibnet_device *device;
	int64_t lid_value, type_value;
	uint64_t guid;
	char id[24];
	int number;
	size_t n;

	next_field(&at);
	description = next_field(&at);
	if (!read_guid(guid_text, &guid) || !read_int(lid, IBNET_LID_MOST, &lid_value) ||
	    !read_int(type, 1, &type_value) || description == NULL)
		return in_error(read->in, err,
				"expected a device: GUID,LID,0 or 1,partitions,'description',host");
	snprintf(id, sizeof(id), "%c-%016llx", type_value == 1 ? 'S' : 'H',
		 (unsigned long long)guid);
	number = ibnet_device(read, id, strlen(id), type_value == 1 ? IBNET_SWITCH : IBNET_CA);
	device = &read->net->devices.at[number];
	if (device->is_described)
		return in_error(read->in, err, "%s was described at %s:%ld before", id,
				device->file, device->line);
	device->is_described = true;
	device->guid = guid;
	umap_set(&netloc->lids, (uint64_t)number, lid_value);
	n = strlen(description);
	if (n >= 2 && description[0] == '\'' && description[n - 1] == '\'')
		ibnet_describe(read, number, description + 1, n - 2);
	return device->kind == IBNET_SWITCH ? ibnet_set_lid(read, number, (int)lid_value, 0, err)
					    : 0;
}

static int lid_of(const struct netloc *netloc, int device)
{
	int64_t lid = 0;

	umap_get(&netloc->lids, (uint64_t)device, &lid);
	return (int)lid;
}

/* number,port,port of the peer,4x,QDR,Gbit/s of a lane,'description' - 'description',number of the
 * other direction,partitions */
static int read_link(struct netloc *netloc, char **at, int device, int peer, struct err *err)
{
	struct ibnet_read *read = &netloc->read;
	struct ibnet_end end = {.device = device,
				.peer = peer,
				.lid = lid_of(netloc, device),
				.peer_lid = lid_of(netloc, peer),
				.rate = "",
				.file = read->file,
				.line = in_lineno(read->in)};
	const char *number = next_field(at), *port = next_field(at), *peer_port = next_field(at);
	const char *width = next_field(at), *speed = next_field(at);
	int64_t number_value, port_value, peer_port_value, known;
	int nlanes;

	for (int i = 0; i < 4; i++)
		if (next_field(at) == NULL)
			return in_error(read->in, err, "a link ends early: expected nine fields");
	if (!read_int(number, INT32_MAX, &number_value) ||
	    !read_int(port, IBNET_PORT_MOST, &port_value) ||
	    !read_int(peer_port, IBNET_PORT_MOST, &peer_port_value) || port_value == 0 ||
	    peer_port_value == 0)
		return in_error(read->in, err, "expected a link: its number and two ports (1 … %d)",
				IBNET_PORT_MOST);
	end.port = (int)port_value;
	end.peer_port = (int)peer_port_value;
	if (scan_int(&width, 1, 12, &nlanes) && str_eq(width, "x"))
		ibnet_rate(read, &end, nlanes, speed, strlen(speed));
	if (umap_get(&netloc->links, (uint64_t)number_value, &known))
		return in_error(read->in, err, "the link %lld is there twice",
				(long long)number_value);
	umap_set(&netloc->links, (uint64_t)number_value, (int64_t)device * 256 + port_value);
	vec_push(&read->ends, end);
	return 0;
}

/* GUID, and for each device that it is cabled to: GUID,Gbit/s of all,partitions,links, and these */
static int read_edges(struct netloc *netloc, char *line, struct err *err)
{
	char *at = line, *text;
	int device = find_device(netloc, next_field(&at), err);

	if (device < 0)
		return -1;
	while ((text = next_field(&at)) != NULL) {
		int64_t nlinks;
		int peer;

		if (*text == '\0' && at == NULL) /* the line ended in a comma */
			return 0;
		peer = find_device(netloc, text, err);
		if (peer < 0)
			return -1;
		next_field(&at);
		next_field(&at);
		if (!read_int(next_field(&at), INT32_MAX, &nlinks))
			return in_error(netloc->read.in, err, "expected a number of links");
		for (int64_t i = 0; i < nlinks; i++)
			if (read_link(netloc, &at, device, peer, err) != 0)
				return -1;
	}
	return 0;
}

/* GUID,GUID and the links from one to the other in order: what each switch does with that LID */
static int read_route(struct netloc *netloc, char *line, struct err *err)
{
	const struct ibnet_device *devices = netloc->read.net->devices.at;
	char *at = line, *text;
	int from = find_device(netloc, next_field(&at), err);
	int to = from < 0 ? -1 : find_device(netloc, next_field(&at), err);

	if (to < 0)
		return -1;
	while ((text = next_field(&at)) != NULL) {
		int64_t number, begin, port;
		uint64_t key;
		int device;

		if (*text == '\0' && at == NULL)
			return 0;
		if (!read_int(text, INT32_MAX, &number) ||
		    !umap_get(&netloc->links, (uint64_t)number, &begin))
			return in_error(netloc->read.in, err, "'%.20s' is the number of no link",
					text);
		device = (int)(begin / 256);
		if (netloc->hop == NULL || devices[device].kind != IBNET_SWITCH)
			continue;
		key = (uint64_t)lid_of(netloc, to) << 32 | (uint64_t)device;
		if (umap_get(&netloc->hops_told, key, &port) && port == begin % 256)
			continue;
		umap_set(&netloc->hops_told, key, begin % 256);
		netloc->hop(netloc->context, devices[device].guid, lid_of(netloc, to),
			    (int)(begin % 256), netloc->read.file, in_lineno(netloc->read.in));
	}
	return 0;
}

/* The next line that is not empty: 1; 0: the end, which is an error unless is_end. */
static int next_line(struct netloc *netloc, char **line, bool is_end, struct err *err)
{
	int status;

	do {
		status = in_line(netloc->read.in, line, NULL, err);
	} while (status == 1 && **(line) == '\0');
	if (status == 0 && !is_end)
		return in_error(netloc->read.in, err, "the file ends early: it was truncated");
	return status;
}

/* Else it is the line of partitions. */
static bool begins_with_guid(const char *line)
{
	char text[20];
	uint64_t guid;
	size_t n = strcspn(line, ",");

	if (n >= sizeof(text))
		return false;
	memcpy(text, line, n);
	text[n] = '\0';
	return read_guid(text, &guid);
}

static int read_text(struct netloc *netloc, struct err *err)
{
	struct in *in = netloc->read.in;
	int64_t ndevices = 0;
	char *line;
	int status;

	for (int i = 0; i < 4; i++) {
		if (next_line(netloc, &line, false, err) < 0)
			return -1;
		if (i == 0 && !str_eq(str_trim(line), "1"))
			return in_error(in, err, "expected version 1 of netloc's text, not '%.20s'",
					line);
	}
	if (!read_int(str_trim(line), INT32_MAX, &ndevices))
		return in_error(in, err, "expected a number of devices, not '%.20s'", line);
	for (int64_t i = 0; i < 2 * ndevices; i++)
		if (next_line(netloc, &line, false, err) < 0 ||
		    (i < ndevices ? read_device(netloc, line, err)
				  : read_edges(netloc, line, err)) != 0)
			return -1;
	for (bool is_first = true; (status = next_line(netloc, &line, true, err)) == 1;
	     is_first = false)
		if ((!is_first || begins_with_guid(line)) && read_route(netloc, line, err) != 0)
			return -1;
	return status;
}

static int read_file(struct netloc *netloc, const char *path, struct err *err)
{
	struct ibnet_read *read = &netloc->read;
	int status;

	if (in_open(&read->in, path, err) != 0)
		return -1;
	read->file = arena_strndup(&read->net->arena, in_name(read->in), strlen(in_name(read->in)));
	status = read_text(netloc, err);
	in_close(read->in);
	umap_clear(&netloc->links); /* each file counts its own */
	umap_clear(&netloc->hops_told);
	return status;
}

int ibnet_read_netloc(struct ibnet **result, char *const *paths, ibnet_hop_fn *hop, void *context,
		      struct err *err)
{
	struct netloc netloc = {.hop = hop, .context = context};
	int status = 0;

	netloc.read.net = xcalloc(1, sizeof(*netloc.read.net));
	for (paths = in_paths(paths); *paths != NULL && status == 0; paths++)
		status = read_file(&netloc, *paths, err);
	if (status == 0 && netloc.read.ends.n == 0)
		status = err_set(err, "%s: no link: this is not a netloc fabric", netloc.read.file);
	if (status == 0)
		status = ibnet_join(&netloc.read, err);
	vec_free(&netloc.read.ends);
	umap_free(&netloc.links);
	umap_free(&netloc.lids);
	umap_free(&netloc.hops_told);
	if (status != 0) {
		ibnet_free(netloc.read.net);
		netloc.read.net = NULL;
	}
	*result = netloc.read.net;
	return status;
}
