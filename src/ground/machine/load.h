/* load.h - a machine from a file, a spec or @name */
#ifndef MACHINE_LOAD_H
#define MACHINE_LOAD_H

#include "formats/table.h"
#include "model/topo.h"

/*
 * ref: a file (YAML, plain or gzip), a spec ("dragonfly:groups=17,routers=4,nodes=4") or "@cori"
 * (share/machines/cori.yaml). The machine is complete but for its links, which topo_graph makes.
 */
int topo_load(struct topo **topo, const char *ref, struct err *err);

/* Whether it names a machine of ours: a spec, an @name, or a file that begins as such a file does.
 * The file is read, "-" is not. */
bool topo_is_ref(const char *ref);

/*
 * The machine of a stream: given (-t) if not NULL, else ##topology= of in (relative to in's
 * folder), else $PLACETOOLS_TOPOLOGY. in may be NULL. A machine whose hash is not the recorded one
 * is refused.
 */
int topo_resolve(struct topo **topo, const char *option, const struct table_in *in,
		 struct err *err);

/* Whether anything says which machine it is, so that topo_resolve would look for it. */
bool topo_is_named(const char *option, const struct table_in *in);

/* Refuses a stream whose ##topology= is of another machine; one without it is all right. */
int topo_check_recorded(const struct topo *topo, const struct table_in *in, struct err *err);

/* Records ##topology=SOURCE HASH; nothing for a machine that was just imported. */
void topo_record(const struct topo *topo, struct table_out *table);

#endif
