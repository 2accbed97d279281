/* slurmconf_lines.c - topology.conf and scontrol show topology: Key=value lines */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/slurm/conf_lines.h"
#include "formats/slurm/slurmconf_priv.h"

/* The keys of a line that mean something here, as written; NULL: not there. */
enum {
	SWITCH,
	SWITCHES,
	NODES,
	SPEED,
	LEVEL,
	BLOCK,
	BLOCK_SIZES,
	BLOCK_SIZE,
	BLOCK_INDEX,
	RING,
	AGGREGATED,
	NKEYS
};
static const char *const keys[NKEYS] = {
	[SWITCH] = "SwitchName",    [SWITCHES] = "Switches",
	[NODES] = "Nodes",          [SPEED] = "LinkSpeed",
	[LEVEL] = "Level", /* of scontrol, as what follows */
	[BLOCK] = "BlockName",      [BLOCK_SIZES] = "BlockSizes",
	[BLOCK_SIZE] = "BlockSize", [BLOCK_INDEX] = "BlockIndex",
	[RING] = "RingName",        [AGGREGATED] = "AggregatedBlock",
};

struct reader {
	struct slurm_topology *slurm;
	struct in *in;
	struct slurm_place at;       /* of the line, or of its first part */
	struct slurm_place sizes_at; /* of BlockSizes= */
};

/* ---- what a line says ---- */

static int read_values(struct reader *reader, char *line, const char **values, struct err *err)
{
	char *key, *value;

	while (conf_pair(&line, &key, &value)) {
		int k = 0;

		while (k < NKEYS && strcasecmp(keys[k], key) != 0)
			k++;
		if (strcasecmp(key, "Include") == 0)
			return slurm_error(reader->at, err,
					   "Include is not followed: name the files one by one");
		if (value == NULL)
			return slurm_error(reader->at, err, "'%.40s': expected Key=value", key);
		if (k == NKEYS)
			return slurm_error(
				reader->at, err,
				"'%.40s' is not a key here: expected SwitchName, "
				"Switches, Nodes, LinkSpeed, BlockName, BlockSizes or RingName",
				key);
		if (values[k] != NULL)
			return slurm_error(reader->at, err, "%s= comes twice", keys[k]);
		values[k] = value;
	}
	return 0;
}

static int read_sizes(struct reader *reader, const char *text, struct err *err)
{
	char *parts[SLURM_SIZES_MOST + 1], *list = xstrdup(text);
	int status = 0, n = str_split(list, ',', parts, SLURM_SIZES_MOST + 1);

	reader->sizes_at = reader->at;
	for (int i = 0; i < n && status == 0; i++)
		status = slurm_add_size(reader->slurm, reader->at, parts[i], err);
	free(list);
	return status;
}

static int take_switch(struct reader *reader, const char **values, struct err *err)
{
	struct slurm_switch *sw;
	int64_t speed = 0;
	int number;

	if (reader->slurm->is_block ||
	    (reader->slurm->switches.n > 0 && reader->slurm->switches.at[0].dims[0] > 0))
		return slurm_error(reader->at, err, "a switch in a topology of blocks or rings");
	if (values[SPEED] != NULL && num_int(values[SPEED], 0, INT32_MAX, &speed) != 0)
		return slurm_error(reader->at, err, "LinkSpeed=%.40s: expected a whole number",
				   values[SPEED]);
	number = slurm_add_switch(reader->slurm, reader->at, values[SWITCH], values[SWITCHES],
				  values[NODES], err);
	if (number < 0)
		return -1;
	sw = &reader->slurm->switches.at[number];
	sw->speed = (int)speed;
	sw->is_sum = values[LEVEL] != NULL;
	return 0;
}

