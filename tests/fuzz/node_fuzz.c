/* node_fuzz.c - a damaged, old or foreign state of a node is refused, or is sound and can
 * be used */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/die.h"
#include "base/run_context.h"
#include "cosched/policy/node_check.h"
#include "cosched/policy/node_policy.h"
#include "fuzz.h"
#include "live/live_node_state.h"
#include "live/node/platform.h"
#include "live/node/state_file.h"
#include "live/node/state_priv.h"

/* A state with two jobs of this process, as it is before each input. */
static struct live_file *file, *kept;
static char folder[64];

static void make(void)
{
	static struct node_state state;
	struct clslice_profile profile = {
		.name = "job", .kernel = "k", .slices = 9, .slice_s = {1, 2}};
	struct clslice_message message;
	static struct clslice_job *job;
	static struct live_state live;
	struct pick pick;
	struct err err;
	uint32_t set;

	snprintf(folder, sizeof(folder), "/dev/shm/node_fuzz.XXXXXX");
	if (mkdtemp(folder) == NULL || setenv("XDG_RUNTIME_DIR", folder, 1) != 0)
		abort();
	node_state_init(&state, 2);
	memcpy(state.devices[0].name, "a", 2);
	memcpy(state.devices[1].name, "b", 2);
	fuzz_must(pick_parse(&pick, &node_policies, "elastic:contract=arrival", &err) == 0,
		  "a policy");
	node_policy_set(&pick, &state.rules);
	pick_free(&pick);
	fuzz_must(live_state_create(&state, &err) == 0, "a state");
	fuzz_must(getPlatformId(&profile, &job, &set, &message) == 0, "a job");
	fuzz_must(live_state_open(&live, &err) == 0, "the state");
	file = live.file;
	kept = malloc(sizeof(*kept));
	if (kept == NULL)
		abort();
	memcpy(kept, file, sizeof(*kept));
}

/* What an input leaves is gone with the process; a folder is made by the next one. */
static void unmake(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/placetools-clslice", folder);
	unlink(path);
	rmdir(folder);
}

/* Groups of an offset in pages, one in the page, a byte: not the lock, which is the kernel's. */
static void damage(const uint8_t *bytes, size_t n)
{
	for (; n >= 4; bytes += 4, n -= 4) {
		size_t at = ((size_t)bytes[0] << 8 | bytes[1]) * 16 + bytes[2] % 16;
		size_t locked = offsetof(struct live_file, lock);

		/* the first pages, both copies' heads and their first jobs */
		if ((bytes[2] & 0x40) != 0)
			at += offsetof(struct live_file, copies[1]);
		else if ((bytes[2] & 0x80) != 0)
			at += offsetof(struct live_file, copies[0]);
		if (at < sizeof(*file) && (at < locked || at >= locked + sizeof(file->lock)))
			((char *)file)[at] = (char)bytes[3];
	}
}

static void use(void)
{
	struct run_context context = {.output = "/dev/null"};
	struct live_state live;
	struct live_copy *copy;
	struct err err = {0};

	if (live_state_open(&live, &err) != 0) {
		fuzz_must(err.msg[0] != '\0', "an error has a message");
		return;
	}
	if (live_state_begin(&live, &copy, &err) == 0) {
		fuzz_must(node_check_state(&copy->state, &err) == 0, "what is taken is sound");
		if (live_state_commit(&live, false, &err) != 0)
			fuzz_must(err.msg[0] != '\0', "an error has a message");
	} else {
		fuzz_must(err.msg[0] != '\0', "an error has a message");
	}
	live_state_close(&live);
	live_ps(&context, &err);
	live_log(&context, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	if (n < 1)
		return 0;
	if (file == NULL) {
		die_set_quiet(true);
		make();
		atexit(unmake);
	}
	memcpy(file, kept, offsetof(struct live_file, events));
	damage(bytes + 1, n - 1);
	/* a checksum that is right lets more through */
	if ((bytes[0] & 1) != 0)
		for (int i = 0; i < 2; i++)
			file->copies[i].checksum = state_checksum(&file->copies[i]);
	use();
	return 0;
}
