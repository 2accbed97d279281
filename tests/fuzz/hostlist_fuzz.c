/* hostlist_fuzz.c - names that a list gives, folded and unfolded again, are the same names */
#include <string.h>

#include "base/str.h"
#include "formats/hostlist.h"
#include "fuzz.h"

struct names {
	struct buf text;
	struct hostlist folded;
	int n;
};

static int add(void *context, const char *name, size_t n, struct err *err)
{
	struct names *names = context;

	if (++names->n > 5000)
		return err_set(err, "enough");
	buf_add(&names->text, name, n);
	buf_char(&names->text, '\n');
	hostlist_add(&names->folded, name, n);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *text = fuzz_text(bytes, n);
	struct names first = {0}, second = {0};
	struct err err;

	if (hostlist_walk(text, add, &first, &err) == 0) {
		const char *folded = hostlist_text(&first.folded);

		fuzz_must(hostlist_walk(folded, add, &second, &err) == 0, "a folded list is one");
		fuzz_must(first.n == second.n, "no name is lost");
		fuzz_must(str_eq(buf_text(&first.text), buf_text(&second.text)), "the same names");
	}
	buf_free(&first.text);
	buf_free(&second.text);
	hostlist_free(&first.folded);
	hostlist_free(&second.folded);
	free(text);
	return 0;
}
