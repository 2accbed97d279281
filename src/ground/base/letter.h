/* letter.h - characters of UTF-8, and which of them do something instead of being shown */
#ifndef BASE_LETTER_H
#define BASE_LETTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LETTER_NONE UINT32_MAX /* the byte there is not UTF-8 */
enum { LETTER_MOST = 5 };      /* bytes of a letter, and its NUL */

/* The character at text, of which n bytes are there (of a text that ends in NUL, any n is right),
 * and its bytes; LETTER_NONE has one. */
uint32_t letter_read(const char *text, size_t n, int *nbytes);
/*
 * Whether a terminal, a browser or an editor acts on it: control characters (C0, C1), line and
 * paragraph separators, what turns the direction of writing, what is invisible; and what is not
 * UTF-8. The joiners, which words of some languages need, are not among them.
 */
bool letter_is_active(uint32_t letter);
/* The letter, or the picture of one that is active (␛ for ESC, � where Unicode has none). Returns
 * its bytes. */
int letter_show(uint32_t letter, char shown[LETTER_MOST]);

#endif
