/* columns.c - copies a page; @COLUMNS:KIND@ becomes the columns of a kind; --kinds lists them */
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "model/kinds.h"

static const char *type_text(const struct column *column)
{
	switch (column->type) {
	case COLUMN_TEXT:
		return "text";
	case COLUMN_NAME:
		return "name";
	case COLUMN_INT:
		return "whole number";
	case COLUMN_REAL:
		return "number";
	case COLUMN_SECONDS:
		return "seconds";
	case COLUMN_BOOL:
		return "yes or no";
	case COLUMN_NODELIST:
		return "node list";
	}
	return "";
}

/* "whole number from 1", "number from 0 to 1". A range of 0 to 0 is any number from 0. */
static void put_type(const struct column *column)
{
	bool is_number = column->type == COLUMN_INT || column->type == COLUMN_REAL;
	char text[NUM_TEXT];

	fputs(type_text(column), stdout);
	if (!is_number || column->min < -1e15)
		return;
	num_print_real(text, column->min);
	printf(" from %s", text);
	if (column->max > 0 && column->max < 2e9) {
		num_print_real(text, column->max);
		printf(" to %s", text);
	}
}

static void put_text(const char *text)
{
	for (; *text != '\0'; text++) {
		if (strncmp(text, "\xe2\x80\xa6", 3) == 0) {
			fputs("\\&...", stdout);
			text += 2;
		} else if (*text == '\\') {
			fputs("\\e", stdout);
		} else {
			putchar(*text);
		}
	}
}

static void put_columns(const struct table_kind *kind)
{
	printf(".Bl -tag -width Ds -compact\n");
	for (const struct column *column = kind->columns; column->name != NULL; column++) {
		printf(".It Va %s Pq ", column->name);
		put_type(column);
		printf("%s\n", column->required ? ", required" : "");
		put_text(column->meaning);
		printf(".\n");
	}
	printf(".El\n");
	for (int i = 0; kind->one_of != NULL && kind->one_of[i] != NULL; i++) {
		printf(".Pp\nOne of these is required:\n");
		for (const char *p = kind->one_of[i]; *p != '\0'; p += *p == '|') {
			size_t n = strcspn(p, "|");

			printf(".Va %.*s%s\n", (int)n, p, p[n] == '|' ? " ," : " .");
			p += n;
		}
	}
	if (kind->key == NULL)
		return;
	printf(".Pp\nThe key of a row is\n");
	for (int i = 0; kind->key[i] != NULL; i++)
		printf(".Va %s%s\n", kind->key[i], kind->key[i + 1] != NULL ? " ," : "");
	printf("(those of them that the table has).\n");
}

int main(int argc, char **argv)
{
	char line[4096], name[64];

	die_set_name("columns");
	if (argc == 2 && str_eq(argv[1], "--kinds")) {
		for (int i = 0; all_kinds[i] != NULL; i++)
			puts(all_kinds[i]->name);
		return 0;
	}
	while (fgets(line, sizeof(line), stdin) != NULL) {
		int i = 0, used = 0;

		if (sscanf(line, "@COLUMNS:%63[a-z]@%n", name, &used) != 1 || used == 0) {
			fputs(line, stdout);
			continue;
		}
		while (all_kinds[i] != NULL && !str_eq(all_kinds[i]->name, name))
			i++;
		if (all_kinds[i] == NULL)
			die("there is no kind '%s'", name);
		put_columns(all_kinds[i]);
	}
	return 0;
}
