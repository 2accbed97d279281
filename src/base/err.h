/* err.h - how the library says what went wrong */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* The library fills one of these and returns -1; only a tool prints it and ends. */
struct err {
	char msg[1024];
};

/* Both return -1, so that "return err_set(err, …)" is one line. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
