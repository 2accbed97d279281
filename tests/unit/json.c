/* json.c - JSON documents: the tree, its lines, and what is refused */
#include "formats/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static int nfailed;

/* The tree as text again: strings in ', maps as {k:v}, lists as [a,b]. */
static void write_item(struct buf *out, const struct yaml *item)
{
	if (item->type == YAML_SCALAR) {
		buf_str(out, item->is_quoted ? "'" : "");
		buf_add(out, item->text, item->n);
		buf_str(out, item->is_quoted ? "'" : "");
		return;
	}
	buf_char(out, item->type == YAML_LIST ? '[' : '{');
	for (size_t i = 0; i < item->n; i++) {
		buf_str(out, i ? "," : "");
		if (item->type == YAML_MAP)
			buf_printf(out, "%s:", item->keys[i]->text);
		write_item(out, item->items[i]);
	}
	buf_char(out, item->type == YAML_LIST ? ']' : '}');
}

static void check_bytes(const char *text, size_t n, const char *wanted)
{
	struct yaml_file *file;
	struct err err = {""};
	struct buf out = {0};

	if (json_open_text(&file, "x", text, n, &err) != 0)
		buf_str(&out, err.msg);
	else
		write_item(&out, yaml_root(file));
	if (!str_eq(buf_text(&out), wanted)) {
		printf("failed: %.60s: got '%.100s', wanted '%s'\n", text, buf_text(&out), wanted);
		nfailed++;
	}
	buf_free(&out);
	yaml_close(file);
}

static void check(const char *text, const char *wanted)
{
	check_bytes(text, strlen(text), wanted);
}

static void good(void)
{
	check("{}", "{}");
	check(" [ ] ", "[]");
	check("{\"a\": 1, \"b\":[true,false,null,\"x\"]}", "{a:1,b:[true,false,null,'x']}");
	check("[0,-0,1.5,-1e9,2E+3,0.25e-1]", "[0,-0,1.5,-1e9,2E+3,0.25e-1]");
	check("\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\n\\/\\\"\\\\\"",
	      "'A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n/\"\\'");
	check("\t{\"a\"\t:\r\n{\"b\" : \"\"} }\n", "{a:{b:''}}");
	check("3", "3");
}

static void bad(void)
{
	struct buf deep = {0}, keys = {0};

	check("", "x:1: the document ends too early");
	check("{\n\"a\": 1\n", "x:3: expected a ',' or '}'");
	check("{\"a\": 1,\n\"a\": 2}", "x:2: the key 'a' is there twice");
	check("{a: 1}", "x:1: expected a key in quotes");
	check("{\"a\" 1}", "x:1: expected a ':'");
	check("{\"a\": 1,}", "x:1: expected a key in quotes");
	check("[1,]", "x:1: expected a value of JSON");
	check("[1 2]", "x:1: expected a ',' or ']'");
	check("[01]", "x:1: expected a value of JSON");
	check("[1.]", "x:1: expected a value of JSON");
	check("[.5]", "x:1: expected a value of JSON");
	check("[+1]", "x:1: expected a value of JSON");
	check("[NaN]", "x:1: expected a value of JSON");
	check("[1e]", "x:1: expected a value of JSON");
	check("[True]", "x:1: expected a value of JSON");
	check("\"abc", "x:1: a string without its closing quote");
	check("\"abc\\\"", "x:1: a string without its closing quote");
	check("\"\\x41\"", "x:1: a backslash that begins no escape of JSON");
	check("\"\\u12\"", "x:1: a backslash that begins no escape of JSON");
	check("\"\\u0000\"", "x:1: a backslash that begins no escape of JSON");
	check("\"\\ud800\"", "x:1: a backslash that begins no escape of JSON");
	check("\"\\ud800\\u0041\"", "x:1: a backslash that begins no escape of JSON");
	check("\"\\udc00\"", "x:1: a backslash that begins no escape of JSON");
	check("\"a\nb\"", "x:1: a control character in a string");
	check("{} {}", "x:1: something follows the document");
	check_bytes("[\0]", 3, "x:1: a NUL byte: this is not JSON");
	check_bytes("{}\0", 3, "x:1: something follows the document");
	for (int i = 0; i < 100000; i++)
		buf_char(&deep, '[');
	check(deep.text, "x:1: nested too deeply");
	for (int i = 0; i < 40; i++)
		buf_printf(&keys, "%s\"k%d\":%d", i ? "," : "{", i, i);
	buf_str(&keys, ",\"k3\":1}");
	check(keys.text, "x:1: the key 'k3' is there twice");
	buf_free(&deep);
	buf_free(&keys);
}

int main(void)
{
	good();
	bad();
	return nfailed > 0;
}
