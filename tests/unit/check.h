/* check.h - what unit programs count their failures with: CHECK…; return check_done(); */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int check_nfailed, check_ndone;

static inline void check_one(int good, const char *file, int line, const char *what)
{
	check_ndone++;
	if (!good) {
		printf("%s:%d: failed: %s\n", file, line, what);
		check_nfailed++;
	}
}

static inline void check_text(const char *got, const char *want, const char *file, int line)
{
	check_ndone++;
	if (strcmp(got, want) != 0) {
		printf("%s:%d: failed: got '%s', wanted '%s'\n", file, line, got, want);
		check_nfailed++;
	}
}

static inline void check_int(int64_t got, int64_t want, const char *file, int line)
{
	check_ndone++;
	if (got != want) {
		printf("%s:%d: failed: got %lld, wanted %lld\n", file, line, (long long)got,
		       (long long)want);
		check_nfailed++;
	}
}

#define CHECK(what) check_one((what) != 0, __FILE__, __LINE__, #what)
#define CHECK_TEXT(got, want) check_text(got, want, __FILE__, __LINE__)
#define CHECK_INT(got, want) check_int(got, want, __FILE__, __LINE__)

/* The status of main; a program that checked nothing has failed too. */
static inline int check_done(void)
{
	if (check_nfailed > 0 || check_ndone == 0)
		printf("%d of %d checks failed\n", check_nfailed, check_ndone);
	return check_nfailed > 0 || check_ndone == 0;
}

#endif
