/* profile_db.h - a database of MPI profiles: which one a job has, and how a new one comes in */
#ifndef TRAFFIC_CLASSIFY_PROFILE_DB_H
#define TRAFFIC_CLASSIFY_PROFILE_DB_H

#include <stdint.h>

#include "formats/table.h"

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
	long line;
};

/*
 * Refused besides what no profile stream may hold: two rows for the same application, or of the
 * same binary, whose ranges overlap.
 */
int profile_db_open(struct profile_db **db, const char *path, struct err *err);
void profile_db_close(struct profile_db *db); /* NULL is allowed */

/*
 * The profile of a job of so many nodes: by its application if the database knows that, else by
 * its binary; app and binary may be NULL. NULL: none, also when the application is known but for
 * other node counts only.
 */
const struct profile_entry *profile_db_find(const struct profile_db *db, const char *app,
					    const char *binary, int64_t nodes);

/*
 * Adds profiles to the database at path, which is made if it is not there: a row is added unless
 * its application has a profile for one of its node counts already, so that the first one stays.
 * A row without nodes_min and nodes_max holds for its own number of nodes. in's rows [n] must have
 * been kept (table_keep). Safe when several programs do it at once: each waits for the lock file
 * PATH.lock, and the database is replaced whole. *nadded: how many were added.
 */
int profile_db_learn(const char *path, const struct table_in *in, const struct row *rows, size_t n,
		     size_t *nadded, struct err *err);

#endif
