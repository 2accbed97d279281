/* file.c - where a path leads: a folder that is held open, and a name in it */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

enum { LINKS_MOST = 40, TARGET_MOST = 4096 };

/* The folder of a path that begins at folder from; -1 with errno. */
static int open_folder(int from, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL   ? xstrdup(".")
		       : slash == path ? xstrdup("/")
				       : xstrndup(path, (size_t)(slash - path));
	int fd = openat(from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(folder);
	return fd;
}

/* Anybody can put a link into a folder such as /tmp, and so lead a user to a file of the user's. */
static bool may_follow(int folder, const char *name)
{
	struct stat link, around;

	if (fstatat(folder, name, &link, AT_SYMLINK_NOFOLLOW) != 0 || fstat(folder, &around) != 0)
		return false;
	return (around.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
	       link.st_uid == geteuid() || link.st_uid == around.st_uid;
}

/* One step: to the folder of rest, and, if its name is a link there, to what that says. */
static int step(struct file_place *place, char **rest, bool *is_link, const char *path,
		struct err *err)
{
	char target[TARGET_MOST], *name = strrchr(*rest, '/');
	int folder = open_folder(place->folder, *rest);
	ssize_t n;

	if (folder < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (place->folder >= 0)
		close(place->folder);
	place->folder = folder;
	name = name != NULL ? name + 1 : *rest;
	if (*name == '\0' || str_eq(name, ".") || str_eq(name, ".."))
		return err_set(err, "%s: is a directory, a file was expected", path);
	n = readlinkat(folder, name, target, sizeof(target));
	*is_link = n >= 0;
	if (n == sizeof(target))
		return err_set(err, "%s: %s", path, strerror(ENAMETOOLONG));
	if (n >= 0 && !may_follow(folder, name))
		return err_set(err,
			       "%s: a symbolic link of another user, in a folder that anybody may "
			       "write to, is not followed",
			       path);
	name = n >= 0 ? xstrndup(target, (size_t)n) : xstrdup(name);
	free(*rest);
	*rest = name;
	return 0;
}

int file_place_find(struct file_place *place, const char *path, struct err *err)
{
	char *rest = xstrdup(path);
	bool is_link = true;
	int status = 0;

	*place = (struct file_place){AT_FDCWD, NULL};
	for (int i = 0; i < LINKS_MOST && is_link && status == 0; i++)
		status = step(place, &rest, &is_link, path, err);
	if (status == 0 && is_link)
		status = err_set(err, "%s: %s", path, strerror(ELOOP));
	place->name = rest;
	if (status != 0)
		file_place_close(place);
	return status;
}

void file_place_close(struct file_place *place)
{
	if (place->folder >= 0)
		close(place->folder);
	free(place->name);
	*place = (struct file_place){-1, NULL};
}

bool file_paths_same(const char *a, const char *b)
{
	struct file_place one, other = {-1, NULL};
	struct stat at_one, at_other;
	struct err err;
	bool same = false;

	if (file_place_find(&one, a, &err) == 0 && file_place_find(&other, b, &err) == 0)
		same = str_eq(one.name, other.name) && fstat(one.folder, &at_one) == 0 &&
		       fstat(other.folder, &at_other) == 0 && at_one.st_dev == at_other.st_dev &&
		       at_one.st_ino == at_other.st_ino;
	file_place_close(&one);
	file_place_close(&other);
	return same;
}
