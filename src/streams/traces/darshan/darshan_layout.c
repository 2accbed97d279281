/* darshan_layout.c - what records of Darshan's modules are made of */
#include "traces/darshan/darshan_layout.h"

#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

/* The counters' names are those that darshan-parser prints, in the order of the log. */
#define BINS(p)                                                                                    \
	p "0_100", p "100_1K", p "1K_10K", p "10K_100K", p "100K_1M", p "1M_4M", p "4M_10M",       \
		p "10M_100M", p "100M_1G", p "1G_PLUS"
#define FOUR(p, s) p "1" s, p "2" s, p "3" s, p "4" s
#define FIVE(p) p "1", p "2", p "3", p "4", p "5"
#define ACCESS(p) p "_ACCESS", FIVE(p "_LENGTH_D"), FIVE(p "_STRIDE_D")
#define RANKS(p) p "FASTEST_RANK", p "FASTEST_RANK_BYTES", p "SLOWEST_RANK", p "SLOWEST_RANK_BYTES"
#define TIMES(p)                                                                                   \
	p "OPEN_START_TIMESTAMP", p "READ_START_TIMESTAMP", p "WRITE_START_TIMESTAMP",             \
		p "CLOSE_START_TIMESTAMP", p "OPEN_END_TIMESTAMP", p "READ_END_TIMESTAMP",         \
		p "WRITE_END_TIMESTAMP", p "CLOSE_END_TIMESTAMP", p "READ_TIME", p "WRITE_TIME",   \
		p "META_TIME", p "MAX_READ_TIME", p "MAX_WRITE_TIME", p "FASTEST_RANK_TIME",       \
		p "SLOWEST_RANK_TIME", p "VARIANCE_RANK_TIME", p "VARIANCE_RANK_BYTES"

static const char *const posix_ints[] = {
	"POSIX_OPENS",
	"POSIX_FILENOS",
	"POSIX_DUPS",
	"POSIX_READS",
	"POSIX_WRITES",
	"POSIX_SEEKS",
	"POSIX_STATS",
	"POSIX_MMAPS",
	"POSIX_FSYNCS",
	"POSIX_FDSYNCS",
	"POSIX_RENAME_SOURCES",
	"POSIX_RENAME_TARGETS",
	"POSIX_RENAMED_FROM",
	"POSIX_MODE",
	"POSIX_BYTES_READ",
	"POSIX_BYTES_WRITTEN",
	"POSIX_MAX_BYTE_READ",
	"POSIX_MAX_BYTE_WRITTEN",
	"POSIX_CONSEC_READS",
	"POSIX_CONSEC_WRITES",
	"POSIX_SEQ_READS",
	"POSIX_SEQ_WRITES",
	"POSIX_RW_SWITCHES",
	"POSIX_MEM_NOT_ALIGNED",
	"POSIX_MEM_ALIGNMENT",
	"POSIX_FILE_NOT_ALIGNED",
	"POSIX_FILE_ALIGNMENT",
	"POSIX_MAX_READ_TIME_SIZE",
	"POSIX_MAX_WRITE_TIME_SIZE",
	BINS("POSIX_SIZE_READ_"),
	BINS("POSIX_SIZE_WRITE_"),
	FOUR("POSIX_STRIDE", "_STRIDE"),
	FOUR("POSIX_STRIDE", "_COUNT"),
	FOUR("POSIX_ACCESS", "_ACCESS"),
	FOUR("POSIX_ACCESS", "_COUNT"),
	RANKS("POSIX_"),
};
static const char *const posix_reals[] = {TIMES("POSIX_F_")};

