/* profile_db.h - a database of MPI profiles: which one a job has, and how a new one comes in */
#ifndef TRAFFIC_CLASSIFY_PROFILE_DB_H
#define TRAFFIC_CLASSIFY_PROFILE_DB_H

#include <stdint.h>

#include "base/run_context.h"
#include "formats/table.h"
#include "traffic/classify/classifier.h"

/*
 * A database is a profile stream: an application may have several rows, each for a range of node
 * counts (nodes_min to nodes_max, both included; one that is missing is no limit), and a row may
 * name the files of its executable (binary, separated by commas).
 */
struct profile_db;

struct profile_entry {
	const char *app;
	int64_t nodes_min, nodes_max;
	double mpi_fraction;
	double probability; /* of being sensitive, by the database's model; 0 without one */
	long line;
};

/*
 * Refused besides what no profile stream may hold: two rows for the same application, or of the
 * same binary, whose ranges overlap.
 */
int profile_db_open(struct profile_db **db, const char *path, const struct classifier *model,
		    bool accepts_partial, struct err *err); /* model: NULL, or one that is asked */
void profile_db_close(struct profile_db *db);               /* NULL is allowed */

/*
 * The profile of a job of nnodes nodes: by its application if the database knows that, else by
 * its binary; app and binary may be NULL. NULL: none, also when the application is known but for
 * other node counts only.
 */
const struct profile_entry *profile_db_find(const struct profile_db *db, const char *app,
					    const char *binary, int64_t nodes);

/*
 * Adds profiles to the database at path, which is made if it is not there: a row is added unless
 * its application or one of its binaries has a profile for one of its node counts already, so that
 * the first one stays; a binary of another application is warned of. A row without nodes_min and
 * nodes_max holds for its own number of nodes n, and from n/spread to n·spread as far as no other
 * profile of its names does. in's rows [n] must have been kept (table_keep). Safe
 * when several programs do it at once, by whatever names: each waits for the lock file FILE.lock
 * beside the file that the path leads to, and the database is replaced whole. *nadded: how many
 * were added.
 */
int profile_db_learn(const struct run_context *context, const char *path, double spread,
		     const struct table_in *in, const struct row *rows, size_t n, size_t *nadded,
		     struct err *err);

/* ---- one rule for both: what profiles go together ---- */

struct profile_columns {
	int app, binary, fraction, min, max;
	int nodes;     /* for which a row without min and max holds; -1: it holds for all */
	double spread; /* and from nodes/spread to nodes·spread */
};

/* Which name of a row has a profile for one of its node counts already. */
struct profile_clash {
	const char *noun, *name; /* "application" or "binary"; name [n] */
	int n;
	const struct profile_entry *with;
};

struct profile_db *profile_db_new(void);
/* All rows of a database, which go on to copy (NULL: nowhere); refuses those that clash. */
int profile_db_fill(struct profile_db *db, struct table_in *in, struct table_out *copy,
		    struct err *err);
/* 1: the row is in, as *entry says; 0: it clashes; -1: error. */
int profile_db_add(struct profile_db *db, const struct profile_columns *columns,
		   const struct row *row, struct profile_entry **entry, struct profile_clash *clash,
		   struct err *err);

#endif
