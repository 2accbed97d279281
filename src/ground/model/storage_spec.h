/* storage_spec.h - storage devices on the nodes of a machine, as its file describes them */
#ifndef MODEL_STORAGE_SPEC_H
#define MODEL_STORAGE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/registry.h"
#include "formats/yaml.h"

/* What a request of at least this size takes. Rates in bytes per second. */
struct storage_row {
	int64_t bytes;
	double write, read;
	int64_t overhead_ps; /* of each request (or operation) */
	int64_t seek_ps;     /* besides, where it does not go on behind the one before */
};

/* Which device holds a file's first stripe. */
enum storage_home {
	HOME_PROPORTIONAL, /* by the place of the rank's node among all that compute */
	HOME_HASH,         /* by the file's name */
	HOME_LIST,         /* dealt by the rank's number */
	HOME_ADJACENT      /* the nearest to the rank's node */
};

enum storage_priority { PRIORITY_NONE, PRIORITY_READS, PRIORITY_WRITES };

/* Keys and values as they were given, to be written back. */
struct storage_texts {
	int n;
	const char **keys, **texts; /* [n] */
};

struct storage_spec {
	/* device: one on each of the entry's nodes */
	int64_t ndrives; /* that make it up: for costs */
	int64_t nthreads;
	struct storage_row *rows; /* [nrows] ascending; the first one is for all below it, too */
	int nrows;
	bool is_overhead_per_op; /* else each request has it */
	enum storage_priority priority;
	int64_t memory, capacity; /* bytes; 0: no memory in front, no limit */
	/* stripe */
	int64_t stripe_count, stripe_width; /* width 0: an operation is one request */
	enum storage_home home;
	/* drain */
	const char *drain_to;   /* the entry that it goes to; NULL: it stays */
	double drain_bandwidth; /* of each device; 0: no limit */
	bool drains_when_idle;  /* else also while there are requests */

	struct storage_texts device, stripe, drain;
	struct storage_texts *table; /* [ntable] */
	int ntable;
};

/*
 * Reads the keys device, stripe and drain of a mapping; *spec is NULL where there is no device.
 * Everything is in arena.
 */
int storage_spec_read(struct storage_spec **spec, const struct yaml_file *file,
		      const struct yaml *map, struct arena *arena, struct err *err);
/* The same of a file that has nothing else; @NAME is share/storage/NAME.yaml. */
int storage_spec_load(struct storage_spec **spec, const char *path, struct arena *arena,
		      struct err *err);

/* The time of a request of n bytes on a free device, ps. */
int64_t storage_service_ps(const struct storage_spec *spec, bool is_write, int64_t bytes,
			   bool has_overhead, bool has_seek);

/* "device", "stripe", "drain", "row": the keys, as entries whose parameters they are. */
extern const struct registry storage_keys;

#endif
