/* node_ranges.c - node lists as ranges: the same nodes, texts and refusals as name by name */
#include <stdlib.h>

#include "base/rng.h"
#include "base/str.h"
#include "check.h"
#include "formats/hostlist.h"
#include "formats/name_numbers.h"
#include "machine.h"

/* ---- name by name ---- */

struct slow {
	const struct topo *topo;
	int_vec nodes;
};

static int add_slowly(void *context, const char *name, size_t n, struct err *err)
{
	struct slow *slow = context;
	int node = topo_node_find(slow->topo, name, n);

	if (node < 0)
		return err_set(err, "there is no node '%s' on this machine", name);
	if (slow->nodes.n == (size_t)slow->topo->nnodes)
		return err_set(err,
			       "more names than the machine has nodes: one of them is there twice");
	vec_push(&slow->nodes, node);
	return 0;
}

static int read_slowly(struct slow *slow, const char *text, struct err *err)
{
	char name[TOPO_NAME];
	int least = -1;

	slow->nodes.n = 0;
	if (hostlist_walk(text, add_slowly, slow, err) != 0)
		return -1;
	for (size_t i = 0; i < slow->nodes.n; i++)
		for (size_t k = 0; k < i; k++)
			if (slow->nodes.at[i] == slow->nodes.at[k] &&
			    (least < 0 || slow->nodes.at[i] < least))
				least = slow->nodes.at[i];
	return least < 0 ? 0
			 : err_set(err, "the node '%s' is there twice in one list",
				   topo_node_name(slow->topo, least, name));
}

static void write_slowly(const struct slow *slow, struct buf *text)
{
	struct hostlist list = {0};
	char name[TOPO_NAME];

	for (size_t i = 0; i < slow->nodes.n; i++) {
		const char *at = topo_node_name(slow->topo, slow->nodes.at[i], name);

		hostlist_add(&list, at, strlen(at));
	}
	buf_clear(text);
	buf_str(text, hostlist_text(&list));
	hostlist_free(&list);
}

/* ---- both ---- */

static void compare_nodes(const struct slow *slow, struct node_ranges *ranges)
{
	int *nodes = xmalloc((size_t)ranges->nnodes * sizeof(*nodes) + 1);
	struct node_ranges sorted = {0};
	const struct node_ranges *by_label;
	struct buf text = {0}, again = {0};
	int64_t n = 0;

	CHECK_INT(ranges->nnodes, (int64_t)slow->nodes.n);
	node_ranges_list(ranges, nodes);
	for (size_t i = 0; i < slow->nodes.n; i++)
		CHECK_INT(nodes[i], slow->nodes.at[i]);
	for (size_t i = 1; i < ranges->of.n; i++) /* none is two */
		CHECK(ranges->of.at[i].first != ranges->of.at[i - 1].last + 1);
	by_label = node_ranges_by_label(ranges, &sorted);
	for (size_t i = 0; i < by_label->of.n; i++) {
		n += by_label->of.at[i].last - by_label->of.at[i].first + 1;
		CHECK(i == 0 || by_label->of.at[i].first > by_label->of.at[i - 1].last + 1);
	}
	CHECK_INT(n, ranges->nnodes);
	write_slowly(slow, &text);
	topo_ranges_add(slow->topo, ranges, &again);
	CHECK_TEXT(buf_text(&again), buf_text(&text));
	buf_clear(&again);
	topo_nodelist_add(slow->topo, nodes, (size_t)ranges->nnodes, &again);
	CHECK_TEXT(buf_text(&again), buf_text(&text));
	node_ranges_free(&sorted);
	buf_free(&text);
	buf_free(&again);
	free(nodes);
}

static void compare(struct slow *slow, const char *text)
{
	struct node_ranges ranges = {0};
	struct err slow_err = {""}, err = {""};
	int slow_status = read_slowly(slow, text, &slow_err);
	int status = topo_ranges_read(slow->topo, text, &ranges, &err);

	CHECK_INT(status, slow_status);
	CHECK_TEXT(err.msg, slow_err.msg);
	if (status == 0 && slow_status == 0)
		compare_nodes(slow, &ranges);
	node_ranges_free(&ranges);
}

