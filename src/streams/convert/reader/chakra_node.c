/* chakra_node.c - the nodes of Chakra's execution traces, as their bytes have them */
#include "convert/reader/chakra_node.h"

#include <string.h>

/*
 * Protocol Buffers, read by hand: the fields needed are few, those that are not known are skipped,
 * and lists of numbers come packed or not. A file is messages with their lengths before them.
 */
enum wire { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

struct field {
	uint64_t number;
	enum wire wire;
	uint64_t value; /* of WIRE_VARINT */
	struct chakra_bytes bytes;
};

static int get_varint(struct chakra_bytes *bytes, uint64_t *value)
{
	*value = 0;
	for (int shift = 0; shift < 64 && bytes->at < bytes->end; shift += 7) {
		unsigned char byte = *bytes->at++;

		*value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return 0;
	}
	return -1;
}

static int get_bytes(struct chakra_bytes *bytes, uint64_t n, struct chakra_bytes *part)
{
	if (n > (uint64_t)(bytes->end - bytes->at))
		return -1;
	*part = (struct chakra_bytes){bytes->at, bytes->at + n};
	bytes->at += n;
	return 0;
}

int chakra_message(struct chakra_bytes *file, struct chakra_bytes *message)
{
	uint64_t n;

	if (file->at == file->end)
		return 0;
	return get_varint(file, &n) != 0 || get_bytes(file, n, message) != 0 ? -1 : 1;
}

/* 1: a field; 0: the end; -1: no message. */
static int next_field(struct chakra_bytes *message, struct field *field)
{
	uint64_t key, n;

	if (message->at == message->end)
		return 0;
	if (get_varint(message, &key) != 0)
		return -1;
	*field = (struct field){.number = key >> 3, .wire = (enum wire)(key & 7)};
	switch (field->wire) {
	case WIRE_VARINT:
		return get_varint(message, &field->value) == 0 ? 1 : -1;
	case WIRE_64:
		return get_bytes(message, 8, &field->bytes) == 0 ? 1 : -1;
	case WIRE_32:
		return get_bytes(message, 4, &field->bytes) == 0 ? 1 : -1;
	case WIRE_BYTES:
		if (get_varint(message, &n) != 0)
			return -1;
		return get_bytes(message, n, &field->bytes) == 0 ? 1 : -1;
	}
	return -1;
}

static struct chakra_text text_of(const struct field *field)
{
	return (struct chakra_text){(const char *)field->bytes.at,
				    (size_t)(field->bytes.end - field->bytes.at)};
}

static bool is(struct chakra_text text, const char *name)
{
	return text.n == strlen(name) && memcmp(text.at, name, text.n) == 0;
}

/* Packed, or one of several. */
static int take_deps(struct chakra_node *node, const struct field *field)
{
	struct chakra_bytes packed = field->bytes;
	uint64_t id;

	if (field->wire == WIRE_VARINT) {
		vec_push(&node->deps, field->value);
		return 0;
	}
	while (packed.at < packed.end) {
		if (get_varint(&packed, &id) != 0)
			return -1;
		vec_push(&node->deps, id);
	}
	return 0;
}

/* A value that is 0 may be left out, and with it the attribute's whole value. */
static int take_attribute(struct chakra_node *node, struct chakra_bytes message)
{
	struct {
		const char *name;
		int64_t *value;
	} const numbers[] = {
		{"is_cpu_op", &node->is_cpu_op},    {"comm_type", &node->comm_type},
		{"comm_size", &node->comm_size},    {"comm_src", &node->src},
		{"comm_dst", &node->dst},           {"comm_tag", &node->tag},
		{"num_ops", &node->num_ops},        {"tensor_size", &node->tensor_size},
		{"comm_priority", &node->priority},
	};
	enum { SINT32 = 15, SINT64 = 17, STRING = 29 };
	struct chakra_text name = {"", 0}, text = {"", 0};
	struct field field;
	uint64_t value = 0;
	int status;

	while ((status = next_field(&message, &field)) == 1) {
		if (field.number == 1 && field.wire == WIRE_BYTES)
			name = text_of(&field);
		else if (field.number == STRING && field.wire == WIRE_BYTES)
			text = text_of(&field);
		else if (field.number > 2 && field.wire == WIRE_VARINT)
			value = field.number == SINT32 || field.number == SINT64
					? (field.value >> 1) ^ -(field.value & 1)
					: field.value;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (is(name, numbers[i].name))
			*numbers[i].value = (int64_t)value;
	if (is(name, "pg_name"))
		node->pg_name = text;
	return status;
}

int chakra_node_read(struct chakra_node *node, struct chakra_bytes message, struct err *err)
{
	enum { ID = 1, NAME, TYPE, CTRL_DEPS, DATA_DEPS, DURATION = 7, ATTR = 10 };
	struct field field;
	int status;

	node->id = node->type = 0;
	node->name = node->pg_name = (struct chakra_text){"", 0};
	node->micros = node->is_cpu_op = node->comm_type = node->comm_size = node->src = -1;
	node->dst = node->tag = node->num_ops = node->tensor_size = node->priority = -1;
	node->deps.n = 0;
	while ((status = next_field(&message, &field)) == 1) {
		bool is_number = field.wire == WIRE_VARINT, is_bytes = field.wire == WIRE_BYTES;

		if (field.number == ID && is_number)
			node->id = field.value;
		else if (field.number == NAME && is_bytes)
			node->name = text_of(&field);
		else if (field.number == TYPE && is_number)
			node->type = field.value;
		else if ((field.number == CTRL_DEPS || field.number == DATA_DEPS) &&
			 (is_number || is_bytes))
			status = take_deps(node, &field);
		else if (field.number == DURATION && is_number)
			node->micros = (int64_t)field.value;
		else if (field.number == ATTR && is_bytes)
			status = take_attribute(node, field.bytes);
		if (status < 0)
			break;
	}
	return status < 0 ? err_set(err, "node %llu is broken", (unsigned long long)node->id) : 0;
}