static const char *const mpiio_ints[] = {
	"MPIIO_INDEP_OPENS",
	"MPIIO_COLL_OPENS",
	"MPIIO_INDEP_READS",
	"MPIIO_INDEP_WRITES",
	"MPIIO_COLL_READS",
	"MPIIO_COLL_WRITES",
	"MPIIO_SPLIT_READS",
	"MPIIO_SPLIT_WRITES",
	"MPIIO_NB_READS",
	"MPIIO_NB_WRITES",
	"MPIIO_SYNCS",
	"MPIIO_HINTS",
	"MPIIO_VIEWS",
	"MPIIO_MODE",
	"MPIIO_BYTES_READ",
	"MPIIO_BYTES_WRITTEN",
	"MPIIO_RW_SWITCHES",
	"MPIIO_MAX_READ_TIME_SIZE",
	"MPIIO_MAX_WRITE_TIME_SIZE",
	BINS("MPIIO_SIZE_READ_AGG_"),
	BINS("MPIIO_SIZE_WRITE_AGG_"),
	FOUR("MPIIO_ACCESS", "_ACCESS"),
	FOUR("MPIIO_ACCESS", "_COUNT"),
	RANKS("MPIIO_"),
};
static const char *const mpiio_reals[] = {TIMES("MPIIO_F_")};

static const char *const stdio_ints[] = {
	"STDIO_OPENS",         "STDIO_FDOPENS",          "STDIO_READS",         "STDIO_WRITES",
	"STDIO_SEEKS",         "STDIO_FLUSHES",          "STDIO_BYTES_WRITTEN", "STDIO_BYTES_READ",
	"STDIO_MAX_BYTE_READ", "STDIO_MAX_BYTE_WRITTEN", RANKS("STDIO_"),
};
static const char *const stdio_reals[] = {
	"STDIO_F_META_TIME",
	"STDIO_F_WRITE_TIME",
	"STDIO_F_READ_TIME",
	"STDIO_F_OPEN_START_TIMESTAMP",
	"STDIO_F_CLOSE_START_TIMESTAMP",
	"STDIO_F_WRITE_START_TIMESTAMP",
	"STDIO_F_READ_START_TIMESTAMP",
	"STDIO_F_OPEN_END_TIMESTAMP",
	"STDIO_F_CLOSE_END_TIMESTAMP",
	"STDIO_F_WRITE_END_TIMESTAMP",
	"STDIO_F_READ_END_TIMESTAMP",
	"STDIO_F_FASTEST_RANK_TIME",
	"STDIO_F_SLOWEST_RANK_TIME",
	"STDIO_F_VARIANCE_RANK_TIME",
	"STDIO_F_VARIANCE_RANK_BYTES",
};

static const char *const h5f_ints[] = {"H5F_OPENS", "H5F_FLUSHES", "H5F_USE_MPIIO"};
static const char *const h5f_reals[] = {"H5F_F_OPEN_START_TIMESTAMP", "H5F_F_CLOSE_START_TIMESTAMP",
					"H5F_F_OPEN_END_TIMESTAMP", "H5F_F_CLOSE_END_TIMESTAMP",
					"H5F_F_META_TIME"};

static const char *const h5d_ints[] = {
	"H5D_OPENS",
	"H5D_READS",
	"H5D_WRITES",
	"H5D_FLUSHES",
	"H5D_BYTES_READ",
	"H5D_BYTES_WRITTEN",
	"H5D_RW_SWITCHES",
	"H5D_REGULAR_HYPERSLAB_SELECTS",
	"H5D_IRREGULAR_HYPERSLAB_SELECTS",
	"H5D_POINT_SELECTS",
	"H5D_MAX_READ_TIME_SIZE",
	"H5D_MAX_WRITE_TIME_SIZE",
	BINS("H5D_SIZE_READ_AGG_"),
	BINS("H5D_SIZE_WRITE_AGG_"),
	ACCESS("H5D_ACCESS1"),
	ACCESS("H5D_ACCESS2"),
	ACCESS("H5D_ACCESS3"),
	ACCESS("H5D_ACCESS4"),
	FOUR("H5D_ACCESS", "_COUNT"),
	"H5D_DATASPACE_NDIMS",
	"H5D_DATASPACE_NPOINTS",
	"H5D_DATATYPE_SIZE",
	FIVE("H5D_CHUNK_SIZE_D"),
	"H5D_USE_MPIIO_COLLECTIVE",
	"H5D_USE_DEPRECATED",
	RANKS("H5D_"),
};
static const char *const h5d_reals[] = {TIMES("H5D_F_")};

