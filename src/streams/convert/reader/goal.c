/* goal.c - GOAL schedules of LogGOPSim, as text; the binary form is in goal_binary.c */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/num.h"
#include "convert/reader/goal.h"
#include "convert/reader/reader.h"
#include "formats/in.h"

enum { BYTES_MOST = 1 << 30, RANKS_MOST = 1 << 24 };

/* The text, word by word; { } and : are words. */
struct words {
	const char *path;
	char *at;
	long line;
	char word[256];
	bool is_end;
};

static int wrong(const struct words *words, struct err *err, const char *expected)
{
	if (words->is_end)
		return err_set(err, "%s:%ld: the end, expected %s", words->path, words->line,
			       expected);
	return err_set(err, "%s:%ld: '%.60s', expected %s", words->path, words->line, words->word,
		       expected);
}

/* Blanks and comments. */
static int skip(struct words *words, struct err *err)
{
	for (;;) {
		char *end;

		for (; isspace((unsigned char)*words->at); words->at++)
			words->line += *words->at == '\n';
		if (words->at[0] != '/' || (words->at[1] != '/' && words->at[1] != '*'))
			return 0;
		if (words->at[1] == '/') {
			words->at += strcspn(words->at, "\n");
			continue;
		}
		end = strstr(words->at + 2, "*/");
		if (end == NULL)
			return err_set(err, "%s:%ld: a comment without */", words->path,
				       words->line);
		for (; words->at < end; words->at++)
			words->line += *words->at == '\n';
		words->at = end + 2;
	}
}

static int next_word(struct words *words, struct err *err)
{
	size_t n = 0;

	if (skip(words, err) != 0)
		return -1;
	words->is_end = *words->at == '\0';
	if (*words->at != '\0' && strchr("{}:", *words->at) != NULL)
		n = 1;
	else
		while (words->at[n] != '\0' && !isspace((unsigned char)words->at[n]) &&
		       strchr("{}:", words->at[n]) == NULL)
			n++;
	if (n >= sizeof(words->word))
		return err_set(err, "%s:%ld: a word of %zu letters", words->path, words->line, n);
	memcpy(words->word, words->at, n);
	words->word[n] = '\0';
	words->at += n;
	return 0;
}

static bool is(const struct words *words, const char *word)
{
	return !words->is_end && str_eq(words->word, word);
}

static int expect(struct words *words, const char *word, struct err *err)
{
	if (next_word(words, err) != 0)
		return -1;
	return is(words, word) ? 0 : wrong(words, err, word);
}

/* The next word as a number; with suffix b where it is of bytes. */
static int next_number(struct words *words, bool of_bytes, uint64_t most, uint64_t *number,
		       struct err *err)
{
	size_t n;

	if (next_word(words, err) != 0)
		return -1;
	n = strlen(words->word);
	if (of_bytes && n > 1 && words->word[n - 1] == 'b')
		n--;
	else if (of_bytes)
		return wrong(words, err, "a size such as 1000b");
	if (n == 0 || num_digits(words->word, n, number) != 0 || *number > most)
		return wrong(words, err, of_bytes ? "a size such as 1000b" : "a whole number");
	return 0;
}

/* The same, or -1: any. */
static int next_or_any(struct words *words, uint32_t *number, struct err *err)
{
	uint64_t value;

	while (isspace((unsigned char)*words->at) && *words->at != '\n')
		words->at++;
	if (words->at[0] == '-' && words->at[1] == '1' && !isalnum((unsigned char)words->at[2])) {
		words->at += 2;
		*number = GOAL_ANY;
		return 0;
	}
	if (next_number(words, false, GOAL_ANY - 1, &value, err) != 0)
		return -1;
	*number = (uint32_t)value;
	return 0;
}

struct block {
	struct goal_rank goal;
	struct map labels; /* → node */
	struct arena *arena;
};

/* tag, cpu and nic behind an operation, in any order; the word behind them is next. */
static int read_options(struct words *words, struct goal_node *node, struct err *err)
{
	uint64_t number;

	for (;;) {
		if (next_word(words, err) != 0)
			return -1;
		if (is(words, "tag") && node->op != GOAL_CALC) {
			if (next_or_any(words, &node->tag, err) != 0)
				return -1;
		} else if (is(words, "cpu") || (is(words, "nic") && node->op != GOAL_CALC)) {
			bool is_cpu = is(words, "cpu");

			if (next_number(words, false, UINT8_MAX, &number, err) != 0)
				return -1;
			*(is_cpu ? &node->cpu : &node->nic) = (uint8_t)number;
		} else {
			return 0;
		}
	}
}

