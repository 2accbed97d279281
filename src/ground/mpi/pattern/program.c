/* program.c - iterations of a sum of patterns, with computation between */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/pattern/pattern.h"
#include "base/str.h"

/* The end of the first pick in text: a + that a pattern's name follows, outside of brackets. */
static size_t first_pick(const char *text)
{
	int depth = 0;

	for (size_t i = 0; text[i] != '\0'; i++) {
		size_t n;
		char *name;
		bool is_next;

		if (text[i] == '\\' && text[i + 1] != '\0') {
			i++;
			continue;
		}
		depth += (text[i] == '[') - (text[i] == ']');
		if (text[i] != '+' || depth > 0)
			continue;
		n = strcspn(text + i + 1, ":+");
		name = xstrndup(text + i + 1, n);
		is_next = registry_find(&patterns, name) != NULL;
		free(name);
		if (is_next)
			return i;
	}
	return strlen(text);
}

static void free_picks(struct program *program)
{
	for (int i = 0; i < program->nparts; i++)
		pick_free(&program->picks[i]);
	program->nparts = 0;
}

static int parse(struct program *program, const char *text, struct err *err)
{
	program->nparts = 0;
	for (;;) {
		size_t n = first_pick(text);
		char *one;
		int status;

		if (program->nparts == PROGRAM_PARTS) {
			free_picks(program);
			return err_set(err, "a sum of more than %d patterns", PROGRAM_PARTS);
		}
		one = xstrndup(text, n);
		status = pick_parse(&program->picks[program->nparts], &patterns, one, err);
		free(one);
		if (status != 0) {
			free_picks(program);
			return -1;
		}
		program->nparts++;
		if (text[n] == '\0')
			return 0;
		text += n + 1;
	}
}

int program_check(const char *text, struct err *err)
{
	struct program program;
	int status = parse(&program, text, err);

	if (status == 0)
		free_picks(&program);
	return status;
}

int program_open(struct program *program, const char *text, const struct pattern_job *job,
		 struct err *err)
{
	*program = (struct program){.job = *job};
	if (parse(program, text, err) != 0)
		return -1;
	for (int i = 0; i < program->nparts; i++) {
		struct pattern_part *part = &program->parts[i];

		*part = (struct pattern_part){
			.pattern = (const struct pattern *)program->picks[i].entry,
			.pick = &program->picks[i],
			.job = &program->job,
			.bytes = job->bytes >= 0 ? job->bytes : job->default_bytes,
		};
		if (part->pattern->open != NULL && part->pattern->open(part, err) != 0) {
			err_prefix(err, "%s: ", part->pattern->entry.name);
			part->pattern = NULL;
			program_close(program);
			return -1;
		}
		program->is_ordered |= part->pattern->is_ordered || part->needs_order;
		program->has_graph |= part->pattern->graph != NULL;
	}
	return 0;
}

void program_close(struct program *program)
{
	for (int i = 0; i < program->nparts; i++) {
		struct pattern_part *part = &program->parts[i];

		if (part->pattern != NULL && part->pattern->close != NULL)
			part->pattern->close(part);
	}
	free_picks(program);
}

/*
 * Two messages match if their keys are equal: the part of the program, the pattern's own tag, and
 * the iteration, so that ranks may drift apart and messages overtake each other.
 */
static void set_key(struct op *op, const struct pattern_part *part, const struct cursor *cursor)
{
	if (!part->pattern->is_keyed)
		op->key = (uint64_t)(op->tag & 0xffff) << 40 |
			  ((uint64_t)cursor->iteration & 0xffffffffff);
	op->part = cursor->part - 1;
	op->key |= (uint64_t)op->part << PATTERN_KEY_BITS;
}

/* An exchange goes on: its receives, its sends, its waits. */
static void follow(struct cursor *cursor, struct op *op)
{
	int n = cursor->nexchange, i = 3 * n - cursor->nfollow--;

	op->kind = i < n ? OP_IRECV : i < 2 * n ? OP_SEND : OP_WAIT;
	op->request = i % n;
	op->peer = i < n ? cursor->from[i] : cursor->to[i % n];
	op->is_inner_first = false;
	op->is_inner_last = cursor->nfollow == 0 && cursor->ends;
}

static void clear(struct op *op)
{
	memset(op, 0, offsetof(struct op, call));
	op->request = NO_REQUEST;
}

/* Before the first part of an iteration. Whether op is what comes next. */
static bool begin_iteration(const struct program *program, struct cursor *cursor, struct op *op)
{
	if (program->job.iterations > 0 && cursor->iteration == program->job.iterations)
		return true;
	cursor->part = 1;
	cursor->has_done = program->job.compute_ps > 0;
	if (!cursor->has_done)
		return false;
	op->kind = OP_COMPUTE;
	op->duration_ps = program->job.compute_ps;
	return true;
}

/* Behind the last op of a part. False: op, the end, is what comes next. */
static bool go_on(const struct program *program, struct cursor *cursor)
{
	cursor->step = cursor->sub = 0;
	cursor->mark = 0;
	if (++cursor->part <= program->nparts)
		return true;
	cursor->part = 0;
	/* a rank with nothing to do is done at once, in any number of iterations */
	if (!cursor->has_done)
		return false;
	cursor->iteration++;
	return true;
}

void program_next(const struct program *program, int rank, struct cursor *cursor, struct op *op)
{
	const struct pattern_part *part;

	if (cursor->nfollow > 0) {
		follow(cursor, op);
		return;
	}
	do {
		clear(op);
		if (cursor->part == 0 && begin_iteration(program, cursor, op))
			return;
		part = &program->parts[cursor->part - 1];
		part->pattern->next(part, rank, cursor, op);
		if (op->kind != OP_END) {
			cursor->has_done = true;
			set_key(op, part, cursor);
			return;
		}
	} while (go_on(program, cursor));
}

int program_member(const struct program *program, const struct op *op, int place, int rank)
{
	const struct pattern_part *part = &program->parts[op->part];

	return part->pattern->member == NULL ? place
					     : part->pattern->member(part, op->comm, place, rank);
}

const struct graph_replay *program_graph(const struct program *program, int part)
{
	const struct pattern_part *of = &program->parts[part];

	return part >= program->nparts || of->pattern->graph == NULL ? NULL
								     : of->pattern->graph(of);
}

const char *program_text(const struct program *program, int part, int32_t number)
{
	const struct pattern_part *from = &program->parts[part];

	return number < 0 || from->pattern->text == NULL ? NULL : from->pattern->text(from, number);
}
