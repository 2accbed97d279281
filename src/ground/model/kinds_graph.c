/* kinds_graph.c - the kind of graphs of computation and messages: its columns and what they mean */
#include <stddef.h>

#include "model/kinds.h"
#include "model/kinds_rows.h"

static const char *const graph_key[] = {"program", "id", NULL};
static const struct column graph_columns[] = {
	KEY("program", "what its ranks do; ##program=NAME:RANKS says whose it is"),
	MUST_INT("id", 0, "the node, unique in its program"),
	KEY("op", "compute, mark, send, recv, or a collective operation's name"),
	TEXT("after", "ids that must have ended, as in 3,4; ^7: it must have begun"),
	NAME("stream", "nodes of one stream of a rank run one after the other"),
	{.name = "time_s", .type = COLUMN_REAL, .max = 4.6e6, .meaning = "compute: how long"},
	REAL("flops", "compute: operations, at the rate of -s gpu-flops"),
	REAL("memory_bytes", "compute: bytes moved, at the rate of -s gpu-memory"),
	REAL("bytes", "send: the message; collectives: the whole vector, or all blocks"),
	NAME("group", "##group=NAME:RANKS|RANKS…: the node's part of it is meant; .: all ranks"),
	TEXT("peer", "rank at the other side; +1 or -1: neighbour in the group, cyclic"),
	{.name = "tag", .type = COLUMN_INT, .max = 4294967295.0, .meaning = "tag; . of recv: any"},
	INT("root", "root of a rooted collective, its place in the group"),
	{.name = "priority",
	 .type = COLUMN_INT,
	 .min = -32768,
	 .max = 32767,
	 .meaning = "higher ones first in their stream; .: 0"},
	TEXT("algorithm", "of a collective; .: the library chooses"),
	TEXT("name", "what it is, for people"),
	{0}};

const struct table_kind kind_graph = {
	.name = "graph",
	.version = 1,
	.summary = "graphs of computation and messages, in programs that ranks share",
	.columns = graph_columns,
	.key = graph_key,
};
