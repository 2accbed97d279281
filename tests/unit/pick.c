/* pick.c - NAME[:key=value,…]: every type, quoting, nesting, refusals, and the way back to text */
#include <stdlib.h>

#include "base/registry.h"
#include "check.h"

static const struct registry shapes;

static const struct param ball_params[] = {
	{.key = "size", .type = PARAM_INT, .min = 1, .max = 9, .def = "3", .meaning = "how large"},
	{.key = "weight", .type = PARAM_REAL, .min = 0, .max = 1, .optional = true},
	{.key = "red", .type = PARAM_BOOL, .def = "no"},
	{.key = "fit", .type = PARAM_WORD, .choices = "best|first", .def = "best"},
	{.key = "dims", .type = PARAM_SIZES, .optional = true},
	{.key = "rate", .type = PARAM_BANDWIDTH, .optional = true},
	{.key = "after", .type = PARAM_DURATION, .optional = true},
	{.key = "bytes", .type = PARAM_BYTES, .optional = true},
	{.key = "nodes", .type = PARAM_TEXT, .optional = true},
	{0},
};
static const struct param box_params[] = {
	{.key = "inner", .type = PARAM_PICK, .registry = &shapes, .optional = true},
	{.key = "path", .type = PARAM_FILE, .meaning = "the file"},
	{0},
};
static const struct entry ball = {.name = "ball", .aliases = "sphere,orb", .params = ball_params};
static const struct entry box = {.name = "box", .params = box_params};
static const struct entry dot = {.name = "dot"};
static const struct entry *const entries[] = {&ball, &box, &dot};
static const struct registry shapes = {
	.name = "shapes", .noun = "shape", .entries = entries, .n = 3};

/* The pick as text again, or the message. */
static const char *again(const char *text)
{
	static char result[1200];
	struct pick pick;
	struct err err;
	char *out;

	if (pick_parse(&pick, &shapes, text, &err) != 0) {
		snprintf(result, sizeof(result), "%s", err.msg);
		return result;
	}
	out = pick_text(&pick);
	snprintf(result, sizeof(result), "%s", out);
	free(out);
	pick_free(&pick);
	return result;
}

static void test_values(void)
{
	struct pick pick;
	struct err err;

	CHECK(pick_parse(&pick, &shapes,
			 "orb:red,dims=4x3x2,rate=8Gbit/s,after=100ns,bytes=4KiB,nodes=n[1,3],"
			 "weight=.5",
			 &err) == 0);
	CHECK_TEXT(pick.entry->name, "ball");
	CHECK_INT(pick_int(&pick, "size"), 3);
	CHECK(pick_bool(&pick, "red") && pick_is(&pick, "fit", "best"));
	CHECK_INT(pick_value(&pick, "dims")->nsizes, 3);
	CHECK_INT(pick_value(&pick, "dims")->sizes[2], 2);
	CHECK(pick_real(&pick, "rate") == 1e9 && pick_real(&pick, "after") == 1e-7);
	CHECK(pick_real(&pick, "bytes") == 4096 && pick_real(&pick, "weight") == .5);
	CHECK_TEXT(pick_word(&pick, "nodes"), "n[1,3]");
	CHECK(!pick_value(&pick, "size")->is_given && pick_value(&pick, "red")->is_given);
	pick_free(&pick);
	CHECK(pick_parse(&pick, &shapes, "ball", &err) == 0);
	CHECK(!pick_has(&pick, "weight") && pick_has(&pick, "size"));
	pick_free(&pick);
	CHECK(pick_parse(&pick, &shapes,
			 "box:path=a,inner=box,inner.path=b,inner.inner=ball,"
			 "inner.inner.size=9",
			 &err) == 0);
	CHECK_INT(pick_int(pick_pick(pick_pick(&pick, "inner"), "inner"), "size"), 9);
	pick_free(&pick);
}

static void test_text(void)
{
	CHECK_TEXT(again("dot"), "dot");
	CHECK_TEXT(again("sphere:fit=first,size=2"), "ball:size=2,fit=first");
	CHECK_TEXT(again("ball:red"), "ball:red=yes");
	CHECK_TEXT(again("ball:nodes=a\\,b"), "ball:nodes=a\\,b");
	CHECK_TEXT(again("ball:nodes=n[1-2,4],size=1"), "ball:size=1,nodes=n[1-2,4]");
	CHECK_TEXT(again("ball:nodes=\\[a\\,b,size=1"), "ball:size=1,nodes=\\[a\\,b");
	CHECK_TEXT(again("ball:nodes=a]\\,\\[b,size=1"), "ball:size=1,nodes=a\\]\\,\\[b");
	CHECK_TEXT(again("ball:nodes=a\\\\"), "ball:nodes=a\\\\");
	CHECK_TEXT(again("ball:nodes=a=b:c"), "ball:nodes=a=b:c");
	CHECK_TEXT(again("box:inner.size=4,path=f,inner=ball"),
		   "box:inner=ball,inner.size=4,path=f");
}

static void test_refused(void)
{
	CHECK_TEXT(again("cube"), "'cube' is not a shape; expected one of: ball box dot");
	CHECK_TEXT(again(""), "'' is not a shape; expected one of: ball box dot");
	CHECK_TEXT(again("dot:x=1"), "dot has no parameter 'x'; it takes none");
	CHECK_TEXT(again("box:paht=f,path=f"),
		   "box has no parameter 'paht' (did you mean 'path'?); it has: inner path");
	CHECK_TEXT(again("box"), "box needs path= (the file)");
	CHECK_TEXT(again("ball:size=10"), "ball: size: '10' is not a whole number from 1 to 9");
	CHECK_TEXT(again("ball:weight=nan"), "ball: weight: 'nan' is not a number from 0 to 1");
	CHECK_TEXT(again("ball:red=maybe"), "ball: red: 'maybe' is not yes or no");
	CHECK_TEXT(again("ball:fit=worst"), "ball: fit: 'worst' is not best|first");
	CHECK_TEXT(again("ball:size=1,size=1"), "ball: size is given twice");
	CHECK_TEXT(again("ball:dims=4x"), "ball: dims: '4x' is not a list of sizes such as 4x4x2");
	CHECK_TEXT(again("ball:dims=0"), "ball: dims: '0' is not a list of sizes such as 4x4x2");
	CHECK(strstr(again("ball:"), "no parameter ''") != NULL);
	CHECK(strstr(again("ball:size=1,"), "no parameter ''") != NULL);
	CHECK(strstr(again("ball:rate=0"), "is not a bandwidth") != NULL);
	CHECK(strstr(again("ball:nodes="), "is not a text") != NULL);
	CHECK(strstr(again("box:path=f,inner=ball,inner.size=0"), "'0' is not a whole") != NULL);
	CHECK(strstr(again("box:path=f,inner.size=4"), "no parameter 'inner.size'") != NULL);
}

static void test_lists(void)
{
	const char *keys[] = {"size", "red"}, *texts[] = {"4", "yes"};
	struct pick pick;
	struct err err;

	CHECK(pick_make(&pick, &shapes, "ball", keys, texts, 2, &err) == 0);
	CHECK(pick_int(&pick, "size") == 4 && pick_bool(&pick, "red"));
	pick_free(&pick);
	CHECK(registry_find(&shapes, "sphere") == &ball && registry_find(&shapes, "or") == NULL);
	CHECK(registry_find(&shapes, "sphere,orb") == NULL);
}

int main(void)
{
	test_values();
	test_text();
	test_refused();
	test_lists();
	return check_done();
}
