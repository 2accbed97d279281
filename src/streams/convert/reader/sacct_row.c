/* sacct_row.c - rows of Slurm's accounting whose texts hold the separator
 *
 * sacct escapes nothing. A row with too many cells is laid over its columns in every way in which
 * texts take several cells and each other column takes one that looks like it; the row is read when
 * all ways agree on the columns that are used. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "convert/reader/sacct_priv.h"
#include "convert/reader/slurm_rows.h"

const char *const sacct_field_names[SACCT_NFIELDS][4] = {
	[SACCT_JOB] = {"JobID"},
	[SACCT_NAME] = {"JobName"},
	[SACCT_USER] = {"User"},
	[SACCT_PARTITION] = {"Partition"},
	[SACCT_SUBMIT] = {"Submit"},
	[SACCT_ELIGIBLE] = {"Eligible"},
	[SACCT_START] = {"Start"},
	[SACCT_END] = {"End"},
	[SACCT_ELAPSED_RAW] = {"ElapsedRaw"},
	[SACCT_ELAPSED] = {"Elapsed"},
	[SACCT_LIMIT_RAW] = {"TimelimitRaw"},
	[SACCT_LIMIT] = {"Timelimit"},
	[SACCT_STATE] = {"State"},
	[SACCT_NODES] = {"NNodes", "AllocNodes", "ReqNodes"},
	[SACCT_TRES] = {"AllocTRES"},
	[SACCT_REQUESTED_TRES] = {"ReqTRES"},
	[SACCT_CPUS] = {"AllocCPUS", "NCPUS", "ReqCPUS"},
	[SACCT_MEMORY] = {"ReqMem"},
	[SACCT_ACCOUNT] = {"Account"},
	[SACCT_CONSTRAINTS] = {"Constraints"},
	[SACCT_RESERVATION] = {"Reservation"},
	[SACCT_SEGMENT] = {"SegmentSize"},
	[SACCT_TASKS] = {"NTasks"},
	[SACCT_LINE] = {"SubmitLine"},
	[SACCT_NODELIST] = {"NodeList"},
	[SACCT_REASON] = {"Reason"},
};

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
	{"JobID", is_id, 0},
	{"JobIDRaw", is_id, 0},
	{"Submit", is_time, 0},
	{"Eligible", is_time, 0},
	{"Start", is_time, 0},
	{"End", is_time, 0},
	{"Elapsed", is_duration, 0},
	{"Timelimit", is_duration, 0},
	{"ElapsedRaw", is_count, 0},
	{"TimelimitRaw", is_duration, 0},
	{"NNodes", is_count, 0},
	{"AllocNodes", is_count, 0},
	{"ReqNodes", is_count, 0},
	{"NCPUS", is_count, 0},
	{"AllocCPUS", is_count, 0},
	{"ReqCPUS", is_count, 0},
	{"NTasks", is_count, 0},
	{"SegmentSize", is_count, 0},
	{"Priority", is_count, 0},
	{"UID", is_count, 0},
	{"State", is_state, 0},
	{"ExitCode", is_exit_code, 0},
	{"AllocTRES", is_tres, 0},
	{"ReqTRES", is_tres, 0},
	{"ReqMem", is_memory, 0},
	{"DerivedExitCode", is_exit_code, 0},
	{"Cluster", is_word, 0},
	{"User", is_word, 0},
	{"Account", is_word, 0},
	{"Partition", is_word, 0},
	{"QOS", is_word, 0},
	{"Group", is_word, 0},
	{"NodeList", is_list, 0},
	{"Flags", is_letters, 0},
	{"JobName", is_any, 1},
	{"SubmitLine", is_command, 1},
	{"Constraints", is_word, 1},
	{"Comment", is_any, 1},
	{"AdminComment", is_any, 1},
	{"SystemComment", is_any, 1},
	{"Extra", is_any, 1},
	{"WorkDir", is_path, 2},
	{"StdOut", is_any, 2},
	{"StdErr", is_any, 2},
	{"StdIn", is_any, 2},
	{"Reservation", is_word, 2},
	{"FailedNode", is_list, 2},
	{"WCKey", is_any, 2},
	{"McsLabel", is_any, 2},
	{"Reason", is_word, 0},
	{"Suspended", is_duration, 0},
	{"SystemCPU", is_duration, 0},
	{"UserCPU", is_duration, 0},
	{"TotalCPU", is_duration, 0},
	{"CPUTime", is_duration, 0},
	{"CPUTimeRAW", is_count, 0},
	{"Planned", is_duration, 0},
	{"Reserved", is_duration, 0},
	{"PlannedCPU", is_duration, 0},
	{"PlannedCPURAW", is_count, 0},
	{"ResvCPU", is_duration, 0},
	{"ResvCPURAW", is_count, 0},
	{"AveCPU", is_duration, 0},
	{"MinCPU", is_duration, 0},
	{"GID", is_count, 0},
	{"AssocID", is_count, 0},
	{"DBIndex", is_count, 0},
	{"QOSRAW", is_count, 0},
	{"ReservationId", is_count, 0},
	{"Restarts", is_count, 0},
	{"WCKeyID", is_count, 0},
	{"ConsumedEnergyRaw", is_count, 0},
	{"ConsumedEnergy", is_word, 0},
	{"AveDiskRead", is_word, 0},
	{"AveDiskWrite", is_word, 0},
	{"AvePages", is_word, 0},
	{"AveRSS", is_word, 0},
	{"AveVMSize", is_word, 0},
	{"MaxDiskRead", is_word, 0},
	{"MaxDiskWrite", is_word, 0},
	{"MaxPages", is_word, 0},
	{"MaxRSS", is_word, 0},
	{"MaxVMSize", is_word, 0},
	{"ReqCPUFreq", is_word, 0},
	{"ReqCPUFreqMin", is_word, 0},
	{"ReqCPUFreqMax", is_word, 0},
	{"ReqCPUFreqGov", is_word, 0},
	{"AveCPUFreq", is_word, 0},
	{"QOSREQ", is_word, 0},
	{"BlockID", is_word, 0},
	{"Layout", is_word, 0},
	{"Licenses", is_any, 0},
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
	bool has_list;  /* the job started: it has a list, */
	int64_t nnodes; /* of so many nodes; 0: not known */
	int nfeatures;  /* cells that Constraints take beyond the first; -1: any number */
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
	if (look->looks == is_list && str_eq(look->name, "NodeList") && layout->has_list &&
	    (slurm_count_nodes(text) == 0 ||
	     (layout->nnodes > 0 && slurm_count_nodes(text) != layout->nnodes)))
		return false;
	if (layout->nfeatures >= 0 && more != layout->nfeatures &&
	    str_eq(look->name, "Constraints"))
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
		return slurm_row_error(
			table, err,
			"has %d fields, expected %d, and more than one way to read %s: ask "
			"sacct for texts last, or for another --delimiter",
			table->ncells, table->ncolumns, doubt);
	return slurm_row_error(
		table, err,
		"has %d fields, expected %d, and no text explains it: ask sacct for texts "
		"last, or for another --delimiter",
		table->ncells, table->ncolumns);
}

