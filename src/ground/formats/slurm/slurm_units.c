/* slurm_units.c - resources as Slurm writes them: memory, TRES and GRES */
#include "formats/slurm/slurm_units.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/str.h"

enum { TYPE_ROOM = 64, PART_MOST = 128 };

/* The largest memory of a job that is believed: 2^50 bytes on each of 2^20 nodes is not. */
static const double memory_most = 1024.0 * 1024 * 1024 * 1024 * 1024;

void slurm_tres_clear(struct slurm_tres *tres)
{
	*tres = (struct slurm_tres){.cpus = -1, .nodes = -1, .gpus = -1, .memory_bytes = -1};
}

int slurm_memory(const char *text, double *bytes, char *per)
{
	static const char units[] = "KMGTP";
	char digits[NUM_TEXT];
	size_t n = strspn(text, "0123456789.");
	const char *unit = text[n] != '\0' ? strchr(units, text[n]) : NULL;
	double scale = 1024.0 * 1024, number;

	*per = 0;
	if (n == 0 || n >= sizeof(digits))
		return -1;
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (unit != NULL) {
		scale = 1024;
		for (const char *at = units; at < unit; at++)
			scale *= 1024;
		n++;
	}
	if (text[n] == 'n' || text[n] == 'c')
		*per = text[n++];
	if (text[n] != '\0' || num_real(digits, 0, memory_most / scale, &number) != 0)
		return -1;
	*bytes = number * scale;
	return 0;
}

/* "a100" to types, each once. */
static void add_type(char *types, const char *type, size_t n)
{
	size_t used = strlen(types);

	for (const char *at = types; *at != '\0'; at += strcspn(at, ",")) {
		at += *at == ',';
		if (strcspn(at, ",") == n && strncmp(at, type, n) == 0)
			return;
	}
	if (n == 0 || used + n + 2 > TYPE_ROOM)
		return;
	if (used > 0)
		types[used++] = ',';
	memcpy(types + used, type, n);
	types[used + n] = '\0';
}

/* One entry of TRES; typed: the GPUs that are listed with their type. */
static void read_entry(struct slurm_tres *tres, char *entry, int64_t *typed)
{
	char *value = strchr(entry, '='), per;
	int64_t number;
	double bytes;

	if (value == NULL)
		return;
	*value++ = '\0';
	if (str_eq(entry, "mem")) {
		if (slurm_memory(value, &bytes, &per) == 0)
			tres->memory_bytes = bytes;
		return;
	}
	if (num_int(value, 0, INT32_MAX, &number) != 0)
		return;
	if (str_eq(entry, "cpu"))
		tres->cpus = number;
	else if (str_eq(entry, "node"))
		tres->nodes = number;
	else if (str_eq(entry, "gres/gpu"))
		tres->gpus = number;
	else if (str_starts(entry, "gres/gpu:")) {
		*typed = *typed < 0 ? number : *typed + number;
		if (number > 0)
			add_type(tres->gpu_type, entry + 9, strlen(entry + 9));
	}
}

void slurm_tres_read(struct slurm_tres *tres, const char *text)
{
	int64_t typed = -1;

	slurm_tres_clear(tres);
	while (text != NULL && *text != '\0') {
		char entry[PART_MOST];
		size_t n = strcspn(text, ",");

		if (n < sizeof(entry)) {
			memcpy(entry, text, n);
			entry[n] = '\0';
			read_entry(tres, entry, &typed);
		}
		text += n + (text[n] == ',');
	}
	if (tres->gpus < 0)
		tres->gpus = typed;
}

/* Up to the comma that is in no parentheses. */
static size_t gres_length(const char *text)
{
	size_t n = 0;
	int depth = 0;

	for (; text[n] != '\0' && (text[n] != ',' || depth > 0); n++)
		depth += text[n] == '(' ? 1 : text[n] == ')' && depth > 0 ? -1 : 0;
	return n;
}

/* The number at *text, which moves behind it; -1: none. */
static int64_t take_number(const char **text)
{
	size_t n = strspn(*text, "0123456789");
	uint64_t number;

	if (n == 0 || n > 9 || num_digits(*text, n, &number) != 0)
		return -1;
	*text += n;
	return (int64_t)number;
}

/* "(IDX:0,2-3,5)": how many there are; -1: it is something else. */
static int64_t count_indices(const char *text)
{
	int64_t count = 0;

	if (!str_starts(text, "(IDX:"))
		return -1;
	for (text += 5; *text != ')'; text += *text == ',') {
		int64_t first = take_number(&text), last = first;

		if (*text == '-') {
			text++;
			last = take_number(&text);
		}
		if (first < 0 || last < first || (*text != ',' && *text != ')'))
			return -1;
		count += last - first + 1;
	}
	return count;
}

/* "gpu:a100:4", whose end as in (S:0-3) is ended by NUL; behind: that end. */
static void read_gres(char *entry, int64_t *gpus, char *type, const char *behind)
{
	static const char units[] = "kmgKMG";
	char *count;
	int64_t number, scale = 1;
	size_t n;

	if (str_starts(entry, "gres/") || str_starts(entry, "gres:"))
		entry += 5;
	if (strncmp(entry, "gpu", 3) != 0 || (entry[3] != ':' && entry[3] != '=' && entry[3] != 0))
		return;
	count = strrchr(entry, entry[3] != '\0' && strchr(entry, '=') ? '=' : ':');
	if (count == NULL) { /* up to 17.11 only indices; "gpu" alone is one */
		number = count_indices(behind);
		*gpus += number >= 0 ? number : 1;
		return;
	}
	n = strlen(count);
	if (n > 1 && strchr(units, count[n - 1]) != NULL) {
		int power = (int)((strchr(units, count[n - 1]) - units) % 3) + 1;

		while (power-- > 0)
			scale *= 1024;
		count[n - 1] = '\0';
	}
	if (num_int(count + 1, 0, INT32_MAX / scale, &number) != 0) {
		/* "gpu:a100": one of that type */
		add_type(type, entry + 4, strlen(entry + 4));
		*gpus += 1;
		return;
	}
	*gpus += number * scale;
	if (count > entry + 4)
		add_type(type, entry + 4, (size_t)(count - entry - 4));
}

void slurm_gres_add(const char *text, int64_t *gpus, char *type)
{
	if (text == NULL || *text == '\0' || str_eq(text, "(null)") || str_eq(text, "N/A"))
		return;
	if (*gpus < 0)
		*gpus = 0;
	while (*text != '\0') {
		char entry[PART_MOST], behind[PART_MOST];
		size_t n = gres_length(text), inner;

		if (n < sizeof(entry)) {
			memcpy(entry, text, n);
			entry[n] = '\0';
			inner = strcspn(entry, "(");
			memcpy(behind, entry + inner, n - inner + 1);
			entry[inner] = '\0';
			read_gres(entry, gpus, type, behind);
		}
		text += n + (text[n] == ',');
	}
}
