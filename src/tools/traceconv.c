/* traceconv.c - from the formats of others into our streams, and back */
#include <stdlib.h>
#include <string.h>

#include "convert/convert.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/zone.h"
#include "formats/in.h"
#include "formats/out.h"

static const char *from, *to, *zone, *at, *between, *since, *until;
static struct cli_list filter_texts;

static const struct option_def options[] = {
	OPT_PICK('F', "from", &from, "FORMAT", &readers,
		 "The format of the input. It may be omitted, or auto, which reports what was"
		 " found, if the content identifies it by a magic number or a unique first line."),
	OPT_PICK('T', "to", &to, "FORMAT", &writers, "The output's format; else by its ending."),
	OPT_PICKS('f', "filter", &filter_texts, "FILTER", &filters,
		  "Change rows during conversion. Several filters are applied in the "
		  "order given."),
	OPT_TEXT(0, "zone", &zone, "ZONE",
		 "The time zone of times without one: Z, UTC, +01:00, or a name such as "
		 "Europe/Berlin. Default: such times are refused."),
	OPT_TEXT(0, "at", &at, "TIME",
		 "From jobs, derive the states of their nodes at this time: a last -f at."),
	OPT_TEXT(0, "between", &between, "FROM,TO",
		 "Keep the jobs that waited or ran between two times: a first -f between."),
	OPT_TEXT(0, "since", &since, "TIME", "Record since when the rows are, as ##since=."),
	OPT_TEXT(0, "until", &until, "TIME", "Record until when they are, as ##until=."),
	{0}};

static const char *const usage[] = {
	"--from FORMAT --to FORMAT [-f FILTER]… [--zone ZONE] [--at TIME] [--between FROM,TO] "
	"[--since TIME] [--until TIME] [FILE…]",
	"--list", NULL};
static const struct registry *const registries[] = {&readers, &writers, &filters, NULL};

static const struct tool tool = {
	.name = "traceconv",
	.summary = "convert traces, profiles, job logs and maps of other tools to "
		   "streams, and back",
	.usage = usage,
	.options = options,
	.common = CLI_PARTIAL | CLI_STRICT,
	.registries = registries,
	.list_more = conversion_list,
	.max_operands = -1,
};

/* Whether --from says that the content decides. */
static bool is_auto(void)
{
	return from != NULL && str_eq(from, "auto");
}

/* FROM,TO as the filter that it represents; either may be empty. NULL: not given. */
static char *between_pick(void)
{
	const char *end;
	int n;

	if (between == NULL)
		return NULL;
	n = (int)strcspn(between, ",");
	end = between[n] == ',' ? between + n + 1 : "";
	return xasprintf("between:%s%.*s%s%s%s", n > 0 ? "from=" : "", n, between,
			 n > 0 && *end != '\0' ? "," : "", *end != '\0' ? "to=" : "", end);
}

static int plan(struct conversion *conversion, char *const *paths, struct err *err)
{
	const char **texts = xcalloc((size_t)filter_texts.n + 2, sizeof(*texts));
	char *between_text = between_pick();
	char *at_text = at != NULL ? xasprintf("at:time=%s", at) : NULL;
	int n = 0, status;

	if (between_text != NULL)
		texts[n++] = between_text;
	for (int i = 0; i < filter_texts.n; i++)
		texts[n++] = filter_texts.at[i];
	if (at_text != NULL)
		texts[n++] = at_text;
	status = conversion_plan(conversion, is_auto() ? NULL : from, to, texts, n, paths, err);
	if (status == 0) {
		char *text = conversion_text(conversion);

		if (is_auto())
			warn("%s: read as %s", paths[0], conversion->from.entry->name);
		say("%s: %s", paths[0], text);
		free(text);
	}
	free(at_text);
	free(between_text);
	free(texts);
	return status;
}

/* None for a writer of archives, which makes its own files. */
static int open_output(struct out **out, const struct run_context *context,
		       const struct conversion *conversion, struct err *err)
{
	if (!writer_of(conversion->to.entry)->makes_archive)
		return out_open(out, context->output, context->command, err);
	if (context->output == NULL)
		return err_set(err, "--to %s writes an archive: it needs -o PATH", to);
	return 0;
}

static int run(const struct run_context *context, char **operands, struct err *err)
{
	struct zone in_zone = {0};
	struct reader_input input = {.paths = in_paths(operands),
				     .zone = zone != NULL ? &in_zone : NULL,
				     .accepts_partial = context->accepts_partial,
				     .is_strict = context->is_strict,
				     .since = since,
				     .until = until};
	struct conversion conversion;
	struct conversion_result result = {0};
	struct out *out = NULL;
	int status;

	if (to == NULL && (to = registry_of_file(&writers, context->output, NULL)) == NULL)
		return err_set(err, "--to is missing: what to write; see --list");
	if (zone != NULL && zone_parse(&in_zone, zone) != 0)
		return err_set(err, "--zone: '%s' is not a zone such as Z, +01:00 or Europe/Berlin",
			       zone);
	if (plan(&conversion, input.paths, err) != 0)
		return -1;
	status = open_output(&out, context, &conversion, err);
	if (status == 0)
		status = conversion_run(&conversion, &input, out, context->output, &result, err);
	if (status == 0 && zone != NULL && in_zone.has_ambiguous)
		warn("times are in the hour that comes twice when clocks "
		     "are put back: taken as the first one");
	status = out_finish(out, status, result.whole && !result.is_no, err);
	conversion_free(&conversion);
	if (status != 0)
		return -1;
	return !result.whole ? EXIT_TROUBLE : result.is_no ? EXIT_NO : EXIT_YES;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
