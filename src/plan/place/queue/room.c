/* room.c - how many nodes are planned to be idle over time */
#include "place/queue/room.h"

#include <stdlib.h>
#include <string.h>

/* A place among the times. */
struct spot {
	size_t block;
	int i;
};

/* ---- blocks ---- */

static void add_block(struct room *room, size_t b)
{
	struct room_block *block =
		room->unused.n > 0 ? room->unused.at[--room->unused.n] : xmalloc(sizeof(*block));
	size_t nbehind = room->blocks.n - b;

	block->n = 0;
	vec_push(&room->blocks, NULL);
	vec_push(&room->most, 0);
	vec_push(&room->least, 0);
	vec_push(&room->first_ns, 0);
	memmove(&room->blocks.at[b + 1], &room->blocks.at[b], nbehind * sizeof(*room->blocks.at));
	memmove(&room->most.at[b + 1], &room->most.at[b], nbehind * sizeof(*room->most.at));
	memmove(&room->least.at[b + 1], &room->least.at[b], nbehind * sizeof(*room->least.at));
	memmove(&room->first_ns.at[b + 1], &room->first_ns.at[b],
		nbehind * sizeof(*room->first_ns.at));
	room->blocks.at[b] = block;
}

static void drop_blocks(struct room *room, size_t b, size_t n)
{
	size_t nbehind = room->blocks.n - b - n;

	if (n == 0)
		return;
	for (size_t i = b; i < b + n; i++)
		vec_push(&room->unused, room->blocks.at[i]);
	memmove(&room->blocks.at[b], &room->blocks.at[b + n], nbehind * sizeof(*room->blocks.at));
	memmove(&room->most.at[b], &room->most.at[b + n], nbehind * sizeof(*room->most.at));
	memmove(&room->least.at[b], &room->least.at[b + n], nbehind * sizeof(*room->least.at));
	memmove(&room->first_ns.at[b], &room->first_ns.at[b + n],
		nbehind * sizeof(*room->first_ns.at));
	room->blocks.n = room->most.n = room->least.n = room->first_ns.n = b + nbehind;
}

/* What is said of a block is as it is. */
static void sum_up(struct room *room, size_t b)
{
	const struct room_block *block = room->blocks.at[b];
	int most = block->nidle[0], least = block->nidle[0];

	for (int i = 1; i < block->n; i++) {
		most = block->nidle[i] > most ? block->nidle[i] : most;
		least = block->nidle[i] < least ? block->nidle[i] : least;
	}
	room->most.at[b] = most;
	room->least.at[b] = least;
	room->first_ns.at[b] = block->from_ns[0];
}

static void move(struct room_block *block, int to, int from, int n)
{
	memmove(&block->nidle[to], &block->nidle[from], (size_t)n * sizeof(*block->nidle));
	memmove(&block->from_ns[to], &block->from_ns[from], (size_t)n * sizeof(*block->from_ns));
}

static void copy(struct room_block *to, const struct room_block *from, int first, int n)
{
	memcpy(&to->nidle[to->n], &from->nidle[first], (size_t)n * sizeof(*to->nidle));
	memcpy(&to->from_ns[to->n], &from->from_ns[first], (size_t)n * sizeof(*to->from_ns));
	to->n += n;
}

/* Half of a block goes to a new one behind it. */
static void split(struct room *room, size_t b)
{
	struct room_block *block;
	int half = room->blocks.at[b]->n / 2;

	add_block(room, b + 1);
	block = room->blocks.at[b];
	copy(room->blocks.at[b + 1], block, half, block->n - half);
	block->n = half;
	sum_up(room, b);
	sum_up(room, b + 1);
}

/* A block that has few goes into one beside it that has room for them. */
static void unite(struct room *room, size_t b)
{
	for (size_t left = b > 0 ? b - 1 : b; left <= b && left + 1 < room->blocks.n; left++) {
		struct room_block *block = room->blocks.at[left];

		if (block->n + room->blocks.at[left + 1]->n > ROOM_BLOCK / 2)
			continue;
		copy(block, room->blocks.at[left + 1], 0, room->blocks.at[left + 1]->n);
		drop_blocks(room, left + 1, 1);
		sum_up(room, left);
		return;
	}
}

