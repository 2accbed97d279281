/* replay.c - where libFuzzer is not there: feeds kept inputs to a target; words with a dash
 * are its */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

static int nfed;

static void feed(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t n = 0, got;

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	do {
		bytes = realloc(bytes, n + 65536);
		if (bytes == NULL)
			abort();
		got = fread(bytes + n, 1, 65536, file);
		n += got;
	} while (got > 0);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
	nfed++;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		DIR *folder = argv[i][0] != '-' ? opendir(argv[i]) : NULL;
		struct dirent *one;
		char path[4096];

		if (argv[i][0] != '-' && folder == NULL)
			feed(argv[i]);
		while (folder != NULL && (one = readdir(folder)) != NULL)
			if (one->d_name[0] != '.') {
				snprintf(path, sizeof(path), "%s/%s", argv[i], one->d_name);
				feed(path);
			}
		if (folder != NULL)
			closedir(folder);
	}
	return nfed > 0 ? 0 : 1;
}
