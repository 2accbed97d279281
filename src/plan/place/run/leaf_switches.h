/* leaf_switches.h - jobs that want few leaf switches, and wait some time for them */
#ifndef PLACE_RUN_LEAF_SWITCHES_H
#define PLACE_RUN_LEAF_SWITCHES_H

#include "place/run/schedule.h"

/*
 * Slurm's --switches=N@t: as long as it has waited less than t, a job starts on at most N leaf
 * switches (the routers that its nodes hang on); then on any nodes. It waits from its arrival.
 */

/* When a job takes any nodes: INT64_MAX: never. It wants few leaf switches. */
int64_t leaf_switches_until(const struct schedule *schedule, const struct job *job);
/* The most leaf switches for it at a time (JOB_NO_TIME: none is known); 0: any number. */
int leaf_switches_at(const struct schedule *schedule, const struct job *job, int64_t time_ns);
/* How many nodes [n] hang on. */
int leaf_switches_count(const struct topo *topo, const int *nodes, int n);
/*
 * The nodes of as few leaf switches as it goes that have n of these [words], among [words]: while
 * none has room for the rest, the one with the most nodes, then the one with the fewest that are
 * enough; the first of those. false: they are more than most.
 */
bool leaf_switches_gather(const struct topo *topo, const uint64_t *nodes, int n, int most,
			  uint64_t *among);

#endif
