/* alloc_golden.c - policies against the allocations of the Level-Spread authors' own program */
#include <stdlib.h>
#include <string.h>

#include "place/policy/policy.h"
#include "machine/load.h"
#include "base/num.h"
#include "check.h"
#include "formats/in.h"

/* case,policy,p,a,g,lcg_seed,busy_nodes,job,size,nodes_in_order */
enum { CASE, POLICY, P, A, G, SEED, BUSY, JOB, SIZE, NODES, NFIELDS };

/* The generator of that program's harness. */
struct lcg {
	uint64_t x;
	uint32_t mask;
};

static uint64_t draw(void *context, uint64_t n)
{
	struct lcg *lcg = context;

	lcg->x = lcg->x * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((uint32_t)(lcg->x >> 32) & lcg->mask) % n;
}

/* What one case works on. */
struct scene {
	char name[64];
	struct topo *topo;
	struct machine machine;
	struct pick pick;
	struct alloc alloc;
	struct lcg lcg;
};

/* Their names without a hyphen, and whose code it is. */
static const char *our_name(const char *policy)
{
	if (strcmp(policy, "jokanovic_sst") == 0)
		return "jokanovic:bug=sst";
	return strcmp(policy, "levelspread") == 0 ? "level-spread" : policy;
}

static void end_scene(struct scene *scene)
{
	if (scene->topo == NULL)
		return;
	alloc_close(&scene->alloc);
	pick_free(&scene->pick);
	machine_free(&scene->machine);
	topo_free(scene->topo);
	memset(scene, 0, sizeof(*scene));
}

static int64_t whole(const char *text)
{
	int64_t value = -1;

	CHECK(num_int(text, 0, INT64_MAX, &value) == 0);
	return value;
}

static void begin_scene(struct scene *scene, char **field)
{
	char spec[128], *list = field[BUSY];
	struct err err;
	uint64_t seed = 0;

	snprintf(scene->name, sizeof(scene->name), "%s %s", field[CASE], field[POLICY]);
	snprintf(spec, sizeof(spec), "dragonfly:groups=%s,routers=%s,nodes=%s", field[G], field[A],
		 field[P]);
	if (topo_load(&scene->topo, spec, &err) != 0) {
		printf("%s\n", err.msg);
		exit(1);
	}
	machine_init(&scene->machine, scene->topo);
	for (char *rest = list, *text; (text = strsep(&rest, " ")) != NULL;)
		if (*text != '\0')
			machine_take(&scene->machine, (int)whole(text));
	CHECK(pick_parse(&scene->pick, &alloc_policies, our_name(field[POLICY]), &err) == 0);
	CHECK(alloc_open(&scene->alloc, &scene->pick, scene->topo, false, &err) == 0);
	CHECK(num_uint(field[SEED], UINT64_MAX, &seed) == 0);
	scene->lcg =
		(struct lcg){seed, strcmp(field[POLICY], "rdn") == 0 ? 0x7fffffff : 0xffffffff};
}

static bool one_job(struct scene *scene, char **field)
{
	struct job job = {.name = "x", .nnodes = (int)whole(field[SIZE])};
	struct alloc_request request = {.machine = &scene->machine,
					.job = &job,
					.seed = 1,
					.draw = draw,
					.draw_context = &scene->lcg};
	struct buf reason = {0}, got = {0};
	int_vec nodes = {0};
	struct err err;
	bool same;

	alloc_choose(&scene->alloc, &request, &nodes, &reason, &err);
	for (size_t i = 0; i < nodes.n; i++)
		buf_printf(&got, "%s%d", i ? " " : "", nodes.at[i]);
	same = strcmp(buf_text(&got), field[NODES]) == 0;
	if (!same)
		printf("case %s job %s: got %s, wanted %s\n", scene->name, field[JOB],
		       buf_text(&got), field[NODES]);
	buf_free(&got);
	buf_free(&reason);
	free(nodes.at);
	return same;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "-";
	struct scene scene = {0};
	struct in *in;
	struct err err;
	char *line, *field[NFIELDS];
	int n = 0, nwrong = 0;

	if (in_open(&in, path, &err) != 0) {
		printf("%s\n", err.msg);
		return 2;
	}
	while (in_line(in, &line, NULL, &err) == 1) {
		char name[64];

		if (str_split(line, ',', field, NFIELDS) != NFIELDS ||
		    strcmp(field[0], "case") == 0)
			continue;
		snprintf(name, sizeof(name), "%s %s", field[CASE], field[POLICY]);
		if (strcmp(name, scene.name) != 0) {
			end_scene(&scene);
			begin_scene(&scene, field);
		}
		nwrong += !one_job(&scene, field) && nwrong < 20;
		n++;
	}
	end_scene(&scene);
	in_close(in);
	CHECK(n > 3200);
	CHECK(nwrong == 0);
	return check_done();
}
