/* lublin_model.c - the workload model of Lublin and Feitelson: sizes, running times, arrivals */
#include <math.h>

#include "workload/lublin.h"
#include "base/explog.h"

/* JPDC 63 (2003), Tables 4 to 7. The paper multiplies aarr, which was fitted to the rush hours, by
 * a ratio (ARAR) so that it holds for the whole day. */
const struct lublin_kind lublin_batch = {
	.name = "batch",
	.serial = 0.2927,
	.pow2 = 0.6686,
	.u_low = 1.2,
	.u_prob = 0.875,
	.below_med = 2,
	.below_top = 0,
	.a1 = 6.57,
	.b1 = 0.823,
	.a2 = 639.1,
	.b2 = 0.0156,
	.pa = -0.003,
	.pb = 0.6986,
	.aarr = 6.0415 * 1.0519,
	.barr = 0.8531,
	.anum = 6.1271,
	.bnum = 5.2740,
};
const struct lublin_kind lublin_interactive = {
	.name = "interactive",
	.serial = 0.1541,
	.pow2 = 0.625,
	.u_low = 1,
	.u_prob = 0.705,
	.below_med = 2.5,
	.below_top = 1.5,
	.a1 = 3.8351,
	.b1 = 0.6605,
	.a2 = 7.073,
	.b2 = 0.6856,
	.pa = -0.0118,
	.pb = 0.9156,
	.aarr = 6.5510 * 0.9797,
	.barr = 0.6621,
	.anum = 8.9186,
	.bnum = 3.6680,
};
const struct lublin_kind lublin_all = {
	.name = "all",
	.serial = 0.244,
	.pow2 = 0.576,
	.u_low = 0.8,
	.u_prob = 0.86,
	.below_med = 2.5,
	.below_top = 0,
	.a1 = 4.2,
	.b1 = 0.94,
	.a2 = 312,
	.b2 = 0.03,
	.pa = -0.0054,
	.pb = 0.78,
	.aarr = 10.2303 * 1.0225,
	.barr = 0.4871,
	.anum = 8.1737,
	.bnum = 3.9631,
};

/* Nothing runs longer than two days, and no two jobs are more than five days apart. */
enum { MOST_LN_RUNTIME = 12, MOST_LN_ARRIVAL = 13, BUCKET_S = 86400 / LUBLIN_BUCKETS };
/* The gamma over the day was fitted to days that begin with this half hour. */
enum { DAY_START = 11 };

static const double ln2 = 0.69314718055994530942;

/* Marsaglia's polar method; the second of each pair is thrown away, so that draws stay simple. */
static double draw_normal(struct rng *rng)
{
	double x, y, square;

	do {
		x = 2 * rng_unit(rng) - 1;
		y = 2 * rng_unit(rng) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * same_log(square) / square);
}

/* Marsaglia and Tsang, ACM TOMS 26 (2000). */
double lublin_gamma(struct rng *rng, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v, u;

	for (;;) {
		do {
			x = draw_normal(rng);
			v = 1 + c * x;
		} while (v <= 0);
		v = v * v * v;
		u = 1 - rng_unit(rng); /* never 0 */
		if (same_log(u) < 0.5 * x * x + d - d * v + d * same_log(v))
			return d * v * scale;
	}
}

static double two_stage_uniform(struct rng *rng, double low, double med, double high, double prob)
{
	bool is_low = rng_unit(rng) < prob;
	double from = is_low ? low : med, to = is_low ? med : high;

	return from + rng_unit(rng) * (to - from);
}

int lublin_size(const struct lublin_kind *kind, int nodes, struct rng *rng)
{
	double high = same_log(nodes) / ln2 - kind->below_top, med = high - kind->below_med;
	double low = kind->u_low < high ? kind->u_low : high;
	double u = rng_unit(rng);

	if (u < kind->serial || nodes < 2)
		return 1;
	for (;;) {
		double log2_size =
			two_stage_uniform(rng, low, med > low ? med : low, high, kind->u_prob);
		double size;

		if (u < kind->serial + kind->pow2)
			log2_size = floor(log2_size + 0.5);
		size = floor(same_exp(log2_size * ln2) + 0.5);
		/* rounding up may leave the machine; below 2 a job would be serial */
		if (size <= nodes)
			return size < 1 ? 1 : (int)size;
	}
}

int64_t lublin_runtime(const struct lublin_kind *kind, int size, struct rng *rng)
{
	double p = kind->pa * size + kind->pb, ln_s;

	p = p > 1 ? 1 : p < 0 ? 0 : p;
	do {
		if (rng_unit(rng) < p)
			ln_s = lublin_gamma(rng, kind->a1, kind->b1);
		else
			ln_s = lublin_gamma(rng, kind->a2, kind->b2);
	} while (ln_s > MOST_LN_RUNTIME);
	return (int64_t)same_exp(ln_s);
}

/* Proportional to the gamma's density; its constant cancels when the mean is made 1. */
static double density(const struct lublin_kind *kind, double t)
{
	return same_exp((kind->anum - 1) * same_log(t) - t / kind->bnum);
}

/* Simpson's rule over one bucket. */
static double bucket_weight(const struct lublin_kind *kind, int bucket)
{
	enum { NSTEPS = 32 };
	double from = bucket - 0.5, step = 1.0 / NSTEPS, sum = 0;

	for (int i = 0; i <= NSTEPS; i++)
		sum += density(kind, from + i * step) * (i == 0 || i == NSTEPS ? 1
							 : i % 2 == 1          ? 4
									       : 2);
	return sum * step / 3;
}

void lublin_arrivals_open(struct lublin_arrivals *arrivals, const struct lublin_kind *kind,
			  struct rng rng)
{
	double sum = 0;

	*arrivals = (struct lublin_arrivals){.kind = kind, .rng = rng};
	for (int i = DAY_START; i < LUBLIN_BUCKETS + DAY_START; i++) {
		double weight = bucket_weight(kind, i);

		arrivals->weights[(i - 1) % LUBLIN_BUCKETS] = weight;
		sum += weight;
	}
	for (int i = 0; i < LUBLIN_BUCKETS; i++)
		arrivals->weights[i] *= LUBLIN_BUCKETS / sum;
}

/*
 * The time between two arrivals is one of the rush hour. A half hour of weight w lets w of its
 * 1800 s pass: in the quiet ones of the night more time goes by until enough has.
 */
double lublin_next(struct lublin_arrivals *arrivals)
{
	double ln_s, passed = 0, reminder;

	do
		ln_s = lublin_gamma(&arrivals->rng, arrivals->kind->aarr, arrivals->kind->barr);
	while (ln_s > MOST_LN_ARRIVAL);
	arrivals->points += same_exp(ln_s) / BUCKET_S;
	while (arrivals->points > arrivals->weights[arrivals->bucket]) {
		arrivals->points -= arrivals->weights[arrivals->bucket];
		arrivals->bucket = (arrivals->bucket + 1) % LUBLIN_BUCKETS;
		passed += BUCKET_S;
	}
	/* how far into the bucket we are, less how far we were into the last one */
	reminder = arrivals->points / arrivals->weights[arrivals->bucket];
	passed += BUCKET_S * (reminder - arrivals->reminder);
	arrivals->reminder = reminder;
	arrivals->seconds += passed;
	return arrivals->seconds;
}
