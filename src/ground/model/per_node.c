/* per_node.c - what a job has of each of its nodes: 8(x2),4, or a total over all of them */
#include "model/per_node.h"

#include <string.h>

#include "base/num.h"

/* The digits at *text, which moves behind them. */
static int read_number(const char **text, int64_t *number)
{
	char digits[24];
	size_t n = strspn(*text, "0123456789");

	if (n == 0 || n >= sizeof(digits))
		return -1;
	memcpy(digits, *text, n);
	digits[n] = '\0';
	*text += n;
	return num_int(digits, 0, INT64_MAX, number);
}

static int refuse(const char *text, struct err *err)
{
	return err_set(err, "'%s' is not a list of numbers like 8(x2),4", text);
}

int per_node_read(const char *text, int64_t *numbers, int n, struct err *err)
{
	const char *at = text;
	int64_t count, number;
	int filled = 0;

	while (*at != '\0') {
		count = 1;
		if (read_number(&at, &number) != 0)
			return refuse(text, err);
		if (at == strchr(text, '\0') && filled == 0)
			count = n;
		if (strncmp(at, "(x", 2) == 0) {
			at += 2;
			if (read_number(&at, &count) != 0 || *at++ != ')')
				return refuse(text, err);
		}
		if (count > n - filled)
			return err_set(err, "'%s' has numbers for more than %d nodes", text, n);
		for (; count > 0; count--)
			numbers[filled++] = number;
		if (*at == ',' && at[1] != '\0')
			at++;
		else if (*at != '\0')
			return refuse(text, err);
	}
	if (filled < n)
		return err_set(err, "'%s' has numbers for %d nodes, expected %d", text, filled, n);
	return 0;
}
