/* diff.h - the cabling that was planned against the one that is there */
#ifndef MACHINE_DIFF_DIFF_H
#define MACHINE_DIFF_DIFF_H

#include "base/run_context.h"
#include "machine/import/importer.h"

/*
 * --diff PLAN: reads both machines (from_text: the format of the operands, and of the plan where it
 * is not one of ours), and writes a row for each cable that is missing or extra, and for each two
 * that are swapped, up to the names of routers. A tool's body: EXIT_NO where a cable differs.
 */
int topo_diff_run(const char *plan_path, const char *from_text, const struct topo_import *how,
		  const struct run_context *context, struct err *err);

#endif
