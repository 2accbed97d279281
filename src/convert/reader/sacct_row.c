/* sacct_row.c - rows of Slurm's accounting whose texts hold the separator */
#include <string.h>
#include <strings.h>

#include "convert/reader/sacct_priv.h"
#include "base/str.h"

/* Columns that people fill in, and that may so hold a separator: sacct does not escape it. */
static bool is_free_text(const char *name)
{
	static const char *const texts[] = {
		"JobName", "Comment", "AdminComment", "SystemComment", "SubmitLine",
		"WorkDir", "Extra",   "FailedNode",   "Reservation",   "WCKey",
		"StdOut",  "StdIn",   "StdErr",       "McsLabel"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcasecmp(name, texts[i]) == 0)
			return true;
	return false;
}

static bool is_time(const char *text)
{
	return *text == '\0' || str_eq(text, "Unknown") || str_eq(text, "None") ||
	       (text[0] >= '0' && text[0] <= '9');
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

/* Whether the cells, seen with absorber's text having extra separators, look like what their
 * columns hold. */
static bool is_plausible(const struct slurm_table *table, const int *from, int absorber, int extra)
{
	for (int field = 0; field < SACCT_NFIELDS; field++) {
		int column = from[field];
		const char *text;

		if (column < 0 || column == absorber)
			continue;
		text = table->cells[column + (column > absorber ? extra : 0)];
		if (((field == SACCT_SUBMIT || field == SACCT_START || field == SACCT_END) &&
		     !is_time(text)) ||
		    ((field == SACCT_ELAPSED || field == SACCT_LIMIT || field == SACCT_LIMIT_RAW) &&
		     !is_duration(text)) ||
		    ((field == SACCT_ELAPSED_RAW || field == SACCT_NODES || field == SACCT_TASKS) &&
		     !is_count(text)) ||
		    (field == SACCT_STATE && !is_state(text)))
			return false;
	}
	return true;
}

/* Joins what the absorber's text was cut into, and moves the cells behind it. */
static void join_cells(struct slurm_table *table, int absorber, int extra)
{
	struct buf text = {0};

	for (int i = 0; i <= extra; i++)
		buf_printf(&text, "%s%s", i ? (char[]){table->sep, '\0'} : "",
			   table->cells[absorber + i]);
	/* the parts lie one behind the other in the line: the joined text fits there again */
	memcpy(table->cells[absorber], text.text, text.n + 1);
	buf_free(&text);
	for (int i = absorber + 1; i < table->ncolumns; i++)
		table->cells[i] = table->cells[i + extra];
	table->ncells = table->ncolumns;
}

/* The last text that explains the row takes the extra separators: which of two texts it is does not
 * matter to the columns that count. */
int sacct_settle(struct slurm_table *table, const int *from, struct err *err)
{
	int extra = table->ncells - table->ncolumns;

	if (extra == 0)
		return 0;
	for (int i = table->ncolumns - 1; i >= 0; i--)
		if (is_free_text(table->names[i]) && is_plausible(table, from, i, extra)) {
			join_cells(table, i, extra);
			return 0;
		}
	return in_error(table->in, err,
			"has %d fields, %d were wanted, and no text explains it: ask sacct for "
			"texts last, or for another --delimiter",
			table->ncells, table->ncolumns);
}