/* ---- numbers of names, whatever the machine ---- */

struct slow_numbers {
	struct name_numbers *numbers;
	struct hostlist list;
	int_vec of;
};

static int number_slowly(void *context, const char *name, size_t n, struct err *err)
{
	struct slow_numbers *slow = context;

	(void)err;
	hostlist_add(&slow->list, name, n);
	vec_push(&slow->of, name_numbers_add(slow->numbers, name, n));
	return 0;
}

/* A number for each distinct name, the same however it comes; printed as the names are folded. */
static void compare_numbers(struct name_numbers *numbers, const char *text, bool is_by_name_first)
{
	struct slow_numbers slow = {.numbers = numbers};
	struct node_ranges ranges = {0};
	struct buf printed = {0};
	struct err err = {""}, slow_err = {""};
	int status, slow_status = -1, *of;

	if (is_by_name_first)
		slow_status = hostlist_walk(text, number_slowly, &slow, &slow_err);
	status = name_numbers_read(numbers, text, &ranges, &err);
	if (!is_by_name_first)
		slow_status = hostlist_walk(text, number_slowly, &slow, &slow_err);
	CHECK_INT(status, slow_status);
	CHECK_TEXT(err.msg, slow_err.msg);
	CHECK_INT(ranges.nnodes, (int64_t)slow.of.n);
	of = xmalloc((size_t)ranges.nnodes * sizeof(*of) + 1);
	node_ranges_list(&ranges, of);
	for (size_t i = 0; i < slow.of.n && i < (size_t)ranges.nnodes; i++)
		CHECK_INT(of[i], slow.of.at[i]);
	name_numbers_print(numbers, &ranges, &printed);
	CHECK_TEXT(buf_text(&printed), hostlist_text(&slow.list));
	free(of);
	vec_free(&slow.of);
	hostlist_free(&slow.list);
	node_ranges_free(&ranges);
	buf_free(&printed);
}

static void check_distinct(const struct name_numbers *numbers)
{
	struct map names = {0};

	for (size_t i = 0; i < numbers->names.n; i++) {
		const char *text = numbers->names.at[i].text;

		CHECK_INT(map_add(&names, text, strlen(text), (int64_t)i), (int64_t)i);
	}
	map_free(&names);
}

static const char *const machines[] = {
	"ring:nodes=40,names=nid%03d",
	"ring:nodes=130,names=n%d",
	"ring:nodes=130,names=n%d-ib0",
	"ring:nodes=12,names=%02dx",
	"ring:nodes=30,names=n1%d",
	"ring:nodes=24,names=a[08-11\\,13-20]\\,b[1-3]\\,c[1\\,2]x\\,login\\,x9\\,x10\\,x011\\,y[99-101]",
	"ring:nodes=24,names=r[0-3]n[0-5]",
	"ring:nodes=24,names=r[0-3]n[08-10]s\\,t[0-11]",
	"ring:nodes=6,names=n5\\,n4\\,n3\\,n7\\,n8\\,n2",
	"ring:nodes=4,names=n99999999999999999[8-9]\\,m[1-2]",
};

static void random_element(struct rng *rng, struct buf *text)
{
	static const char *const before[] = {
		"nid", "n",   "",   "a",   "b",       "c",       "x",
		"y",   "t",   "n1", "r1n", "r[0-2]n", "r[1,3]n", "n999999999999999",
		"m",   "nid0"};
	static const char *const behind[] = {"", "", "", "-ib0", "x", "s", "0", "n[1-2]"};
	int first = (int)rng_below(rng, 130), width = 1 + (int)rng_below(rng, 3);
	int last = first + (int)rng_below(rng, 12);

	buf_str(text, before[rng_below(rng, sizeof(before) / sizeof(*before))]);
	if (rng_below(rng, 4) == 0)
		buf_printf(text, "%0*d", width, first);
	else if (rng_below(rng, 3) == 0)
		buf_printf(text, "[%0*d-%0*d,%0*d]", width, first, width, last, width, last + 2);
	else
		buf_printf(text, "[%0*d-%0*d]", width, first, width, last);
	buf_str(text, behind[rng_below(rng, sizeof(behind) / sizeof(*behind))]);
}

