/* lft_fuzz.c - forwarding tables of a small fabric: the first line names their form */
#include "import.h"
#include "model/topo_routes.h"

/* Two leaves with two nodes each, joined by a spine and by a cable of their own. */
static const char fabric[] =
	"switchguid=0x11(11)\n"
	"Switch 6 \"S-0000000000000011\" # \"leaf0\" base port 0 lid 5 lmc 0\n"
	"[1] \"H-0000000000000001\"[1](1) # \"n0\" lid 1 4xQDR\n"
	"[2] \"H-0000000000000002\"[1](2) # \"n1\" lid 2 4xQDR\n"
	"[3] \"S-0000000000000012\"[3] # \"leaf1\" lid 6 4xQDR\n"
	"[4] \"S-0000000000000013\"[1] # \"spine\" lid 7 4xQDR\n"
	"\nswitchguid=0x12(12)\n"
	"Switch 6 \"S-0000000000000012\" # \"leaf1\" base port 0 lid 6 lmc 0\n"
	"[1] \"H-0000000000000003\"[1](3) # \"n2\" lid 3 4xQDR\n"
	"[2] \"H-0000000000000004\"[1](4) # \"n3\" lid 4 4xQDR\n"
	"[3] \"S-0000000000000011\"[3] # \"leaf0\" lid 5 4xQDR\n"
	"[4] \"S-0000000000000013\"[2] # \"spine\" lid 7 4xQDR\n"
	"\nswitchguid=0x13(13)\n"
	"Switch 6 \"S-0000000000000013\" # \"spine\" base port 0 lid 7 lmc 0\n"
	"[1] \"S-0000000000000011\"[4] # \"leaf0\" lid 5 4xQDR\n"
	"[2] \"S-0000000000000012\"[4] # \"leaf1\" lid 6 4xQDR\n"
	"\nCa 1 \"H-0000000000000001\" # \"n0\"\n"
	"[1](1) \"S-0000000000000011\"[1] # lid 1 lmc 0 \"leaf0\" lid 5 4xQDR\n"
	"\nCa 1 \"H-0000000000000002\" # \"n1\"\n"
	"[1](2) \"S-0000000000000011\"[2] # lid 2 lmc 0 \"leaf0\" lid 5 4xQDR\n"
	"\nCa 1 \"H-0000000000000003\" # \"n2\"\n"
	"[1](3) \"S-0000000000000012\"[1] # lid 3 lmc 0 \"leaf1\" lid 6 4xQDR\n"
	"\nCa 1 \"H-0000000000000004\" # \"n3\"\n"
	"[1](4) \"S-0000000000000012\"[2] # lid 4 lmc 0 \"leaf1\" lid 6 4xQDR\n";

/* The form's name, cut off the input; false: it is none. */
static bool read_form(const uint8_t **bytes, size_t *n, char form[24])
{
	const uint8_t *end = memchr(*bytes, '\n', *n);
	size_t length = end != NULL ? (size_t)(end - *bytes) : 24;

	if (length == 0 || length >= 24 || memchr(*bytes, ':', length) != NULL)
		return false;
	memcpy(form, *bytes, length);
	form[length] = '\0';
	*bytes += length + 1;
	*n -= length + 1;
	return true;
}

static void check_again(struct topo *topo)
{
	struct topo *again;
	char made[64];
	struct err err;

	snprintf(made, sizeof(made), "/dev/shm/lft_fuzz-%d", (int)getpid());
	fuzz_export(topo, "explicit", made);
	fuzz_must(topo_load(&again, made, &err) == 0, "what was imported can be read");
	fuzz_must(again->hash == topo->hash, "and is the same machine");
	fuzz_must(again->routes != NULL, "with routes");
	for (int router = 0; router < topo->nrouters; router++)
		for (int64_t end = 0; end < topo->routes->nends; end++)
			fuzz_must(topo_routes_next(topo, router, end) ==
					  topo_routes_next(again, router, end),
				  "that are the same");
	topo_free(again);
	unlink(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char fabric_path[32], path[32], form[24], text[64];
	char *paths[] = {fabric_path, NULL};
	const char *routes[] = {text};
	struct topo_import how = {.paths = paths, .routes = routes, .nroutes = 1};
	int fabric_fd, fd;
	struct topo *topo;
	struct pick pick;
	struct err err;

	if (n == 0 || !read_form(&bytes, &n, form))
		return 0;
	die_set_quiet(true);
	fabric_fd = fuzz_open((const uint8_t *)fabric, sizeof(fabric) - 1, fabric_path);
	fd = fuzz_open(bytes, n, path);
	snprintf(text, sizeof(text), "%s:%s", form, path);
	fuzz_must(pick_parse(&pick, &topo_importers, "ibnetdiscover", &err) == 0, "it is there");
	how.pick = &pick;
	if (((const struct topo_importer *)pick.entry)->read(&topo, &how, &err) == 0) {
		check_again(topo);
		topo_free(topo);
	} else {
		fuzz_must(strstr(err.msg, path) != NULL || strstr(err.msg, form) != NULL,
			  "a refusal names the file, or the form");
	}
	pick_free(&pick);
	fuzz_close(fabric_fd);
	fuzz_close(fd);
	return 0;
}
