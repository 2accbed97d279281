/* sacct_row.c - rows of Slurm's accounting whose texts hold the separator
 *
 * sacct escapes nothing. A row with too many cells is laid over its columns in every way in which
 * texts take several cells and each other column takes one that looks like it; the row is read when
 * all ways agree on the columns that are used. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/reader/sacct_priv.h"

/* ---- what columns look like ---- */

static bool is_any(const char *text)
{
	(void)text;
	return true;
}

static bool is_id(const char *text)
{
	return text[0] >= '0' && text[0] <= '9' && strpbrk(text, " =/") == NULL;
}

static bool is_time(const char *text)
{
	return str_eq(text, "Unknown") || str_eq(text, "None") || str_eq(text, "N/A") ||
	       strspn(text, "0123456789-:T.+Z ") == strlen(text);
}

static bool is_duration(const char *text)
{
	return strspn(text, "0123456789:-.") == strlen(text) || str_eq(text, "UNLIMITED") ||
	       str_eq(text, "Partition_Limit") || str_eq(text, "INVALID");
}

static bool is_count(const char *text)
{
	return strspn(text, "0123456789") == strlen(text);
}

/* Capital letters, as in COMPLETED or "CANCELLED by 0". */
static bool is_state(const char *text)
{
	size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

	return n > 1 && (text[n] == '\0' || text[n] == ' ' || text[n] == '+');
}

static bool is_exit_code(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return *text == '\0' || (n > 0 && text[n] == ':' && is_count(text + n + 1));
}

static bool is_tres(const char *text)
{
	return *text == '\0' || (strchr(text, '=') != NULL && strchr(text, ' ') == NULL);
}

static bool is_memory(const char *text)
{
	size_t n = strspn(text, "0123456789.");

	return *text == '\0' || (n > 0 && strspn(text + n, "KMGTPnc") == strlen(text + n));
}

static bool is_word(const char *text)
{
	return strpbrk(text, " =") == NULL;
}

static bool is_letters(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_,") ==
	       strlen(text);
}

static bool is_list(const char *text)
{
	return strchr(text, ' ') == NULL || str_eq(text, "None assigned");
}

static bool is_path(const char *text)
{
	return *text == '\0' || *text == '/' || str_eq(text, "(null)");
}

/* "/usr/bin/sbatch -N 2 …" */
static bool is_command(const char *text)
{
	static const char *const commands[] = {"sbatch", "srun", "salloc", "scrun"};
	size_t n = strcspn(text, " ");

	if (n == 0)
		return *text == '\0';
	while (n > 0 && memchr(text, '/', n) != NULL) {
		text++;
		n--;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strlen(commands[i]) == n && strncmp(text, commands[i], n) == 0)
			return true;
	return false;
}

typedef bool looks_fn(const char *text);

/* pass: from which on the column's text may hold separators; 0: never. What is rare comes late. */
struct column_look {
	const char *name;
	looks_fn *looks;
	int pass;
};

enum { PASSES = 3 };

static const struct column_look looks[] = {
	{"JobID", is_id, 0},         {"JobIDRaw", is_id, 0},
	{"Submit", is_time, 0},      {"Eligible", is_time, 0},
	{"Start", is_time, 0},       {"End", is_time, 0},
	{"Elapsed", is_duration, 0}, {"Timelimit", is_duration, 0},
	{"ElapsedRaw", is_count, 0}, {"TimelimitRaw", is_duration, 0},
	{"NNodes", is_count, 0},     {"AllocNodes", is_count, 0},
	{"ReqNodes", is_count, 0},   {"NCPUS", is_count, 0},
	{"AllocCPUS", is_count, 0},  {"ReqCPUS", is_count, 0},
	{"NTasks", is_count, 0},     {"SegmentSize", is_count, 0},
	{"Priority", is_count, 0},   {"UID", is_count, 0},
	{"State", is_state, 0},      {"ExitCode", is_exit_code, 0},
	{"AllocTRES", is_tres, 0},   {"ReqTRES", is_tres, 0},
	{"ReqMem", is_memory, 0},    {"DerivedExitCode", is_exit_code, 0},
	{"Cluster", is_word, 0},     {"User", is_word, 0},
	{"Account", is_word, 0},     {"Partition", is_word, 0},
	{"QOS", is_word, 0},         {"Group", is_word, 0},
	{"NodeList", is_list, 0},    {"Flags", is_letters, 0},
	{"JobName", is_any, 1},      {"SubmitLine", is_command, 1},
	{"Constraints", is_word, 1}, {"Comment", is_any, 1},
	{"AdminComment", is_any, 1}, {"SystemComment", is_any, 1},
	{"Extra", is_any, 1},        {"WorkDir", is_path, 2},
	{"StdOut", is_any, 2},       {"StdErr", is_any, 2},
	{"StdIn", is_any, 2},        {"Reservation", is_word, 2},
	{"FailedNode", is_list, 2},  {"WCKey", is_any, 2},
	{"McsLabel", is_any, 2},
};

static const struct column_look other = {"", is_any, 0};