/* Up to log version 3.21; since then PNETCDF_FILE and PNETCDF_VAR. */
static const char *const pnetcdf_ints[] = {"PNETCDF_INDEP_OPENS", "PNETCDF_COLL_OPENS"};
static const char *const pnetcdf_reals[] = {
	"PNETCDF_F_OPEN_START_TIMESTAMP", "PNETCDF_F_CLOSE_START_TIMESTAMP",
	"PNETCDF_F_OPEN_END_TIMESTAMP", "PNETCDF_F_CLOSE_END_TIMESTAMP"};

static const char *const pnetcdf_file_ints[] = {
	"PNETCDF_FILE_CREATES",     "PNETCDF_FILE_OPENS",         "PNETCDF_FILE_REDEFS",
	"PNETCDF_FILE_INDEP_WAITS", "PNETCDF_FILE_COLL_WAITS",    "PNETCDF_FILE_SYNCS",
	"PNETCDF_FILE_BYTES_READ",  "PNETCDF_FILE_BYTES_WRITTEN", "PNETCDF_FILE_WAIT_FAILURES",
};
static const char *const pnetcdf_file_reals[] = {"PNETCDF_FILE_F_OPEN_START_TIMESTAMP",
						 "PNETCDF_FILE_F_CLOSE_START_TIMESTAMP",
						 "PNETCDF_FILE_F_WAIT_START_TIMESTAMP",
						 "PNETCDF_FILE_F_OPEN_END_TIMESTAMP",
						 "PNETCDF_FILE_F_CLOSE_END_TIMESTAMP",
						 "PNETCDF_FILE_F_WAIT_END_TIMESTAMP",
						 "PNETCDF_FILE_F_META_TIME",
						 "PNETCDF_FILE_F_WAIT_TIME"};

#define VAR_CALLS(p) p "VAR", p "VAR1", p "VARA", p "VARS", p "VARM", p "VARN"
static const char *const pnetcdf_var_ints[] = {
	"PNETCDF_VAR_OPENS",
	"PNETCDF_VAR_INDEP_READS",
	"PNETCDF_VAR_INDEP_WRITES",
	"PNETCDF_VAR_COLL_READS",
	"PNETCDF_VAR_COLL_WRITES",
	"PNETCDF_VAR_NB_READS",
	"PNETCDF_VAR_NB_WRITES",
	"PNETCDF_VAR_BYTES_READ",
	"PNETCDF_VAR_BYTES_WRITTEN",
	"PNETCDF_VAR_RW_SWITCHES",
	VAR_CALLS("PNETCDF_VAR_PUT_"),
	"PNETCDF_VAR_PUT_VARD",
	VAR_CALLS("PNETCDF_VAR_GET_"),
	"PNETCDF_VAR_GET_VARD",
	VAR_CALLS("PNETCDF_VAR_IPUT_"),
	VAR_CALLS("PNETCDF_VAR_IGET_"),
	VAR_CALLS("PNETCDF_VAR_BPUT_"),
	"PNETCDF_VAR_MAX_READ_TIME_SIZE",
	"PNETCDF_VAR_MAX_WRITE_TIME_SIZE",
	BINS("PNETCDF_VAR_SIZE_READ_AGG_"),
	BINS("PNETCDF_VAR_SIZE_WRITE_AGG_"),
	ACCESS("PNETCDF_VAR_ACCESS1"),
	ACCESS("PNETCDF_VAR_ACCESS2"),
	ACCESS("PNETCDF_VAR_ACCESS3"),
	ACCESS("PNETCDF_VAR_ACCESS4"),
	FOUR("PNETCDF_VAR_ACCESS", "_COUNT"),
	"PNETCDF_VAR_NDIMS",
	"PNETCDF_VAR_NPOINTS",
	"PNETCDF_VAR_DATATYPE_SIZE",
	"PNETCDF_VAR_IS_RECORD_VAR",
	RANKS("PNETCDF_VAR_"),
};
static const char *const pnetcdf_var_reals[] = {TIMES("PNETCDF_VAR_F_")};

