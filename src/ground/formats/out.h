/* out.h - output that is whole or not there */
#ifndef FORMATS_OUT_H
#define FORMATS_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct out;

/*
 * path NULL or "-": standard output. A file is written beside itself as NAME.unfinished, gzip when
 * the name ends in ".gz", and renamed by out_close(…, true); it is removed when the program ends
 * before that, by exit or by a signal; what a killed run left is removed by the next one. A file
 * that is replaced passes on its mode and group (and its owner, where that is allowed). Symbolic
 * links are followed as file_place_find has it; /dev/stdout, named pipes and the like are written
 * as they are. command: what made it, for those who record that; NULL: not recorded; must
 * outlive it.
 */
int out_open(struct out **out, const char *path, const char *command, struct err *err);
const char *out_command(const struct out *out);
/* A new folder that is removed like an unfinished file, at a signal too; one at a time. template:
 * as mkdtemp has it. -1 with errno. out_folder_end: it is kept, or removed with what is in it. */
int out_folder_make(char *template);
void out_folder_end(bool is_kept);
/* Write errors are kept; out_close reports them. */
void out_write(struct out *out, const char *text, size_t n);
void out_str(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_printf(struct out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A text that others wrote; put: its kind of output (base/foreign.h). */
void out_foreign(struct out *out, void (*put)(struct buf *buf, const char *text), const char *text);
/* A field of CSV; in quotes where it holds one, the delimiter or a new line (RFC 4180). */
void out_csv(struct out *out, const char *text, const char *delimiter);
void out_flush(struct out *out);        /* for readers that wait, as between windows */
bool out_failed(const struct out *out); /* writing has become pointless: the disk is full */
int out_check(const struct out *out, struct err *err); /* −1 where it has failed */
/* whole: flush and rename; else leave the old file as it was. Frees out either way. NULL is
 * allowed. A broken pipe: -1 with ERR_READER_GONE. */
int out_close(struct out *out, bool whole, struct err *err);
/* The same at the end of work that returned status. Where it failed, nothing is whole, and a write
 * error is the cause: it replaces err. Returns -1 when the work or the writing failed. */
int out_finish(struct out *out, int status, bool whole, struct err *err);

#endif
