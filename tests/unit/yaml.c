/* yaml.c - YAML documents: the tree, its lines, and what is refused */
#include "formats/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static int nfailed;

static void check(bool good, const char *what)
{
	if (!good) {
		printf("failed: %s\n", what);
		nfailed++;
	}
}

static void check_refusal(const char *text, const char *wanted)
{
	struct yaml_file *file;
	struct err err = {""};

	if (yaml_open_text(&file, "x", text, strlen(text), &err) == 0) {
		printf("failed: '%.40s' is accepted, expected '%s'\n", text, wanted);
		nfailed++;
	} else if (strncmp(err.msg, wanted, strlen(wanted)) != 0) {
		printf("failed: '%.40s': got '%s', wanted '%s'\n", text, err.msg, wanted);
		nfailed++;
	}
	yaml_close(file);
}

static void tree(void)
{
	static const char text[] = "name: gpc\n"
				   "parameters: {groups: 17, links: [1, 2]}\n"
				   "quoted: \"1\"\n"
				   "block: |\n"
				   "  a\tb\n"
				   "  c\n"
				   "empty: {}\n";
	struct yaml_file *file;
	const struct yaml *root, *links;
	struct err err = {""};

	if (yaml_open_text(&file, "t.yaml", text, strlen(text), &err) != 0) {
		printf("failed: %s\n", err.msg);
		nfailed++;
		return;
	}
	root = yaml_root(file);
	check(root->type == YAML_MAP && root->n == 5, "the root is a map of five");
	check(str_eq(yaml_text(root, "name"), "gpc"), "a scalar");
	check(str_eq(yaml_text(yaml_get(root, "parameters"), "groups"), "17"), "a nested scalar");
	links = yaml_get(yaml_get(root, "parameters"), "links");
	check(links->type == YAML_LIST && links->n == 2 && str_eq(links->items[1]->text, "2"),
	      "a list");
	check(links->line == 2 && yaml_get(root, "quoted")->line == 3, "lines");
	check(yaml_get(root, "quoted")->is_quoted && !yaml_get(root, "name")->is_quoted, "quotes");
	check(str_eq(yaml_text(root, "block"), "a\tb\nc\n"), "a literal block");
	check(yaml_get(root, "empty")->n == 0, "an empty map");
	check(yaml_get(root, "none") == NULL && yaml_get(NULL, "x") == NULL, "absent keys");
	check(yaml_text(root, "parameters") == NULL, "a map has no text");
	check(yaml_error(file, links, &err, "is wrong") == -1 &&
		      str_eq(err.msg, "t.yaml:2: is wrong"),
	      "messages name file and line");
	yaml_close(file);
}

int main(void)
{
	struct buf deep = {0};

	tree();
	check_refusal("", "x: is empty");
	check_refusal("a: 1\na: 2\n", "x:2: the key 'a' is there twice");
	check_refusal("a: &x 1\nb: *x\n", "x:2: an alias");
	check_refusal("a: [1, 2\n", "x:");
	check_refusal("a: 1\n---\nb: 2\n", "x:");
	check_refusal("? [1]\n: 2\n", "x:1: a key is not plain text");
	check_refusal("a: \"x\\0y\"\n", "x:1: a NUL byte");
	check_refusal("a: b: c\n", "x:1: ");
	for (int i = 0; i < 100000; i++)
		buf_char(&deep, '[');
	check_refusal(deep.text, "x:1: nested too deeply");
	buf_free(&deep);
	check_refusal("a: \xff\xfe\n", "x:");
	return nfailed > 0;
}