/* ---- times ---- */

void room_reset(struct room *room, int64_t now_ns, int nidle)
{
	drop_blocks(room, 0, room->blocks.n);
	add_block(room, 0);
	room->blocks.at[0]->n = 1;
	room->blocks.at[0]->nidle[0] = nidle;
	room->blocks.at[0]->from_ns[0] = now_ns;
	sum_up(room, 0);
}

void room_free(struct room *room)
{
	for (size_t b = 0; b < room->blocks.n; b++)
		free(room->blocks.at[b]);
	for (size_t b = 0; b < room->unused.n; b++)
		free(room->unused.at[b]);
	free(room->blocks.at);
	free(room->unused.at);
	free(room->most.at);
	free(room->least.at);
	free(room->first_ns.at);
}

/* The last of n times in order that is not after a time; the first one, if all are. */
static size_t last_until(const int64_t *at, size_t n, int64_t time_ns)
{
	size_t low = 0;

	while (n > 1) {
		size_t half = n / 2;

		low += at[low + half] <= time_ns ? half : 0;
		n -= half;
	}
	return low;
}

static struct spot spot_at(const struct room *room, int64_t time_ns)
{
	size_t b = last_until(room->first_ns.at, room->first_ns.n, time_ns);
	const struct room_block *block = room->blocks.at[b];

	return (struct spot){b, (int)last_until(block->from_ns, (size_t)block->n, time_ns)};
}

void room_advance(struct room *room, int64_t now_ns)
{
	struct spot spot = spot_at(room, now_ns);
	struct room_block *block;

	drop_blocks(room, 0, spot.block);
	block = room->blocks.at[0];
	block->n -= spot.i;
	move(block, 0, spot.i, block->n);
	block->from_ns[0] = now_ns;
	sum_up(room, 0);
}

/* A time begins, that is not before the first one. What is said of its block is as it was. */
static struct spot cut(struct room *room, int64_t time_ns)
{
	struct spot spot = spot_at(room, time_ns);
	struct room_block *block = room->blocks.at[spot.block];

	if (block->from_ns[spot.i] == time_ns)
		return spot;
	if (block->n == ROOM_BLOCK) {
		split(room, spot.block);
		block = room->blocks.at[spot.block];
		if (spot.i >= block->n) {
			spot.i -= block->n;
			block = room->blocks.at[++spot.block];
		}
	}
	move(block, spot.i + 2, spot.i + 1, block->n - spot.i - 1);
	block->n++;
	spot.i++;
	block->nidle[spot.i] = block->nidle[spot.i - 1];
	block->from_ns[spot.i] = time_ns;
	return spot;
}

/* A time goes if as many are idle as before. */
static void join(struct room *room, int64_t time_ns)
{
	struct spot spot = spot_at(room, time_ns);
	struct room_block *block = room->blocks.at[spot.block];
	const struct room_block *before = block;
	int last = spot.i - 1;

	if (block->from_ns[spot.i] != time_ns || (spot.i == 0 && spot.block == 0))
		return;
	if (spot.i == 0) {
		before = room->blocks.at[spot.block - 1];
		last = before->n - 1;
	}
	if (before->nidle[last] != block->nidle[spot.i])
		return;
	block->n--;
	move(block, spot.i, spot.i + 1, block->n - spot.i);
	if (block->n == 0) {
		drop_blocks(room, spot.block, 1);
		return;
	}
	room->first_ns.at[spot.block] = block->from_ns[0];
	if (spot.i == 0)
		sum_up(room, spot.block);
	if (block->n < ROOM_BLOCK / 4)
		unite(room, spot.block);
}

