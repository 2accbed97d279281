/* vc_classes.h - the virtual channel of each link of a minimal path */
#ifndef MACHINE_VC_VC_CLASSES_H
#define MACHINE_VC_VC_CLASSES_H

#include "machine/route/routing.h"

/* What keeps packets from waiting for each other in a cycle. */
enum vc_kind {
	VC_ONE, /* paths alone: trees, meshes, whatever circle.h finds to be without cycles */
	VC_BY_DATELINE, /* the next one behind the link that closes a ring: datelines.h */
	VC_BY_GROUP,    /* dragonflies: the next one behind a global link, and on a link of a row
			   that follows one of a column */
	VC_BY_HOP       /* the next one with each link */
};

struct vc_classes {
	enum vc_kind kind;
	uint8_t *marks; /* [channels] what the kind has to know of a channel; NULL: nothing */
};

/* Of a routing without detours: of another one's minimal. */
void vc_classes_open(struct vc_classes *classes, struct routing *minimal);
void vc_classes_close(struct vc_classes *classes);

/* The virtual channel of the next link between routers; state is 0 before the first one. More than
 * 255 stay 255. */
int vc_classes_next(const struct vc_classes *classes, int32_t channel, int *state);

#endif
