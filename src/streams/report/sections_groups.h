/* sections_groups.h - jobs of a night by partition, account and user */
#ifndef REPORT_SECTIONS_GROUPS_H
#define REPORT_SECTIONS_GROUPS_H

#include "report/night.h"
#include "report/page.h"

enum night_group { NIGHT_BY_PARTITION, NIGHT_BY_ACCOUNT, NIGHT_BY_USER, NIGHT_GROUPS };

struct night_group_row {
	const char *name;
	double node_hours, gpu_hours, waited_s,
		longest_s; /* waited: the sum of those that started */
	int nstarted, nwaiting, nwaited;
};

struct night_groups {
	VEC(struct night_group_row) rows; /* the most node-hours first */
	bool has_gpus, is_said;           /* the jobs say whose they are */
};

/* Of zeroed groups. */
void night_groups_find(const struct night *night, enum night_group by, struct night_groups *groups);
void night_groups_free(struct night_groups *groups);

void section_groups(struct page *page, const struct night *night);

#endif
