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
static char *value_end(const char *key, char *value, bool is_of_lines)
{
	static const char *const followers[][2] = {
		{"JobName", " UserId="}, {"Name", " JobState="}, {"OS", " RealMemory="}};
	char *end;

	if (is_of_lines &&
	    str_eq(key, "JobName")) /* a name may look like fields, it ends its line */
		return value + strlen(value);
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

/* "het HetJobIdSet=8-9": behind the name of a component there are its job's numbers. */
static void end_name(char *name)
{
	char *set = find_last(name, " HetJobIdSet=");

	if (set != NULL && set[13] != '\0' && set[13 + strspn(set + 13, "0123456789,-[]")] == '\0')
		*set = '\0';
}

static void cut_line(struct slurm_record *record, char *line, bool is_of_lines)
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
		end = value_end(pair.key, pair.value, is_of_lines);
		line = *end != '\0' ? end + 1 : end;
		*end = '\0';
		if (str_eq(pair.key, "JobName"))
			end_name(pair.value);
		pair.value = str_trim(pair.value);
		vec_push(&record->pairs, pair);
	}
}

static void cut(struct slurm_record *record)
{
	char *at = record->text.text;
	/* what identifies a job is behind its name */
	bool is_of_lines = strstr(strchr(at, '\n'), " UserId=") != NULL;

	record->pairs.n = 0;
	while (at != NULL && *at != '\0') {
		char *newline = strchr(at, '\n');

		if (newline != NULL)
			*newline = '\0';
		cut_line(record, at, is_of_lines);
		at = newline != NULL ? newline + 1 : NULL;
	}
}

/* ---- records ---- */

static bool is_first_line(const struct slurm_record *record, const char *line)
{
	size_t n = strlen(record->first_key);

	return strncmp(line, record->first_key, n) == 0 && line[n] == '=';
}

/* Whether a first line is a record of its own, as scontrol -o and jobcomp print it. */
static bool is_whole_line(const struct slurm_record *record)
{
	static const char *const signs[] = {
		" UserId=", " JobState=", " NumNodes=", " NodeList=", " NodeCnt="};

	for (size_t i = 0; !record->is_of_lines && i < sizeof(signs) / sizeof(*signs); i++)
		if (strstr(record->text.text, signs[i]) != NULL)
			return true;
	return false;
}

/* A line that is not indented belongs to the name in the first line of a record. */
static bool goes_on(const struct slurm_record *record, const char *line)
{
	if (!record->has_names || record->text.n == 0 || *line == ' ' || *line == '\t' ||
	    strchr(record->text.text, '\n') + 1 < record->text.text + record->text.n)
		return false;
	return !is_first_line(record, line) || !is_whole_line(record);
}

static void add_line(struct slurm_record *record, struct buf *to, const char *line)
{
	if (to->n > 0 && goes_on(record, line))
		to->text[to->n - 1] = ' ';
	buf_printf(to, "%s\n", line);
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
		if (is_first_line(record, line) && !goes_on(record, line)) {
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
		record->is_of_lines |= record->text.n > 0 && (*line == ' ' || *line == '\t');
		add_line(record, &record->text, line);
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
		if (records->put(records->context, err) == 0)
			continue;
		if (!str_starts(err->msg, in_name(in)))
			err_prefix(err, "%s:%ld: ", in_name(in), record->line);
		if ((status = flow_leave_out(records->flow, err)) != 0)
			break;
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
	static const char *const nothing[] = {"",        "(null)",  "N/A",  "n/a",
					      "Unknown", "unknown", "None", "NONE"};

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
