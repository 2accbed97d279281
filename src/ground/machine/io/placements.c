/* placements.c - the registry of I/O placements, and how machines get them */
#include <stdlib.h>
#include <string.h>

#include "machine/io/io_placement.h"
#include "model/storage_spec.h"

#define REGISTRY "machine/io/placements.def"
#define REGISTRY_TYPE struct io_placement
#define REGISTRY_PREFIX io_placement_
#include "base/registry_entries.h"

const struct registry io_placements = REGISTRY_OF("io-placements", "I/O placement");

static bool is_level(const struct topo_io *io, int level)
{
	return io->nnodes == 0 && io->at_level == level;
}

/* The last entry of the list against those before it. */
static int check(const struct topo *topo, struct err *err)
{
	const struct topo_io *new = &topo->io[topo->nio - 1];
	char *is_there = xcalloc((size_t)topo->nnodes, 1), name[TOPO_NAME];
	int status = 0;

	for (int i = 0; i < topo->nio && status == 0; i++) {
		const struct topo_io *io = &topo->io[i];

		if (io != new &&str_eq(io->name, new->name))
			status = err_set(err,
					 "'%s' is there already: give another name=", new->name);
		else if (io != new &&new->nnodes == 0 && is_level(io, new->at_level))
			status = err_set(err, "the switches of level %d have I/O already",
					 new->at_level);
		for (int k = 0; k < io->nnodes && status == 0; k++)
			if (is_there[io->nodes[k]]++)
				status = err_set(err, "%s is an I/O node already",
						 topo_node_name(topo, io->nodes[k], name));
	}
	free(is_there);
	return status;
}

static int add(struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct io_placement *placement = (const struct io_placement *)pick->entry;
	const char *name = pick_word(pick, "name");
	struct topo_io io = {
		.is_separate = pick_is(pick, "kind", "separate"),
		.is_exclusive = pick_is(pick, "access", "exclusive"),
	};
	int_vec nodes = {0};

	if (placement->place(topo, pick, &nodes, &io.at_level, err) != 0) {
		free(nodes.at);
		return -1;
	}
	if (nodes.n == 0 && io.at_level == 0) {
		free(nodes.at);
		return err_set(err, "no node is where it says");
	}
	io.name = arena_strndup(&topo->arena, name, strlen(name));
	io.nodes = nodes.at;
	io.nnodes = (int)nodes.n;
	if (pick_has(pick, "storage")) {
		struct storage_spec *storage;

		if (nodes.n == 0 || storage_spec_load(&storage, pick_word(pick, "storage"),
						      &topo->arena, err) != 0) {
			free(nodes.at);
			return nodes.n == 0 ? err_set(err, "storage: expected nodes for it") : -1;
		}
		io.storage = storage;
	}
	topo->io = xrealloc(topo->io, (size_t)topo->nio + 1, sizeof(*topo->io));
	topo->io[topo->nio++] = io;
	return check(topo, err);
}

static const struct topo_io *find(const struct topo *topo, const char *name)
{
	for (int i = 0; i < topo->nio; i++)
		if (str_eq(topo->io[i].name, name))
			return &topo->io[i];
	return NULL;
}

int io_check_drains(const struct topo *topo, struct err *err)
{
	for (int i = 0; i < topo->nio; i++) {
		const struct topo_io *io = &topo->io[i];

		for (int steps = 0; io->storage != NULL && io->storage->drain_to != NULL; steps++) {
			const char *to = io->storage->drain_to;

			io = find(topo, to);
			if (io == NULL || io->storage == NULL)
				return err_set(err, "drain: '%.80s' is not an entry with a device",
					       to);
			if (steps == topo->nio)
				return err_set(err, "drain: '%.80s' drains into itself in the end",
					       to);
		}
	}
	return 0;
}

int topo_place_io(struct topo *topo, const char *const *texts, int n, struct err *err)
{
	for (int i = 0; i < n; i++) {
		struct pick pick;
		int status;

		if (pick_parse(&pick, &io_placements, texts[i], err) != 0)
			return err_prefix(err, "--io: ");
		status = add(topo, &pick, err);
		pick_free(&pick);
		if (status != 0)
			return err_prefix(err, "--io %s: ", texts[i]);
	}
	return io_check_drains(topo, err);
}