static const char *const bgq_ints[] = {"BGQ_CSJOBID",    "BGQ_NNODES",      "BGQ_RANKSPERNODE",
				       "BGQ_DDRPERNODE", "BGQ_INODES",      "BGQ_ANODES",
				       "BGQ_BNODES",     "BGQ_CNODES",      "BGQ_DNODES",
				       "BGQ_ENODES",     "BGQ_TORUSENABLED"};
static const char *const bgq_reals[] = {"BGQ_F_TIMESTAMP"};

#define NAMES(ints, reals)                                                                         \
	ints, reals, sizeof(ints) / sizeof(ints[0]), sizeof(reals) / sizeof(reals[0])
static const struct darshan_layout layouts[] = {
	{"POSIX", NAMES(posix_ints, posix_reals), 1, 4, NULL, 0},
	{"MPI-IO", NAMES(mpiio_ints, mpiio_reals), 1, 3, NULL, 0},
	{"STDIO", NAMES(stdio_ints, stdio_reals), 1, 2, NULL, 0},
	{"H5F", NAMES(h5f_ints, h5f_reals), 1, 3, NULL, 0},
	{"H5D", NAMES(h5d_ints, h5d_reals), 1, 2, "H5D_FILE_REC_ID", 2},
	{"PNETCDF", NAMES(pnetcdf_ints, pnetcdf_reals), 1, 2, NULL, 0},
	{"PNETCDF_FILE", NAMES(pnetcdf_file_ints, pnetcdf_file_reals), 3, 3, NULL, 0},
	{"PNETCDF_VAR", NAMES(pnetcdf_var_ints, pnetcdf_var_reals), 1, 1, "PNETCDF_VAR_FILE_REC_ID",
	 1},
	{"BG/Q", NAMES(bgq_ints, bgq_reals), 2, 2, NULL, 0},
};

/* A counter that came after version `last` of its module, and what it is given before. */
static const struct {
	const char *counter;
	int last, value;
} lacking[] = {
	{"POSIX_FILENOS", 3, -1},
	{"POSIX_DUPS", 3, -1},
	{"POSIX_RENAME_SOURCES", 3, -1},
	{"POSIX_RENAME_TARGETS", 3, -1},
	{"POSIX_RENAMED_FROM", 3, 0},
	{"POSIX_F_CLOSE_START_TIMESTAMP", 2, -1},
	{"POSIX_F_OPEN_END_TIMESTAMP", 2, -1},
	{"MPIIO_F_CLOSE_START_TIMESTAMP", 2, -1},
	{"MPIIO_F_OPEN_END_TIMESTAMP", 2, -1},
	{"STDIO_FDOPENS", 1, -1},
	{"H5F_FLUSHES", 2, -1},
	{"H5F_USE_MPIIO", 2, -1},
	{"H5F_F_META_TIME", 2, -1},
	{"H5F_F_CLOSE_START_TIMESTAMP", 1, -1},
	{"H5F_F_OPEN_END_TIMESTAMP", 1, -1},
	{"PNETCDF_F_CLOSE_START_TIMESTAMP", 1, -1},
	{"PNETCDF_F_OPEN_END_TIMESTAMP", 1, -1},
};

const struct darshan_layout *darshan_layout(const char *module)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (str_eq(layouts[i].module, module))
			return &layouts[i];
	return NULL;
}

bool darshan_is_lacking(const struct darshan_layout *layout, int version, const char *counter,
			int *value)
{
	if (version >= layout->version)
		return false;
	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (str_eq(lacking[i].counter, counter)) {
			*value = lacking[i].value;
			return version <= lacking[i].last;
		}
	return false;
}

/* ---- APMPI ---- */

