/* table.c - reading and writing of streams: what is kept, what is refused, what is noticed */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/die.h"
#include "formats/table.h"
#include "model/kinds.h"

static int nfailed;

static void check(bool good, const char *what, const char *got)
{
	if (!good) {
		printf("failed: %s: %s\n", what, got);
		nfailed++;
	}
}

static char *write_file(const char *text)
{
	static char path[2][64];
	static int n;
	char *name = path[n++ % 2];
	FILE *file;

	snprintf(name, sizeof(path[0]), "/tmp/table-test-%d-%d", (int)getpid(), n % 2);
	file = fopen(name, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
	return name;
}

/* Passes the streams a and b (may be NULL) through a filter that appends column x; returns what it
 * wrote, or the message. */
static const char *filter(const char *a, const char *b, bool *whole)
{
	static char text[8192];
	const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	char *paths[3] = {write_file(a), b != NULL ? write_file(b) : NULL, NULL};
	char output[64];
	struct table_in *in;
	struct table_out *table;
	struct out *out;
	struct row row;
	struct err err;
	int status, column;
	FILE *file;
	size_t n;

	snprintf(output, sizeof(output), "/tmp/table-test-%d-out", (int)getpid());
	if (table_open(&in, kinds, paths, false, &err) != 0) {
		snprintf(text, sizeof(text), "%s", err.msg + strlen("/tmp/"));
		return text;
	}
	table_unique(in);
	if (out_open(&out, output, NULL, &err) != 0)
		abort();
	table = table_out_new(out, &kind_jobs);
	table_out_like(table, in);
	table_out_meta(table, "seed", "7");
	column = table_out_column(table, "x");
	while ((status = table_next(in, &row, &err)) == 1) {
		table_out_pass(table, &row);
		table_out_int(table, column, row.line);
		table_out_emit(table);
	}
	*whole = status == 0 && table_is_whole(in);
	table_out_end(table, *whole);
	table_close(in);
	if (out_close(out, true, &err) != 0)
		abort();
	if (status < 0) {
		snprintf(text, sizeof(text), "%s", err.msg + strlen("/tmp/"));
		return text;
	}
	file = fopen(output, "r");
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	unlink(output);
	return text;
}

static void expect(const char *what, const char *a, const char *b, bool want_whole,
		   const char *want)
{
	bool whole = false;
	const char *got = filter(a, b, &whole);

	check(strcmp(got, want) == 0, what, got);
	check(whole == want_whole, what, whole ? "whole" : "cut");
}

static void expect_refused(const char *what, const char *a, const char *want)
{
	bool whole = false;
	const char *got = filter(a, NULL, &whole);

	check(strstr(got, want) != NULL, what, got);
}

#define HEAD "##placetools=jobs/1 end=yes\n"
#define OUT "##placetools=jobs/1 end=yes\n"

static void test_passing(void)
{
	expect("columns that are not known stay in place", HEAD "job\tq\tnodes\n1\tz\t3\n##end\n",
	       NULL, true, OUT "##seed=7\njob\tq\tnodes\tx\n1\tz\t3\t3\n##end\n");
	expect("a column of its own is replaced in place", HEAD "x\tjob\tnodes\n9\t1\t3\n##end\n",
	       NULL, true, OUT "##seed=7\nx\tjob\tnodes\n3\t1\t3\n##end\n");
	expect("## lines are carried on, once, and its own replaces the input's",
	       HEAD "##a=1\n##seed=1\n##a=1\njob\tnodes\n1\t3\n##b=2\n##end\n", NULL, true,
	       OUT "##a=1\n##seed=7\njob\tnodes\tx\n1\t3\t6\n##b=2\n##end\n");
	expect("two files are one stream", HEAD "job\tnodes\n1\t3\n##end\n",
	       HEAD "job\tnodes\n2\t4\n##end\n", true,
	       OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n2\t4\t3\n##end\n");
	expect("an end may come before the rows", HEAD "##end\njob\tnodes\n1\t3\n", NULL, true,
	       OUT "##seed=7\njob\tnodes\tx\n1\t3\t4\n##end\n");
	expect("no column line: an empty table", HEAD "##end\n", NULL, true,
	       OUT "##seed=7\n##end\n");
	expect("a table made by hand needs no end", "##placetools=jobs/1\njob\tnodes\n1\t3", NULL,
	       true, OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n##end\n");
	expect("a carriage return is not a part of a cell", HEAD "job\tnodes\r\n1\t3\r\n##end\r\n",
	       NULL, true, OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n##end\n");
}

static void test_cut(void)
{
	die_set_quiet(true);
	expect("cut between rows", HEAD "job\tnodes\n1\t3\n", NULL, false,
	       OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n");
	expect("cut within a row, which is dropped", HEAD "job\tnodes\n1\t3\n2", NULL, false,
	       OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n");
	expect("the first of two cut", HEAD "job\tnodes\n1\t3\n", HEAD "job\tnodes\n2\t3\n##end\n",
	       false, OUT "##seed=7\njob\tnodes\tx\n1\t3\t3\n2\t3\t3\n");
	die_set_quiet(false);
}

static void test_refused(void)
{
	expect_refused("no first line", "job\tnodes\n1\t3\n", ":1: is not a placetools stream");
	expect_refused("empty", "",
		       ": is empty: expected a first line such as ##placetools=jobs/1");
	expect_refused("another kind", "##placetools=nodes/1\n", ":1: holds 'nodes'");
	expect_refused("another version", "##placetools=jobs/2\n",
		       ":1: is jobs/2, expected version 1");
	expect_refused("a column is missing", HEAD "job\n", ":2: has no column 'nodes'");
	expect_refused("a column twice", HEAD "job\tnodes\tjob\n",
		       ":2: the column 'job' is there twice");
	expect_refused("a cell too many", HEAD "job\tnodes\n1\t2\t3\n",
		       ":3: has 3 cells, expected 2 columns");
	expect_refused("a cell too few", HEAD "job\tnodes\n1\n", ":3: has 1 cells");
	expect_refused("an empty cell", HEAD "job\tnodes\n\t1\n", ":3: job: an empty cell");
	expect_refused("a missing value", HEAD "job\tnodes\n1\t.\n",
		       ":3: nodes: the value is missing");
	expect_refused("junk", HEAD "job\tnodes\n1\t2x\n", ":3: nodes: '2x' is not a whole number");
	expect_refused("too small", HEAD "job\tnodes\n1\t0\n",
		       ":3: nodes: '0' is not a whole number");
	expect_refused("NaN", HEAD "job\tnodes\tmpi_s\n1\t2\tnan\n",
		       ":3: mpi_s: 'nan' is not a number");
	expect_refused("a key twice", HEAD "job\tnodes\n1\t2\n1\t3\n", ":4: '1' is there twice");
	expect_refused("another column line", HEAD "job\tnodes\n1\t2\njob\tbytes\n",
		       ":4: nodes: 'bytes'");
	expect_refused("an unknown yes", HEAD "job\tnodes\tsubmit_s\n1\t2\t1e3\n",
		       ":3: submit_s: '1e3'");
}

int main(void)
{
	test_passing();
	test_cut();
	test_refused();
	unlink(write_file(""));
	unlink(write_file(""));
	return nfailed != 0;
}
