/* slurm_head.c - whether an input begins as a listing of squeue or sinfo does */
#include <string.h>

#include "base/str.h"
#include "convert/reader/slurm_fields.h"

bool slurm_is_listing(const char *head, const char *first, const char *or_first, const char *has)
{
	for (int line = 0; line < 2 && *head != '\0'; line++) {
		size_t n = strcspn(head, "\n");
		const char *at = head + strspn(head, " "), *found = strstr(head, has);

		if ((str_starts(at, first) || str_starts(at, or_first)) && found != NULL &&
		    found < head + n)
			return true;
		head += n + (head[n] == '\n');
	}
	return false;
}
