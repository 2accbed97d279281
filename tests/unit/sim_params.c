/* sim_params.c - which of several sources a parameter of a simulation comes from */
#include "sim/params/params.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

static const char *refused(const struct topo *topo, const char *profile, const char *setting)
{
	static struct err err;
	struct sim_params params;

	if (sim_params_open(&params, topo, profile, &setting, setting != NULL, NULL, &err) == 0) {
		sim_params_close(&params);
		return "taken";
	}
	return err.msg;
}

/* The command line, then what is written in the topology, then the profile, then the default. */
static void test_precedence(void)
{
	struct topo *topo = machine("dragonfly:groups=5,routers=4,nodes=2,local-latency=7ns");
	const char *const settings[] = {"packet=2KiB", "global-latency=1us",
					"terminal-latency=3ns"};
	struct sim_params params;
	struct err err;

	CHECK_INT(sim_params_open(&params, topo, NULL, NULL, 0, NULL, &err), 0);
	CHECK_INT(params.packet_bytes, 1024);
	CHECK_INT(params.levels[LINK_TERMINAL].latency_ps, 100000);
	CHECK_TEXT(params.routing, "minimal");
	sim_params_close(&params);
	CHECK_INT(sim_params_open(&params, topo, "sst", settings, 3, "dor", &err), 0);
	CHECK_INT(params.packet_bytes, 2048);
	CHECK_INT(params.input_buffer_bytes, 14000);
	CHECK_INT(params.levels[LINK_TERMINAL].latency_ps, 3000);
	CHECK_INT(params.levels[2].latency_ps, 7000);
	CHECK_INT(params.levels[3].latency_ps, 1000000);
	CHECK(params.is_delivered_by_head);
	CHECK_TEXT(params.routing, "dor");
	sim_params_close(&params);
	CHECK_INT(sim_params_open(&params, topo, "booksim", NULL, 0, "ugal:bias=7", &err), 0);
	CHECK_TEXT(params.routing, "ugal:via=node,threshold=2,bias=7,hops=no,queue=credits");
	sim_params_close(&params);
	CHECK_INT(sim_params_open(&params, topo, "sst", NULL, 0, NULL, &err), 0);
	CHECK_TEXT(params.routing, "adaptive-local");
	sim_params_close(&params);
	CHECK_TEXT(refused(topo, NULL, "packet=x"),
		   "parameters: packet: 'x' is not a size such as 4KiB or 1000");
	CHECK_TEXT(refused(topo, NULL, "packet"), "'packet' is not KEY=VALUE");
	CHECK_TEXT(refused(topo, NULL, "level9-latency=1ns"),
		   "level9-latency: the network has no such level of links");
	CHECK_TEXT(refused(topo, NULL, "local-latency=1km"),
		   "local-latency: '1km' is not a time such as 100ns");
	CHECK_TEXT(refused(topo, NULL, "packet=0"), "packet: 0 bytes; expected 1 to 1 MiB");
	CHECK(strncmp(refused(topo, NULL, "input-buffer=10"), "input-buffer: 10 bytes", 22) == 0);
	CHECK(strcmp(refused(topo, "no-such", NULL), "taken") != 0);
	topo_free(topo);
}

static void test_profiles(void)
{
	struct topo *topo = machine("torus:dims=4x4");
	struct sim_params params;
	struct err err;

	for (int i = 0; i < sim_profiles.n; i++) {
		const char *name = sim_profiles.entries[i]->example;

		if (strncmp(name, "file:", 5) == 0)
			continue;
		if (sim_params_open(&params, topo, name, NULL, 0, NULL, &err) != 0)
			CHECK_TEXT(err.msg, "");
		else
			sim_params_close(&params);
	}
	topo_free(topo);
}

static const char *with_file(const struct topo *topo, const char *text)
{
	char path[] = "/tmp/placetools-profile-XXXXXX", profile[64];
	int fd = mkstemp(path);
	const char *message;

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	snprintf(profile, sizeof(profile), "file:path=%s", path);
	message = refused(topo, profile, NULL);
	unlink(path);
	return message;
}

#define HEAD "placetools: netsim-profile/1\n"

static void test_files(void)
{
	struct topo *topo = machine("torus:dims=4x4");

	CHECK_TEXT(with_file(topo, HEAD "parameters: {packet: 512}\nrouting: {torus: dor}\n"),
		   "taken");
	CHECK(strstr(with_file(topo, HEAD "parameters: {pocket: 1}\n"), "pocket") != NULL);
	CHECK(strstr(with_file(topo, HEAD "parameters: [1]\n"),
		     ":2: parameters: is not a mapping"));
	CHECK(strstr(with_file(topo, HEAD "links: {local: {speed: 1}}\n"), "'speed' is neither"));
	CHECK(strstr(with_file(topo, HEAD "links: {local: {latency: x}}\n"), "is not a time"));
	CHECK(strstr(with_file(topo, HEAD "colour: red\n"), "'colour' is not a key"));
	CHECK(strstr(with_file(topo, HEAD "routing: [a]\n"), "routing: is neither"));
	CHECK(strstr(with_file(topo, HEAD "routings: {ugly: {a: b}}\n"),
		     "'ugly' is not a routing"));
	CHECK(strstr(with_file(topo, HEAD "routings: {ugal: 1}\n"), "ugal: is not a mapping"));
	CHECK(strstr(with_file(topo, "a: b\n"), "is not a profile of netsim"));
	topo_free(topo);
}

int main(void)
{
	test_precedence();
	test_profiles();
	test_files();
	return check_done();
}
