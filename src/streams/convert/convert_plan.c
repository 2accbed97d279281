/* convert_plan.c - which reader, kind, filters and writer a conversion goes through */
#include <stdlib.h>
#include <string.h>

#include "convert/convert.h"
#include "base/str.h"
#include "formats/in.h"

/* kinds NULL: any. */
static bool takes(const struct table_kind *const *kinds, const struct table_kind *kind)
{
	if (kinds == NULL)
		return true;
	for (; *kinds != NULL; kinds++)
		if (*kinds == kind)
			return true;
	return false;
}

/* The first bridge from a kind to one of those expected; NULL: none. */
static const struct filter *find_bridge(const struct table_kind *kind,
					const struct table_kind *const *wanted)
{
	for (int i = 0; i < filters.n; i++) {
		const struct filter *filter = filter_of(filters.entries[i]);

		if (filter->is_bridge && takes(filter->takes, kind) && takes(wanted, filter->makes))
			return filter;
	}
	return NULL;
}

/* A way of kinds through given filters to a writer. */
struct way {
	const struct pick *filters; /* [nfilters] */
	int nfilters;
	const struct filter **bridges; /* [nfilters + 1]: before each filter, and before the writer;
					  NULL: none */
	int nbridges;
};

static bool find_way(struct way *way, const struct table_kind *kind, const struct writer *writer)
{
	way->nbridges = 0;
	for (int i = 0; i <= way->nfilters; i++) {
		const struct filter *filter =
			i < way->nfilters ? filter_of(way->filters[i].entry) : NULL;
		const struct table_kind *const *wanted =
			filter != NULL ? filter->takes : writer->takes;

		way->bridges[i] = NULL;
		if (!takes(wanted, kind)) {
			way->bridges[i] = find_bridge(kind, wanted);
			if (way->bridges[i] == NULL)
				return false;
			kind = way->bridges[i]->makes;
			way->nbridges++;
		}
		if (filter != NULL && filter->makes != NULL)
			kind = filter->makes;
	}
	return true;
}

/* The first of the reader's kinds with the fewest bridges; NULL: there is no path at all. */
static const struct table_kind *best_kind(struct way *way, const struct reader *reader,
					  const struct writer *writer)
{
	const struct table_kind *best = NULL;
	int nbridges = 0;

	for (int i = 0; reader->makes[i] != NULL; i++)
		if (find_way(way, reader->makes[i], writer) &&
		    (best == NULL || way->nbridges < nbridges)) {
			best = reader->makes[i];
			nbridges = way->nbridges;
		}
	return best;
}

static void list_kinds(struct buf *text, const struct table_kind *const *kinds)
{
	for (int i = 0; kinds[i] != NULL; i++)
		buf_printf(text, "%s%s", i ? ", " : "", kinds[i]->name);
}

static int no_way(const struct conversion *conversion, struct err *err)
{
	struct buf made_kinds = {0}, taken_kinds = {0};

	list_kinds(&made_kinds, reader_of(conversion->from.entry)->makes);
	list_kinds(&taken_kinds, writer_of(conversion->to.entry)->takes);
	err_set(err, "no conversion from %s (which makes %s) to %s (which takes %s)%s; see --list",
		conversion->from.entry->name, buf_text(&made_kinds), conversion->to.entry->name,
		buf_text(&taken_kinds), conversion->filters.n > 0 ? " through these filters" : "");
	buf_free(&made_kinds);
	buf_free(&taken_kinds);
	return -1;
}

/* Which reader's format the content is, for sure; NULL: none. */
static const struct entry *prove(const char *head, size_t n)
{
	for (int i = 0; i < readers.n; i++) {
		const struct reader *reader = reader_of(readers.entries[i]);

		if (reader->is_proof != NULL && reader->is_proof(head, n))
			return readers.entries[i];
	}
	return NULL;
}

static int is_empty(const char *path, struct err *err)
{
	return err_set(err, "%s: is empty", str_eq(path, "-") ? "standard input" : path);
}

/* As after a pipe that failed. What can't be opened is the reader's to report. */
static int check_empty(char *const *paths, struct err *err)
{
	struct err unread = {0};
	char head[2];
	size_t n;

	for (; *paths != NULL; paths++)
		if (in_head(*paths, head, 1, &n, &unread) == 0 && n == 0)
			return is_empty(*paths, err);
	return 0;
}

static int pick_reader(struct conversion *conversion, const char *from, char *const *paths,
		       struct err *err)
{
	const char *path = paths[0];
	char head[READER_HEAD + 1];
	const struct entry *entry;
	size_t n;

	if (from != NULL) {
		if (pick_parse(&conversion->from, &readers, from, err) != 0)
			return err_prefix(err, "--from: ");
		return reader_of(conversion->from.entry)->sees_empty ? 0 : check_empty(paths, err);
	}
	if (in_head(path, head, READER_HEAD, &n, err) != 0)
		return -1;
	if (n == 0)
		return is_empty(path, err);
	entry = prove(head, n);
	if (entry == NULL)
		return err_set(err, "%s: the content does not prove its format: say it with --from",
			       str_eq(path, "-") ? "standard input" : path);
	return pick_parse(&conversion->from, &readers, entry->name, err);
}

