/* topogen.c - machines from parameters or from the descriptions that sites have */
#include "machine/diff/diff.h"
#include "machine/lft/lft.h"
#include "machine/speeds.h"
#include "machine/kind/type.h"
#include "machine/import/importer.h"
#include "machine/io/io_placement.h"
#include "model/storage_spec.h"
#include "machine/export/exporter.h"
#include "machine/export/overlay.h"
#include "base/cli.h"
#include "base/options.h"
#include "formats/out.h"

static const char *from_text, *to_text, *node_name_map, *plan_path;
static struct overlay_paths paths;
static struct cli_list routes, io, bandwidths, latencies;

static const struct option_def options[] = {
	OPT_PICK(0, "from", &from_text, "FORMAT", &topo_importers,
		 "Read the operands as descriptions of a machine in this format."),
	OPT_PICK(0, "to", &to_text, "FORMAT", &topo_exporters,
		 "Write the machine in this format. If absent, the ending of the output file "
		 "chooses it, as in -o x.svg.",
		 .def = "yaml"),
	OPT_FILE(0, "diff", &plan_path, "PLAN",
		 "Instead of the machine, write which cables differ from those of this one, "
		 "whatever its routers are called. PLAN is a SPEC, @NAME or topology file; with "
		 "--from also a file in that format."),
	OPT_FILE(0, "jobs", &paths.jobs, "FILE",
		 "Show the placed jobs of this table, in formats that draw the machine. "
		 "If several jobs hold a node in turn, the first is overlay."),
	OPT_FILE(0, "traffic", &paths.traffic, "FILE",
		 "In a drawing, colour the routers by their traffic: the mean of the table's "
		 "windows, or with --at the newest one by then."),
	OPT_FILE(0, "links", &paths.links, "FILE",
		 "In a drawing, colour the cables by their utilization in this table of links, "
		 "or by their bytes."),
	OPT_TEXT(0, "at", &paths.at, "TIME",
		 "In a drawing, only jobs that run at this time: seconds since the epoch, or ISO "
		 "8601 with its zone."),
	OPT_FILE(0, "node-name-map", &node_name_map, "FILE",
		 "With --from: a file of names: by GUID; for cray-rtr the output of "
		 "xtprocadmin."),
	OPT_LIST(0, "routes", &routes, "FORMAT:FILE",
		 "With --from: forwarding tables of the switches, which become the "
		 "machine's routing. May be given more than once."),
	OPT_PICKS(0, "io", &io, "PLACEMENT", &io_placements,
		  "Where to add I/O nodes to those that the machine has already. May be "
		  "given more than once."),
	OPT_LIST(0, "bandwidth", &bandwidths, "LEVEL=SPEED",
		 "Give the links of this level this bandwidth, whatever the machine says or leaves "
		 "open. May be given more than once."),
	OPT_LIST(0, "latency", &latencies, "LEVEL=TIME",
		 "Give the links of this level this latency. May be given more than once."),
	{0}};

static const char *const usage[] = {
	"[--io PLACEMENT]… [--bandwidth LEVEL=SPEED]… [--latency LEVEL=TIME]… [--to FORMAT] [--jobs FILE] [--traffic FILE] [--links FILE] [--at TIME] SPEC|@NAME|TOPOLOGY",
	"--from FORMAT [--node-name-map FILE] [--routes FORMAT:FILE]… "
	"[--io PLACEMENT]… [--bandwidth LEVEL=SPEED]… [--latency LEVEL=TIME]… [--to FORMAT] [--jobs FILE] [--traffic FILE] [--links FILE] [--at TIME] [FILE…]",
	"--diff PLAN [--from FORMAT [--node-name-map FILE] [--routes FORMAT:FILE]…] TOPOLOGY|FILE…",
	NULL};

static const struct registry *const registries[] = {&topo_types,  &topo_importers, &topo_exporters,
						    &lft_readers, &io_placements,  &storage_keys,
						    NULL};

static const struct tool tool = {
	.name = "topogen",
	.summary = "describe the nodes, routers and links of a machine",
	.usage = usage,
	.options = options,
	.common = CLI_PARTIAL,
	.registries = registries,
	.max_operands = -1,
};

/* *is_whole: the tables were there to their ends. */
static int write_machine(const struct run_context *context, struct topo *topo, struct out *out,
			 const struct pick *pick, bool *is_whole, struct err *err)
{
	const struct topo_exporter *exporter = (const struct topo_exporter *)pick->entry;
	struct overlay overlay;
	int status;

	paths.accepts_partial = context->accepts_partial;
	status = overlay_read(&overlay, topo, &paths, pick, err);
	if (status == 0)
		status = exporter->write(topo, out, &overlay.how, err);
	if (status == 0 && paths.jobs != NULL && !exporter->shows_jobs)
		warn_no_effect("--jobs", "%s does not draw the machine", exporter->entry.name);
	*is_whole = overlay.ncut == 0;
	overlay_free(&overlay);
	return status;
}

static int compare(const struct run_context *context, const struct topo_import *how,
		   struct err *err)
{
	if (to_text != NULL || paths.jobs != NULL || paths.traffic != NULL || paths.links != NULL ||
	    paths.at != NULL || io.n + bandwidths.n + latencies.n > 0)
		return err_set(
			err,
			"--diff writes no machine: only --from, its options and -o go with it");
	return topo_diff_run(plan_path, from_text, how, context, err);
}

static int run(const struct run_context *context, char **operands, struct err *err)
{
	struct topo_import how = {.paths = operands,
				  .node_name_map = node_name_map,
				  .routes = routes.at,
				  .nroutes = routes.n};
	struct topo *topo = NULL;
	struct pick pick;
	struct out *out = NULL;
	bool is_whole = true;
	int status;

	if (plan_path != NULL)
		return compare(context, &how, err);
	if (to_text == NULL)
		to_text = registry_of_file(&topo_exporters, context->output, "yaml");
	if (pick_parse(&pick, &topo_exporters, to_text, err) != 0)
		return err_prefix(err, "--to: ");
	status = topo_from_operands(&topo, from_text, &how, err);
	if (status == 0)
		status = topo_set_bandwidths(topo, bandwidths.at, bandwidths.n, err);
	if (status == 0)
		status = topo_set_latencies(topo, latencies.at, latencies.n, err);
	if (status == 0)
		status = topo_place_io(topo, io.at, io.n, err);
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		status = write_machine(context, topo, out, &pick, &is_whole, err);
	status = out_finish(out, status, is_whole, err);
	pick_free(&pick);
	topo_free(topo);
	return status != 0 ? -1 : is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
