/* topo_build.c - names and node lists of machines, and machines made piece by piece */
#include <stdlib.h>
#include <unistd.h>

#include "machine/load.h"
#include "check.h"
#include "model/kinds.h"
#include "model/topo_build.h"
#include "model/topo_hash.h"
#include "model/topo_names.h"

static void check_patterns(void)
{
	static const char *const patterns[] = {"n%d",   "%d",          "n%05d",
					       "%02dx", "rack1-n%dib", "0%03d"};
	static const char *const bad[] = {"",     "n",      "n%",    "n%s",    "n%5d",  "n%00d",
					  "n%0d", "n%010d", "n%d%d", "n%d-%%", "a b%d", "a,%d",
					  "a#%d", "a[%d]",  "n%-3d", "n%ld",   "\t%d"};
	char text[TOPO_NAME];
	struct err err;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		struct name_counter counter;

		CHECK_INT(name_pattern_check(patterns[i], &err), 0);
		name_counter_start(&counter, patterns[i]);
		for (int number = 0; number < 120000; number++) {
			size_t n = name_pattern_print(patterns[i], number, text);

			if (n != counter.n || strcmp(text, counter.text) != 0 ||
			    name_pattern_find(patterns[i], 120000, text, n) != number)
				CHECK_TEXT(counter.text, text);
			name_counter_next(&counter);
		}
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_INT(name_pattern_check(bad[i], &err), -1);
}

static void check_find(void)
{
	static const struct {
		const char *pattern, *name;
		int wanted;
	} tries[] = {
		{"n%d", "n7", 7},
		{"n%d", "n07", -1},
		{"n%d", "n0", 0},
		{"n%d", "n00", -1},
		{"n%d", "n", -1},
		{"n%d", "m7", -1},
		{"n%d", "n7x", -1},
		{"n%d", "n-7", -1},
		{"n%d", "n+7", -1},
		{"n%d", "n99", 99},
		{"n%d", "n100", -1},
		{"n%d", "n4294967299", -1},
		{"n%d", "n99999999999999999999", -1},
		{"n%03d", "n007", 7},
		{"n%03d", "n7", -1},
		{"n%03d", "n0007", -1},
		{"n%01d", "n10", 10},
		{"%dib0", "7ib0", 7},
		{"%dib0", "7ib1", -1},
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++)
		CHECK_INT(name_pattern_find(tries[i].pattern, 100, tries[i].name,
					    strlen(tries[i].name)),
			  tries[i].wanted);
	CHECK(!name_is_good(".", 1));
	CHECK(!name_is_good("a\0b", 3));
	CHECK(name_is_good("é", 2));
	CHECK(!name_is_good("\xe9", 1));
	CHECK(!name_is_good("\xc0\xaf", 2));     /* "/", written longer than it is */
	CHECK(!name_is_good("\xc2\x85", 2));     /* a control character */
	CHECK(!name_is_good("\xed\xa0\x80", 3)); /* half of a surrogate pair */
}

static void check_node_lists(void)
{
	struct topo *topo;
	int_vec nodes = {0};
	struct buf text = {0};
	struct err err;

	CHECK_INT(topo_load(&topo, "ring:nodes=30,names=nid%03d", &err), 0);
	vec_push(&nodes, 5); /* of another list: may be named again */
	CHECK_INT(topo_nodelist_read(topo, "nid[007,005-006,020]", &nodes, &err), 0);
	CHECK_INT((int64_t)nodes.n, 5);
	CHECK(nodes.at[1] == 7 && nodes.at[2] == 5 && nodes.at[3] == 6 && nodes.at[4] == 20);
	topo_nodelist_add(topo, nodes.at + 1, 4, &text);
	CHECK_TEXT(buf_text(&text), "nid[007,005-006,020]");
	CHECK_INT(topo_nodelist_read(topo, "nid[003-005,002,004]", &nodes, &err), -1);
	CHECK_TEXT(err.msg, "the node 'nid004' is there twice in one list");
	CHECK_INT(topo_nodelist_read(topo, "nid[028-030]", &nodes, &err), -1);
	CHECK_TEXT(err.msg, "there is no node 'nid030' on this machine");
	CHECK_INT(topo_nodelist_read(topo, "nid5", &nodes, &err), -1);
	CHECK_INT(topo_nodelist_read(topo, "nid[", &nodes, &err), -1);
	free(nodes.at);
	buf_free(&text);
	topo_free(topo);
}

