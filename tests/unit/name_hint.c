/* name_hint.c - "did you mean": the nearest name, or none */
#include "base/name_hint.h"
#include "check.h"

static const char *hint(const char *word, const char *names)
{
	static struct near_name near;

	near_begin(&near, word);
	near_try_all(&near, names, '|');
	return near_hint(&near);
}

int main(void)
{
	CHECK_TEXT(hint("mehs", "ring|mesh|torus"), " (did you mean 'mesh'?)");
	CHECK_TEXT(hint("msh", "ring|mesh|torus"), " (did you mean 'mesh'?)");
	CHECK_TEXT(hint("meshh", "ring|mesh|torus"), " (did you mean 'mesh'?)");
	CHECK_TEXT(hint("mush", "ring|mesh|torus"), " (did you mean 'mesh'?)");
	CHECK_TEXT(hint("tours", "ring|mesh|torus"), " (did you mean 'torus'?)");
	CHECK_TEXT(hint("dragnofyl", "dragonfly|fattree"), " (did you mean 'dragonfly'?)");
	CHECK_TEXT(hint("hypercube", "ring|mesh|torus"), "");
	CHECK_TEXT(hint("x", "a|b"), "");
	CHECK_TEXT(hint("", "a|b"), "");
	CHECK_TEXT(hint("cat", "bat|hat"), " (did you mean 'bat'?)");
	CHECK_TEXT(hint("a", ""), "");
	return check_done();
}
