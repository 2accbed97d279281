/* json_text.h - which texts JSON takes as they are */
#ifndef FORMATS_JSON_TEXT_H
#define FORMATS_JSON_TEXT_H

#include <stdbool.h>

/* Whether the text is a number as RFC 8259 has it: -1.5e3, not 007, +1 or .5. */
bool json_is_number(const char *text);

#endif
