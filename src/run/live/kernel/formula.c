/* formula.c - sizes as formulas over parameters: "n*n/16" */
#include "live/kernel/formula.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { DEPTH = 50 };

struct reader {
	const char *text, *at;
	const struct formula_name *names;
	size_t n;
	int depth;
	struct err *err;
};

static int wrong(const struct reader *reader, const char *what)
{
	return err_set(reader->err, "'%s' is not a formula: %s", reader->text, what);
}

static void skip(struct reader *reader)
{
	while (*reader->at == ' ')
		reader->at++;
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= 'A' && at[n] <= 'Z') || at[n] == '_' ||
	       (at[n] >= '0' && at[n] <= '9'))
		n++;
	return n;
}

static int read_sum(struct reader *reader, int64_t *value);

static int read_one(struct reader *reader, int64_t *value)
{
	size_t n;
	char *word;
	int status = -1;

	skip(reader);
	if (*reader->at == '(') {
		reader->at++;
		if (++reader->depth > DEPTH)
			return wrong(reader, "more than 50 brackets");
		if (read_sum(reader, value) != 0)
			return -1;
		reader->depth--;
		skip(reader);
		if (*reader->at != ')')
			return wrong(reader, "expected )");
		reader->at++;
		return 0;
	}
	n = word_length(reader->at);
	if (n == 0)
		return wrong(reader, "expected a number or a parameter");
	word = xstrndup(reader->at, n);
	reader->at += n;
	if (word[0] >= '0' && word[0] <= '9')
		status = num_int(word, 0, INT64_MAX, value);
	for (size_t i = 0; i < reader->n && status != 0; i++)
		if (str_eq(reader->names[i].name, word)) {
			*value = reader->names[i].value;
			status = 0;
		}
	if (status != 0)
		err_set(reader->err, "'%s' is not a formula: '%s' is not a parameter", reader->text,
			word);
	free(word);
	return status;
}

static int apply(const struct reader *reader, char sign, int64_t *value, int64_t by)
{
	bool is_over = false;

	if (sign == '+')
		is_over = __builtin_add_overflow(*value, by, value);
	else if (sign == '-')
		is_over = __builtin_sub_overflow(*value, by, value);
	else if (sign == '*')
		is_over = __builtin_mul_overflow(*value, by, value);
	else if (by == 0)
		return wrong(reader, "division by 0");
	else if (by == -1) /* INT64_MIN / -1 */
		is_over = sign == '/' ? __builtin_sub_overflow(0, *value, value) : (*value = 0, 0);
	else
		*value = sign == '/' ? *value / by : *value % by;
	return is_over ? wrong(reader, "a number beyond 64 bits") : 0;
}

static int read_product(struct reader *reader, int64_t *value)
{
	if (read_one(reader, value) != 0)
		return -1;
	for (;;) {
		char sign;
		int64_t by;

		skip(reader);
		sign = *reader->at;
		if (sign != '*' && sign != '/' && sign != '%')
			return 0;
		reader->at++;
		if (read_one(reader, &by) != 0 || apply(reader, sign, value, by) != 0)
			return -1;
	}
}

static int read_sum(struct reader *reader, int64_t *value)
{
	skip(reader);
	*value = 0;
	if (*reader->at != '-' && read_product(reader, value) != 0)
		return -1;
	for (;;) {
		char sign;
		int64_t by;

		skip(reader);
		sign = *reader->at;
		if (sign != '+' && sign != '-')
			return 0;
		reader->at++;
		if (read_product(reader, &by) != 0 || apply(reader, sign, value, by) != 0)
			return -1;
	}
}

int formula_value(const char *text, const struct formula_name *names, size_t n, int64_t *value,
		  struct err *err)
{
	struct reader reader = {text, text, names, n, 0, err};

	if (read_sum(&reader, value) != 0)
		return -1;
	skip(&reader);
	return *reader.at == '\0' ? 0 : wrong(&reader, "something is left over");
}
