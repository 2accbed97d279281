/* dumpimake.c - one rank's DUMPI trace, binary or as dumpi2ascii prints it, from short lines
 *
 *     dumpimake text|binary [VERSION [WORDS]] <CALLS
 *
 * A line is a function, its start and end in microseconds, and its arguments in the order of the
 * binary record, NAME=VALUE: numbers; [1,2] arrays; ranges=[0,3,1][4,7,1]; statuses as
 * BYTES/SOURCE/TAG/CANCELLED, several after commas; argv=./a,-x. A line sizes=0,0,1,1 … tells the
 * sizes of datatypes, one names=4096:main,8192:work the names of traced functions. VERSION is that
 * of 0.6 (without: 1.0.0), WORDS how many words the index has (8, older ones fewer). The output
 * must be a file.
 *
 * What type an argument has is told by its name here, not by the function: this is not how the
 * reader knows it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/dumpi/dumpi.h"

enum { WALL_S = 1296777956 };

static bool is_text;
static int version = 13, words = 8;
static char names[1024];

static bool among(const char *name, const char *list)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)) != NULL; at += n)
		if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

static void put(uint64_t value, int width)
{
	while (width-- > 0)
		putchar((int)(value >> 8 * width & 255));
}

static int64_t number(char **at)
{
	bool is_negative = **at == '-';
	int64_t value = 0;

	for (*at += is_negative; **at >= '0' && **at <= '9'; ++*at)
		value = value * 10 + (**at - '0');
	return is_negative ? -value : value;
}

/* How wide an argument is, in bytes. */
static int width_of(const char *name)
{
	if (among(name,
		  " comm oldcomm newcomm localcomm remotecomm datatype sendtype recvtype "
		  "oldtype newtype origintype targettype group group1 group2 newgroup win file "
		  "info sendtypes recvtypes oldtypes"))
		return 2;
	if (among(name, " op order amode required provided assertion"))
		return 1;
	return among(name, " fn") ? 8 : 4;
}

static const char *type_of(const char *name)
{
	if (strstr(name, "comm") != NULL && !among(name, " commrank commsize"))
		return "MPI_Comm";
	if (strstr(name, "type") != NULL)
		return "MPI_Datatype";
	if (strstr(name, "group") != NULL)
		return "MPI_Group";
	if (strstr(name, "request") != NULL)
		return "MPI_Request";
	return "int";
}

static int count_elements(const char *value, char separator)
{
	int n = *value != '\0' && *value != ']';

	for (; *value != '\0' && *value != ']'; value++)
		n += *value == separator;
	return n;
}

/* [1,2]: at begins behind the bracket. */
static void put_array(char **at, int width)
{
	int n = count_elements(*at, ',');

	if (!is_text)
		put((uint64_t)n, 4);
	for (int i = 0; i < n; i++) {
		int64_t value = number(at);

		if (is_text)
			printf("%s%" PRId64, i > 0 ? ", " : "", value);
		else
			put((uint64_t)value, width);
		*at += **at == ',';
	}
	*at += **at == ']';
}

static void put_ranges(char *at)
{
	int n = 0;

	for (const char *p = at; *p != '\0'; p++)
		n += *p == '[';
	if (!is_text)
		put((uint64_t)n, 4);
	else
		printf("int ranges[%d][3]=[", n);
	for (int i = 0; i < n; i++) {
		at++;
		if (is_text)
			printf("%s[", i > 0 ? ", " : "");
		put_array(&at, 4);
		if (is_text)
			printf("]\n");
	}
	if (is_text)
		printf("]"); /* and no end of the line */
}

static void put_statuses(const char *name, char *at)
{
	int n = count_elements(at, ',');

	if (!is_text)
		put((uint64_t)n, 4);
	else
		printf("MPI_Status %s=%s", name, n == 0 ? "<IGNORED>" : "[");
	for (int i = 0; i < n; i++) {
		int64_t value[4];

		for (int k = 0; k < 4; k++) {
			value[k] = number(&at);
			at += *at == '/' || *at == ',';
		}
		if (is_text) {
			printf("%s{bytes=%" PRId64 ", cancelled=%" PRId64 ", source=%" PRId64
			       ", tag=%" PRId64 ", error=0}",
			       i > 0 ? ", " : "", value[0], value[3], value[1],
			       version < 3 ? -1 : value[2]);
			continue;
		}
		put((uint64_t)value[0], 4);
		put((uint64_t)value[1], 4);
		put((uint64_t)value[3], 1);
		put(0, 1);
		if (version >= 3)
			put((uint64_t)value[2], 4);
	}
	if (is_text)
		printf("%s\n", n == 0 ? "" : "]");
}

static void put_argv(char *at)
{
	int n = count_elements(at, ',');

	if (is_text)
		printf("int argc=%d\nstring argv[%d]=[", n, n);
	else
		put((uint64_t)n, 4);
	if (!is_text && version < 2)
		put((uint64_t)n, 4);
	for (int i = 0; i < n; i++) {
		size_t length = strcspn(at, ",");

		if (is_text) {
			printf("%s\"%.*s\"", i > 0 ? ", " : "", (int)length, at);
		} else {
			put(length, 4);
			fwrite(at, 1, length, stdout);
		}
		at += length + (at[length] == ',');
	}
	if (is_text)
		printf("]\n");
}

