/* xml.h - XML as a stream of tags: what trace and topology tools write, in bounded memory */
#ifndef FORMATS_XML_H
#define FORMATS_XML_H

#include "base/err.h"
#include "formats/in.h"

struct xml;

/*
 * Elements, attributes, text, comments, CDATA and the five named and the numeric character
 * references; a DOCTYPE with declarations is refused, so nothing expands. Tags must
 * close in order, at most 256 deep; a tag or text of more than 1 MiB is refused. in stays the
 * caller's and must not be read by others meanwhile.
 */
struct xml *xml_new(struct in *in);
void xml_free(struct xml *xml); /* NULL is allowed */

enum xml_event { XML_END = 0, XML_OPEN, XML_CLOSE };

/* The next tag: 1 (XML_OPEN), 2 (XML_CLOSE), 0 at the end, −1. <a/> is open, then close. */
int xml_next(struct xml *xml, struct err *err);

/* Of the tag that came last; all valid until the next one. */
const char *xml_name(const struct xml *xml);
/* NULL: absent, or a closing tag. */
const char *xml_attribute(const struct xml *xml, const char *name);
/* The text between the tag before and this one, references resolved. */
const char *xml_text(const struct xml *xml);
int xml_depth(const struct xml *xml); /* how many elements are open */
/* "FILE:LINE: …", returns −1. */
int xml_error(const struct xml *xml, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