/* Puts the bridges among the filters that were given. */
static int join_filters(struct conversion *conversion, struct way *way, struct err *err)
{
	for (int i = 0; i <= way->nfilters; i++) {
		struct pick pick;

		if (way->bridges[i] != NULL) {
			if (pick_parse(&pick, &filters, way->bridges[i]->entry.name, err) != 0)
				return -1;
			vec_push(&conversion->filters, pick);
		}
		if (i < way->nfilters)
			vec_push(&conversion->filters, way->filters[i]);
	}
	return 0;
}

static int find_path(struct conversion *conversion, struct err *err)
{
	struct way way = {conversion->filters.at, (int)conversion->filters.n, NULL, 0};
	const struct writer *writer = writer_of(conversion->to.entry);
	int status;

	way.bridges = xcalloc((size_t)way.nfilters + 1, sizeof(struct filter *));
	conversion->kind = best_kind(&way, reader_of(conversion->from.entry), writer);
	if (conversion->kind == NULL) {
		free(way.bridges);
		return no_way(conversion, err);
	}
	find_way(&way, conversion->kind, writer);
	conversion->filters.at = NULL;
	conversion->filters.n = conversion->filters.cap = 0;
	status = join_filters(conversion, &way, err);
	free((struct pick *)way.filters);
	free(way.bridges);
	return status;
}

static int plan(struct conversion *conversion, const char *from, const char *to,
		const char *const *filter_texts, int nfilters, char *const *paths, struct err *err)
{
	if (pick_parse(&conversion->to, &writers, to, err) != 0)
		return err_prefix(err, "--to: ");
	for (int i = 0; i < nfilters; i++) {
		struct pick pick;

		if (pick_parse(&pick, &filters, filter_texts[i], err) != 0)
			return err_prefix(err, "--filter: ");
		vec_push(&conversion->filters, pick);
	}
	if (pick_reader(conversion, from, paths, err) != 0)
		return -1;
	return find_path(conversion, err);
}

int conversion_plan(struct conversion *conversion, const char *from, const char *to,
		    const char *const *filter_texts, int nfilters, char *const *paths,
		    struct err *err)
{
	*conversion = (struct conversion){0};
	if (plan(conversion, from, to, filter_texts, nfilters, paths, err) == 0)
		return 0;
	conversion_free(conversion);
	return -1;
}

void conversion_free(struct conversion *conversion)
{
	pick_free(&conversion->from);
	pick_free(&conversion->to);
	for (size_t i = 0; i < conversion->filters.n; i++)
		pick_free(&conversion->filters.at[i]);
	vec_free(&conversion->filters);
	*conversion = (struct conversion){0};
}

char *conversion_text(const struct conversion *conversion)
{
	struct buf text = {0};
	const struct table_kind *kind = conversion->kind;

	buf_printf(&text, "%s -> %s", conversion->from.entry->name, kind->name);
	for (size_t i = 0; i < conversion->filters.n; i++) {
		const struct filter *filter = filter_of(conversion->filters.at[i].entry);

		buf_printf(&text, " -> %s", filter->entry.name);
		if (filter->makes != NULL && filter->makes != kind) {
			kind = filter->makes;
			buf_printf(&text, " -> %s", kind->name);
		}
	}
	buf_printf(&text, " -> %s", conversion->to.entry->name);
	return text.text;
}

/* ---- --list ---- */

/* A filter that changes the kind, but only when it is asked for: it leads where no other
 * way does. */
static const struct filter *find_filter(const struct reader *reader, const struct writer *writer)
{
	for (int i = 0; i < filters.n; i++) {
		const struct filter *filter = filter_of(filters.entries[i]);

		for (int k = 0; filter->makes != NULL && reader->makes[k] != NULL; k++)
			if (takes(filter->takes, reader->makes[k]) &&
			    takes(writer->takes, filter->makes))
				return filter;
	}
	return NULL;
}

static void list_pair(FILE *out, const struct reader *reader, const struct writer *writer)
{
	const struct filter *bridge = NULL;
	struct way way = {NULL, 0, &bridge, 0};
	const struct table_kind *kind = best_kind(&way, reader, writer);

	if (kind != NULL) {
		find_way(&way, kind, writer);
		fprintf(out, "  %-17s %-17s through %s", reader->entry.name, writer->entry.name,
			kind->name);
		if (bridge != NULL)
			fprintf(out, " and %s", bridge->makes->name);
		fputc('\n', out);
		return;
	}
	bridge = find_filter(reader, writer);
	if (bridge != NULL)
		fprintf(out, "  %-17s %-17s through %s, with -f %s\n", reader->entry.name,
			writer->entry.name, bridge->makes->name, bridge->entry.example);
}

void conversion_list(FILE *out)
{
	fprintf(out, "\nconversions (--from, --to):\n");
	for (int i = 0; i < readers.n; i++)
		for (int j = 0; j < writers.n; j++)
			list_pair(out, reader_of(readers.entries[i]),
				  writer_of(writers.entries[j]));
}
