/* source.h - what the counters of one kind of network mean, and which columns they are */
#ifndef TRAFFIC_SOURCE_SOURCE_H
#define TRAFFIC_SOURCE_SOURCE_H

#include <stdbool.h>

#include "traffic/source/counter_names.h"
#include "base/mem.h"
#include "base/registry.h"
#include "model/traffic_table.h"

/* A column, and the one that flags its values (store_function_csv), or -1. */
struct counter {
	int column, flag;
};

enum probe_kind { PROBE_TRAFFIC, PROBE_STALL };

enum {
	OWNER_NODE = -1 /* the row's node */,
	OWNER_ROUTER = -2 /* the router that the row is of */
};

/*
 * Counters that are read together and added up: a NIC, a tile, a port. When several
 * producers sample the same probe of the same component (redundant sets), it counts once. Kind,
 * owner and label distinguish the probes of a component.
 */
struct probe {
	enum probe_kind kind;
	int owner; /* the NIC of the row's router, from 0; or as above */
	const char *label;
	enum counter_values values;
	int first, ncounters; /* in source_plan.counters */
};

/* Where a row's component is to be found. */
enum place {
	PLACE_NID,  /* an Aries router: of node nid/4, or as aries_rtr_id says */
	PLACE_NODE, /* the producer is a node (or, with a topology, a router) */
	PLACE_NAME, /* the producer is whatever is asked for: router, node or link */
};

/* What a header's columns are good for. Zeroed, then filled by a source. */
struct source_plan {
	enum traffic_unit unit;
	enum place place;
	double traffic_scale; /* flits or bytes per count */
	double stall_unit;    /* counts per stall: 1.25 where ns are counted */
	double tick_s;        /* time that one stall count lasts; 0: not known */
	int nics;             /* traffic owners of a whole router; 0: as the topology says */
	bool is_stamped;      /* values are VALUE@SECONDS.NANOSECONDS */
	bool is_saturating;   /* 2^32 - 1 means "at least that many": no value */
	VEC(struct probe) probes;
	VEC(struct counter) counters;
	/* Switches report their ports, numbered by the end of the label: these ("1-18+20") face
	 * nodes, whose traffic they count; the others' stalls are the router's. NULL: none. */
	const char *node_ports;
	bool stalls_of_switches; /* of a router: the stalls of its own ports, never of its nodes' */
	VEC(int) instance;       /* columns that distinguish rows of one producer */
	struct arena arena;
};

struct source {
	struct entry entry;
	/* Tells it apart from the others when none is picked: higher is asked first. */
	int priority;
	/*
	 * Fills the plan; the probes' order must not depend on that of the columns. 0, with no
	 * probes when it knows none of the columns; -1 and a message when it knows some and lacks
	 * others.
	 */
	int (*plan)(struct source_plan *plan, const struct pick *pick,
		    const struct counter_names *names, enum traffic_per per, struct err *err);
};

extern const struct registry sources; /* "sources" */

/*
 * The plan of a header, by the source that is picked; with a zeroed pick by the first, in the order
 * of priority, that knows the columns, and the pick is set to it.
 */
int source_plan_make(struct source_plan *plan, struct pick *pick, const struct counter_names *names,
		     enum traffic_per per, struct err *err);
void source_plan_free(struct source_plan *plan);

/* Whether a list of ports ("1-18+20") has the number. */
bool port_list_has(const char *list, int64_t port);
/* 0, or -1 and a message: it is no such list. */
int port_list_check(const char *list, struct err *err);

/* ---- for sources ---- */

/* values=cumulative|delta|rate, which every source has. */
#define SOURCE_VALUES                                                                              \
	{                                                                                          \
		.key = "values", .type = PARAM_WORD, .choices = "cumulative|delta|rate",           \
		.def = "cumulative",                                                               \
		.meaning =                                                                         \
			"counts since boot, counts since the sample before (store_function_csv's " \
			"DELTA, InfiniBand ports that are reset by reading), or counts per "       \
			"second (RATE, and columns that end in .rate)"                             \
	}
enum counter_values source_values(const struct pick *pick);

/* Begins a probe; counters are then added to it. label is copied. */
void plan_probe(struct source_plan *plan, enum probe_kind kind, int owner,
		enum counter_values values, const char *label);
void plan_counter(struct source_plan *plan, const struct counter_names *names, int column);

/*
 * A probe of all counters of a list [n], or none when none of them is a column. Returns 1 or 0; -1
 * when only some are, which the message names.
 */
int plan_probe_of(struct source_plan *plan, const struct counter_names *names, struct probe probe,
		  char list[][80], int n, struct err *err);

#endif
