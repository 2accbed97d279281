/* err.h - how the library says what went wrong */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_kind {
	ERR_TEXT,        /* msg says what is wrong */
	ERR_ASKS,        /* likewise: the run lacks an option, whatever the input has */
	ERR_READER_GONE, /* broken pipe: the reader of standard output has exited; msg is empty */
	ERR_ELSEWHERE,   /* another process of a launcher says what is wrong; msg is empty */
};

/* The library fills one of these and returns -1; only cli_run prints it. */
struct err {
	char msg[1024];
	enum err_kind kind;
};

/* All return -1, so that "return err_set(err, …)" is one line. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The kind stays. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int err_reader_gone(struct err *err);
int err_elsewhere(struct err *err);

#endif