/* The cell of a column for sure, as no text is before it, or none behind it; NULL: no column. */
static const char *sure_cell(const struct slurm_table *table, int column)
{
	int before = 0, behind = 0;

	if (column < 0)
		return NULL;
	for (int i = 0; i < table->ncolumns; i++) {
		bool is_text = look_of(table->names[i])->pass != 0;

		before += i < column && is_text;
		behind += i > column && is_text;
	}
	return before == 0   ? table->cells[column]
	       : behind == 0 ? table->cells[column + table->ncells - table->ncolumns]
			     : NULL;
}

/* What State, Start and NNodes say of the list of nodes. */
static void know_nodes(struct layout *layout, const int *from)
{
	const char *state = sure_cell(layout->table, from[SACCT_STATE]);
	const char *start = sure_cell(layout->table, from[SACCT_START]);
	const char *nodes = sure_cell(layout->table, from[SACCT_NODES]);

	layout->has_list = state != NULL && !str_starts(state, "PENDING") && start != NULL &&
			   *start >= '0' && *start <= '9' && !str_starts(state, "CANCELLED");
	if (nodes == NULL || num_int(nodes, 1, INT32_MAX, &layout->nnodes) != 0)
		layout->nnodes = 0;
}

/* Lays the cells of a pass out: 0: one way; 1: none; 2: several, *doubt is the column. */
static int lay_out(struct layout *layout, const int *from, int *doubt)
{
	size_t n = (size_t)(layout->table->ncolumns + 1) * (size_t)(layout->extra + 1);

	memset(layout->behind, 0, n);
	memset(layout->before, 0, n);
	find_fits(layout);
	if (!*at(layout, layout->behind, 0, 0))
		return 1;
	*doubt = find_doubt(layout, from);
	return *doubt < 0 ? 0 : 2;
}

/* Of several readings left a bar is sbatch -C's OR: the one in which Constraints has the most. */
static int settle_pass(struct layout *layout, const int *from, int *doubt)
{
	int status = lay_out(layout, from, doubt);

	for (int k = layout->extra; status == 2 && from[SACCT_CONSTRAINTS] >= 0 && k > 0; k--) {
		layout->nfeatures = k;
		if ((status = lay_out(layout, from, doubt)) != 1)
			return status;
		status = 2;
	}
	return status;
}

int sacct_settle(struct slurm_table *table, const int *from, struct err *err)
{
	int extra = table->ncells - table->ncolumns, status = 1, doubt = -1;
	size_t n = (size_t)(table->ncolumns + 1) * (size_t)(extra + 1);

	if (extra == 0 && !table->is_joined)
		return 0;
	for (int pass = 1; pass <= PASSES && status == 1; pass++) {
		struct layout layout = {.table = table,
					.pass = pass,
					.extra = extra,
					.nfeatures = -1,
					.behind = xcalloc(n, 1),
					.before = xcalloc(n, 1)};

		know_nodes(&layout, from);
		status = settle_pass(&layout, from, &doubt);
		if (status == 0)
			join_cells(table, &layout);
		free(layout.behind);
		free(layout.before);
	}
	return status == 0 ? 0 : too_many(table, status == 2 ? table->names[doubt] : NULL, err);
}
