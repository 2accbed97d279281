/* ports.c - lists of port numbers in a pick: 1-18+20 */
#include <string.h>

#include "traffic/source/source.h"
#include "base/num.h"

/* The next range of the list; NULL: it is none. *rest: behind it, "" at the end. */
static const char *next_range(const char *list, uint64_t *first, uint64_t *last)
{
	size_t n = strspn(list, "0123456789");

	if (num_digits(list, n, first) != 0 || *first > INT32_MAX)
		return NULL;
	*last = *first;
	list += n;
	if (*list == '-') {
		n = strspn(++list, "0123456789");
		if (num_digits(list, n, last) != 0 || *last > INT32_MAX || *last < *first)
			return NULL;
		list += n;
	}
	if (*list == '+' && list[1] != '\0')
		return list + 1;
	return *list == '\0' ? list : NULL;
}

bool port_list_has(const char *list, int64_t port)
{
	uint64_t first, last;

	while (list != NULL && *list != '\0') {
		list = next_range(list, &first, &last);
		if (list != NULL && port >= (int64_t)first && port <= (int64_t)last)
			return true;
	}
	return false;
}

int port_list_check(const char *list, struct err *err)
{
	const char *rest = list;
	uint64_t first, last;

	do
		rest = next_range(rest, &first, &last);
	while (rest != NULL && *rest != '\0');
	return rest != NULL ? 0 : err_set(err, "'%s' is not a list of ports, as 1-18+20", list);
}
