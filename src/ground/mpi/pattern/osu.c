/* osu.c - pairs of ranks as the OSU micro-benchmarks have them: rank r and rank r + n/2 */
#include "mpi/pattern/pattern.h"

enum { ANSWER_BYTES = 4, ANSWER_TAG = 1 };

/* The other one of the pair; -1: of an odd number of ranks the last has none. */
static int partner(const struct pattern_part *part, int rank)
{
	int half = part->job->nranks / 2;

	return rank < half ? rank + half : rank < 2 * half ? rank - half : -1;
}

static bool is_first(const struct pattern_part *part, int rank)
{
	return rank < part->job->nranks / 2;
}

static void next_of_latency(const struct pattern_part *part, int rank, struct cursor *cursor,
			    struct op *op)
{
	op->peer = partner(part, rank);
	if (op->peer < 0 || cursor->step == 2)
		return;
	op->kind = is_first(part, rank) == (cursor->step++ == 0) ? OP_SEND : OP_RECV;
	op->bytes = part->bytes;
}

const struct pattern pattern_osu_latency = {
	.entry = {.name = "osu-latency",
		  .example = "osu-latency",
		  .summary = "of n ranks r and r + n/2 send a message to and fro; half of an "
			     "iteration's time is what osu_latency and osu_multi_lat report",
		  .aliases = "pingpong",
		  .paper = "OSU micro-benchmarks 5.6.3"},
	.next = next_of_latency,
};

static const struct param params[] = {{.key = "size",
				       .type = PARAM_INT,
				       .min = 1,
				       .max = 1 << 20,
				       .def = "64",
				       .meaning = "messages of a window"},
				      {.key = "both",
				       .type = PARAM_BOOL,
				       .def = "no",
				       .meaning = "both ranks send a window, and no answer; as "
						  "osu_bibw"},
				      {0}};

/* Receives, sends, a wait for all; then the answer, if there is one. */
static void next_of_window(const struct pattern_part *part, int rank, struct cursor *cursor,
			   struct op *op)
{
	bool both = pick_bool(part->pick, "both"), first = is_first(part, rank);
	int64_t size = pick_int(part->pick, "size");
	int64_t nreceives = both || !first ? size : 0, nsends = both || first ? size : 0;
	int step = cursor->step;

	op->peer = partner(part, rank);
	if (op->peer < 0 || step > nreceives + nsends + !both)
		return;
	cursor->step++;
	op->bytes = part->bytes;
	if (step < nreceives) {
		op->kind = OP_IRECV;
	} else if (step < nreceives + nsends) {
		op->kind = OP_ISEND;
	} else if (step == nreceives + nsends) {
		op->kind = OP_WAITALL;
	} else {
		op->kind = first ? OP_RECV : OP_SEND;
		op->bytes = ANSWER_BYTES;
		op->tag = ANSWER_TAG;
	}
}

const struct pattern pattern_window = {
	.entry = {.name = "window",
		  .example = "window:size=64",
		  .summary =
			  "of n ranks r sends a window of messages to r + n/2, which answers "
			  "with 4 bytes: osu_bw, and osu_mbw_mr of n/2 pairs; both=yes: osu_bibw",
		  .aliases = "osu-bw,osu-mbw-mr",
		  .paper = "OSU micro-benchmarks 5.6.3",
		  .params = params},
	.next = next_of_window,
};
