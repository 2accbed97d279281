/* travel.h - how the messages of a job go through its network */
#ifndef MAP_PROBLEM_TRAVEL_H
#define MAP_PROBLEM_TRAVEL_H

/*
 * Sizes are parts of the job's largest message, times parts of what that takes on a link of
 * capacity 1 (the terminal link's).
 */
struct travel {
	double eager; /* messages up to here are sent at once; larger ones ask first (rendezvous) */
	double packet; /* the payload of a packet, at most; 0: very little */
	double room;   /* of the buffer at the far end of a link, for each virtual channel */
	double hop;    /* from the head's arrival at a router to the next one */
	double setup;  /* of a message, before its rank turns to the next one */
	/* Inside a node: what a byte takes, beside a link of capacity 1; what each message takes in
	 * addition; how many are copied at one time, but for those below copy_eager, which never
	 * wait. 0 at one time: copies take no time. */
	double copy, copy_overhead, copy_eager;
	int ncopies;
};

/* Of large messages, whose size is not known: all of them ask first. */
extern const struct travel travel_of_large;

#endif