static int node(struct topo_build *build, const char *name)
{
	struct err err;

	return topo_build_node(build, name, strlen(name), &err);
}

static int router(struct topo_build *build, const char *name)
{
	struct err err;

	return topo_build_router(build, name, strlen(name), &err);
}

/* Nodes added before their routers and in any order, then sorted by router. */
static void check_sorting(void)
{
	struct topo_build *build = topo_build_new("small");
	int c = node(build, "c"), s2 = router(build, "s2"), a = node(build, "a"),
	    s1 = router(build, "s1"), b = node(build, "b"), level;
	struct topo *topo = NULL;
	char text[TOPO_NAME];
	struct err err;

	CHECK(topo_build_is_node(a) && !topo_build_is_node(s1));
	CHECK_INT(node(build, "a"), -1);
	CHECK_INT(router(build, "a"), -1);
	CHECK_INT(node(build, "x y"), -1);
	CHECK_INT(topo_build_link(build, a, a, LINK_TERMINAL, &err), -1);
	CHECK_INT(topo_build_link(build, a, b, LINK_TERMINAL, &err), -1);
	CHECK_INT(topo_build_link(build, a, s1, LINK_NODE, &err), -1);
	CHECK_INT(topo_build_link(build, c, s1, LINK_TERMINAL, &err), 0);
	CHECK_INT(topo_build_link(build, s2, a, LINK_TERMINAL, &err), 0);
	CHECK_INT(topo_build_link(build, b, s1, LINK_TERMINAL, &err), 0);
	CHECK_INT(topo_build_link(build, b, s2, LINK_TERMINAL, &err), 0);
	level = topo_build_level(build, "up", 2, &err);
	CHECK_INT(level, 2);
	CHECK_INT(topo_build_level(build, "up", 2, &err), 2);
	CHECK_INT(topo_build_level(build, "a:b", 3, &err), -1);
	CHECK_INT(topo_build_link(build, s1, s2, level, &err), 0);
	CHECK_INT(topo_build_ncables(build, b), 2);
	CHECK_INT(topo_build_ncables(build, s1), 3);
	topo_build_cores(build, 4);
	topo_build_node_cores(build, c, 9);
	topo_build_sort_nodes(build);
	CHECK_INT(topo_build_find(build, "a", 1), 0);
	CHECK_INT(topo_build_find(build, "nothing", 7), -1);
	CHECK_INT(topo_build_finish(&topo, build, &err), 0);
	CHECK_INT(topo->nnodes, 3);
	CHECK_TEXT(topo_node_name(topo, 0, text), "a"); /* of s2, the first router */
	CHECK_TEXT(topo_node_name(topo, 1, text), "c");
	CHECK_TEXT(topo_node_name(topo, 2, text), "b");
	CHECK(topo->router_of[0] == 0 && topo->router_of[1] == 1 && topo->router_of[2] == 1);
	CHECK(topo->cores_of[0] == 4 && topo->cores_of[1] == 9 && topo->cores_of[2] == 4);
	CHECK_INT(topo_graph(topo)->first[3] - topo_graph(topo)->first[2], 2);
	CHECK_INT(topo_graph(topo)->links[0].a, 1); /* c, where it is now */
	CHECK_INT(topo_router_find(topo, "s1", 2), 1);
	topo_free(topo);
}

static void check_refusals(void)
{
	struct topo_build *build = topo_build_new("x");
	struct topo *topo = NULL;
	struct err err;
	int a, r;

	CHECK_INT(topo_build_finish(&topo, build, &err), -1);
	CHECK_TEXT(err.msg, "there is no node");
	build = topo_build_new("x");
	node(build, "a");
	topo_build_sort_nodes(build);
	CHECK_INT(topo_build_finish(&topo, build, &err), -1);
	CHECK_TEXT(err.msg, "the node 'a' has no cable");
	build = topo_build_new("x");
	a = node(build, "a");
	r = router(build, "r");
	CHECK_INT(topo_build_link(build, r, a, LINK_TERMINAL, &err), 0);
	CHECK_INT(topo_build_tier(build, "group", 5, &err), 1);
	CHECK_INT(topo_build_tier(build, "group", 5, &err), -1);
	CHECK_INT(topo_build_domain(build, r, 1, "a,b", 3, &err), -1);
	CHECK_INT(topo_build_finish(&topo, build, &err), -1);
	CHECK_TEXT(err.msg, "the router 'r' has nodes but no group");
	topo_build_free(NULL);
	topo_free(NULL);
}

