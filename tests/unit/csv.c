/* csv.c - the CSV reader against a reader of one byte at a time, on all scan variants */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "formats/csv.h"
#include "formats/csv_scan.h"

static int nfailed;

#define CHECK(condition, ...)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			nfailed++;                                                                 \
			printf("%s:%d: ", __FILE__, __LINE__);                                     \
			printf(__VA_ARGS__);                                                       \
			printf("\n");                                                              \
		}                                                                                  \
	} while (0)

/* A cheap sequence of numbers, good enough to pick bytes. */
static uint64_t state = 1;
static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(state >> 33) % n;
}

/* Every variant finds the bounds that a loop over bytes finds. */
static void check_scan(csv_scan_fn *scan, const char *name, const char *line, const int *bounds,
		       int nbounds)
{
	const char *at[64] = {0}, *wanted[64] = {0}, *end = strchr(line, '\n');
	int nfields = 1;
	bool is_quoted = false;
	struct csv_scan got;

	for (int i = 0; i < nbounds; i++)
		if (bounds[i] == 0)
			wanted[i] = line;
	for (const char *p = line; p <= end; p++) {
		is_quoted |= *p == '"';
		if (*p != ',' && p != end)
			continue;
		for (int i = 0; i < nbounds; i++)
			if (bounds[i] == nfields)
				wanted[i] = p + 1;
		nfields += p != end;
	}
	got = scan(line, bounds, nbounds, at);
	CHECK(got.end == end, "%s: the end is elsewhere", name);
	CHECK(got.nfields == nfields, "%s: %d fields, not %d", name, got.nfields, nfields);
	CHECK(got.is_quoted == is_quoted, "%s: quotes", name);
	for (int i = 0; i < nbounds; i++)
		CHECK(at[i] == wanted[i], "%s: bound %d of field %d", name, i, bounds[i]);
}

static void test_scan(void)
{
	static const char alphabet[] = ",,,01234567890123456789abc.\"\xac\x8a\x2d\x00";
	static char text[1024 + CSV_PAD];

	for (int round = 0; round < 20000; round++) {
		int n = (int)draw(round % 2 ? 40 : 900), nbounds = 0, bounds[64];
		const char *name;

		memset(text, '\n', sizeof(text));
		for (int i = 0; i < n; i++)
			text[i] = alphabet[draw(sizeof(alphabet) - (round % 3 == 0))];
		for (int field = 0; nbounds < 60 && field < 200; field++)
			if (draw(5) == 0)
				bounds[nbounds++] = field;
		for (int i = 0; i < CSV_SCAN_VARIANTS; i++) {
			csv_scan_fn *scan = csv_scan_variant(i, &name);

			if (scan != NULL && memchr(text, '\0', (size_t)n) == NULL)
				check_scan(scan, name, text, bounds, nbounds);
		}
	}
}

/* Writes text to a file and gives its name, which lives until the next call. */
static const char *file_of(const char *text, size_t n)
{
	static char name[] = "/tmp/csv-unit-XXXXXX";
	FILE *file;

	memcpy(name + sizeof(name) - 7, "XXXXXX", 6);
	file = fdopen(mkstemp(name), "w");
	fwrite(text, 1, n, file);
	fclose(file);
	return name;
}

/* All rows as "a|b|;…", "-" for a field that is not there, "!" behind a cut line. */
static void read_all(const char *text, size_t n, const int *columns, int ncolumns, struct buf *all)
{
	const char *name = file_of(text, n);
	struct csv_row row;
	struct err err = {""};
	struct csv *csv;
	int status;

	buf_clear(all);
	if (csv_open(&csv, name, &err) != 0) {
		CHECK(false, "%s", err.msg);
		return;
	}
	csv_want(csv, columns, ncolumns);
	while ((status = csv_next(csv, &row, &err)) == 1) {
		buf_printf(all, "%ld/%d:", row.lineno, row.nfields);
		for (int i = 0; i < ncolumns; i++) {
			if (row.cells[i].text == NULL)
				buf_char(all, '-');
			else
				buf_add(all, row.cells[i].text, row.cells[i].n);
			buf_char(all, '|');
		}
		buf_str(all, row.is_cut ? "!;" : ";");
	}
	CHECK(status == 0, "%s", err.msg);
	csv_close(csv);
	unlink(name);
}

static void expect(const char *text, const int *columns, int ncolumns, const char *wanted)
{
	struct buf all = {0};

	read_all(text, strlen(text), columns, ncolumns, &all);
	CHECK(str_eq(buf_text(&all), wanted), "'%s' gives %s, not %s", text, buf_text(&all),
	      wanted);
	buf_free(&all);
}

static void test_rows(void)
{
	static const int some[] = {0, 2, 3};

	expect("", some, 3, "");
	expect("a,b,c,d,e\nf,g,h,i\n", some, 3, "1/5:a|c|d|;2/4:f|h|i|;");
	expect("a,b,c,d\r\n\r\nx", some, 3, "1/4:a|c|d|;2/1:|-|-|;3/1:x|-|-|!;");
	expect("a,b\n,,\n,,,", some, 3, "1/2:a|-|-|;2/3:||-|;3/4:|||!;");
	expect("\"a\",\"b,b\",\"c\"\"c\",d\n", some, 3, "1/4:a|c\"c|d|;");
	expect("\"a,b\nc,d,e,\"f\"\n", some, 3, "1/1:a,b|-|-|;2/4:c|e|f|;");
	expect("a\"b,c,d\"e,\"f\"g\n", some, 3, "1/4:a\"b|d\"e|fg|;");
}

/* Lines longer than a block, and blocks that end anywhere in a line. */
static void test_blocks(void)
{
	static const int columns[] = {1, 40};
	struct buf text = {0}, wanted = {0}, all = {0};

	for (int line = 1; line <= 3000; line++) {
		int n = line == 1500 ? 2500000 : (int)draw(2000);

		buf_printf(&text, "%d,%d", line, line * 7);
		for (int i = 2; i < 50; i++)
			buf_printf(&text, ",%d", i * line);
		for (int i = 0; i < n; i++)
			buf_char(&text, 'x');
		buf_str(&text, "\n");
		buf_printf(&wanted, "%d/50:%d|%d|;", line, line * 7, 40 * line);
	}
	read_all(text.text, text.n, columns, 2, &all);
	CHECK(str_eq(buf_text(&all), buf_text(&wanted)), "long lines or blocks");
	buf_free(&text);
	buf_free(&wanted);
	buf_free(&all);
}

static void test_split(void)
{
	static const char line[] = "#Time,\"a \"\"b\"\", c\",,traffic_000 (B)";
	static const char *const wanted[] = {"#Time", "a \"b\", c", "", "traffic_000 (B)"};
	struct arena arena = {0};
	char **fields;
	int n = csv_split(line, sizeof(line) - 1, &arena, &fields);

	CHECK(n == 4, "%d fields", n);
	for (int i = 0; i < n && i < 4; i++)
		CHECK(str_eq(fields[i], wanted[i]), "field %d is '%s'", i, fields[i]);
	arena_free(&arena);
}

int main(void)
{
	test_scan();
	test_rows();
	test_blocks();
	test_split();
	return nfailed != 0;
}