/* An operation whose name is the word; then the word behind it is next. */
static int read_node(struct words *words, struct block *block, const char *label, struct err *err)
{
	struct goal_node node = {.line = words->line, .label = label};

	if (is(words, "calc")) {
		node.op = GOAL_CALC;
		if (next_number(words, false, UINT64_MAX, &node.size, err) != 0)
			return -1;
	} else if (is(words, "send") || is(words, "recv")) {
		node.op = is(words, "send") ? GOAL_SEND : GOAL_RECV;
		if (next_number(words, true, INT64_MAX, &node.size, err) != 0 ||
		    expect(words, node.op == GOAL_SEND ? "to" : "from", err) != 0 ||
		    next_or_any(words, &node.peer, err) != 0)
			return -1;
	} else {
		return wrong(words, err, "send, recv or calc");
	}
	if (block->goal.nodes.n >= 1 << 30)
		return err_set(err, "%s:%ld: more than 2^30 operations", words->path, words->line);
	vec_push(&block->goal.nodes, node);
	return read_options(words, &block->goal.nodes.at[block->goal.nodes.n - 1], err);
}

static int find_label(const struct words *words, const struct block *block, const char *label,
		      int32_t *node, struct err *err)
{
	*node = (int32_t)map_get(&block->labels, label, strlen(label));
	if (*node < 0)
		return err_set(err, "%s:%ld: '%.60s' is not a label above", words->path,
			       words->line, label);
	return 0;
}

/* What begins with a name that is no operation: a label, or what one requires. */
static int read_named(struct words *words, struct block *block, struct err *err)
{
	char name[sizeof(words->word)];
	struct goal_need need;
	int64_t at = (int64_t)block->goal.nodes.n;

	memcpy(name, words->word, sizeof(name));
	if (next_word(words, err) != 0)
		return -1;
	if (is(words, ":")) {
		if (map_add(&block->labels, name, strlen(name), at) != at)
			return err_set(err, "%s:%ld: the label '%.60s' was there before",
				       words->path, words->line, name);
		if (next_word(words, err) != 0)
			return -1;
		return read_node(words, block, arena_strndup(block->arena, name, strlen(name)),
				 err);
	}
	need.is_start = is(words, "irequires");
	if (!need.is_start && !is(words, "requires"))
		return wrong(words, err, ":, requires or irequires");
	if (find_label(words, block, name, &need.node, err) != 0 || next_word(words, err) != 0 ||
	    find_label(words, block, words->word, &need.on, err) != 0)
		return -1;
	vec_push(&block->goal.needs, need);
	return next_word(words, err);
}

static bool is_operation(const struct words *words)
{
	return (is(words, "send") || is(words, "recv") || is(words, "calc")) &&
	       words->at[strspn(words->at, " \t")] != ':';
}

/* Behind "rank". */
static int read_rank(struct words *words, struct goal_rows *rows, struct bitset *seen,
		     struct arena *arena, struct err *err)
{
	struct block block = {.arena = arena};
	uint64_t rank;
	int status;

	if (next_number(words, false, (uint64_t)rows->nranks - 1, &rank, err) != 0)
		return -1;
	if (bitset_next(seen, (int)rank) == (int)rank)
		return err_set(err, "%s:%ld: rank %" PRIu64 " was there before", words->path,
			       words->line, rank);
	bitset_add(seen, (int)rank);
	status = expect(words, "{", err);
	if (status == 0)
		status = next_word(words, err);
	while (status == 0 && !is(words, "}"))
		status = words->is_end         ? wrong(words, err, "}")
			 : is_operation(words) ? read_node(words, &block, NULL, err)
					       : read_named(words, &block, err);
	if (status == 0)
		status = goal_rows_put(rows, (int32_t)rank, &block.goal, err);
	goal_rank_free(&block.goal);
	map_free(&block.labels);
	return status;
}

