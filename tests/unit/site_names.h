/* site_names.h - features a and b, partitions p and q: which nodes a job may have by their names */
#ifndef TESTS_SITE_NAMES_H
#define TESTS_SITE_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Each alternative of the features: whether a node with these bits has it. */
static const char *const feature_texts[] = {NULL,  "a",         "a|b",       "a&b",    "[a|b]",
					    "b*1", "[a*1&b*1]", "[a*2&b*1]", "nothing"};

static inline bool fits_features(const char *text, int alternative, unsigned bits)
{
	bool a = bits & 1, b = bits >> 1 & 1;

	if (text == NULL || strchr(text, '*') != NULL)
		return true;
	if (strcmp(text, "a") == 0)
		return a;
	if (strcmp(text, "a|b") == 0)
		return a || b;
	if (strcmp(text, "a&b") == 0)
		return a && b;
	if (strcmp(text, "[a|b]") == 0)
		return alternative == 0 ? a : b;
	return false;
}

static inline bool is_in_partition(const char *partition, unsigned bits, int alternative)
{
	if (partition == NULL)
		return true;
	if (strlen(partition) == 1)
		return bits >> (partition[0] - 'p') & 1;
	return bits >> (partition[2 * alternative] - 'p') & 1;
}

#endif
