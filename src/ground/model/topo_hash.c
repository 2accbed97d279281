/* topo_hash.c - which machine it is: a number of its nodes, names and links */
#include "model/topo_hash.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "model/topo_names.h"
#include "model/topo_type.h"

struct hashing {
	uint64_t sum;
	uint64_t level[TOPO_LEVELS]; /* of its name */
	uint64_t place; /* of the next word; apart from sum, or gcc makes a slow vector of both */
};

/*
 * A sum of what each word becomes at its place: so no word waits for the one before it, which makes
 * this twice as fast as a chain. It distinguishes machines, which is its only purpose.
 */
static inline void add_word(struct hashing *hashing, uint64_t word)
{
	hashing->place += UINT64_C(0x9e3779b97f4a7c15);
	word += hashing->place;
	word = (word ^ word >> 32) * UINT64_C(0xd6e8feb86659fd93);
	hashing->sum += word ^ word >> 29;
}

/* The name in words of eight bytes, the last one filled up with zeros; may read, but not use, up to
 * seven bytes beyond the name. */
static inline void add_padded(struct hashing *hashing, const char *name, size_t n)
{
	uint64_t word;

	add_word(hashing, n);
	for (; n > 8; name += 8, n -= 8) {
		memcpy(&word, name, 8);
		add_word(hashing, le64toh(word));
	}
	memcpy(&word, name, 8);
	add_word(hashing, le64toh(word) & UINT64_MAX >> (64 - 8 * n));
}

static void add_name(struct hashing *hashing, const char *name)
{
	char padded[TOPO_NAME + 8];
	size_t n = strlen(name);

	memcpy(padded, name, n);
	memset(padded + n, 0, 8);
	add_padded(hashing, padded, n);
}

static void add_names(struct hashing *hashing, const char *pattern, char *const *names, int n)
{
	struct name_counter counter;

	add_word(hashing, (uint64_t)n);
	if (names != NULL) {
		for (int i = 0; i < n; i++)
			add_name(hashing, names[i]);
		return;
	}
	name_counter_start(&counter, pattern);
	for (int i = 0; i < n; i++) {
		add_padded(hashing, counter.text, counter.n);
		name_counter_next(&counter);
	}
}

static void add_link(void *context, int a, int b, int level)
{
	struct hashing *hashing = context;
	uint64_t ends = (uint32_t)a | (uint64_t)(uint32_t)b << 32;

	add_word(hashing, ends ^ hashing->level[level]);
}

uint64_t topo_hash(const struct topo *topo)
{
	struct hashing hashing = {0};

	for (int i = 0; i < topo->nlevels; i++)
		hashing.level[i] = str_hash(topo->levels[i].name, strlen(topo->levels[i].name));
	add_names(&hashing, topo->node_pattern, topo->node_names, topo->nnodes);
	add_names(&hashing, topo->router_pattern, topo->router_names, topo->nrouters);
	topo->type->links(topo, add_link, &hashing);
	return u64_mix(hashing.sum ^ hashing.place);
}

const char *topo_hash_text(uint64_t hash, char text[TOPO_HASH_TEXT])
{
	snprintf(text, TOPO_HASH_TEXT, "%016llx", (unsigned long long)hash);
	return text;
}
