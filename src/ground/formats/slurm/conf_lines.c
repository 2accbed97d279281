/* conf_lines.c - lines of Slurm's configuration files: Key=value pairs, comments, joined lines */
#include "formats/slurm/conf_lines.h"

#include <string.h>

/* Cuts the comment, whose # may be escaped. Returns whether the line goes on in the next one. */
static bool strip(char *line)
{
	size_t n = 0;

	for (char *p = line; *p != '\0' && *p != '#'; p++) {
		if (p[0] == '\\' && p[1] == '#')
			p++;
		line[n++] = *p;
	}
	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		n--;
	line[n] = '\0';
	if (n == 0 || line[n - 1] != '\\')
		return false;
	line[n - 1] = ' ';
	return true;
}

int conf_line(struct in *in, struct buf *whole, long *lineno, struct err *err)
{
	bool goes_on = true;
	char *line;
	int status = 1;

	buf_clear(whole);
	for (int part = 0; goes_on; part++) {
		status = in_line(in, &line, NULL, err);
		if (status < 0 || (status == 0 && part == 0))
			return status;
		if (status == 0)
			return err_set(err, "%s:%ld: the line goes on behind the end", in_name(in),
				       *lineno);
		if (part == 0)
			*lineno = in_lineno(in);
		goes_on = strip(line);
		buf_str(whole, line);
	}
	return 1;
}

bool conf_pair(char **at, char **key, char **value)
{
	char *p = *at, *end;

	p += strspn(p, " \t");
	if (*p == '\0')
		return false;
	*key = p;
	*value = p + strcspn(p, "= \t");
	if (**value == '=') {
		*(*value)++ = '\0';
	} else { /* no value: the caller says so */
		end = *value;
		*value = NULL;
		*at = end + (*end != '\0');
		*end = '\0';
		return true;
	}
	if (**value == '"' && (end = strchr(*value + 1, '"')) != NULL)
		++*value;
	else
		end = *value + strcspn(*value, " \t");
	*at = end + (*end != '\0');
	*end = '\0';
	return true;
}
