/* report_formats.c - the words for what a report is written as */
#include <string.h>

#include "base/str.h"
#include "report/report.h"

static int format_of(const char *word, size_t n)
{
	const char *const words[] = {"html", "text", "md", "json", "openmetrics"};

	for (int i = 0; i <= REPORT_OPENMETRICS; i++)
		if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
			return i;
	return -1;
}

enum report_format report_format_of(const char *word, const char *path)
{
	char ending[16];
	int format;

	if (word == NULL)
		word = !str_ending(path, ending, sizeof(ending)) ? "html"
		       : str_eq(ending, "txt")                   ? "text"
								 : ending;
	format = format_of(word, strlen(word));
	return format >= 0 ? (enum report_format)format : REPORT_HTML;
}

int report_others_read(struct report_others *others, const char *const *texts, int n,
		       struct err *err)
{
	for (int i = 0; i < n; i++) {
		size_t length = strcspn(texts[i], "=");
		int format = format_of(texts[i], length);

		if (format < 0 || texts[i][length] == '\0' || texts[i][length + 1] == '\0')
			return err_set(err,
				       "--also: '%s' is not FORMAT=FILE, with a format of --to",
				       texts[i]);
		if (i == REPORT_OTHERS)
			return err_set(err, "--also: more than %d files", i);
		others->formats[i] = (enum report_format)format;
		others->paths[i] = texts[i] + length + 1;
	}
	others->n = n;
	return 0;
}
