/* node_bag.c - the closed form of a bag of slices against slices dealt one by one */
#include "base/rng.h"
#include "check.h"
#include "cosched/state/bag.h"
#include "cosched/state/set_time.h"

/* Each device takes a slice when it is ready and has ended its last one; the lower device first. */
static int64_t brute(struct bag *bag)
{
	int64_t next[NODE_DEVICES], end = INT64_MIN;

	for (int i = 0; i < bag->n; i++) {
		next[i] = bag->ready_ns[i];
		bag->taken[i] = 0;
	}
	for (int64_t slice = 0; slice < bag->slices; slice++) {
		int first = 0;

		for (int i = 1; i < bag->n; i++)
			first = next[i] < next[first] ? i : first;
		next[first] += bag->slice_ns[first];
		bag->taken[first]++;
		end = next[first] > end ? next[first] : end;
	}
	return end;
}

static void bags(void)
{
	struct rng rng = rng_make(1, "bags", NULL, NULL);

	for (int try = 0; try < 100000; try++) {
		/* small numbers: many devices start at the same instant; large ones: rounding of
		 * the guess */
		int64_t scale = try % 3 == 0 ? 4 : try % 3 == 1 ? 1000 : INT64_C(1) << 40;
		int64_t base = try % 2 == 0 ? 0 : INT64_C(1500000000) * 1000000000;
		struct bag dealt = {.n = 1 + (int)rng_below(&rng, 5),
				    .slices = 1 + (int64_t)rng_below(&rng, 60)},
			   one;

		for (int i = 0; i < dealt.n; i++) {
			dealt.ready_ns[i] = base + (int64_t)rng_below(&rng, (uint64_t)scale * 10);
			dealt.slice_ns[i] = 1 + (int64_t)rng_below(&rng, (uint64_t)scale);
		}
		one = dealt;
		CHECK_INT(bag_deal(&dealt), brute(&one));
		CHECK(memcmp(dealt.taken, one.taken, sizeof(int64_t) * (size_t)dealt.n) == 0);
		for (int i = 0; i < dealt.n; i++) {
			int64_t t = base + (int64_t)rng_below(&rng, (uint64_t)scale * 20),
				started = 0, ended = 0;

			for (int64_t k = 0; k < one.taken[i]; k++) {
				started += one.ready_ns[i] + k * one.slice_ns[i] < t;
				ended += one.ready_ns[i] + (k + 1) * one.slice_ns[i] <= t;
			}
			CHECK_INT(bag_started(&dealt, i, t), started);
			CHECK_INT(bag_ended(&dealt, i, t), ended);
		}
	}
}

/* T by slices dealt one by one, launch after launch. */
static int64_t brute_ns(const struct node_profile *profile, uint32_t set)
{
	int64_t end = 0, last_in = 0, out = 0;

	for (int64_t launch = 0; launch < profile->launches; launch++) {
		struct bag bag = {.slices = profile->slices};

		for (int d = 0; d < NODE_DEVICES; d++) {
			if ((set >> d & 1) == 0)
				continue;
			bag.ready_ns[bag.n] =
				profile->copy_in_ns[d] > end ? profile->copy_in_ns[d] : end;
			bag.slice_ns[bag.n++] = profile->slice_ns[d];
			last_in =
				profile->copy_in_ns[d] > last_in ? profile->copy_in_ns[d] : last_in;
			out = profile->copy_out_ns[d] > out ? profile->copy_out_ns[d] : out;
		}
		end = brute(&bag);
	}
	return (end > last_in ? end : last_in) + out;
}

static void sets(void)
{
	struct rng rng = rng_make(1, "sets", NULL, NULL);

	for (int try = 0; try < 20000; try++) {
		struct node_profile profile = {.slices = 1 + (int64_t)rng_below(&rng, 20),
					       .launches = 1 + (int64_t)rng_below(&rng, 8)};
		uint32_t set = 1 + (uint32_t)rng_below(&rng, 15);

		for (int d = 0; d < 4; d++) {
			profile.slice_ns[d] = 1 + (int64_t)rng_below(&rng, 30);
			profile.copy_in_ns[d] = (int64_t)rng_below(&rng, 200);
			profile.copy_out_ns[d] = (int64_t)rng_below(&rng, 20);
		}
		CHECK_INT(node_profile_ns(&profile, set), brute_ns(&profile, set));
	}
}

int main(void)
{
	bags();
	sets();
	return check_done();
}