void room_change(struct room *room, int64_t from_ns, int64_t to_ns, int nnodes)
{
	struct spot spot;

	if (from_ns < room->first_ns.at[0])
		from_ns = room->first_ns.at[0];
	if (to_ns <= from_ns || nnodes == 0)
		return;
	if (to_ns != INT64_MAX)
		cut(room, to_ns);
	spot = cut(room, from_ns);
	for (size_t b = spot.block; b < room->blocks.n; b++) {
		struct room_block *block = room->blocks.at[b];
		int first = b == spot.block ? spot.i : 0, end = block->n;

		if (to_ns != INT64_MAX && block->from_ns[end - 1] >= to_ns)
			for (end = first; block->from_ns[end] < to_ns;)
				end++;
		for (int i = first; i < end; i++)
			block->nidle[i] += nnodes;
		if (first < end)
			sum_up(room, b);
		if (end < block->n)
			break;
	}
	if (to_ns != INT64_MAX)
		join(room, to_ns);
	join(room, from_ns);
}

/* ---- looking ---- */

static bool is_long(int64_t from_ns, int64_t to_ns, int64_t length_ns)
{
	/* the differences are of times within one schedule, but the length may be anything */
	return length_ns != INT64_MAX && (uint64_t)to_ns - (uint64_t)from_ns >= (uint64_t)length_ns;
}

/*
 * Whether no job that finds room starts in a block, unless it does before: then it has the whole
 * block, or the whole next one, or all its time is within both.
 */
static bool is_passed(const struct room *room, size_t b, int nnodes, int64_t length_ns,
		      int64_t has_ns)
{
	const int64_t *first_ns = room->first_ns.at + b;

	if (room->most.at[b] < nnodes)
		return true;
	return b + 2 < room->blocks.n && room->least.at[b] < nnodes &&
	       room->least.at[b + 1] < nnodes && first_ns[2] <= has_ns &&
	       (length_ns == INT64_MAX ||
		(uint64_t)first_ns[2] - (uint64_t)first_ns[0] <= (uint64_t)length_ns);
}

int64_t room_find(const struct room *room, int nnodes, int64_t length_ns, int64_t has_ns)
{
	size_t nblocks = room->blocks.n;
	bool is_open = false; /* there are enough since start_ns */
	int64_t start_ns = 0;

	for (size_t b = 0; b < nblocks; b++) {
		const struct room_block *block;

		while (!is_open && is_passed(room, b, nnodes, length_ns, has_ns))
			if (++b == nblocks)
				return has_ns;
		if (room->first_ns.at[b] >= has_ns)
			break;
		if (room->least.at[b] >= nnodes) {
			if (!is_open)
				start_ns = room->first_ns.at[b];
			else if (is_long(start_ns, room->first_ns.at[b], length_ns))
				return start_ns;
			is_open = true;
			continue;
		}
		block = room->blocks.at[b];
		for (int i = 0; i < block->n; i++) {
			if ((block->nidle[i] >= nnodes) == is_open)
				continue;
			if (block->from_ns[i] >= has_ns)
				return is_open ? start_ns : has_ns;
			if (is_open && is_long(start_ns, block->from_ns[i], length_ns))
				return start_ns;
			is_open = !is_open;
			start_ns = block->from_ns[i];
		}
	}
	return is_open ? start_ns : has_ns;
}

void room_list_steps(const struct room *room, struct steps *steps)
{
	int64_t now_ns = room->first_ns.at[0];
	int least = room->blocks.at[0]->nidle[0];

	steps->n = 0;
	for (size_t b = 0; b < room->blocks.n && least > 0; b++) {
		const struct room_block *block = room->blocks.at[b];

		for (int i = 0; room->least.at[b] < least && i < block->n; i++) {
			if (block->nidle[i] >= least)
				continue;
			vec_push(steps, ((struct step){least, block->from_ns[i] - now_ns}));
			least = block->nidle[i];
		}
	}
	if (least > 0)
		vec_push(steps, ((struct step){least, INT64_MAX}));
}
