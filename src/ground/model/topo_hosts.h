/* topo_hosts.h - the nodes that a user names: a host list, or a host file */
#ifndef MODEL_TOPO_HOSTS_H
#define MODEL_TOPO_HOSTS_H

#include "formats/hostlist.h"
#include "model/topo.h"

/* Whether text is a host file: it has a '/', or a file of that name is there. */
bool topo_hosts_is_file(const char *text);

/*
 * The nodes, each once, in the order in which they are named first, appended. A list names none
 * twice; a file may, as PBS_NODEFILE does. slots (NULL: not asked for) [nodes->n]: 0 where the
 * file does not say, else what its lines say in all; a host that stands there several times
 * without a number has as many slots as lines. 0 or -1.
 */
int topo_hosts_read(const struct topo *topo, const char *text, int_vec *nodes, int_vec *slots,
		    struct err *err);

/* Their names, without a machine: as hostlist_walk, each once. */
int hosts_walk(const char *text, hostlist_add_fn *add, void *context, struct err *err);

#endif
