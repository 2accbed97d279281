/* pick_fuzz.c - a pick that was read, written and read again says the same */
#include "base/registry.h"
#include "base/str.h"
#include "fuzz.h"

static const struct registry shapes;
static const struct param params[] = {
	{.key = "i", .type = PARAM_INT, .min = 1, .max = 9, .def = "3"},
	{.key = "r", .type = PARAM_REAL, .optional = true},
	{.key = "b", .type = PARAM_BOOL, .def = "no"},
	{.key = "w", .type = PARAM_WORD, .choices = "best|first", .def = "best"},
	{.key = "s", .type = PARAM_SIZES, .optional = true},
	{.key = "g", .type = PARAM_BANDWIDTH, .optional = true},
	{.key = "d", .type = PARAM_DURATION, .optional = true},
	{.key = "y", .type = PARAM_BYTES, .optional = true},
	{.key = "t", .type = PARAM_TEXT, .optional = true},
	{.key = "p", .type = PARAM_PICK, .registry = &shapes, .optional = true},
	{0},
};
static const struct entry ball = {.name = "ball", .aliases = "orb", .params = params};
static const struct entry dot = {.name = "dot"};
static const struct entry *const entries[] = {&ball, &dot};
static const struct registry shapes = {
	.name = "shapes", .noun = "shape", .entries = entries, .n = 2};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *text = fuzz_text(bytes, n);
	struct pick pick, back;
	struct err err;

	if (n < 4096 && pick_parse(&pick, &shapes, text, &err) == 0) {
		char *first = pick_text(&pick), *second;

		fuzz_must(pick_parse(&back, &shapes, first, &err) == 0, "its text is a pick");
		second = pick_text(&back);
		fuzz_must(str_eq(first, second), "the same text");
		fuzz_must(pick.entry != &ball || pick_int(&pick, "i") == pick_int(&back, "i"),
			  "the same value");
		free(first);
		free(second);
		pick_free(&pick);
		pick_free(&back);
	}
	free(text);
	return 0;
}
