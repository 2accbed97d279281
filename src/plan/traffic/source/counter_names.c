/* counter_names.c - the columns of a header, found by name */
#include "traffic/source/counter_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Blanks become _ and NAME.value becomes NAME. */
static void add_name(struct counter_names *names, const char *name, int column)
{
	char *plain = xstrdup(name);
	size_t n = strlen(plain);

	for (size_t i = 0; i < n; i++)
		if (plain[i] == ' ')
			plain[i] = '_';
	map_add(&names->columns, plain, n, column);
	if (n > 6 && strcmp(plain + n - 6, ".value") == 0)
		map_add(&names->columns, plain, n - 6, column);
	free(plain);
}

void names_init(struct counter_names *names, char *const *at, int n)
{
	*names = (struct counter_names){.at = at, .n = n};
	for (int i = 0; i < n; i++)
		add_name(names, at[i], i);
}

void names_free(struct counter_names *names)
{
	map_free(&names->columns);
}

int names_find(const struct counter_names *names, const char *fmt, ...)
{
	char name[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(name))
		return -1;
	for (int i = 0; i < n; i++)
		if (name[i] == ' ')
			name[i] = '_';
	return (int)map_get(&names->columns, name, (size_t)n);
}

int names_find_counter(const struct counter_names *names, enum counter_values values,
		       const char *name)
{
	int base = (int)strcspn(name, "#"), column = -1;

	if (values == VALUES_RATE)
		column = names_find(names, "%.*s.rate%s", base, name, name + base);
	return column >= 0 ? column : names_find(names, "%s", name);
}
