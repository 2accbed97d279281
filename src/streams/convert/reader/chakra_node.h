/* chakra_node.h - the nodes of Chakra's execution traces, as their bytes have them */
#ifndef CONVERT_READER_CHAKRA_NODE_H
#define CONVERT_READER_CHAKRA_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

/* Node.type */
enum chakra_type {
	CHAKRA_METADATA = 1,
	CHAKRA_LOAD,
	CHAKRA_STORE,
	CHAKRA_COMPUTE,
	CHAKRA_SEND,
	CHAKRA_RECV,
	CHAKRA_COLLECTIVE
};

/* Text that is not ended. */
struct chakra_text {
	const char *at;
	size_t n;
};

/* Numbers that are not there are -1, the id and the type 0. */
struct chakra_node {
	uint64_t id, type;
	struct chakra_text name, pg_name;
	int64_t micros, is_cpu_op, comm_type, comm_size, src, dst, tag, num_ops, tensor_size,
		priority;
	VEC(uint64_t) deps; /* of both kinds */
};

/* What is left of a file. */
struct chakra_bytes {
	const unsigned char *at, *end;
};

/* The next message of a file: 1; 0: the end; -1: it is truncated. */
int chakra_message(struct chakra_bytes *file, struct chakra_bytes *message);
/* Takes a message as a node, whose deps are the caller's to free. Returns -1 with what is wrong. */
int chakra_node_read(struct chakra_node *node, struct chakra_bytes message, struct err *err);

#endif
