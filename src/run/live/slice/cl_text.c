/* cl_text.c - the words of a program in OpenCL C: what can't be sliced, and parameters added */
#include "live/slice/cl_text.h"

#include <string.h>

#include "base/mem.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind blanks, comments and joined lines. Returns whether a line begins there. */
static const char *skip(const char *p, bool *begins)
{
	for (;;) {
		if (*p == '\n') {
			*begins = true;
			p++;
		} else if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') {
			p++;
		} else if (p[0] == '\\' && p[1] == '\n') {
			p += 2;
		} else if (p[0] == '/' && p[1] == '/') {
			while (*p != '\0' && *p != '\n')
				p += p[0] == '\\' && p[1] == '\n' ? 2 : 1;
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");

			p = end != NULL ? end + 2 : p + strlen(p);
		} else {
			return p;
		}
	}
}

static size_t literal_length(const char *p)
{
	size_t n = 1;

	while (p[n] != '\0' && p[n] != p[0] && p[n] != '\n')
		n += p[n] == '\\' && p[n + 1] != '\0' ? 2 : 1;
	return p[n] == p[0] ? n + 1 : n;
}

bool cl_text_next(const char **p, struct cl_word *word)
{
	const char *at;
	bool begins = false;

	at = skip(*p, &begins);
	*word = (struct cl_word){.at = at, .n = 1};
	if (*at == '\0')
		return false;
	if (is_letter(*at)) {
		word->is_name = true;
		while (is_letter(at[word->n]) || is_digit(at[word->n]))
			word->n++;
	} else if (is_digit(*at)) {
		while (is_letter(at[word->n]) || is_digit(at[word->n]) || at[word->n] == '.')
			word->n++;
	} else if (*at == '"' || *at == '\'') {
		word->is_literal = true;
		word->n = literal_length(at);
	} else if (*at == '#') {
		word->is_command = true;
	}
	*p = at + word->n;
	return true;
}

bool cl_word_is(const struct cl_word *word, const char *text)
{
	return strlen(text) == word->n && memcmp(word->at, text, word->n) == 0;
}

static bool begins(const struct cl_word *word, const char *prefix)
{
	return word->n >= strlen(prefix) && memcmp(word->at, prefix, strlen(prefix)) == 0;
}

static bool is_among(const struct cl_word *word, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (cl_word_is(word, names[i]))
			return true;
	return false;
}

/* Whether somewhere in the text a declaration with one of the words names this: "local
 * int *name". */
static bool is_declared(const char *source, const struct cl_word *name, const char *const *spaces)
{
	const char *p = source;
	struct cl_word word;
	bool is_after = false;
	int depth = 0;

	while (cl_text_next(&p, &word)) {
		if (is_among(&word, spaces)) {
			is_after = true;
			depth = 0;
		} else if (cl_word_is(&word, "[") || cl_word_is(&word, "(")) {
			depth++;
		} else if (cl_word_is(&word, "]")) {
			depth--;
		} else if (depth <= 0 && (cl_word_is(&word, ";") || cl_word_is(&word, ",") ||
					  cl_word_is(&word, ")") || cl_word_is(&word, "="))) {
			is_after = false;
		} else if (cl_word_is(&word, ")")) {
			depth--;
		} else if (is_after && word.is_name && word.n == name->n &&
			   memcmp(word.at, name->at, word.n) == 0) {
			return true;
		}
	}
	return false;
}

static const char *const local_words[] = {"local", "__local", NULL};
static const char *const global_words[] = {"global", "__global", NULL};
static const char *const type_words[] = {
	"volatile",      "const",        "global",        "__global",
	"local",         "__local",      "private",       "int",
	"uint",          "long",         "ulong",         "unsigned",
	"float",         "atomic_int",   "atomic_uint",   "atomic_long",
	"atomic_ulong",  "atomic_float", "atomic_size_t", "atomic_flag",
	"atomic_double", "generic",      "__generic",     NULL};
static const char *const prelude_words[] = {
	"get_global_offset", "get_global_size", "get_global_id",        "get_group_id",
	"get_num_groups",    "get_work_dim",    "get_global_linear_id", NULL};

/* p stands behind the name of an atomic function. Sets the name that it works on. */
static bool find_target(const char *p, struct cl_word *target)
{
	if (!cl_text_next(&p, target) || !cl_word_is(target, "("))
		return false;
	while (cl_text_next(&p, target))
		if (target->is_name && !is_among(target, type_words))
			return true;
		else if (cl_word_is(target, ",") || cl_word_is(target, ";"))
			return false;
	return false;
}

static unsigned add(struct buf *what, unsigned doubt, const struct cl_word *word,
		    const struct cl_word *target)
{
	if (buf_text(what)[0] != '\0')
		buf_str(what, ", ");
	buf_add(what, word->at, word->n);
	if (target != NULL) {
		buf_str(what, " on ");
		buf_add(what, target->at, target->n);
	}
	return doubt;
}

static bool is_atomic(const struct cl_word *word)
{
	static const char *const others[] = {"atomic_work_item_fence", "atomic_init", NULL};

	return (begins(word, "atomic_") || begins(word, "atom_")) && !is_among(word, type_words) &&
	       !is_among(word, others);
}

static unsigned doubt_of(const char *source, const struct cl_word *word, const char *p,
			 struct buf *what)
{
	struct cl_word target;

