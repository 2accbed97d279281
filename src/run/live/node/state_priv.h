/* state_priv.h - what the files of the shared state share */
#ifndef LIVE_NODE_STATE_PRIV_H
#define LIVE_NODE_STATE_PRIV_H

#include "live/node/state_file.h"

#define STATE_MAGIC "placetools-node" /* 16 bytes with its NUL */

uint64_t state_checksum(const struct live_copy *copy);
/* What is read from a file and not computed: counts, slots, names. Under the lock. */
int state_check_copy(const struct live_copy *copy, struct err *err);
/* The machine's boot id, filled up with NUL. */
int state_boot(char boot[40], struct err *err);

#endif