static int take_block(struct reader *reader, const char **values, struct err *err)
{
	if (!reader->slurm->is_block && reader->slurm->switches.n > 0)
		return slurm_error(reader->at, err, "a block in a topology of switches");
	reader->slurm->is_block = true;
	if (values[BLOCK_SIZE] != NULL && read_sizes(reader, values[BLOCK_SIZE], err) != 0)
		return -1;
	return slurm_add_switch(reader->slurm, reader->at, values[BLOCK], NULL,
				slurm_block_nodes(values[NODES]), err) < 0
		       ? -1
		       : 0;
}

static int take_ring(struct reader *reader, const char **values, struct err *err)
{
	struct slurm_topology *slurm = reader->slurm;
	int number;

	if (slurm->switches.n > 0 && slurm->switches.at[0].dims[0] == 0)
		return slurm_error(reader->at, err, "a ring in a topology of switches or blocks");
	if (values[NODES] == NULL)
		return slurm_error(reader->at, err, "ring %.80s has no Nodes=", values[RING]);
	number = slurm_add_switch(slurm, reader->at, values[RING], NULL, values[NODES], err);
	if (number >= 0)
		slurm->switches.at[number].dims[0] = 1;
	return number >= 0 ? 0 : -1;
}

static int take_line(struct reader *reader, char *line, struct err *err)
{
	const char *values[NKEYS] = {NULL};

	if (line[strspn(line, " \t")] == '\0')
		return 0;
	if (read_values(reader, line, values, err) != 0)
		return -1;
	if (values[SWITCH] != NULL && values[BLOCK] == NULL && values[BLOCK_SIZES] == NULL)
		return take_switch(reader, values, err);
	if (values[BLOCK] != NULL && values[SWITCH] == NULL && values[SWITCHES] == NULL)
		return take_block(reader, values, err);
	if (values[RING] != NULL && values[SWITCH] == NULL && values[SWITCHES] == NULL &&
	    values[BLOCK] == NULL)
		return take_ring(reader, values, err);
	/* scontrol: the blocks that it joins have separate lines */
	if (values[AGGREGATED] != NULL && values[BLOCK_SIZE] != NULL)
		return read_sizes(reader, values[BLOCK_SIZE], err);
	if (values[BLOCK_SIZES] != NULL && values[NODES] == NULL && values[SWITCH] == NULL)
		return read_sizes(reader, values[BLOCK_SIZES], err);
	return slurm_error(reader->at, err,
			   "expected one of SwitchName=, BlockName=, BlockSizes= and RingName=");
}

static int read_file(struct reader *reader, const char *path, struct err *err)
{
	struct buf line = {0};
	int status;

	if (in_open(&reader->in, path, err) != 0)
		return -1;
	reader->at.file = arena_strndup(&reader->slurm->arena, in_name(reader->in),
					strlen(in_name(reader->in)));
	while ((status = conf_line(reader->in, &line, &reader->at.line, err)) > 0) {
		status = take_line(reader, line.text, err);
		if (status != 0)
			break;
	}
	buf_free(&line);
	in_close(reader->in);
	return status;
}

static int read_files(struct reader *reader, char *const *paths, struct err *err)
{
	struct slurm_topology *slurm = reader->slurm;

	for (paths = in_paths(paths); *paths != NULL; paths++)
		if (read_file(reader, *paths, err) != 0)
			return -1;
	if (slurm->switches.n == 0)
		return err_set(err, "%s: no SwitchName=, BlockName= or RingName=", reader->at.file);
	if (slurm->is_block &&
	    slurm_join_blocks(slurm, slurm->nsizes > 0 ? reader->sizes_at : reader->at, err) != 0)
		return -1;
	return slurm_resolve(slurm, err);
}

int slurm_topology_read(struct slurm_topology **result, char *const *paths, struct err *err)
{
	struct reader reader = {.slurm = xcalloc(1, sizeof(*reader.slurm))};
	int status = read_files(&reader, paths, err);

	if (status != 0) {
		slurm_topology_free(reader.slurm);
		reader.slurm = NULL;
	}
	*result = reader.slurm;
	return status;
}