	if (is_atomic(word)) {
		if (!find_target(p, &target))
			return 0;
		return is_declared(source, &target, local_words) &&
				       !is_declared(source, &target, global_words)
			       ? 0
			       : add(what, DOUBT_ATOMICS, word, &target);
	}
	if (cl_word_is(word, "printf"))
		return add(what, DOUBT_PRINTF, word, NULL);
	if (begins(word, "write_image"))
		return add(what, DOUBT_IMAGES, word, NULL);
	if (cl_word_is(word, "write_pipe") || cl_word_is(word, "read_pipe"))
		return add(what, DOUBT_PIPES, word, NULL);
	if (cl_word_is(word, "enqueue_kernel"))
		return add(what, DOUBT_ENQUEUE, word, NULL);
	return 0;
}

unsigned cl_text_doubts(const char *source, struct buf *what)
{
	const char *p = source;
	struct cl_word word, next;
	unsigned doubts = 0, more;

	buf_clear(what);
	while (cl_text_next(&p, &word)) {
		if (word.is_command && cl_text_next(&p, &word)) {
			const char *behind = p;

			if ((cl_word_is(&word, "define") || cl_word_is(&word, "undef")) &&
			    cl_text_next(&behind, &next) && is_among(&next, prelude_words)) {
				p = behind;
				doubts |= add(what, DOUBT_REDEFINED, &next, NULL);
			}
			continue;
		}
		if (!word.is_name)
			continue;
		/* one mention of each doubt is enough */
		struct buf found = {0};

		more = doubt_of(source, &word, p, &found);
		if ((more & ~doubts) != 0) {
			if (buf_text(what)[0] != '\0')
				buf_str(what, ", ");
			buf_str(what, buf_text(&found));
		}
		doubts |= more;
		buf_free(&found);
	}
	return doubts;
}

unsigned cl_text_unseen(const char *source, struct buf *what)
{
	/* joined lines, digraphs and trigraphs make words that cl_text_next does not see */
	static const char *const spellings[] = {"\\\n", "\\\r", "%:", "??", "##"};
	static const char *const commands[] = {"include", "define", "undef", NULL};
	static const char *const compilers[] = {"_Atomic", "asm", "__asm", "__asm__", NULL};
	const char *p = source;
	struct cl_word word, next;

	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (strstr(source, spellings[i]) != NULL)
			return add(what, DOUBT_UNSEEN,
				   &(struct cl_word){.at = "joined words", .n = 12}, NULL);
	while (cl_text_next(&p, &word)) {
		const char *behind = p;

		if (word.is_command && cl_text_next(&behind, &next) && is_among(&next, commands))
			return add(what, DOUBT_UNSEEN, &next, NULL);
		if (word.is_name && (is_among(&word, compilers) || begins(&word, "__sync_") ||
				     begins(&word, "__atomic_") || begins(&word, "__c11_") ||
				     begins(&word, "__opencl_") || begins(&word, "__builtin_") ||
				     begins(&word, "_Z") || begins(&word, "__spirv_")))
			return add(what, DOUBT_UNSEEN, &word, NULL);
	}
	return 0;
}

void cl_doubts_text(unsigned doubts, struct buf *text)
{
	static const char *const words[] = {"atomics on global memory",
					    "printf",
					    "images written",
					    "pipes",
					    "kernels launched by kernels",
					    "the id functions redefined",
					    "what can't be seen in it"};
	const char *between = "";

	for (int i = 0; i < 7; i++)
		if ((doubts >> i & 1) != 0) {
			buf_str(text, between);
			buf_str(text, words[i]);
			between = "; ";
		}
}

/* p stands behind "(": the place of the ")" that closes it, and whether there is
 * anything before. */
static const char *closing(const char *p, bool *is_empty)
{
	struct cl_word word;
	int depth = 1, nwords = 0;
	bool is_void = false;

	while (cl_text_next(&p, &word)) {
		depth += cl_word_is(&word, "(") - cl_word_is(&word, ")");
		if (depth == 0) {
			*is_empty = nwords == 0 || (nwords == 1 && is_void);
			return word.at;
		}
		is_void = cl_word_is(&word, "void");
		nwords++;
	}
	return NULL;
}

/* p stands behind "kernel": the place where its list of parameters ends, or NULL. *begin: where
 * what is in it begins. */
static const char *end_of_parameters(const char *p, const char **begin, bool *is_empty)
{
	struct cl_word word, last = {0};
	const char *end;

	while (cl_text_next(&p, &word)) {
		if (cl_word_is(&word, ";") || cl_word_is(&word, "{"))
			return NULL;
		if (!cl_word_is(&word, "(")) {
			last = word;
			continue;
		}
		end = closing(p, is_empty);
		if (end == NULL)
			return NULL;
		if (last.is_name && !cl_word_is(&last, "__attribute__")) {
			*begin = p;
			return end;
		}
		p = end + 1;
	}
	return NULL;
}

void cl_text_add_parameter(const char *source, const char *parameter, struct buf *text)
{
	const char *p = source, *copied = source, *begin, *end;
	struct cl_word word;
	bool is_empty;

	while (cl_text_next(&p, &word)) {
		if (!word.is_name ||
		    (!cl_word_is(&word, "kernel") && !cl_word_is(&word, "__kernel")))
			continue;
		end = end_of_parameters(p, &begin, &is_empty);
		if (end == NULL)
			continue;
		/* (void) and () become the parameter alone */
		buf_add(text, copied, (size_t)((is_empty ? begin : end) - copied));
		buf_str(text, is_empty ? "" : ", ");
		buf_str(text, parameter);
		copied = p = end;
	}
	buf_str(text, copied);
}
