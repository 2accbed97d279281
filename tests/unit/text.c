/* text.c - str, map and mem: text, names to numbers, arenas and growing arrays */
#include <stdlib.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "check.h"

static void test_str(void)
{
	char text[] = " \t a b \r\n", list[] = "a,,b,c", *parts[3];
	struct buf buf = {0};

	CHECK_TEXT(str_trim(text), "a b");
	CHECK_INT(str_split(list, ',', parts, 3), 3);
	CHECK_TEXT(parts[0], "a");
	CHECK_TEXT(parts[1], "");
	CHECK_TEXT(parts[2], "b,c");
	CHECK(str_starts("abc", "ab") && str_starts("abc", "") && !str_starts("a", "ab"));
	CHECK(str_ends("a.gz", ".gz") && !str_ends("gz", ".gz"));
	CHECK_TEXT(buf_text(&buf), "");
	for (int i = 0; i < 1000; i++)
		buf_printf(&buf, "%d,", i);
	CHECK_INT((int64_t)buf.n, 10 * 2 + 90 * 3 + 900 * 4);
	CHECK(str_ends(buf.text, ",998,999,"));
	buf_clear(&buf);
	CHECK_TEXT(buf_text(&buf), "");
	buf_free(&buf);
	CHECK(str_hash("a", 1) != str_hash("b", 1) && str_hash("", 0) == str_hash("x", 0));
}

static void test_map(void)
{
	struct map map = {0};
	char name[16];
	int nwrong = 0;

	CHECK_INT(map_get(&map, "a", 1), -1);
	for (int i = 0; i < 10000; i++) {
		int n = snprintf(name, sizeof(name), "n%d", i);

		nwrong += map_add(&map, name, (size_t)n, i) != i;
		nwrong += map_add(&map, name, (size_t)n, -5) != i;
	}
	for (int i = 0; i < 10000; i++) {
		int n = snprintf(name, sizeof(name), "n%d", i);

		nwrong += map_get(&map, name, (size_t)n) != i;
	}
	CHECK_INT(nwrong, 0);
	CHECK_INT((int64_t)map.n, 10000);
	CHECK_INT(map_get(&map, "n1", 1), -1); /* the length counts, not the NUL */
	map_set(&map, "n1", 2, 77);
	CHECK_INT(map_get(&map, "n1", 2), 77);
	map_free(&map);
	CHECK_INT(map_get(&map, "n1", 2), -1);
}

static void test_mem(void)
{
	struct arena arena = {0};
	VEC(int) v = {0};
	char *first;

	for (int round = 0; round < 3; round++) {
		first = arena_strndup(&arena, "hello, all", 5);
		for (int i = 1; i < 5000; i += 7) {
			char *p = arena_alloc(&arena, (size_t)i);

			CHECK((uintptr_t)p % sizeof(long double) == 0);
			memset(p, 'x', (size_t)i);
		}
		CHECK_TEXT(first, "hello");
		arena_reset(&arena);
	}
	arena_free(&arena);
	for (int i = 0; i < 1000; i++)
		vec_push(&v, i * i);
	CHECK(v.n == 1000 && v.at[999] == 999 * 999 && v.cap >= v.n);
	vec_free(&v);
	CHECK(v.at == NULL && v.n == 0);
}

static void test_err(void)
{
	struct err err;
	char longer[2000];

	CHECK_INT(err_set(&err, "%d of %s", 3, "x"), -1);
	err_prefix(&err, "file:%d: ", 7);
	CHECK_TEXT(err.msg, "file:7: 3 of x");
	memset(longer, 'y', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_prefix(&err, "%s", longer);
	CHECK_INT((int64_t)strlen(err.msg), (int64_t)sizeof(err.msg) - 1);
}

int main(void)
{
	test_str();
	test_map();
	test_mem();
	test_err();
	return check_done();
}