/* Ranks without a block do nothing. */
static void put_idle(struct goal_rows *rows, const struct bitset *seen)
{
	struct buf text = {0};

	for (int i = bitset_next_gap(seen, 0); i < rows->nranks; i = bitset_next_gap(seen, i)) {
		int end = bitset_next(seen, i);

		if (end < 0)
			end = (int)rows->nranks;
		buf_printf(&text, "%s%d", text.n > 0 ? "," : "idle:", i);
		if (end > i + 1)
			buf_printf(&text, "-%d", end - 1);
		i = end;
	}
	if (text.n > 0)
		flow_meta(rows->flow, "program", text.text);
	buf_free(&text);
}

static int read_text(struct words *words, struct goal_rows *rows, struct err *err)
{
	struct arena arena = {0};
	struct bitset seen;
	uint64_t nranks;
	int status = 0;

	if (expect(words, "num_ranks", err) != 0 ||
	    next_number(words, false, RANKS_MOST, &nranks, err) != 0)
		return -1;
	if (nranks == 0)
		return wrong(words, err, "a number of ranks");
	goal_rows_begin(rows, (int64_t)nranks);
	bitset_init(&seen, (int)nranks);
	while (status == 0 && (status = next_word(words, err)) == 0 && !words->is_end) {
		status = is(words, "rank") ? read_rank(words, rows, &seen, &arena, err)
					   : wrong(words, err, "rank");
		arena_reset(&arena);
	}
	if (status == 0)
		put_idle(rows, &seen);
	bitset_free(&seen);
	arena_free(&arena);
	return status;
}

static int read_file(const struct reader_input *input, struct flow *flow, struct err *err)
{
	struct goal_rows rows = {.flow = flow,
				 .takes_begun = pick_is(input->pick, "calc", "begun")};
	struct words words = {.path = input->paths[0], .line = 1};
	uint64_t magic = 0;
	struct in *in;
	char *text;
	size_t n;
	int status;

	rows.tick_ps = goal_tick_ps(input->pick, err);
	if (rows.tick_ps < 0)
		return -1;
	if (in_open(&in, input->paths[0], err) != 0)
		return -1;
	words.path = in_name(in);
	flow->file = words.path;
	status = in_all(in, &text, &n, BYTES_MOST, err);
	if (status == 0) {
		memcpy(&magic, text, n < sizeof(magic) ? n : sizeof(magic));
		magic = le64toh(magic);
		words.at = text;
		if (magic == GOAL_MAGIC || magic == 2342)
			status = goal_read_binary(&rows, words.path, (unsigned char *)text, n, err);
		else if (memchr(text, '\0', n) != NULL)
			status = err_set(err, "%s: neither text nor what txt2bin writes",
					 words.path);
		else
			status = read_text(&words, &rows, err);
		free(text);
	}
	flow->file = NULL;
	in_close(in);
	return status;
}

static int read(const struct reader_input *input, struct flow *flow, bool *whole, struct err *err)
{
	(void)whole;
	if (input->paths[1] != NULL)
		return err_set(err, "%s: a schedule is one file", input->paths[1]);
	return read_file(input, flow, err);
}

static bool is_proof(const char *head, size_t n)
{
	uint64_t magic = 0;

	if (n >= sizeof(magic))
		memcpy(&magic, head, sizeof(magic));
	return le64toh(magic) == GOAL_MAGIC || strncmp(head, "num_ranks ", 10) == 0;
}

static const struct param params[] = {
	{.key = "tick",
	 .type = PARAM_DURATION,
	 .def = "1ns",
	 .unit = "s",
	 .meaning = "what calc counts, in whole picoseconds"},
	{.key = "calc",
	 .type = PARAM_WORD,
	 .choices = "done|begun",
	 .def = "done",
	 .meaning =
		 "what requires a calc waits for its end; or, on another cpu, as LogGOPSim does, "
		 "for its beginning only"},
	{0}};
static const struct table_kind *const makes[] = {&kind_graph, NULL};

const struct reader reader_goal = {
	.entry = {.name = "goal",
		  .example = "goal:tick=1ns",
		  .summary = "GOAL schedules of LogGOPSim: text, or what its txt2bin writes",
		  .params = params},
	.makes = makes,
	.is_proof = is_proof,
	.read = read,
};
