/* outputs.c - what a function that failed hands out is NULL, whatever stood there before */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "formats/csv.h"
#include "formats/ib/ibnet.h"
#include "formats/in.h"
#include "formats/json.h"
#include "traces/otf2/otf2.h"
#include "traces/otf2/otf2_write.h"
#include "formats/slurm/slurmconf.h"
#include "machine/import/importer.h"
#include "machine/load.h"
#include "machine/order/order.h"
#include "machine/route/route.h"
#include "machine/yaml/yaml_read.h"
#include "measure/check/constraint_check.h"
#include "model/comm.h"
#include "model/kinds.h"
#include "place/constraint/io_points.h"
#include "place/run/confine.h"
#include "traffic/classify/profile_db.h"
#include "traffic/feed.h"
#include "traffic/inputs.h"

static int somewhere;
static const char *folder;

/* A file of the text; its path is valid until the next call. */
static const char *file_of(const char *text)
{
	static char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/outputs-input", folder);
	file = fopen(path, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		exit(2);
	return path;
}

/* One call that must fail; out points to something first. */
#define FAILS(type, call)                                                                          \
	do {                                                                                       \
		struct err err = {""};                                                             \
		type out = (type)(void *)&somewhere;                                               \
                                                                                                   \
		CHECK((call) == -1);                                                               \
		CHECK(out == NULL);                                                                \
		CHECK(err.msg[0] != '\0');                                                         \
	} while (0)

/* Topology documents that are found wrong early, late, and in between. */
static void check_documents(void)
{
	static const char head[] = "placetools: topology/1\n";
	static const char *const bodies[] = {
		"",
		"topology: torus\n",
		"topology: nonsense\n",
		"topology: torus\nparameters: {dims: 0}\n",
		"topology: ring\nparameters: {n: 4}\nlinks: x\n",
		"topology: mesh\nparameters: {dims: 2x2}\nio: [x]\n",
		"topology: mesh\nparameters: {dims: 2x2}\nio: x\n",
		"topology: mesh\nparameters: {dims: 2x2}\nname: m\ngpus: [x]\n",
		"topology: mesh\nparameters: {dims: 2x2}\nnodes: {nics: x}\n",
		"topology: explicit\n",
		"topology: explicit\ntables: {nodes: x}\n",
		"topology: explicit\ntables:\n  routers: |\n    router\n    a\n  nodes: |\n    "
		"node "
		"router\n    n a\nio: [x]\n",
	};

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		char text[4096];

		snprintf(text, sizeof(text), "%s%s", head, bodies[i]);
		FAILS(struct topo *, topo_load(&out, file_of(text), &err));
		FAILS(struct topo *, topo_resolve(&out, file_of(text), NULL, &err));
	}
}

static void check_machines(void)
{
	char *paths[] = {(char *)file_of("nothing that is known\n"), NULL};
	const struct topo_import from = {.paths = paths};
	static const char *const formats[] = {"ibnetdiscover", "slurm-conf", "slurm-yaml", "netloc",
					      "hwloc",         "edges",      "cray-rtr",   "what"};

	check_documents();
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		FAILS(struct topo *, topo_import(&out, formats[i], &from, &err));
	FAILS(struct topo *, topo_load(&out, "torus:dims=0", &err));
	FAILS(struct topo *, topo_load(&out, "@nonsense", &err));
	FAILS(struct topo *, topo_load(&out, "nonsense", &err));
	FAILS(struct topo *, topo_resolve(&out, NULL, NULL, &err));
}

static void check_on_a_machine(void)
{
	static const unsigned char use[4] = {0};
	static const char *const wrong[] = {"nonsense"};
	struct topo *topo;
	struct err why;
	struct pick pick;

	CHECK(topo_load(&topo, "mesh:dims=2x2", &why) == 0);
	FAILS(struct routing *, routing_open(&out, topo, "nonsense", &err));
	FAILS(struct confine *, confine_open(&out, topo, wrong, 1, NULL, use, &err));
	FAILS(struct constraint_checks *,
	      constraint_checks_open(&out, topo, NULL, NULL, wrong, 1, &err));
	CHECK(pick_parse(&pick, &orders, "file:path=/nonsense", &why) == 0);
	FAILS(int *, order_make(&out, topo, &pick, &err));
	pick_free(&pick);
	topo_free(topo);
}

static void check_files(void)
{
	const char *none = "/nonsense/file";
	char *paths[] = {(char *)none, NULL};
	struct header_set headers = {0};
	struct feed_counts counts = {0};
	const struct table_kind *const kinds[] = {&kind_comm, NULL};

	FAILS(struct in *, in_open(&out, none, &err));
	FAILS(struct out *, out_open(&out, none, NULL, &err));
	FAILS(struct csv *, csv_open(&out, none, &err));
	FAILS(struct yaml_file *, yaml_open(&out, none, &err));
	FAILS(struct yaml_file *, yaml_open(&out, file_of("a: [\n"), &err));
	FAILS(struct yaml_file *, json_open(&out, file_of("{"), &err));
	FAILS(struct table_in *, table_open(&out, kinds, paths, false, &err));
	FAILS(struct slurm_topology *, slurm_topology_read(&out, paths, &err));
	FAILS(struct slurm_topology *, slurm_topology_read_yaml(&out, none, NULL, &err));
	FAILS(struct ibnet *, ibnet_read(&out, paths, &err));
	FAILS(struct ibnet *, ibnet_read_netloc(&out, paths, NULL, NULL, &err));
	FAILS(struct profile_db *, profile_db_open(&out, none, NULL, false, &err));
	FAILS(struct feed *, feed_open(&out, none, NULL, &headers, &counts, false, &err));
	FAILS(struct inputs *, inputs_open(&out, paths, NULL, &headers, &counts, false, &err));
	FAILS(struct otf *, otf_open(&out, none, &err));
	FAILS(struct otf_writer *, otf_writer_open(&out, "/", &err));
}

static void check_graph(void)
{
	static const struct table_kind *const kinds[] = {&kind_comm, NULL};
	char *paths[] = {(char *)file_of("##placetools=comm/1\nsrc\tdst\tbytes\n0\t900000000\t1\n"),
			 NULL};
	struct table_in *in;
	struct err why;

	CHECK(table_open(&in, kinds, paths, false, &why) == 0);
	FAILS(struct comm *, comm_read(&out, in, NULL, 0, &err));
	table_close(in);
}

int main(void)
{
	folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
	unsetenv("PLACETOOLS_TOPOLOGY");
	check_machines();
	check_on_a_machine();
	check_files();
	check_graph();
	unlink(file_of(""));
	return check_done();
}
