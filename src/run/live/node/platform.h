/* platform.h - the library of four calls with which a program shares a node's devices
 *
 * Khetawat, "Managing Extreme Heterogeneity in Next Generation HPC Systems", dissertation (2022),
 * §4.3.3. A program links with -lclslice -pthread. The state of the
 * node is made by "clslice reset -d DEVICES". A set of devices is a bit mask: bit i is the i-th
 * device of that file.
 *
 *	getPlatformId(&profile, &job, &set, &message);          // waits for devices
 *	while (left > 0) {
 *		run one slice on a device of the set; left--;
 *		if (pollPlatformUpdate(job, left, &next) == 1) {
 *			wait for slices that run, copy out, close the devices;
 *			postDeviceRelease(job, set, &set, &message); // waits for the others
 *			open the devices of the new set, copy in;
 *		}
 *	}
 *	copy out, close the devices;
 *	postJobComplete(job, &message); */
#ifndef LIVE_NODE_PLATFORM_H
#define LIVE_NODE_PLATFORM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CLSLICE_DEVICES = 16, CLSLICE_SETS = 16 };

/* What the job sends: how fast it is. Seconds; zeroed is a sound beginning. */
struct clslice_profile {
	const char *name;   /* of the job, for people; NULL: none */
	const char *kernel; /* application and size, as policies learn of them; NULL: none */
	int64_t slices;     /* of a launch; at least 1 */
	int64_t launches;   /* 0: 1 */
	int32_t priority;   /* the highest goes first */
	double init_s;      /* what it initialises once it has devices */
	double slice_s[CLSLICE_DEVICES]; /* one slice; 0: it can't run there */
	double copy_in_s[CLSLICE_DEVICES], copy_out_s[CLSLICE_DEVICES];
	int32_t nmeasured;
	struct {
		uint32_t devices;
		double s; /* the whole job on that set */
	} measured[CLSLICE_SETS];
};

struct clslice_message {
	char text[256];
};

struct clslice_job;

/* All return 0, or -1 with a message; a call of a child of the process that got the job fails. */

/* Waits for devices: the set that it holds from then on. */
int getPlatformId(const struct clslice_profile *profile, struct clslice_job **job,
		  uint32_t *platform, struct clslice_message *message);
/* After each slice; left: slices of all launches that no device has taken. 1: the job has to
 * leave its set; platform is what it is assigned now. One thread at a time. */
int pollPlatformUpdate(struct clslice_job *job, int64_t left, uint32_t *platform);
/* The devices are closed; waits for those that it is assigned. */
int postDeviceRelease(struct clslice_job *job, uint32_t released, uint32_t *platform,
		      struct clslice_message *message);
/* All is done, or given up: the job is freed. */
int postJobComplete(struct clslice_job *job, struct clslice_message *message);

#ifdef __cplusplus
}
#endif

#endif
