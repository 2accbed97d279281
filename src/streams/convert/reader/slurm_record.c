/* slurm_record.c - records of Key=value pairs: scontrol show job and node, jobcomp/filetxt */
#include "convert/reader/slurm_record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/text.h"

/* ---- pairs ---- */

static bool is_key_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '/';
}

/* Whether "Key=" begins here, Key with a capital letter. */
static bool is_key(const char *text)
{
	size_t n = 0;

	if (*text < 'A' || *text > 'Z')
		return false;
	while (is_key_letter(text[n]))
		n++;
	return text[n] == '=';
}

/* The last place of " Key=" in a text; NULL: nowhere. */
static char *find_last(char *text, const char *key)
{
	char *found = NULL;

	for (char *at = text; (at = strstr(at, key)) != NULL; at++)
		found = at;
	return found;
}

/* Where a value in a line ends. */
static char *value_end(const char *key, char *value)
{
	static const char *const followers[][2] = {
		{"JobName", " UserId="}, {"Name", " JobState="}, {"OS", " RealMemory="}};
	char *end;

	for (size_t i = 0; i < sizeof(followers) / sizeof(*followers); i++)
		if (str_eq(key, followers[i][0]) && (end = find_last(value, followers[i][1])))
			return end;
	if (str_eq(key, "JobName")) /* the line is its own, where a record has several */
		return value + strlen(value);
	for (end = value; *end != '\0'; end++)
		if (*end == ' ' && is_key(end + 1))
			return end;
	return end;
}

static void cut_line(struct slurm_record *record, char *line)
{
	while (*line != '\0') {
		struct slurm_pair pair;
		char *end;

		line += strspn(line, " \t");
		if (!is_key(line)) { /* a word without a value: NtasksPerTRES:0 */
			line += strcspn(line, " \t");
			continue;
		}
		pair.key = line;
		pair.value = strchr(line, '=');
		*pair.value++ = '\0';
		end = value_end(pair.key, pair.value);
		line = *end != '\0' ? end + 1 : end;
		*end = '\0';
		pair.value = str_trim(pair.value);
		vec_push(&record->pairs, pair);
	}
}

static void cut(struct slurm_record *record)
{
	char *at = record->text.text;

	record->pairs.n = 0;
	while (at != NULL && *at != '\0') {
		char *newline = strchr(at, '\n');

		if (newline != NULL)
			*newline = '\0';
		cut_line(record, at);
		at = newline != NULL ? newline + 1 : NULL;
	}
}

/* ---- records ---- */

static bool is_first_line(const struct slurm_record *record, const char *line)
{
	size_t n = strlen(record->first_key);

	return strncmp(line, record->first_key, n) == 0 && line[n] == '=';
}

int slurm_record_next(struct slurm_record *record, struct in *in, struct err *err)
{
	char *line;
	int status;

	buf_clear(&record->text);
	if (record->next.n > 0) {
		buf_add(&record->text, record->next.text, record->next.n);
		record->line = record->next_line;
		buf_clear(&record->next);
	}
	while ((status = in_line(in, &line, NULL, err)) == 1) {
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if (is_first_line(record, line)) {
			if (record->text.n > 0) {
				buf_printf(&record->next, "%s\n", line);
				record->next_line = in_lineno(in);
				break;
			}
			record->line = in_lineno(in);
		} else if (record->text.n == 0 && record->nothing != NULL &&
			   str_starts(line, record->nothing)) {
			continue;
		} else if (record->text.n == 0) {
			return in_error(in, err, "expected a line '%s=…'", record->first_key);
		}
		buf_printf(&record->text, "%s\n", line);
	}
	if (status < 0)
		return -1;
	if (record->text.n == 0)
		return 0;
	cut(record);
	return 1;
}

struct records {
	struct slurm_record *record;
	struct flow *flow;
	slurm_record_fn *put;
	void *context;
};

static int read_file(void *context, struct in *in, struct err *err)
{
	const struct records *records = context;
	struct slurm_record *record = records->record;
	int status;

	records->flow->file = in_name(in);
	while ((status = slurm_record_next(record, in, err)) == 1) {
		records->flow->line = record->line;
		if ((status = records->put(records->context, err)) != 0) {
			if (!str_starts(err->msg, in_name(in)))
				err_prefix(err, "%s:%ld: ", in_name(in), record->line);
			break;
		}
	}
	records->flow->file = NULL;
	return status;
}

int slurm_records_read(struct slurm_record *record, char *const *paths, struct flow *flow,
		       slurm_record_fn *put, void *context, struct err *err)
{
	struct records records = {record, flow, put, context};
	int status = text_read_files(paths, read_file, &records, err);

	slurm_record_free(record);
	return status;
}

const char *slurm_record_value(const struct slurm_record *record, const char *key)
{
	static const char *const nothing[] = {"",        "(null)", "N/A", "n/a",
					      "Unknown", "None",   "NONE"};

	for (size_t i = 0; i < record->pairs.n; i++) {
		const char *value = record->pairs.at[i].value;

		if (!str_eq(record->pairs.at[i].key, key))
			continue;
		for (size_t k = 0; k < sizeof(nothing) / sizeof(*nothing); k++)
			if (str_eq(value, nothing[k]))
				return NULL;
		return value;
	}
	return NULL;
}

void slurm_record_free(struct slurm_record *record)
{
	buf_free(&record->text);
	buf_free(&record->next);
	vec_free(&record->pairs);
}
