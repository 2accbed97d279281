/* ibnet.c - an InfiniBand fabric: reading it, and its devices */
#include "formats/ib/ibnet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "formats/ib/ibnet_priv.h"

/* Gbit/s of a lane: signalling rate × encoding */
static const struct {
	const char *name;
	double gbit;
} speeds[] = {
	{"SDR", 2.5 * 8 / 10},
	{"DDR", 5.0 * 8 / 10},
	{"QDR", 10.0 * 8 / 10},
	{"FDR10", 10.3125 * 64 / 66},
	{"FDR", 14.0625 * 64 / 66},
	{"EDR", 25.78125 * 64 / 66},
	{"HDR", 50},
	{"NDR", 100},
	{"XDR", 200},
};

enum { NSPEEDS = sizeof(speeds) / sizeof(speeds[0]) };

static double bandwidth_of(int nlanes, int speed)
{
	return nlanes * speeds[speed].gbit * 1e9 / 8;
}

double ibnet_bandwidth(int nlanes, const char *speed, size_t n)
{
	for (int i = 0; i < NSPEEDS; i++)
		if (strlen(speeds[i].name) == n && memcmp(speeds[i].name, speed, n) == 0)
			return bandwidth_of(nlanes, i);
	return 0;
}

bool ibnet_rate_name(double bandwidth, char text[IBNET_RATE])
{
	static const int lanes[] = {4, 12, 8, 2, 1};

	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		for (int k = 0; k < NSPEEDS; k++)
			if (fabs(bandwidth_of(lanes[i], k) - bandwidth) <= bandwidth * 1e-6) {
				snprintf(text, IBNET_RATE, "%dx%s", lanes[i], speeds[k].name);
				return true;
			}
	text[0] = '\0';
	return false;
}

void ibnet_rate(struct ibnet_read *read, struct ibnet_end *end, int nlanes, const char *speed,
		size_t n)
{
	char text[32];

	end->bandwidth = ibnet_bandwidth(nlanes, speed, n);
	if (end->bandwidth <= 0)
		return;
	snprintf(text, sizeof(text), "%dx%.*s", nlanes, (int)n, speed);
	end->rate = arena_strndup(&read->net->arena, text, strlen(text));
}

int ibnet_device(struct ibnet_read *read, const char *id, size_t n, enum ibnet_kind kind)
{
	struct ibnet *net = read->net;
	struct ibnet_device device = {.kind = kind, .description = "", .subnet = -1};
	int64_t at = map_add(&net->ids, id, n, (int64_t)net->devices.n);

	if (at < (int64_t)net->devices.n)
		return (int)at;
	device.id = arena_strndup(&net->arena, id, n);
	device.file = read->file;
	device.line = in_lineno(read->in);
	vec_push(&net->devices, device);
	return (int)at;
}

void ibnet_describe(struct ibnet_read *read, int device, const char *text, size_t n)
{
	if (n > 0 && read->net->devices.at[device].description[0] == '\0')
		read->net->devices.at[device].description =
			arena_strndup(&read->net->arena, text, n);
}

int ibnet_set_lid(struct ibnet_read *read, int device, int lid, int lmc, struct err *err)
{
	struct ibnet_device *d = &read->net->devices.at[device];

	if (d->lid != 0 && lid != 0 && d->lid != lid)
		return in_error(read->in, err, "LID %d of %s, which had LID %d before", lid, d->id,
				d->lid);
	if (lid != 0) {
		d->lid = lid;
		d->lmc = lmc;
	}
	return 0;
}

static int read_line(struct ibnet_read *read, const char *line, struct err *err)
{
	/* -s shows the progress in between; libraries mix their warnings in */
	if (line[0] == '\0' || line[0] == '#' || str_starts(line, "DR path ") ||
	    str_starts(line, "ibwarn: "))
		return 0;
	if (strstr(line, "iberror: ") != NULL) {
		if (read->nerrors++ == 0)
			warn("%s:%ld: ibnetdiscover reported an error, parts may be missing: %.200s",
			     read->file, in_lineno(read->in), line);
		return 0;
	}
	if (ibnet_is_report(line))
		return ibnet_report_line(read, line, err);
	return ibnet_full_line(read, line, err);
}

static int read_file(struct ibnet_read *read, const char *path, struct err *err)
{
	char *line;
	int status;

	if (in_open(&read->in, path, err) != 0)
		return -1;
	read->file = arena_strndup(&read->net->arena, in_name(read->in), strlen(in_name(read->in)));
	read->device = -1;
	read->guid = 0;
	read->chassis = NULL;
	while ((status = in_line(read->in, &line, NULL, err)) > 0) {
		status = read_line(read, line, err);
		if (status != 0)
			break;
	}
	in_close(read->in);
	return status;
}

static int read_files(struct ibnet_read *read, char *const *paths, struct err *err)
{
	for (paths = in_paths(paths); *paths != NULL; paths++)
		if (read_file(read, *paths, err) != 0)
			return -1;
	if (read->ends.n == 0)
		return err_set(err, "%s: no cable: this is not output of ibnetdiscover",
			       read->file);
	return ibnet_join(read, err);
}

int ibnet_read(struct ibnet **result, char *const *paths, struct err *err)
{
	struct ibnet_read read = {.net = xcalloc(1, sizeof(*read.net))};
	int status = read_files(&read, paths, err);

	vec_free(&read.ends);
	if (status != 0) {
		ibnet_free(read.net);
		read.net = NULL;
	}
	*result = read.net;
	return status;
}

void ibnet_free(struct ibnet *net)
{
	if (net == NULL)
		return;
	vec_free(&net->devices);
	vec_free(&net->cables);
	map_free(&net->ids);
	free(net->lids);
	arena_free(&net->arena);
	free(net);
}

int ibnet_find_guid(const struct ibnet *net, uint64_t guid)
{
	char id[24];

	for (int kind = 0; kind < 3; kind++) {
		int n = snprintf(id, sizeof(id), "%c-%016llx", "HSR"[kind],
				 (unsigned long long)guid);
		int64_t at = map_get(&net->ids, id, (size_t)n);

		if (at >= 0)
			return (int)at;
	}
	for (size_t i = 0; i < net->devices.n; i++)
		if (net->devices.at[i].guid == guid)
			return (int)i;
	return -1;
}
