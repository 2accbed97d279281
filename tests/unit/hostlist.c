/* hostlist.c - node lists: expansion, folding, both ways back, and what is refused */
#include "formats/hostlist.h"

#include <stdio.h>
#include <string.h>

static int nfailed;

static void check_text(const char *what, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) != 0) {
		printf("failed: %s: got '%s', wanted '%s'\n", what, got, wanted);
		nfailed++;
	}
}

static int join(void *context, const char *name, size_t n, struct err *err)
{
	struct buf *names = context;

	(void)err;
	if (names->n > 0)
		buf_char(names, ',');
	buf_add(names, name, n);
	return 0;
}

static int fold(void *context, const char *name, size_t n, struct err *err)
{
	(void)err;
	hostlist_add(context, name, n);
	return 0;
}

static int64_t count_commas(const char *names)
{
	int64_t n = *names != '\0';

	for (; *names != '\0'; names++)
		n += *names == ',';
	return n;
}

static void check_expansion(const char *text, const char *wanted)
{
	struct buf names = {0};
	struct err err = {""};

	if (hostlist_walk(text, join, &names, &err) != 0)
		check_text(text, err.msg, wanted);
	else
		check_text(text, buf_text(&names), wanted);
	if (hostlist_count(text) != count_commas(wanted) && err.msg[0] == '\0')
		check_text(text, "is counted wrongly", wanted);
	buf_free(&names);
}

/* Folding the expansion gives wanted, and expanding that gives the same names again. */
static void check_folding(const char *text, const char *wanted)
{
	struct hostlist list = {0};
	struct buf first = {0}, again = {0};
	struct err err = {""};

	if (hostlist_walk(text, fold, &list, &err) != 0)
		check_text(text, err.msg, wanted);
	check_text(text, hostlist_text(&list), wanted);
	hostlist_walk(text, join, &first, &err);
	hostlist_walk(hostlist_text(&list), join, &again, &err);
	check_text("names of the folded list", buf_text(&again), buf_text(&first));
	buf_free(&first);
	buf_free(&again);
	hostlist_free(&list);
}

static void check_refusal(const char *text, const char *part)
{
	struct buf names = {0};
	struct err err = {""};

	if (hostlist_walk(text, join, &names, &err) == 0)
		check_text(text, "(accepted)", part);
	else if (strstr(err.msg, part) == NULL)
		check_text(text, err.msg, part);
	buf_free(&names);
}

/* Flux RFC 29, section Test Vectors, all of them. */
static void rfc29(void)
{
	check_expansion("", "");
	check_expansion("foox,fooy,fooz", "foox,fooy,fooz");
	check_expansion("[1-3,5-6]", "1,2,3,5,6");
	check_expansion("foo[1-5]", "foo1,foo2,foo3,foo4,foo5");
	check_expansion("foo[0-4]-eth2", "foo0-eth2,foo1-eth2,foo2-eth2,foo3-eth2,foo4-eth2");
	check_expansion("foo1,foo1,foo1", "foo1,foo1,foo1");
	check_expansion("[00-02]", "00,01,02");
	check_expansion("[00-2]", "00,01,02");
	check_expansion("foo[1,1,2,1]", "foo1,foo1,foo2,foo1");
}

static void ours(void)
{
	/* as Slurm: each element pads as it is written (RFC 29 would make the last nid00001) */
	check_expansion("nid[00001-00003,00020,1]", "nid00001,nid00002,nid00003,nid00020,nid1");
	check_expansion("n[9-11]", "n9,n10,n11");
	/* several brackets vary from the right, unlike Slurm 22.05 */
	check_expansion("x[0-1]b[0-1]", "x0b0,x0b1,x1b0,x1b1");
	check_expansion(" a,\tb\nc\r\n,d ", "a,b,c,d");
	check_expansion("a ,\n b", "a,b");
	check_refusal("a,,b", "a comma without a name");
	check_refusal("a, ,b", "a comma without a name");
	check_refusal(",a", "a comma without a name");
	check_refusal("a,", "a comma without a name");
	check_refusal("a[1-2], \n", "a comma without a name");
	check_refusal(",", "a comma without a name");
	check_folding("n1,n2,n3", "n[1-3]");
	check_folding("n1,n3,n2", "n[1,3,2]");
	check_folding("n9,n10,n11", "n[9-11]");
	check_folding("n09,n10,n11", "n[09-11]");
	check_folding("n99,n100,n0100", "n[99-100,0100]");
	check_folding("a,b2,b3,c", "a,b[2-3],c");
	check_folding("n1", "n1");
	check_folding("n1,m1,n2", "n1,m1,n2");
	check_folding("n1,n1", "n[1,1]");
	check_folding("1,2,3", "[1-3]");
	check_folding("n3,n4,n1", "n[3-4,1]");
	check_folding("r0-eth[0-1],r1-eth0", "r0-eth[0-1],r1-eth0");
	check_folding("n999999999999999999,n1000000000000000000",
		      "n999999999999999999,n1000000000000000000");
}

static void refused(void)
{
	char many[4096] = "n", deep[256] = "x";

	check_refusal("n[1-", "'[' without its ']'");
	check_refusal("n1]", "']' without its '['");
	check_refusal("n[]", "not a number or a range");
	check_refusal("n[a-b]", "not a number or a range");
	check_refusal("n[1--2]", "not a number or a range");
	check_refusal("n[1-2-3]", "not a number or a range");
	check_refusal("n[-1]", "not a number or a range");
	check_refusal("n[5-3]", "runs backwards");
	check_refusal("n[1,]", "not a number or a range");
	check_refusal("n[0-99999999]", "more than");
	check_refusal("n[0-9999]m[0-9999]", "more than");
	check_refusal("n[[1-2]]", "too many brackets");
	check_refusal("n[18446744073709551616]", "not a number or a range");
	check_refusal("n[99999999999999999999999]", "not a number or a range");
	for (int i = 0; i < 20; i++)
		strncat(deep, "[1-2]", sizeof(deep) - strlen(deep) - 1);
	check_refusal(deep, "too many brackets");
	memset(many + 1, 'x', 600);
	check_refusal(many, "letters");
}

/* A walk ends with the first name that is refused, and with its message. */
static int refuse_b(void *context, const char *name, size_t n, struct err *err)
{
	(void)n;
	++*(int *)context;
	return strcmp(name, "b") == 0 ? err_set(err, "no b") : 0;
}

int main(void)
{
	struct err err = {""};
	int ncalls = 0;

	rfc29();
	ours();
	refused();
	if (hostlist_walk("a,b,c", refuse_b, &ncalls, &err) != -1 || ncalls != 2)
		check_text("a refused name", "was passed", "ends the walk");
	check_text("the message", err.msg, "no b");
	return nfailed > 0;
}
