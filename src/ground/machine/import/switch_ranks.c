/* switch_ranks.c - switches of a fabric by their distance from the nodes, and what the links are
 * called */
#include "machine/import/switch_ranks.h"

#include <stdio.h>
#include <string.h>

const char *rank_name(int rank, char text[RANK_NAME])
{
	static const char *const names[] = {"leaf", "spine", "core"};

	if (rank < 3)
		return names[rank];
	snprintf(text, RANK_NAME, "rank%d", rank);
	return text;
}

void rank_link_name(int rank_a, int rank_b, char text[2 * RANK_NAME])
{
	char low[RANK_NAME], high[RANK_NAME];

	snprintf(text, 2 * RANK_NAME, "%s-%s", rank_name(rank_a < rank_b ? rank_a : rank_b, low),
		 rank_name(rank_a < rank_b ? rank_b : rank_a, high));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text)
{
	size_t n = 0;

	while (is_digit(text[n]))
		n++;
	return n;
}

int compare_natural(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;

	while (*a != '\0' && *b != '\0') {
		if (is_digit(*a) && is_digit(*b)) {
			size_t na, nb;
			int order;

			a += strspn(a, "0");
			b += strspn(b, "0");
			na = count_digits(a);
			nb = count_digits(b);
			order = na != nb ? (na < nb ? -1 : 1) : strncmp(a, b, na);
			if (order != 0)
				return order;
			a += na;
			b += nb;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	if (*a != *b)
		return *a == '\0' ? -1 : 1;
	return strcmp(whole_a, whole_b); /* n01 and n1 */
}
