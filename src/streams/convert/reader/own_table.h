/* own_table.h - our own kinds as input: what readers of them share */
#ifndef CONVERT_READER_OWN_TABLE_H
#define CONVERT_READER_OWN_TABLE_H

#include "convert/reader/reader.h"

/* All rows as they are. */
int own_table_read(const struct reader_input *input, struct flow *flow, bool *whole,
		   struct err *err);
/* Whether one of the leading ## lines begins so. */
bool own_table_is(const char *head, const char *first_line);

#endif
