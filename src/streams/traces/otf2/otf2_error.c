/* otf2_error.c - messages on an archive, with its path */

#ifdef HAVE_OTF2

#include <stdarg.h>
#include <stdio.h>

#include "traces/otf2/otf2_priv.h"

int otf_error(struct otf *otf, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s: %s", otf->path, what);
}

#endif
