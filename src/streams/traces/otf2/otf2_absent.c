/* otf2_absent.c - in place of OTF2 archives where libotf2 is not there: the word what is missing */
#include "traces/otf2/otf2.h"

#ifndef HAVE_OTF2

#include <stddef.h>

static int is_missing(const char *path, struct err *err)
{
	return err_set(err,
		       "%s: this program was built without libotf2: install libotf2 3.0 or newer "
		       "(Debian: libotf2-trace-dev) and build it again",
		       path);
}

int otf_open(struct otf **otf, const char *path, struct err *err)
{
	*otf = NULL;
	return is_missing(path, err);
}

void otf_close(struct otf *otf)
{
	(void)otf;
}

double otf_ticks_per_s(const struct otf *otf)
{
	(void)otf;
	return 1;
}

int64_t otf_ns(const struct otf *otf, uint64_t ticks)
{
	(void)otf;
	return (int64_t)ticks;
}

bool otf_is_ours(const struct otf *otf)
{
	(void)otf;
	return false;
}

int otf_nranks(const struct otf *otf)
{
	(void)otf;
	return 0;
}

int otf_nlocations(const struct otf *otf, int rank)
{
	(void)otf;
	(void)rank;
	return 0;
}

uint64_t otf_location(const struct otf *otf, int rank, int i)
{
	(void)otf;
	(void)rank;
	(void)i;
	return 0;
}

const char *otf_node(const struct otf *otf, int rank)
{
	(void)otf;
	(void)rank;
	return NULL;
}

const struct otf_region *otf_region(const struct otf *otf, uint32_t region)
{
	(void)otf;
	(void)region;
	return NULL;
}

int otf_ncomms(const struct otf *otf)
{
	(void)otf;
	return 0;
}

const struct otf_comm *otf_comm(const struct otf *otf, int comm)
{
	(void)otf;
	(void)comm;
	return NULL;
}

int otf_reader_open(struct otf_reader **reader, struct otf *otf, int rank, uint64_t location,
		    unsigned types, otf_event_fn *event, void *context, struct err *err)
{
	(void)otf;
	(void)rank;
	(void)location;
	(void)types;
	(void)event;
	(void)context;
	*reader = NULL;
	return is_missing("", err);
}

int otf_reader_read(struct otf_reader *reader, uint64_t n, struct err *err)
{
	(void)reader;
	(void)n;
	return is_missing("", err);
}

void otf_reader_close(struct otf_reader *reader)
{
	(void)reader;
}

int otf_writer_open(struct otf_writer **writer, const char *path, struct err *err)
{
	*writer = NULL;
	return is_missing(path, err);
}

int otf_writer_close(struct otf_writer *writer, bool whole, struct err *err)
{
	(void)writer;
	(void)whole;
	(void)err;
	return 0;
}

void otf_writer_program(struct otf_writer *writer, const char *name)
{
	(void)writer;
	(void)name;
}

void otf_writer_ranks(struct otf_writer *writer, int nranks)
{
	(void)writer;
	(void)nranks;
}

uint32_t otf_writer_region(struct otf_writer *writer, const char *name, enum otf_region_kind kind)
{
	(void)writer;
	(void)name;
	(void)kind;
	return 0;
}

const char *otf_writer_region_name(const struct otf_writer *writer, uint32_t region)
{
	(void)writer;
	(void)region;
	return NULL;
}

int32_t otf_writer_comm(struct otf_writer *writer, const int32_t *ranks, int n,
			const int32_t *remote, int nremote)
{
	(void)writer;
	(void)ranks;
	(void)n;
	(void)remote;
	(void)nremote;
	return 0;
}

int otf_writer_event(struct otf_writer *writer, int rank, const struct otf_event *event,
		     struct err *err)
{
	(void)writer;
	(void)rank;
	(void)event;
	return is_missing("", err);
}

#endif
