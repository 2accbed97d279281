/* kinds_rows.h - shorthands for the rows of tables of columns */
#ifndef MODEL_KINDS_ROWS_H
#define MODEL_KINDS_ROWS_H

/* A range of {0, 0} is "from 0". */
#define TEXT(n, m)                                                                                 \
	{                                                                                          \
		.name = n, .type = COLUMN_TEXT, .meaning = m                                       \
	}
#define NAME(n, m)                                                                                 \
	{                                                                                          \
		.name = n, .type = COLUMN_NAME, .meaning = m                                       \
	}
#define KEY(n, m)                                                                                  \
	{                                                                                          \
		.name = n, .type = COLUMN_NAME, .required = true, .meaning = m                     \
	}
#define INT(n, m)                                                                                  \
	{                                                                                          \
		.name = n, .type = COLUMN_INT, .meaning = m                                        \
	}
#define REAL(n, m)                                                                                 \
	{                                                                                          \
		.name = n, .type = COLUMN_REAL, .meaning = m                                       \
	}
#define SIGNED(n, m)                                                                               \
	{                                                                                          \
		.name = n, .type = COLUMN_REAL, .min = -1e300, .max = 1e300, .meaning = m          \
	}
#define FRACTION(n, m)                                                                             \
	{                                                                                          \
		.name = n, .type = COLUMN_REAL, .max = 1, .meaning = m                             \
	}
#define TIME(n, m)                                                                                 \
	{                                                                                          \
		.name = n, .type = COLUMN_SECONDS, .meaning = m                                    \
	}
#define INSTANT(n, m)                                                                              \
	{                                                                                          \
		.name = n, .type = COLUMN_SECONDS, .is_instant = true, .meaning = m                \
	}
#define BOOL(n, m)                                                                                 \
	{                                                                                          \
		.name = n, .type = COLUMN_BOOL, .meaning = m                                       \
	}
#define NODES(n, m)                                                                                \
	{                                                                                          \
		.name = n, .type = COLUMN_NODELIST, .meaning = m                                   \
	}
#define MUST_INT(n, low, m)                                                                        \
	{                                                                                          \
		.name = n, .type = COLUMN_INT, .required = true, .min = low, .max = 2147483647,    \
		.meaning = m                                                                       \
	}
#define MUST_BYTES(n, m)                                                                           \
	{                                                                                          \
		.name = n, .type = COLUMN_REAL, .required = true, .meaning = m                     \
	}
#define MUST_TIME(n, m)                                                                            \
	{                                                                                          \
		.name = n, .type = COLUMN_SECONDS, .required = true, .meaning = m                  \
	}

#define RUN NAME("run", "repetition; each run starts on the machine as it was given")
#define POLICY NAME("policy", "the allocation policy that placed the job")

#endif
