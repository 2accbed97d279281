/* ibnet.h - an InfiniBand fabric as ibnetdiscover prints it: devices, ports, cables, LIDs */
#ifndef FORMATS_IB_IBNET_H
#define FORMATS_IB_IBNET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"

enum ibnet_kind { IBNET_CA, IBNET_SWITCH, IBNET_ROUTER };
enum { IBNET_PORT_MOST = 254, IBNET_LID_MOST = 0xbfff }; /* of a port and of a unicast LID */

/* A channel adapter, a switch chip or an InfiniBand router. */
struct ibnet_device {
	enum ibnet_kind kind;
	const char *id; /* ibnetdiscover's key, S-00066a00ec002dd9; made of the GUID in a report */
	uint64_t guid;  /* of the node; 0: unknown */
	const char *description; /* "" where there is none */
	const char *chassis;     /* "1", as -g groups; NULL: none */
	int nports;              /* 0: unknown */
	int lid, lmc;            /* of a switch; 0: unknown */
	int subnet;              /* of a switch: the parts that switches join; of others -1 */
	bool is_mapped;          /* the description is from the site's map of names */
	bool is_described;       /* by its own lines, not only as the other end of a cable */
	const char *file;        /* where it was described, else named first */
	long line;
};

/* A cable between two ports. */
struct ibnet_cable {
	int a, b;           /* devices, a <= b */
	int port_a, port_b; /* from 1 */
	int lid_a, lid_b;   /* of the ports (of the switch, where it is one); 0: unknown */
	int lmc_a, lmc_b;   /* a port has the LIDs lid … lid + 2^lmc - 1 */
	const char *rate;   /* "4xQDR"; "": unknown */
	double bandwidth;   /* bytes/s of data in each direction; 0: unknown */
	int subnet;
	const char *file; /* where it appeared first */
	long line;
};

struct ibnet {
	VEC(struct ibnet_device) devices; /* in input order */
	VEC(struct ibnet_cable) cables;   /* by the order of devices and ports */
	int nsubnets;
	int none_sided; /* cables reported by only one of their ends */
	struct map ids; /* of devices */
	struct ibnet_lid *lids;
	int64_t nlids;
	struct arena arena;
};

/*
 * Reads the output of ibnetdiscover, whole (with or without -g, -f, -s) or as a ports report (-p),
 * and what ibsim reads, from files that end in NULL (none: standard input), which make one fabric:
 * a device in two of them is one. Refused are a line of no such form, a port used twice
 * and ends that contradict each other, with FILE:LINE. Notable things are warned about.
 */
int ibnet_read(struct ibnet **net, char *const *paths, struct err *err);
/*
 * Reads the text that netloc keeps of a subnet (IB-SUBNET-nodes.txt, version 1), likewise. Unless
 * hop is NULL it is called for what the switches on each route do, each time that is new: what is
 * for lid leaves the switch of that GUID by port. file is kept with the net.
 */
typedef void ibnet_hop_fn(void *context, uint64_t guid, int lid, int port, const char *file,
			  long line);
int ibnet_read_netloc(struct ibnet **net, char *const *paths, ibnet_hop_fn *hop, void *context,
		      struct err *err);
void ibnet_free(struct ibnet *net); /* NULL is allowed */

/* Descriptions by a node name map, as the tools of infiniband-diags take it: a GUID and a name in
 * quotes a line. GUIDs that no device has are passed over. */
int ibnet_map_names(struct ibnet *net, const char *path, struct err *err);

/* After devices or cables changed: which device has which LID. */
int ibnet_index_lids(struct ibnet *net, struct err *err);

/* The device that has this LID in a subnet, or -1. */
int ibnet_find_lid(const struct ibnet *net, int subnet, int lid);
/* The cable at the port of an adapter or router that has this LID (the first one, where LMC gives
 * it several), or -1. */
int ibnet_find_cable(const struct ibnet *net, int subnet, int lid);
int ibnet_find_guid(const struct ibnet *net, uint64_t guid); /* of a device; -1: none */

/*
 * Bytes per second of data in one direction: lanes × signalling rate × encoding, as the InfiniBand
 * architecture has them: 8b/10b up to QDR, 64b/66b to EDR, PAM-4 after. 0: no such rate.
 */
double ibnet_bandwidth(int nlanes, const char *speed, size_t n);
/* The rate of that bandwidth (to a millionth): "4xQDR"; of four lanes where that is one of them.
 * false and "": there is none. */
enum { IBNET_RATE = 12 };
bool ibnet_rate_name(double bandwidth, char text[IBNET_RATE]);

#endif