/* A list of names that the machine has, in pieces that often follow each other. */
static void random_names(struct rng *rng, const struct topo *topo, struct buf *text)
{
	struct hostlist list = {0};
	char name[TOPO_NAME];

	for (int i = 0; i < 4; i++) {
		int first = (int)rng_below(rng, (uint64_t)topo->nnodes);
		int last = first + (int)rng_below(rng, 12);

		for (int node = first; node <= last && node < topo->nnodes; node++) {
			const char *at = topo_node_name(topo, node, name);

			hostlist_add(&list, at, strlen(at));
		}
	}
	buf_str(text, hostlist_text(&list));
	hostlist_free(&list);
}

static void check_machine(const char *spec, uint64_t seed)
{
	struct slow slow = {.topo = machine(spec)};
	struct rng rng = rng_make(seed, "lists", NULL, NULL);
	struct buf text = {0};

	for (int i = 0; i < 3000; i++) {
		buf_clear(&text);
		if (i % 2 == 0)
			random_names(&rng, slow.topo, &text);
		else
			for (int k = (int)rng_below(&rng, 3); k >= 0; k--) {
				random_element(&rng, &text);
				buf_str(&text, k > 0 ? "," : "");
			}
		compare(&slow, buf_text(&text));
	}
	compare(&slow, "");
	compare(&slow, "n[0-16777215]");
	compare(&slow, "nid[");
	buf_free(&text);
	free(slow.nodes.at);
	topo_free((struct topo *)slow.topo);
}

static void check_numbers(uint64_t seed)
{
	static const char *const odd[] = {"login,n1,login2",
					  "n99999999999999999,n[1-3]",
					  "n[99999999999999998-100000000000000001]",
					  "a[1-2]b[3-4]",
					  "[08-11]",
					  "7,8,09,10",
					  "n[1-2],,n3",
					  "n[3",
					  "n123456789012345678901,n123456789012345678902"};
	struct name_numbers numbers = {0};
	struct rng rng = rng_make(seed, "numbers", NULL, NULL);
	struct buf text = {0};

	for (int i = 0; i < 2000; i++) {
		buf_clear(&text);
		for (int k = (int)rng_below(&rng, 3); k >= 0; k--) {
			random_element(&rng, &text);
			buf_str(&text, k > 0 ? "," : "");
		}
		compare_numbers(&numbers, buf_text(&text), i % 2 == 0);
	}
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		compare_numbers(&numbers, odd[i], false);
	check_distinct(&numbers);
	name_numbers_free(&numbers);
	buf_free(&text);
}

/* Runs of all lengths, in pieces and with a number that does not follow. */
static void check_run_ends(void)
{
	struct rng rng = rng_make(7, "runs", NULL, NULL);
	int nodes[64];

	for (int trial = 0; trial < 20000; trial++) {
		size_t n = 1 + rng_below(&rng, 64), first = rng_below(&rng, n), end;

		for (size_t i = 0; i < n; i++)
			nodes[i] = i > 0 && rng_below(&rng, 30) > 0 ? nodes[i - 1] + 1
								    : (int)rng_below(&rng, 1000);
		/* two that change places add up to the same */
		if (n > 20 && rng_below(&rng, 4) == 0) {
			nodes[17] ^= nodes[18];
			nodes[18] ^= nodes[17];
			nodes[17] ^= nodes[18];
		}
		for (end = first + 1; end < n && nodes[end] == nodes[end - 1] + 1; end++)
			;
		CHECK_INT((int64_t)node_run_end(nodes, first, n), (int64_t)end);
	}
}

int main(void)
{
	check_run_ends();
	for (uint64_t seed = 0; seed < 5; seed++)
		check_numbers(seed);
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i], i);
	return check_done();
}
