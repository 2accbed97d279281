/* cl_compiled.h - why a program can't be sliced, by its compiled form */
#ifndef LIVE_SLICE_CL_COMPILED_H
#define LIVE_SLICE_CL_COMPILED_H

#include "base/str.h"

/*
 * All doubts (enum cl_doubt) of a program built with options: those of its text, and those of what
 * clang makes of it, which knows no macros, headers and spellings. What clang does not compile, and
 * without clang all whose text does not show everything, has DOUBT_UNSEEN. what: as of
 * cl_text_doubts.
 */
unsigned cl_compiled_doubts(const char *source, const char *options, struct buf *what);
/* The doubts of a module of LLVM IR as text. */
unsigned cl_module_doubts(const char *module, struct buf *what);

#endif
