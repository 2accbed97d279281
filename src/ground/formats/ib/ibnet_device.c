/* ibnet_device.c - devices of a fabric as they are read, and rates of links */
#include <math.h>
#include <stdio.h>
#include <string.h>
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
	snprintf(text, sizeof(text), "%dx%.*s", nlanes, n < 20 ? (int)n : 20, speed);
	if (end->bandwidth <= 0) {
		if (read->nrates++ == 0)
			read->unknown_rate = arena_strndup(&read->net->arena, text, strlen(text));
		return;
	}
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
