/* cli_text.c - phrases that --help, --list, the manual and completion have in common */
#include "base/cli_text.h"

#include <stddef.h>

const char *param_arg(const struct param *param)
{
	switch (param->type) {
	case PARAM_INT:
		return "N";
	case PARAM_REAL:
		return "X";
	case PARAM_BOOL:
		return "yes|no";
	case PARAM_WORD:
		return param->choices;
	case PARAM_TEXT:
		return "TEXT";
	case PARAM_FILE:
		return "FILE";
	case PARAM_SIZES:
		return "NxN...";
	case PARAM_BANDWIDTH:
		return "RATE";
	case PARAM_DURATION:
		return "TIME";
	case PARAM_BYTES:
		return "SIZE";
	case PARAM_REST:
		return "VALUE";
	case PARAM_PICK:
		break;
	}
	return "PICK";
}

static const char *comma(const struct buf *out)
{
	return out->n > 0 ? ", " : "";
}

/* A range of 0 to 0 is none; a bound that no int64_t in use reaches is none either. */
static void range_phrase(double min, double max, const char *unit, struct buf *out)
{
	const char *gap = unit != NULL ? " " : "";

	unit = unit != NULL ? unit : "";
	if (min == 0 && max == 0) {
		if (*unit != '\0')
			buf_printf(out, "in %s", unit);
	} else if (max >= 9e15) {
		buf_printf(out, "at least %.15g%s%s", min, gap, unit);
	} else if (min <= -9e15) {
		buf_printf(out, "at most %.15g%s%s", max, gap, unit);
	} else {
		buf_printf(out, "from %.15g to %.15g%s%s", min, max, gap, unit);
	}
}

void param_phrase(const struct param *param, struct buf *out)
{
	struct buf phrase = {0};

	if (param->type == PARAM_PICK)
		buf_printf(&phrase,
			   "one of %s with its own parameters as %s.KEY=", param->registry->name,
			   param->key);
	else
		range_phrase(param->min, param->max, param->unit, &phrase);
	if (param->def != NULL)
		buf_printf(&phrase, "%sdefault %s", comma(&phrase), param->def);
	else if (!param->optional)
		buf_printf(&phrase, "%smust be given", comma(&phrase));
	buf_str(out, buf_text(&phrase));
	buf_free(&phrase);
}

void option_phrase(const struct option_def *option, struct buf *out)
{
	struct buf phrase = {0};

	if (option->type == OPTION_INT || option->type == OPTION_REAL)
		range_phrase(option->min, option->max, NULL, &phrase);
	if (option->type == OPTION_WORD)
		buf_printf(&phrase, "%s", option->choices);
	if (option->type == OPTION_LIST)
		buf_str(&phrase, "may be given more than once");
	if (option->registry != NULL)
		buf_printf(&phrase, "%s--list=%s shows all", comma(&phrase),
			   option->registry->name);
	if (option->def != NULL)
		buf_printf(&phrase, "%sdefault %s", comma(&phrase), option->def);
	buf_str(out, buf_text(&phrase));
	buf_free(&phrase);
}

static void add_registry(const struct registry **list, int *n, int max, const struct registry *one)
{
	for (int i = 0; i < *n; i++)
		if (list[i] == one)
			return;
	if (one != NULL && *n < max)
		list[(*n)++] = one;
}

int tool_registries(const struct tool *tool, const struct registry **list, int max)
{
	int n = 0;

	for (int i = 0; tool->registries != NULL && tool->registries[i] != NULL; i++)
		add_registry(list, &n, max, tool->registries[i]);
	for (const struct option_def *option = tool->options;
	     option != NULL && option->name != NULL; option++)
		add_registry(list, &n, max, option->registry);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < list[i]->n; j++) {
			const struct param *param = list[i]->entries[j]->params;

			for (; param != NULL && param->key != NULL; param++)
				add_registry(list, &n, max, param->registry);
		}
	return n;
}