static void put_argument(const char *name, char *value)
{
	if (among(name, " status statuses")) {
		put_statuses(name, value);
	} else if (strcmp(name, "argv") == 0) {
		put_argv(value);
	} else if (strcmp(name, "ranges") == 0) {
		put_ranges(value);
	} else if (*value == '[') {
		value++;
		if (!is_text && version < 9 && strcmp(name, "indices") == 0) {
			put((uint64_t)number(&value), 4);
			return;
		}
		if (is_text)
			printf("%s %s[%d]=[", type_of(name), name, count_elements(value, ','));
		put_array(&value, width_of(name));
		if (is_text)
			printf("]\n");
	} else if (is_text && strcmp(name, "fn") == 0) {
		const char *known = strstr(names, value);
		size_t n = strlen(value);

		known = known != NULL && known[n] == ':' ? known + n + 1 : "(null)";
		printf("int fn=%s (\"%.*s\")\n", value, (int)strcspn(known, ","), known);
	} else if (is_text) {
		bool is_boxed = strcmp(name, "request") == 0;

		printf("%s %s=%s%s%s\n", type_of(name), name, is_boxed ? "[" : "", value,
		       is_boxed ? "]" : " (what it means)");
	} else {
		put((uint64_t)number(&value), width_of(name));
	}
}

static void put_times(const char *function, const char *verb, int64_t us)
{
	printf("%s %s at walltime %" PRId64 ".%09" PRId64 ", cputime 0.%09" PRId64
	       " seconds in thread 0.\n",
	       function, verb, WALL_S + us / 1000000, us % 1000000 * 1000, us % 1000000 * 1000);
}

static int number_of(const char *function)
{
	for (int i = 0; i < dumpi_nfunctions(); i++)
		if (strcmp(dumpi_function_name(i), function) == 0)
			return i;
	fprintf(stderr, "dumpimake: there is no %s\n", function);
	exit(2);
}

static void put_clock(int64_t us)
{
	put((uint64_t)(us / 1000000), 2);
	put((uint64_t)(us % 1000000 * 1000), 4);
}

/* One line. */
static void put_call(char *line)
{
	char *function = strsep(&line, " "), *word;
	char *from = strsep(&line, " "), *to = strsep(&line, " ");
	int64_t start = number(&from), end = number(&to);

	if (is_text) {
		put_times(function, "entering", start);
	} else {
		put((uint64_t)number_of(function), 2);
		put(0x4f, 1);
		put(0, 2);
		for (int i = 0; i < 2; i++) {
			put_clock(i == 0 ? start % 1000000 : start);
			put_clock(i == 0 ? end % 1000000 : end);
		}
	}
	while ((word = strsep(&line, " ")) != NULL) {
		char *value = strchr(word, '=');

		if (value == NULL)
			continue;
		*value++ = '\0';
		put_argument(word, value);
	}
	if (is_text)
		put_times(function, "returning", end);
}

static void put_sizes(char *at)
{
	int n = count_elements(at, ',');

	if (!is_text)
		put((uint64_t)n, 4);
	for (int i = 0; i < n; i++) {
		int64_t size = number(&at);

		if (is_text)
			printf("Datatype %d (MPI_WHATEVER) has size %" PRId64 "\n", i, size);
		else
			put((uint64_t)size, 4);
		at += *at == ',';
	}
}

static void put_names(char *at)
{
	int n = count_elements(at, ',');

	put((uint64_t)n, 4);
	for (int i = 0; i < n; i++) {
		int64_t address = number(&at);
		size_t length = strcspn(++at, ",");

		put((uint64_t)address, 8);
		put(length, 2);
		fwrite(at, 1, length, stdout);
		at += length + (at[length] == ',');
	}
}

static void put_magic(void)
{
	put(0xffaadd44554d5049, 8);
}

/* What follows the calls in a binary trace. */
static void put_sections(char *sizes)
{
	long header, at_sizes, at_names;

	put((uint64_t)dumpi_nfunctions(), 2);
	header = ftell(stdout);
	put(version < 13 ? 0 : 1, 1);
	put(version < 13 ? 6 : 0, 1);
	put(version < 13 ? (uint64_t)version : 0, 1);
	put(WALL_S, 8);
	put(4, 2);
	fwrite("host", 1, 4, stdout);
	put(0, 2);
	put(0, 4);
	put(0, 4);
	at_sizes = ftell(stdout);
	put_sizes(sizes);
	at_names = ftell(stdout);
	put_names(names);
	put_magic();
	if (words >= 8)
		put(*sizes != '\0' ? (uint64_t)at_sizes : 0, 8);
	if (words >= 7)
		put(*names != '\0' ? (uint64_t)at_names : 0, 8);
	if (words >= 6)
		put(0, 8);
	put((uint64_t)header, 8);
	put(8, 8);
	put(0, 8);
	put(0, 8);
}

int main(int argc, char **argv)
{
	char line[4096], sizes[4096] = "";

	if (argc < 2)
		return 2;
	is_text = strcmp(argv[1], "text") == 0;
	if (argc > 2)
		version = (int)number(&argv[2]);
	if (argc > 3)
		words = (int)number(&argv[3]);
	if (!is_text) {
		put_magic();
		put(0, 4);
		put(WALL_S, 4);
	}
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "sizes=", 6) == 0)
			snprintf(sizes, sizeof(sizes), "%s", line + 6);
		else if (strncmp(line, "names=", 6) == 0)
			snprintf(names, sizeof(names), "%.1023s", line + 6);
		else if (*line != '\0')
			put_call(line);
	}
	if (is_text)
		put_sizes(sizes);
	else
		put_sections(sizes);
	return 0;
}
