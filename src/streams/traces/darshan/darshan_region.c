/* darshan_region.c - numbers of a Darshan log, and its compressed regions */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/str.h"
#include "traces/darshan/darshan_priv.h"

int darshan_error(const struct darshan_log *log, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s: %s", str_eq(log->path, "-") ? "standard input" : log->path, what);
}

uint64_t darshan_u64(const struct darshan_log *log, const void *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return log->swapped ? __builtin_bswap64(value) : value;
}

uint32_t darshan_u32(const struct darshan_log *log, const void *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return log->swapped ? __builtin_bswap32(value) : value;
}

double darshan_f64(const struct darshan_log *log, const void *bytes)
{
	uint64_t bits = darshan_u64(log, bytes);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

int darshan_region_open(struct darshan_region *region, const struct darshan_log *log,
			const char *what, uint64_t offset, uint64_t length, struct err *err)
{
	*region = (struct darshan_region){.log = log, .what = what};
	if (offset > log->nbytes || length > log->nbytes - offset)
		return darshan_error(
			log, err, "the %s would be beyond the end of the file, which was truncated",
			what);
	region->at = (const unsigned char *)log->bytes + offset;
	region->end = region->at + length;
	if (log->compression == 2)
		return 0;
	region->stream.next_in = (unsigned char *)region->at;
	region->stream.avail_in = (unsigned)length;
	if (inflateInit(&region->stream) != Z_OK)
		return darshan_error(log, err, "zlib does not start");
	region->started = true;
	return 0;
}

void darshan_region_close(struct darshan_region *region)
{
	if (region->started)
		inflateEnd(&region->stream);
}

static int cut_off(const struct darshan_region *region, struct err *err)
{
	return darshan_error(region->log, err, "the %s ends in the middle of a record",
			     region->what);
}

static int get_plain(struct darshan_region *region, void *bytes, size_t n, struct err *err)
{
	if (region->at == region->end)
		return 0;
	if ((size_t)(region->end - region->at) < n)
		return cut_off(region, err);
	memcpy(bytes, region->at, n);
	region->at += n;
	return 1;
}

/* A region may be several zlib streams, one after the other. */
int darshan_region_get(struct darshan_region *region, void *bytes, size_t n, struct err *err)
{
	z_stream *stream = &region->stream;

	if (!region->started)
		return get_plain(region, bytes, n, err);
	stream->next_out = bytes;
	stream->avail_out = (unsigned)n;
	while (stream->avail_out > 0) {
		int status;

		if (region->ended && stream->avail_in == 0)
			return stream->avail_out == n ? 0 : cut_off(region, err);
		if (region->ended)
			inflateReset(stream);
		region->ended = false;
		if (stream->avail_in == 0 && stream->total_in == 0 && stream->avail_out == n)
			return 0; /* an empty region */
		status = inflate(stream, Z_NO_FLUSH);
		if (status == Z_STREAM_END)
			region->ended = true;
		else if (status != Z_OK)
			return darshan_error(region->log, err,
					     "the %s can't be decompressed: the log is damaged",
					     region->what);
	}
	return 1;
}
