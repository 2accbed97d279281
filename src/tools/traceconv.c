/* traceconv.c - from the formats of others into our streams, and back */
#include <stdlib.h>

#include "convert/convert.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/mem.h"
#include "base/zone.h"
#include "formats/in.h"
#include "formats/out.h"

static const char *from, *to, *zone, *at;
static struct cli_list filter_texts;

static const struct option_def options[] = {
	OPT_PICK('F', "from", &from, "FORMAT", &readers,
		 "What the input is. It may be left out where the content proves it: a magic "
		 "number, or a first line that nothing else begins with."),
	OPT_PICK('T', "to", &to, "FORMAT", &writers, "What to write."),
	OPT_PICKS('f', "filter", &filter_texts, "FILTER", &filters,
		  "Change the rows on their way; several are applied in the order given."),
	OPT_TEXT(0, "zone", &zone, "ZONE",
		 "The zone of times that are written without one: Z, UTC, +01:00, or a name such "
		 "as Europe/Berlin. Without it such "
		 "times are refused."),
	OPT_TEXT(0, "at", &at, "TIME",
		 "From jobs, the states of their nodes as they stood at this time: the same as a "
		 "last -f at:time=TIME."),
	{0}};

static const char *const usage[] = {
	"--from FORMAT --to FORMAT [-f FILTER]… [--zone ZONE] [--at TIME] [FILE…]", "--list", NULL};
static const struct registry *const registries[] = {&readers, &writers, &filters, NULL};

static const struct tool tool = {
	.name = "traceconv",
	.summary = "convert traces, profiles, job logs and maps of other tools, and back",
	.usage = usage,
	.options = options,
	.common = CLI_PARTIAL,
	.registries = registries,
	.list_more = conversion_list,
	.max_operands = -1,
};

static void plan(struct conversion *conversion, char *const *paths)
{
	const char **texts = xcalloc((size_t)filter_texts.n + 1, sizeof(*texts));
	char *at_text = at != NULL ? xasprintf("at:time=%s", at) : NULL, *way;
	struct err err;
	int n = 0;

	for (; n < filter_texts.n; n++)
		texts[n] = filter_texts.at[n];
	if (at_text != NULL)
		texts[n++] = at_text;
	if (conversion_plan(conversion, from, to, texts, n, paths, &err) != 0)
		die("%s", err.msg);
	way = conversion_text(conversion);
	say("%s: %s", paths[0], way);
	free(way);
	free(at_text);
	free(texts);
}

int main(int argc, char **argv)
{
	struct conversion conversion;
	struct out *out = NULL;
	struct err err;
	struct zone in_zone;
	struct conversion_result result;
	char *const *paths;
	bool whole;

	argv += cli_parse(&tool, argc, argv);
	paths = in_paths(argv);
	if (to == NULL)
		die("--to is missing: what to write; see --list");
	if (zone != NULL && zone_parse(&in_zone, zone) != 0)
		die("--zone: '%s' is not a zone such as Z, +01:00 or Europe/Berlin", zone);
	plan(&conversion, paths);
	if (writer_of(conversion.to.entry)->makes_archive) {
		if (cli.output == NULL)
			die("--to %s writes an archive: it needs -o PATH", to);
	} else if (out_open(&out, cli.output, &err) != 0) {
		die("%s", err.msg);
	}
	if (conversion_run(&conversion, paths, zone != NULL ? &in_zone : NULL, out, cli.output,
			   &result, &err) != 0) {
		struct err why;

		if (out != NULL && out_failed(out)) {
			if (out_close(out, false, &why) != 0 && why.msg[0] != '\0')
				die("%s", why.msg);
			return EXIT_TROUBLE;
		}
		die("%s", err.msg);
	}
	conversion_free(&conversion);
	if (zone != NULL && in_zone.has_ambiguous)
		warn("times lie in the hour that comes twice when clocks are put back: taken as "
		     "the "
		     "first one");
	whole = result.whole && !result.is_no;
	if (out_close(out, whole, &err) != 0) {
		if (err.msg[0] != '\0')
			die("%s", err.msg);
		return EXIT_TROUBLE;
	}
	return cli_finish(!result.whole ? EXIT_TROUBLE : result.is_no ? EXIT_NO : EXIT_YES);
}
