/* cl_compiled.c - why a program can't be sliced, by its compiled form: what clang makes of it */
#include "live/slice/cl_compiled.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "live/slice/cl_text.h"

extern char **environ;

enum { MOST_OPTIONS = 256 };

static unsigned add(struct buf *what, unsigned doubt, const char *name, size_t n)
{
	if (buf_text(what)[0] != '\0')
		buf_str(what, ", ");
	buf_add(what, name, n);
	return doubt;
}

/* ---- a module ---- */

static bool has_word(const char *line, size_t n, const char *word)
{
	return memmem(line, n, word, strlen(word)) != NULL;
}

/* Local memory is a work group's own. */
static bool is_local(const char *line, size_t n)
{
	return has_word(line, n, "addrspace(3)") && !has_word(line, n, "addrspace(1)") &&
	       !has_word(line, n, "addrspace(4)");
}

/* The function that a line calls; false: one that is not named. */
static bool find_callee(const char *line, size_t n, const char **name, size_t *length)
{
	for (const char *at = line; (at = memchr(at, '@', (size_t)(line + n - at))) != NULL;) {
		size_t k = 0;

		at++;
		while (at + k < line + n && (isalnum((unsigned char)at[k]) || strchr("_.$", at[k])))
			k++;
		if (at + k < line + n && at[k] == '(') {
			*name = at;
			*length = k;
			return true;
		}
	}
	return false;
}

static bool is_defined(const char *module, const char *name, size_t n)
{
	char *call = xasprintf("@%.*s(", (int)n, name);
	const char *at = module;
	bool is_found = false;

	while (!is_found && (at = strstr(at, "\ndefine ")) != NULL) {
		const char *end = strchr(at + 1, '\n');

		at++;
		is_found = end != NULL && has_word(at, (size_t)(end - at), call);
	}
	free(call);
	return is_found;
}

static bool has_letters(const char *name, size_t n, const char *letters)
{
	size_t k = strlen(letters);

	for (size_t i = 0; i + k <= n; i++)
		if (strncasecmp(name + i, letters, k) == 0)
			return true;
	return false;
}

/* _Z10atomic_addPU3AS3Vjj: the name between, and whether its first parameter points to local
 * memory. */
static bool unmangle(const char **name, size_t *n, bool *is_first_local)
{
	const char *behind = *name + 2;
	size_t length = 0;

	*is_first_local = false;
	if (*n < 4 || strncmp(*name, "_Z", 2) != 0 || !isdigit((unsigned char)*behind))
		return false;
	for (; behind < *name + *n && isdigit((unsigned char)*behind) && length < *n; behind++)
		length = 10 * length + (size_t)(*behind - '0');
	if (length > (size_t)(*name + *n - behind))
		return false;
	*is_first_local = (size_t)(*name + *n - behind) >= length + 6 &&
			  strncmp(behind + length, "PU3AS3", 6) == 0;
	*name = behind;
	*n = length;
	return true;
}

/* Functions that the module does not define are those of OpenCL. */
static unsigned doubt_of_call(const char *module, const char *line, size_t n, struct buf *what)
{
	bool is_first_local;
	const char *name;
	size_t length;

	if (!find_callee(line, n, &name, &length))
		return add(what, DOUBT_UNSEEN, "a function by its address", 25);
	if ((length > 5 && strncmp(name, "llvm.", 5) == 0) || is_defined(module, name, length))
		return 0;
	if (!unmangle(&name, &length, &is_first_local)) {
		if (length == 6 && strncmp(name, "printf", 6) == 0)
			return add(what, DOUBT_PRINTF, name, length);
		if (has_letters(name, length, "pipe"))
			return add(what, DOUBT_PIPES, name, length);
		if (has_letters(name, length, "enqueue"))
			return add(what, DOUBT_ENQUEUE, name, length);
		return add(what, DOUBT_UNSEEN, name, length);
	}
	if (length == 22 && strncmp(name, "atomic_work_item_fence", 22) == 0)
		return 0;
	if (has_letters(name, length, "atom"))
		return is_first_local ? 0 : add(what, DOUBT_ATOMICS, name, length);
	if (has_letters(name, length, "write_image"))
		return add(what, DOUBT_IMAGES, name, length);
	if (has_letters(name, length, "pipe"))
		return add(what, DOUBT_PIPES, name, length);
	return 0;
}

static unsigned doubt_of_line(const char *module, const char *line, size_t n, struct buf *what)
{
	static const char *const atomics[] = {"atomicrmw ", "cmpxchg ", "load atomic ",
					      "store atomic "};

	if (has_word(line, n, " asm "))
		return add(what, DOUBT_UNSEEN, "asm", 3);
	for (int i = 0; i < 4; i++)
		if (has_word(line, n, atomics[i]))
			return is_local(line, n) ? 0
						 : add(what, DOUBT_ATOMICS, atomics[i],
						       strlen(atomics[i]) - 1);
	if (has_word(line, n, "call ") || has_word(line, n, "invoke "))
		return doubt_of_call(module, line, n, what);
	return 0;
}

unsigned cl_module_doubts(const char *module, struct buf *what)
{
	unsigned doubts = 0;

	for (const char *line = module, *end; *line != '\0'; line = end) {
		size_t n = strcspn(line, "\n");
		unsigned more = 0;
		struct buf found = {0};

		end = line + n + (line[n] != '\0');
		/* instructions are indented; what is quoted stands in lines of globals */
		if (line[0] == ' ')
			more = doubt_of_line(module, line, n, &found);
		else if (strncmp(line, "module asm", 10) == 0)
			more = add(&found, DOUBT_UNSEEN, "asm", 3);
		if ((more & ~doubts) != 0)
			add(what, 0, buf_text(&found), strlen(buf_text(&found)));
		doubts |= more;
		buf_free(&found);
	}
	return doubts;
}

