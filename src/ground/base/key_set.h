/* key_set.h - keys that were there before, without their texts: 16 bytes each, and free slots */
#ifndef BASE_KEY_SET_H
#define BASE_KEY_SET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Of each key 80 bits of a hash are kept, and a line number below 2^48. Two keys of ten million are
 * taken for one with a probability of 4e-11; that is the price of not keeping them. Zeroed is
 * empty.
 */
struct key_set {
	struct key_slot *slots;
	size_t nslots, n;
};

/* The line (from 1 on) at which the key was added first; 0: it is new, and has this line now. */
int64_t key_set_add(struct key_set *set, const char *key, size_t n, int64_t line);
void key_set_free(struct key_set *set);

#endif