static void check_clean_names(void)
{
	static const char *const tries[][2] = {
		{"node12", "node12"},
		{"  miriel017 qib0", "miriel017"},
		{"a#b,[c]", "a_b__c_"},
		{"x.y-z_1", "x.y-z_1"},
		{"\x01z", "_z"},
		{"   ", ""},
		{"", ""},
	};
	char name[TOPO_NAME], large[1000];

	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		size_t n = topo_clean_name(tries[i][0], strlen(tries[i][0]), name);

		CHECK_TEXT(name, tries[i][1]);
		CHECK_INT((int64_t)n, (int64_t)strlen(tries[i][1]));
	}
	memset(large, 'x', sizeof(large));
	CHECK_INT((int64_t)topo_clean_name(large, sizeof(large), name), TOPO_NAME - 1);
}

/* A stream in a folder of its own that names its machine. */
static int resolve(struct topo **topo, const char *given, const char *meta, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	char *paths[] = {"topo_build_test/jobs.tsv", NULL};
	FILE *file = fopen(paths[0], "w");
	struct table_in *in;
	int status;

	fprintf(file, "##placetools=jobs/1\n%s%s\njob\tnodes\n",
		meta ? "##topology=" : "##x=", meta ? meta : "");
	fclose(file);
	CHECK_INT(table_open(&in, kinds, paths, false, err), 0);
	status = topo_resolve(topo, given, in, err);
	table_close(in);
	return status;
}

static void check_resolved(const char *given, const char *meta, int nnodes)
{
	struct topo *topo = NULL;
	struct err err = {""};

	CHECK_INT(resolve(&topo, given, meta, &err), nnodes > 0 ? 0 : -1);
	CHECK_INT(topo != NULL ? topo->nnodes : 0, nnodes);
	CHECK_INT(err.msg[0] != '\0', nnodes == 0);
	topo_free(topo);
}

/* -t, then what the stream says (relative to its folder), then the variable. */
static void check_resolving(void)
{
	char ring4[TOPO_HASH_TEXT], folder[] = "/tmp/placetools-XXXXXX", *meta;
	struct topo *topo;
	struct err err;
	FILE *file;

	CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
	CHECK_INT(topo_load(&topo, "ring:nodes=4", &err), 0);
	topo_hash_text(topo->hash, ring4);
	topo_free(topo);
	CHECK_INT(system("mkdir topo_build_test"), 0);
	file = fopen("topo_build_test/m.yaml", "w");
	fputs("placetools: topology/1\ntopology: ring\nparameters: {nodes: 4}\n", file);
	fclose(file);

	unsetenv("PLACETOOLS_TOPOLOGY");
	check_resolved(NULL, NULL, 0);
	check_resolved("line:nodes=9", NULL, 9);
	setenv("PLACETOOLS_TOPOLOGY", "line:nodes=5", 1);
	check_resolved(NULL, NULL, 5);
	meta = xasprintf("m.yaml %s", ring4);
	check_resolved(NULL, meta, 4);
	check_resolved("topo_build_test/m.yaml", meta, 4);
	check_resolved("ring:nodes=4,bandwidth=1GB/s", meta, 4);
	check_resolved("ring:nodes=5", meta, 0); /* another machine */
	free(meta);
	meta = xasprintf("ring:nodes=4 %s", ring4);
	check_resolved(NULL, meta, 4);
	free(meta);
	check_resolved(NULL, "m.yaml 0123456789abcdef", 0);
	check_resolved(NULL, "m.yaml", 0);
	check_resolved(NULL, "- 0123456789abcdef", 0);
	setenv("PLACETOOLS_TOPOLOGY", "nothing", 1);
	check_resolved(NULL, NULL, 0);
	CHECK_INT(system("rm -r topo_build_test"), 0);
	CHECK_INT(chdir("/") | rmdir(folder), 0);
}

int main(void)
{
	check_patterns();
	check_find();
	check_node_lists();
	check_sorting();
	check_refusals();
	check_clean_names();
	check_resolving();
	return check_done();
}