/* ---- clang ---- */

/* Options at blanks that are not quoted; the words stand in text, which changes. */
static int split_options(char *text, char **words, int most)
{
	int n = 0;

	while (*text != '\0') {
		char *to, quote = '\0';

		while (isspace((unsigned char)*text))
			text++;
		if (*text == '\0')
			break;
		if (n == most)
			return -1;
		words[n++] = to = text;
		for (; *text != '\0' && (quote != '\0' || !isspace((unsigned char)*text)); text++)
			if (quote == '\0' && (*text == '"' || *text == '\''))
				quote = *text;
			else if (*text == quote)
				quote = '\0';
			else
				*to++ = *text;
		if (*text != '\0')
			text++;
		*to = '\0';
	}
	return n;
}

static int make_file(const char *text)
{
	int fd = memfd_create("clslice", MFD_CLOEXEC);
	size_t n = strlen(text), done = 0;

	while (fd >= 0 && done < n) {
		ssize_t written = write(fd, text + done, n - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)written;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

static char *read_file(int fd)
{
	off_t n = lseek(fd, 0, SEEK_END);
	char *text;

	if (n < 0)
		return NULL;
	text = xmalloc((size_t)n + 1);
	for (off_t done = 0; done < n;) {
		ssize_t got = pread(fd, text + done, (size_t)(n - done), done);

		if (got <= 0) {
			free(text);
			return NULL;
		}
		done += got;
	}
	text[n] = '\0';
	return text;
}

/* 1: clang ended well; 0: it did not; -1: it is not there */
static int run_clang(char **arguments, int in, int out, int messages)
{
	posix_spawn_file_actions_t actions;
	int status = 0, code;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, messages, 2);
	code = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code != 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
}

/* The module of a program, or NULL and, of what clang printed, the first error. Returns -1: no
 * clang */
static int compile_as(const char *source, const char *options, const char *standard, char **module,
		      char **message)
{
	char *words[MOST_OPTIONS + 16] = {"clang",
					  "-x",
					  "cl",
					  "-target",
					  "spir64",
					  "-Xclang",
					  "-finclude-default-header",
					  "-w",
					  "-O0",
					  "-emit-llvm",
					  "-S",
					  "-o",
					  "-"};
	char *copy = xasprintf("%s %s", options, standard);
	int n = 13, nmore = split_options(copy, words + n, MOST_OPTIONS);
	int in = make_file(source), out = make_file(""), messages = make_file("");
	int status = nmore < 0 || in < 0 || out < 0 || messages < 0 ? 0 : 1;

	*module = *message = NULL;
	if (status == 1) {
		words[n + nmore] = "-";
		words[n + nmore + 1] = NULL;
		status = run_clang(words, in, out, messages);
		*(status == 1 ? module : message) = read_file(status == 1 ? out : messages);
	}
	close_file(in);
	close_file(out);
	close_file(messages);
	free(copy);
	return status < 0 ? -1 : 0;
}

/* The same. Drivers have more by default than clang, so later standards are tried where none is
 * given. */
static int compile(const char *source, const char *options, char **module, char **message)
{
	static const char *const standards[] = {"", "-cl-std=CL2.0", "-cl-std=CL3.0"};
	int ntries = strstr(options, "-cl-std=") != NULL ? 1 : 3, status = 0;

	*module = *message = NULL;
	for (int i = 0; i < ntries && status == 0 && *module == NULL; i++) {
		char *again;

		status = compile_as(source, options, standards[i], module, &again);
		if (*message == NULL)
			*message = again;
		else
			free(again);
	}
	return status;
}

/* ---- without clang ---- */

static unsigned unseen_of_options(const char *options, struct buf *what)
{
	char *copy = xstrdup(options), *words[MOST_OPTIONS];
	int n = split_options(copy, words, MOST_OPTIONS);
	unsigned doubts = n < 0 ? add(what, DOUBT_UNSEEN, "options", 7) : 0;

	for (int i = 0; i < n && doubts == 0; i++)
		if (strncmp(words[i], "-cl-", 4) != 0 && strcmp(words[i], "-w") != 0 &&
		    strcmp(words[i], "-Werror") != 0)
			doubts = add(what, DOUBT_UNSEEN, words[i], strlen(words[i]));
	free(copy);
	return doubts;
}

static unsigned not_compiled(const char *message, struct buf *what)
{
	const char *error = message != NULL ? strstr(message, "error: ") : NULL;

	buf_str(what, buf_text(what)[0] != '\0' ? ", " : "");
	buf_str(what, "clang does not compile it");
	if (error != NULL)
		buf_printf(what, ": %.*s", (int)strcspn(error + 7, "\n"), error + 7);
	return DOUBT_UNSEEN;
}

unsigned cl_compiled_doubts(const char *source, const char *options, struct buf *what)
{
	unsigned doubts = cl_text_doubts(source, what);
	char *module, *message;

	if (compile(source, options, &module, &message) != 0)
		doubts |= unseen_of_options(options, what) | cl_text_unseen(source, what);
	else
		doubts |= module != NULL ? cl_module_doubts(module, what)
					 : not_compiled(message, what);
	free(module);
	free(message);
	return doubts;
}
