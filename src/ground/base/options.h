/* options.h - rows of a tool's option table, whose targets the compiler checks
 *
 * A row is the letter (0: none), the name and the target, then what its type needs, and the help.
 * Other fields of struct option_def may follow, as .def = "…". A target of another type does not
 * compile.
 *
 *	OPT_PICK('p', "policy", &how.policy, "POLICY", &alloc_policies, "Which nodes a job gets."),
 *	OPT_REAL(0, "time-scale", &how.time_scale, "F", 1e-12, 1e6, "Simulated time.", .def = "1"),
 *	{0} */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/tool.h"

#define OPT_TARGET(of, p) _Generic((p), of * : (void *)(p))
#define OPT_ROW(c, n, t, p, a, h, ...)                                                             \
	{                                                                                          \
		.letter = (c), .name = (n), .type = (t), .target = (p), .arg = (a), .help = (h),   \
		__VA_ARGS__                                                                        \
	}

/* bool: set to true */
#define OPT_FLAG(c, n, p, h, ...)                                                                  \
	OPT_ROW(c, n, OPTION_FLAG, OPT_TARGET(bool, p), NULL, h, __VA_ARGS__)

/* int64_t and double, from lo to hi; 0 to 0: any */
#define OPT_INT(c, n, p, a, lo, hi, h, ...)                                                        \
	OPT_ROW(c, n, OPTION_INT, OPT_TARGET(int64_t, p), a, h, .min = (lo), .max = (hi),          \
		__VA_ARGS__)
#define OPT_REAL(c, n, p, a, lo, hi, h, ...)                                                       \
	OPT_ROW(c, n, OPTION_REAL, OPT_TARGET(double, p), a, h, .min = (lo), .max = (hi),          \
		__VA_ARGS__)

/* double, seconds: a number, or one with its unit as 2min */
#define OPT_DURATION(c, n, p, a, lo, hi, h, ...)                                                   \
	OPT_REAL(c, n, p, a, lo, hi, h, .unit = "s", __VA_ARGS__)

/* const char *: any text; a file's name; one of words ("a|b"); a pick from a registry */
#define OPT_TEXT(c, n, p, a, h, ...)                                                               \
	OPT_ROW(c, n, OPTION_TEXT, OPT_TARGET(const char *, p), a, h, __VA_ARGS__)
#define OPT_FILE(c, n, p, a, h, ...)                                                               \
	OPT_ROW(c, n, OPTION_FILE, OPT_TARGET(const char *, p), a, h, __VA_ARGS__)
/* a file that is written */
#define OPT_OUTPUT(c, n, p, a, h, ...) OPT_FILE(c, n, p, a, h, .is_output = true, __VA_ARGS__)
#define OPT_WORD(c, n, p, a, words, h, ...)                                                        \
	OPT_ROW(c, n, OPTION_WORD, OPT_TARGET(const char *, p), a, h, .choices = (words),          \
		__VA_ARGS__)
#define OPT_PICK(c, n, p, a, from, h, ...)                                                         \
	OPT_ROW(c, n, OPTION_PICK, OPT_TARGET(const char *, p), a, h, .registry = (from),          \
		__VA_ARGS__)

/* struct cli_list: texts, files' names or picks, in the order given */
#define OPT_LIST(c, n, p, a, h, ...)                                                               \
	OPT_ROW(c, n, OPTION_LIST, OPT_TARGET(struct cli_list, p), a, h, __VA_ARGS__)
#define OPT_FILES(c, n, p, a, h, ...) OPT_LIST(c, n, p, a, h, .is_file = true, __VA_ARGS__)
#define OPT_PICKS(c, n, p, a, from, h, ...) OPT_LIST(c, n, p, a, h, .registry = (from), __VA_ARGS__)

#endif
