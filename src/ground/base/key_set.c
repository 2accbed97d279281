/* key_set.c - keys that were there before, without their texts */
#include "base/key_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 64, LINE_BITS = 48 };

struct key_slot {
	uint64_t hash;
	uint64_t rest; /* 16 bits more of the hash, and the line; 0: free */
};

/* Both halves of a product folded: every bit of a and b reaches every bit. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static struct key_slot hash_key(const char *key, size_t n)
{
	uint64_t a = 0x9e3779b97f4a7c15ULL ^ n, b = 0xd1b54a32d192ed03ULL + n;

	for (size_t i = 0; i < n; i += 8) {
		uint64_t word = 0;

		memcpy(&word, key + i, n - i < 8 ? n - i : 8);
		a = fold(a ^ word, 0xa0761d6478bd642fULL) + b;
		b = fold(b + word, 0xe7037ed1a0b428dbULL) ^ (a >> 29);
	}
	a = fold(a ^ 0x8ebc6af09c88c6e3ULL, b | 1);
	return (struct key_slot){a, fold(b, 0x589965cc75374cc3ULL) >> LINE_BITS << LINE_BITS};
}

/* The slot that has the key, or the free one where it would be. */
static struct key_slot *find(const struct key_set *set, const struct key_slot *key)
{
	const uint64_t line = (1ULL << LINE_BITS) - 1;

	for (size_t i = (size_t)key->hash;; i++) {
		struct key_slot *slot = &set->slots[i & (set->nslots - 1)];

		if ((slot->rest & line) == 0 ||
		    (slot->hash == key->hash && ((slot->rest ^ key->rest) & ~line) == 0))
			return slot;
	}
}

static void grow(struct key_set *set)
{
	struct key_set old = *set;

	set->nslots = old.nslots > 0 ? 2 * old.nslots : FIRST_SLOTS;
	set->slots = xcalloc(set->nslots, sizeof(*set->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].rest != 0)
			*find(set, &old.slots[i]) = old.slots[i];
	free(old.slots);
}

int64_t key_set_add(struct key_set *set, const char *text, size_t n, int64_t line)
{
	struct key_slot key = hash_key(text, n), *slot;

	if (4 * set->n >= 3 * set->nslots)
		grow(set);
	slot = find(set, &key);
	if (slot->rest != 0)
		return (int64_t)(slot->rest & ((1ULL << LINE_BITS) - 1));
	set->n++;
	*slot = (struct key_slot){key.hash, key.rest | (uint64_t)line};
	return 0;
}

void key_set_free(struct key_set *set)
{
	free(set->slots);
	*set = (struct key_set){0};
}
