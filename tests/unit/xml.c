/* xml.c - XML as a stream of tags: what comes out, and what is refused */
#include "formats/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

static int nfailed;

/* All events of a document as one text, "(name k=v" and ")name" with "'text" before; or the
 * message. */
static const char *events(const char *document, size_t n)
{
	static struct buf all;
	char path[64];
	struct in *in;
	struct xml *xml;
	struct err err = {""};
	FILE *file;
	int event;

	snprintf(path, sizeof(path), "/tmp/xml-test-%d", (int)getpid());
	file = fopen(path, "w");
	if (file == NULL || fwrite(document, 1, n, file) != n || fclose(file) != 0 ||
	    in_open(&in, path, &err) != 0)
		abort();
	unlink(path);
	xml = xml_new(in);
	buf_clear(&all);
	buf_str(&all, "");
	while ((event = xml_next(xml, &err)) > 0) {
		if (*xml_text(xml) != '\0')
			buf_printf(&all, "'%s", xml_text(xml));
		buf_printf(&all, "%c%s", event == XML_OPEN ? '(' : ')', xml_name(xml));
		if (xml_attribute(xml, "k") != NULL)
			buf_printf(&all, " k=%s", xml_attribute(xml, "k"));
	}
	if (event < 0) {
		buf_clear(&all);
		buf_str(&all, strchr(err.msg + strlen("/tmp/"), ':') + 1);
	}
	xml_free(xml);
	in_close(in);
	return buf_text(&all);
}

static void check_bytes(const char *document, size_t n, const char *wanted)
{
	const char *got = events(document, n);

	if (strncmp(got, wanted, strlen(wanted)) != 0 || (*got != '\0' && *wanted == '\0')) {
		printf("failed: %.60s: got %.100s, wanted %s\n", document, got, wanted);
		nfailed++;
	}
}

static void check(const char *document, const char *wanted)
{
	check_bytes(document, strlen(document), wanted);
}

static void good(void)
{
	check("", "");
	check("<a/>", "(a)a");
	check("<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"a.dtd\">\n<a></a>", "'\n\n(a)a");
	check("<a k=\"1 > 0\"><b/>x</a>", "(a k=1 > 0(b)b'x)a");
	check("<a\n  k = '\"'\n></a >", "(a k=\")a");
	check("<a k='&lt;&amp;&#65;&#x42;&apos;&#233;'>&gt;&quot;</a>", "(a k=<&AB'\xc3\xa9'>\")a");
	check("<a><!-- <b> -- & --><![CDATA[x<&y]]>z</a>", "(a'x<&yz)a");
	check("<a j='2' k='1'/>", "(a k=1)a");
	check("<a><![CDATA[]]]]></a>", "(a']])a");
}

static void bad(void)
{
	struct buf deep = {0}, longer = {0};

	check("<a>", "1: ends before its </a>");
	check("<a></b>", "1: </b> closes nothing");
	check("</a>", "1: </a> closes nothing");
	check("<a\n", "2: ends within a tag");
	check("<a k></a>", "1: <a>: an attribute without its value");
	check("<a k=1></a>", "1: <a>: the value of an attribute is not in quotes");
	check("<a k=\"1></a>", "1: ends within a tag");
	check("<>", "1: a tag without a name");
	check("< a>", "1: a tag without a name");
	check("<a\"b\">", "1: a tag with a quote");
	check("<a/b>", "1: a '/' amid the tag");
	check("<a>&b;</a>", "1: '&b;' is not a character reference");
	check("<a>&#0;</a>", "1: '&#0;' is not a character reference");
	check("<a>&#x110000;</a>", "1: '&#x110000;' is not a character reference");
	check("<a>&#99999999999;</a>", "1: '&#99999999999;' is not a character reference");
	check("<a>x & y</a>", "1: an '&' that begins no character reference");
	check("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "1: a DOCTYPE with declarations");
	check("<a><!-- x</a>", "1: ends before its '-->'");
	check("<a><![CDATA[x</a>", "1: ends before its ']]>'");
	check("<a></a x>", "1: a closing tag with more than its name");
	check_bytes("<a>\0</a>", 8, "1: a NUL byte");
	for (int i = 0; i < 300; i++)
		buf_str(&deep, "<a>");
	check(deep.text, "1: nested too deeply");
	buf_str(&longer, "<a>");
	for (int i = 0; i < 1 << 21; i++)
		buf_char(&longer, 'x');
	check(longer.text, "1: a tag or text of more than 1 MiB");
	buf_free(&deep);
	buf_free(&longer);
}

int main(void)
{
	good();
	bad();
	return nfailed > 0;
}