/* Operations in the order of the log; those of the second kind move no bytes themselves. */
enum { MOVES = 1, SYNCS = 2 };
static const struct {
	const char *name;
	int is;
} operations[] = {
	{"SEND", MOVES},
	{"SSEND", MOVES},
	{"RSEND", MOVES},
	{"BSEND", MOVES},
	{"RECV", MOVES},
	{"SENDRECV", MOVES},
	{"SENDRECV_REPLACE", MOVES},
	{"ISEND", MOVES},
	{"ISSEND", MOVES},
	{"IRSEND", MOVES},
	{"IBSEND", MOVES},
	{"IRECV", MOVES},
	{"PROBE", 0},
	{"IPROBE", 0},
	{"TEST", 0},
	{"TESTANY", 0},
	{"TESTALL", 0},
	{"TESTSOME", 0},
	{"WAIT", 0},
	{"WAITANY", 0},
	{"WAITALL", 0},
	{"WAITSOME", 0},
	{"BARRIER", SYNCS},
	{"IBARRIER", 0},
	{"BCAST", MOVES | SYNCS},
	{"GATHER", MOVES | SYNCS},
	{"GATHERV", MOVES | SYNCS},
	{"SCATTER", MOVES | SYNCS},
	{"SCATTERV", MOVES | SYNCS},
	{"SCAN", MOVES | SYNCS},
	{"EXSCAN", MOVES | SYNCS},
	{"ALLGATHER", MOVES | SYNCS},
	{"ALLGATHERV", MOVES | SYNCS},
	{"REDUCE", MOVES | SYNCS},
	{"ALLREDUCE", MOVES | SYNCS},
	{"REDUCE_SCATTER", MOVES | SYNCS},
	{"ALLTOALL", MOVES | SYNCS},
	{"ALLTOALLV", MOVES | SYNCS},
	{"ALLTOALLW", MOVES | SYNCS},
	{"IBCAST", MOVES},
	{"IGATHER", MOVES},
	{"IGATHERV", MOVES},
	{"ISCATTER", MOVES},
	{"ISCATTERV", MOVES},
	{"ISCAN", MOVES},
	{"IEXSCAN", MOVES},
	{"IALLGATHER", MOVES},
	{"IALLGATHERV", MOVES},
	{"IREDUCE", MOVES},
	{"IALLREDUCE", MOVES},
	{"IREDUCE_SCATTER", MOVES},
	{"IALLTOALL", MOVES},
	{"IALLTOALLV", MOVES},
	{"IALLTOALLW", MOVES},
	{"PUT", MOVES},
	{"GET", MOVES},
	{"ACCUMULATE", MOVES},
	{"GET_ACCUMULATE", MOVES},
	{"FETCH_AND_OP", 0},
	{"COMPARE_AND_SWAP", 0},
	{"WIN_FENCE", 0},
	{"WIN_START", 0},
	{"WIN_COMPLETE", 0},
	{"WIN_POST", 0},
	{"WIN_WAIT", 0},
	{"WIN_TEST", 0},
	{"WIN_LOCK", 0},
	{"WIN_UNLOCK", 0},
	{"WIN_UNLOCK_ALL", 0},
	{"WIN_FLUSH", 0},
	{"WIN_FLUSH_ALL", 0},
	{"WIN_FLUSH_LOCAL", 0},
	{"WIN_FLUSH_LOCAL_ALL", 0},
	{"WIN_SYNC", 0},
};

void darshan_apmpi_names(struct darshan_apmpi *names)
{
	static const char *const counts[] = {"CALL_COUNT",           "TOTAL_BYTES",
					     "MSG_SIZE_AGG_0_256",   "MSG_SIZE_AGG_256_1K",
					     "MSG_SIZE_AGG_1K_8K",   "MSG_SIZE_AGG_8K_256K",
					     "MSG_SIZE_AGG_256K_1M", "MSG_SIZE_AGG_1M_PLUS"};
	static const char *const times[] = {"TOTAL_TIME", "MIN_TIME", "MAX_TIME"};
	int nints = 0, nreals = 0, nsyncs = 0;

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		int n = operations[i].is & MOVES ? 8 : 1;

		for (int k = 0; k < n; k++)
			snprintf(names->ints[nints++], APMPI_NAME, "MPI_%s_%s", operations[i].name,
				 counts[k]);
		for (int k = 0; k < 3; k++)
			snprintf(names->reals[nreals++], APMPI_NAME, "MPI_%s_%s",
				 operations[i].name, times[k]);
		if (operations[i].is & SYNCS)
			snprintf(names->syncs[nsyncs++], APMPI_NAME, "MPI_%s_TOTAL_SYNC_TIME",
				 operations[i].name);
	}
}