static const struct column_look *look_of(const char *name)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++)
		if (strcasecmp(looks[i].name, name) == 0)
			return &looks[i];
	return &other;
}

/* ---- all ways to lay cells over columns ---- */

struct layout {
	const struct slurm_table *table;
	int pass, extra;
	/* [(ncolumns + 1) × (extra + 1)]: whether cells from column + shift on fit the columns from
	 * column on; and whether those before fit those before */
	bool *behind, *before;
};

static bool *at(const struct layout *layout, bool *fits, int column, int shift)
{
	return &fits[column * (layout->extra + 1) + shift];
}

/* Whether a column can take 1 + more cells from column + shift on. */
static bool takes(const struct layout *layout, int column, int shift, int more)
{
	const struct column_look *look = look_of(layout->table->names[column]);
	const char *text = layout->table->cells[column + shift];

	if (more > 0 && (look->pass == 0 || look->pass > layout->pass))
		return false;
	if (look->looks == is_word) /* features: a|b, but not "a|" */
		for (int i = 0; more > 0 && i <= more; i++)
			if (layout->table->cells[column + shift + i][0] == '\0' ||
			    !is_word(layout->table->cells[column + shift + i]))
				return false;
	if (look->looks == is_command && layout->pass == PASSES)
		return true; /* a site's own wrapper of sbatch */
	return look->looks(text);
}

static void find_fits(struct layout *layout)
{
	int ncolumns = layout->table->ncolumns;

	*at(layout, layout->behind, ncolumns, layout->extra) = true;
	for (int column = ncolumns - 1; column >= 0; column--)
		for (int shift = 0; shift <= layout->extra; shift++)
			for (int more = 0; shift + more <= layout->extra; more++)
				if (*at(layout, layout->behind, column + 1, shift + more) &&
				    takes(layout, column, shift, more))
					*at(layout, layout->behind, column, shift) = true;
	*at(layout, layout->before, 0, 0) = true;
	for (int column = 0; column < ncolumns; column++)
		for (int shift = 0; shift <= layout->extra; shift++)
			for (int more = 0; shift + more <= layout->extra; more++)
				if (*at(layout, layout->before, column, shift) &&
				    takes(layout, column, shift, more))
					*at(layout, layout->before, column + 1, shift + more) =
						true;
}

/* How many ways there are to place the column, at most 2. */
static int count_places(const struct layout *layout, int column)
{
	int n = 0;

	for (int shift = 0; shift <= layout->extra; shift++)
		for (int more = 0; shift + more <= layout->extra; more++)
			if (*at(layout, layout->before, column, shift) &&
			    *at(layout, layout->behind, column + 1, shift + more) &&
			    takes(layout, column, shift, more) && ++n == 2)
				return n;
	return n;
}

/* Joins the cells of each column along the first way. */
static void join_cells(struct slurm_table *table, const struct layout *layout)
{
	char *joined[SLURM_CELLS] = {NULL};
	int shift = 0;

	for (int column = 0; column < table->ncolumns; column++) {
		int more = 0;

		while (!*at(layout, layout->behind, column + 1, shift + more) ||
		       !takes(layout, column, shift, more))
			more++;
		joined[column] = table->cells[column + shift];
		for (int i = 0; i < more; i++) /* they are one behind the other in the line */
			*(table->cells[column + shift + i + 1] - 1) = table->sep;
		shift += more;
	}
	memcpy(table->cells, joined, (size_t)table->ncolumns * sizeof(*joined));
	table->ncells = table->ncolumns;
}

/* The first used column with several possible places; -1: none. */
static int find_doubt(const struct layout *layout, const int *from)
{
	for (int field = 0; field < SACCT_NFIELDS; field++)
		if (from[field] >= 0 && count_places(layout, from[field]) > 1)
			return from[field];
	return -1;
}

static int too_many(const struct slurm_table *table, const char *doubt, struct err *err)
{
	if (doubt != NULL)
		return in_error(table->in, err,
				"has %d fields, expected %d, and more than one way to read %s: ask "
				"sacct for texts last, or for another --delimiter",
				table->ncells, table->ncolumns, doubt);
	return in_error(table->in, err,
			"has %d fields, expected %d, and no text explains it: ask sacct for texts "
			"last, or for another --delimiter",
			table->ncells, table->ncolumns);
}

int sacct_settle(struct slurm_table *table, const int *from, struct err *err)
{
	int extra = table->ncells - table->ncolumns, status = 1;
	size_t n = (size_t)(table->ncolumns + 1) * (size_t)(extra + 1);

	for (int pass = 1; extra > 0 && pass <= PASSES && status == 1; pass++) {
		struct layout layout = {table, pass, extra, xcalloc(n, 1), xcalloc(n, 1)};

		find_fits(&layout);
		if (*at(&layout, layout.behind, 0, 0)) {
			int doubt = find_doubt(&layout, from);

			status = doubt < 0 ? 0 : too_many(table, table->names[doubt], err);
			if (status == 0)
				join_cells(table, &layout);
		}
		free(layout.behind);
		free(layout.before);
	}
	return extra > 0 && status == 1 ? too_many(table, NULL, err) : status == 1 ? 0 : status;
}
