/* otf2_fuzz.c - OTF2 archives: damaged ones end in a message, and what is written of a trace can be
 * read
 *
 * An input that begins with '#' is a trace, which becomes an archive. Any other one damages a kept
 * archive: its first byte chooses a file, each further three an offset and the byte that comes
 * there. */
#include "convert.h"

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

static const char sample[] = "tests/formats/otf2/ping-pong/";
static const char *const parts[] = {"traces.otf2",  "traces.def",   "traces/0.def",
				    "traces/0.evt", "traces/1.def", "traces/1.evt"};
enum { NPARTS = sizeof(parts) / sizeof(parts[0]), LONGEST = 16384 };

/* libotf2 itself loses memory when it refuses an archive. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Everything that an archive can become. */
static int read_archive(const char *folder)
{
	char anchor[96], made[64];
	int status;

	snprintf(anchor, sizeof(anchor), "%s/traces.otf2", folder);
	snprintf(made, sizeof(made), "/dev/shm/otf2_fuzz-%d-made", (int)getpid());
	status = fuzz_conversion(anchor, "otf2", "mpitrace", made);
	if (status == 0)
		fuzz_must(fuzz_conversion(made, "mpitrace", "mpitrace", made) == 0,
			  "what the reader makes can be read");
	fuzz_conversion(anchor, "otf2", "profile", made);
	fuzz_conversion(anchor, "otf2", "comm", made);
	unlink(made);
	return status;
}

static void copy_part(const char *folder, int part, const uint8_t *bytes, size_t n)
{
	char path[128], content[LONGEST];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s%s", sample, parts[part]);
	fd = open(path, O_RDONLY);
	size = fd < 0 ? -1 : read(fd, content, sizeof(content));
	fuzz_must(size > 0 && size < LONGEST, "the kept archive is there");
	close(fd);
	for (size_t i = 1; n > 0 && bytes[0] % NPARTS == part && i + 2 < n; i += 3) {
		size_t at = (size_t)bytes[i] << 8 | bytes[i + 1];

		content[at % (size_t)size] = (char)bytes[i + 2];
	}
	snprintf(path, sizeof(path), "%s/%s", folder, parts[part]);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, content, (size_t)size) != size)
		abort();
	close(fd);
}

static void try_damaged(const char *folder, const uint8_t *bytes, size_t n)
{
	char traces[96];

	snprintf(traces, sizeof(traces), "%s/traces", folder);
	mkdir(folder, 0700);
	mkdir(traces, 0700);
	for (int i = 0; i < NPARTS; i++)
		copy_part(folder, i, bytes, n);
	read_archive(folder);
}

static int write_archive(const char *path, const char *folder)
{
	char *paths[] = {(char *)path, NULL};
	struct zone utc;
	struct reader_input input = {.paths = paths, .zone = &utc, .accepts_partial = false};
	struct conversion conversion;
	struct conversion_result result;
	struct err err;
	int status = conversion_plan(&conversion, "mpitrace", "otf2", NULL, 0, paths, &err);

	zone_parse(&utc, "Z");
	fuzz_must(status == 0, "a trace can become an archive");
	status = conversion_run(&conversion, &input, NULL, folder, &result, &err);
	conversion_free(&conversion);
	return status == 0 && result.whole ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char folder[64], path[32];
	int fd;

	die_set_quiet(true);
	snprintf(folder, sizeof(folder), "/dev/shm/otf2_fuzz-%d", (int)getpid());
	remove_folder(folder);
	if (n > 0 && bytes[0] == '#') {
		fd = fuzz_open(bytes, n, path);
		if (write_archive(path, folder) == 0)
			fuzz_must(read_archive(folder) == 0, "what is written can be read");
		fuzz_close(fd);
	} else {
		try_damaged(folder, bytes, n);
	}
	remove_folder(folder);
	return 0;
}
