/* zone.c - local times of every zone against the C library, beside each change of its clocks and
 * far from them */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/zone.h"
#include "check.h"

enum { FIRST_YEAR = 1970, LAST_YEAR = 2037, STEP = 5 * 86400 };

static int nzones;

static void print_local(char text[32], int64_t local_s)
{
	time_t shown = (time_t)local_s;
	struct tm tm;

	gmtime_r(&shown, &tm);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
}

static int64_t local_of(int64_t epoch_s)
{
	time_t epoch = (time_t)epoch_s;
	struct tm tm;

	localtime_r(&epoch, &tm);
	return epoch_s + tm.tm_gmtoff;
}

/* A local time means the first instant at which clocks show it. */
static void check_local(struct zone *zone, int64_t local_s, const int64_t offsets[2])
{
	int64_t ns, first_s = INT64_MAX;
	char text[32];
	int status;

	for (int i = 0; i < 2; i++)
		if (local_of(local_s - offsets[i]) == local_s && local_s - offsets[i] < first_s)
			first_s = local_s - offsets[i];
	print_local(text, local_s);
	status = zone_time(zone, text, &ns);
	if (first_s == INT64_MAX ? status == 0 : status != 0 || ns != first_s * 1000000000)
		printf("%s of %s\n", text, getenv("TZ"));
	CHECK(first_s == INT64_MAX ? status != 0 : status == 0 && ns == first_s * 1000000000);
}

static void check_zone(const char *name)
{
	int64_t end_s = (LAST_YEAR - 1970) * 31556952LL;
	struct zone zone;

	if (zone_parse(&zone, name) != 0 || !zone.is_named)
		return;
	nzones++;
	for (int64_t day = (FIRST_YEAR - 1970) * 31556952LL / 86400 * 86400; day < end_s;
	     day += STEP) {
		int64_t before = local_of(day) - day, after = local_of(day + STEP) - day - STEP;
		const int64_t offsets[2] = {before, after};
		int64_t low = day, high = day + STEP;

		if (before == after)
			continue;
		/* the instant at which they change */
		while (high - low > 1) {
			int64_t middle = (low + high) / 2;

			if (local_of(middle) - middle == before)
				low = middle;
			else
				high = middle;
		}
		for (int64_t at = -7200; at <= 7200; at += 450)
			check_local(&zone, high + before + at, offsets);
	}
}

static void check_folder(const char *path, const char *prefix)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL && check_nfailed == 0) {
		char name[1024], below[1024];

		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "posix") == 0 ||
		    strcmp(entry->d_name, "right") == 0)
			continue;
		snprintf(name, sizeof(name), "%s%s%s", prefix, entry->d_name,
			 entry->d_type == DT_DIR ? "/" : "");
		snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
		if (entry->d_type == DT_DIR) {
			check_folder(below, name);
		} else if (strchr(entry->d_name, '.') == NULL) {
			check_zone(name);
		}
	}
	if (folder != NULL)
		closedir(folder);
}

int main(void)
{
	check_folder("/usr/share/zoneinfo", "");
	CHECK(nzones == 0 || nzones > 100);
	return check_done();
}
