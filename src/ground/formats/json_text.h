/* json_text.h - texts as JSON strings */
#ifndef FORMATS_JSON_TEXT_H
#define FORMATS_JSON_TEXT_H

#include <stdbool.h>

#include "formats/out.h"

/* The text in quotes. Bytes that are not UTF-8 become U+FFFD. */
void json_put_text(struct out *out, const char *text);
/* Whether the text is a number as RFC 8259 has it: -1.5e3, not 007, +1 or .5. */
bool json_is_number(const char *text);

#endif
