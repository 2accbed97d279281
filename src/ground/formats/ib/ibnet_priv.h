/* ibnet_priv.h - what the readers of the two forms share */
#ifndef FORMATS_IB_IBNET_PRIV_H
#define FORMATS_IB_IBNET_PRIV_H

#include "formats/ib/ibnet.h"
#include "formats/in.h"

/* What one side says about a cable. */
struct ibnet_end {
	int device, port, peer, peer_port;
	int lid, lmc, peer_lid;
	const char *rate;
	double bandwidth;
	const char *file;
	long line;
};

struct ibnet_read {
	struct ibnet *net;
	struct in *in;
	const char *file; /* its name, kept with the net */
	VEC(struct ibnet_end) ends;
	/* of the full form: the block that is open, and what stood before it */
	int device; /* -1: none */
	uint64_t guid;
	const char *chassis;
	long nforeign; /* lines of other programs, and the first of them with its place */
	const char *foreign;
	int nrates; /* of speeds that are not known, and the first of them */
	const char *unknown_rate;
};

/* The device of that key, which is added where it is new: id [n] is kept. */
int ibnet_device(struct ibnet_read *read, const char *id, size_t n, enum ibnet_kind kind);
/* Keeps a description where there is none yet. */
void ibnet_describe(struct ibnet_read *read, int device, const char *text, size_t n);
/* "4x" "QDR" becomes the rate of an end; unknown speeds leave it untold. */
void ibnet_rate(struct ibnet_read *read, struct ibnet_end *end, int nlanes, const char *speed,
		size_t n);
/* Takes a switch's LID; a second, different one is refused. */
int ibnet_set_lid(struct ibnet_read *read, int device, int lid, int lmc, struct err *err);

int ibnet_full_line(struct ibnet_read *read, const char *line, struct err *err);
bool ibnet_is_report(const char *line);
int ibnet_report_line(struct ibnet_read *read, const char *line, struct err *err);
/* A report names ports of adapters, each by its own GUID: those of one adapter have consecutive
 * GUIDs and numbers and one description. */
void ibnet_join_ports(struct ibnet_read *read);
/* Sets of devices, each under its lowest number. root [devices] */
int ibnet_root(int *root, int device);
void ibnet_unite(int *root, int a, int b);

/* From ends to cables, subnets and LIDs. */
int ibnet_join(struct ibnet_read *read, struct err *err);

#endif
