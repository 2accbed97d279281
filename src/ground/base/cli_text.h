/* cli_text.h - phrases that --help, --list, the manual and completion have in common */
#ifndef BASE_CLI_TEXT_H
#define BASE_CLI_TEXT_H

#include "base/str.h"
#include "base/tool.h"

/* What is after "key=" or "--option=": "N", "best|first", "TIME". Static or the table's own. */
const char *param_arg(const struct param *param);

/* Range, unit and default: "from 1 to 64 nodes, default 4"; "must be given". Appended to out;
 * nothing when there is nothing to say. */
void param_phrase(const struct param *param, struct buf *out);
void option_phrase(const struct option_def *option, struct buf *out);

/* The registries that a tool shows: its table's, then those of its options that are not among them,
 * then those that their entries' parameters pick from. Returns their number, at most max.
 * list [max] */
int tool_registries(const struct tool *tool, const struct registry **list, int max);

enum { TOOL_REGISTRIES = 32 };

#endif
