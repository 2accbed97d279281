/* cosched_fuzz.c - devices, kernels and jobs through cosched, under each policy, and the bound */
#define main tool_main
#include "tools/cosched.c"
#undef main

#include "model/kinds.h"
#include "tool.h"

/* The parts of an input, devices, kernels and jobs, stand between lines of %%. */
static size_t part_of(const uint8_t *bytes, size_t n)
{
	const uint8_t *mark = memmem(bytes, n, "\n%%\n", 4);

	return mark != NULL ? (size_t)(mark - bytes) + 1 : n;
}

/* More slices or jobs than that make work, but show nothing. */
static bool is_short(const uint8_t *bytes, size_t n)
{
	return n < 4096 && !fuzz_has_long_number(bytes, n, 4);
}

static void simulate(const uint8_t *bytes, size_t n)
{
	static const struct table_kind *const jobs[] = {&kind_jobs, NULL};
	static const struct table_kind *const rows[] = {&kind_sharing, NULL};
	size_t ndevices = part_of(bytes, n), nkernels;
	const uint8_t *rest = bytes + (ndevices < n ? ndevices + 3 : n);
	size_t nrest = (size_t)(bytes + n - rest);
	char devices_path[32], kernels_path[32];
	const char *one[] = {kernels_path};
	int devices_fd = fuzz_open(bytes, ndevices, devices_path), kernels_fd;

	nkernels = part_of(rest, nrest);
	kernels_fd = fuzz_open(rest, nkernels, kernels_path);
	how.devices = devices_path;
	kernels = (struct cli_list){one, 1};
	rest += nkernels < nrest ? nkernels + 3 : nrest;
	fuzz_tool(run, rest, (size_t)(bytes + n - rest), NULL,
		  sharing.kernel != NULL ? rows : jobs);
	fuzz_close(devices_fd);
	fuzz_close(kernels_fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	if (n < 2 || !is_short(bytes + 1, n - 1))
		return 0;
	how = (struct cosched_options){
		.policy = node_policies.entries[bytes[0] % 16 % node_policies.n]->example};
	release = (bytes[0] & 16) != 0 ? "changed" : "all";
	how.side.bound = (bytes[0] & 32) != 0 ? "/dev/null" : NULL;
	sharing = (struct sharing_options){.counts = (bytes[0] & 64) != 0 ? "1:64:x4" : NULL,
					   .kernel = (bytes[0] & 64) != 0 ? "a:20" : NULL};
	simulate(bytes + 1, n - 1);
	(void)tool_main;
	return 0;
}
